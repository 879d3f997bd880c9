import { createHash } from 'node:crypto'
import type { Route } from './route.ts'

/**
 * Builds the JSON response of a route; 304 if the route has an ETag and the client already has that version.
 */
export function answerJson(route: Route, value: unknown, request: Request): Response {
  const { status, schema } = route.answer
  if (schema === undefined) return new Response(null, { status })
  const json = JSON.stringify(value)
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    // Set explicitly, so that the compression middleware skips small responses.
    'content-length': String(Buffer.byteLength(json)),
    vary: 'Accept-Encoding',
  }
  if (route.hasEtag !== true) return new Response(json, { status, headers })
  const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 27)}"`
  const tagged = { ...headers, 'cache-control': 'private, no-cache', etag }
  if (isKnown(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers: { etag, 'cache-control': 'private, no-cache' } })
  return new Response(json, { status, headers: tagged })
}

/** Ignores the `W/` prefix: compression in between turns an ETag into a weak one. */
function isKnown(header: string | null, etag: string): boolean {
  if (header === null) return false
  const known = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes('*') || known.includes(etag)
}
