// Web pages must not reach the memory of whoever looks at them. A page elsewhere can have its name resolve to this
// machine (then the Host header gives it away), or send requests across sites (then Origin or Sec-Fetch-Site does).

import { HttpError } from '../http-error.ts'
import { isLoopback, type ResolvedServerOptions } from '../server-options.ts'

type BrowserRules = Pick<ResolvedServerOptions, 'host' | 'allowedHosts' | 'corsOrigins'>

/** Refuses a request that was meant for another name. */
export function checkHost(url: URL, { host, allowedHosts }: BrowserRules): void {
  const name = url.hostname.toLowerCase()
  const isChecked = isLoopback(host) || allowedHosts.length > 0
  if (!isChecked || isLoopback(name) || name === host.toLowerCase()) return
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return
  throw new HttpError('forbidden', `this server is not called "${name}"`, {
    hint: 'use http://localhost, or start it with --allowed-host',
  })
}

/** Refuses what a browser sends for a page of another site, unless that site was let in. */
export function checkOrigin(request: Request, url: URL, { corsOrigins }: BrowserRules): void {
  const origin = request.headers.get('origin')
  if (origin === null ? isSameSite(request) : isOwn(origin, url) || isListed(origin, corsOrigins)) return
  throw new HttpError('forbidden', 'requests from web pages of other sites are not accepted', {
    hint: 'start the server with --cors and the origin of the page to let it in',
  })
}

function isSameSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** The scheme is left aside: behind a proxy with TLS, it is another one here. */
const isOwn = (origin: string, url: URL): boolean => URL.canParse(origin) && new URL(origin).host === url.host

const isListed = (origin: string, listed: readonly string[]): boolean =>
  listed.some((one) => one.toLowerCase() === origin.toLowerCase())

const ALLOWED_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id, X-Recollect-Workspace'
const EXPOSED_HEADERS = 'ETag, Retry-After, X-Request-Id, X-Recollect-Erased'

/** What lets a listed page read the answer; nothing for any other. */
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

/** The answer to a browser that asks whether it may send a request. */
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
