import { createHash } from 'node:crypto'

/**
 * The id of what a request makes, from the caller's key for the request: a repeated one finds what the first made.
 * The place keeps one key, used for two things, from meaning the same thing.
 */
export function madeId(idempotencyKey: string | undefined, ...place: readonly string[]): string | undefined {
  if (idempotencyKey === undefined) return undefined
  const digest = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, ...place]))
    .digest('hex')
  return `key-${digest.slice(0, 32)}`
}
