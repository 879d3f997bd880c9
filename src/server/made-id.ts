import { createHash } from 'node:crypto'

/**
 * Derives the id of a created object from the Idempotency-Key, so that a repeated request finds the object of
 * the first. `place` keeps one key, used for two kinds of objects, from producing the same id.
 */
export function madeId(idempotencyKey: string | undefined, ...place: readonly string[]): string | undefined {
  if (idempotencyKey === undefined) return undefined
  const digest = createHash('sha256')
    .update(JSON.stringify([idempotencyKey, ...place]))
    .digest('hex')
  return `key-${digest.slice(0, 32)}`
}
