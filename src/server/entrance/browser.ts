// Keeps web pages from reaching the memory of the person viewing them. A hostile page can make its host name
// resolve to this machine (DNS rebinding: the Host header gives it away) or send cross-site requests (Origin
// or Sec-Fetch-Site does).

import { HttpError } from '../http-error.ts'
import { isLoopback, type ResolvedServerOptions } from '../server-options.ts'

type BrowserRules = Pick<ResolvedServerOptions, 'host' | 'allowedHosts' | 'corsOrigins'>

/** Rejects a request for a host name that is not allowed. */
export function checkHost(url: URL, { host, allowedHosts }: BrowserRules): void {
  const name = url.hostname.toLowerCase()
  const isChecked = isLoopback(host) || allowedHosts.length > 0
  if (!isChecked || isLoopback(name) || name === host.toLowerCase()) return
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return
  throw new HttpError('forbidden', `Host "${name}" is not allowed`, {
    hint: 'use http://localhost, or start the server with --allowed-host',
  })
}

/** Rejects a request that a browser sends on behalf of another site, unless that origin is allowed. */
export function checkOrigin(request: Request, url: URL, { corsOrigins }: BrowserRules): void {
  const origin = request.headers.get('origin')
  if (origin === null ? isSameSite(request) : isOwn(origin, url) || isListed(origin, corsOrigins)) return
  throw new HttpError('forbidden', 'cross-origin requests are not allowed', {
    hint: 'start the server with --cors and the origin of the page',
  })
}

function isSameSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** Compares the host only: behind a TLS proxy, the scheme differs. */
const isOwn = (origin: string, url: URL): boolean => URL.canParse(origin) && new URL(origin).host === url.host

const isListed = (origin: string, listed: readonly string[]): boolean =>
  listed.some((one) => one.toLowerCase() === origin.toLowerCase())

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, X-Recollect-Workspace'
const EXPOSED_HEADERS = 'ETag, Retry-After, X-Request-Id, X-Recollect-Erased, X-Recollect-Warning'

/** CORS headers for an allowed origin; none for others. */
export function corsHeaders(
  origin: string | null,
  listed: readonly string[],
): Readonly<Record<string, string>> {
  if (listed.length === 0) return {}
  if (origin === null || !isListed(origin, listed)) return { vary: 'Origin' }
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'Origin',
  }
}

/** The response to a CORS preflight request. */
export function answerPreflight(request: Request, listed: readonly string[]): Response | undefined {
  const origin = request.headers.get('origin')
  const isAsked = request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
  if (!isAsked || origin === null || !isListed(origin, listed)) return undefined
  return new Response(null, {
    status: 204,
    headers: {
      ...corsHeaders(origin, listed),
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': ALLOWED_HEADERS,
      'access-control-max-age': '600',
    },
  })
}
