// Authenticates a request and chooses its workspace. The workspace comes from the API key; only admins may
// name another.

import type { Key, KeyScope, Memory, Workspace } from '../../index.ts'
import { HttpError } from '../http-error.ts'
import { isLoopback, type ResolvedServerOptions } from '../server-options.ts'

/** The scope that a route requires. */
export type Scope = 'public' | KeyScope

interface Caller {
  readonly memory: Workspace
  readonly scope: KeyScope
  /** The id of the API key that was sent. */
  readonly keyId?: string
}

interface Entrance {
  readonly memory: Memory
  readonly options: ResolvedServerOptions
  readonly rateLimit: RateLimit
}

interface Visit {
  readonly request: Request
  /** The client's IP address; missing for requests made in this process. */
  readonly address: string | undefined
  readonly scope: Scope
  /** The Authorization value, for routes that read it from somewhere else. */
  readonly shown?: string | null
}

const GRANTS: Readonly<Record<KeyScope, readonly Scope[]>> = {
  metrics: ['metrics'],
  read: ['read'],
  write: ['read', 'write'],
  admin: ['metrics', 'read', 'write', 'admin'],
}

export async function admit(entrance: Entrance, visit: Visit): Promise<Caller> {
  const { memory } = entrance
  if (visit.scope === 'public') {
    limitRate(entrance, visit, undefined)
    return { memory, scope: 'read' }
  }
  const key = await findKey(entrance, visit)
  limitRate(entrance, visit, key)
  const scope = key?.scope ?? 'admin'
  if (!GRANTS[scope].includes(visit.scope)) {
    throw new HttpError(
      'forbidden',
      `this requires an API key with the scope ${visit.scope}; yours has ${scope}`,
      {
        hint: `recollect keys create --scope ${visit.scope}`,
      },
    )
  }
  const workspace = chooseWorkspace(visit.request, { own: key?.workspace ?? memory.workspaceId, scope })
  const own = workspace === memory.workspaceId ? memory : memory.workspace(workspace)
  return { memory: own, scope, ...(key && { keyId: key.id }) }
}

/** Undefined for local requests when no key is required. */
async function findKey({ memory, options }: Entrance, { request, shown }: Visit): Promise<Key | undefined> {
  const given = shown === undefined ? request.headers.get('authorization') : shown
  if (given === null) {
    if (!options.requireKey && !isForwarded(request)) return undefined
    throw unauthorized(
      'an API key is required',
      'send  Authorization: Bearer <key>; create a key with recollect keys create',
    )
  }
  const text = /^Bearer +(\S+) *$/i.exec(given)?.[1]
  const key = text === undefined ? undefined : await memory.keys.verify(text)
  if (key === undefined)
    throw unauthorized('invalid API key', 'it may have been deleted; list keys with recollect keys list')
  return key
}

/** Forwarded requests are not local, even if the proxy runs on this machine. */
const isForwarded = ({ headers }: Request): boolean =>
  headers.has('x-forwarded-for') || headers.has('forwarded')

const unauthorized = (message: string, hint: string): HttpError =>
  new HttpError('unauthorized', message, { hint, headers: { 'www-authenticate': 'Bearer' } })

/** Local requests without a key are not limited: the limit would only slow down the user's own scripts. */
function limitRate({ rateLimit }: Entrance, { address }: Visit, key: Key | undefined): void {
  if (key === undefined && (address === undefined || isLoopback(address))) return
  const seconds = rateLimit.take(key?.id ?? `address ${address}`, Date.now())
  if (seconds === undefined) return
  throw new HttpError('too-many-requests', 'too many requests', {
    hint: `retry in ${seconds} s; the server option requestsPerSecond sets the limit`,
    headers: { 'retry-after': String(seconds) },
  })
}

function chooseWorkspace(request: Request, { own, scope }: { own: string; scope: KeyScope }): string {
  const header = request.headers.get('x-recollect-workspace')
  if (header === null) return own
  const named = decodeName(header)
  if (named === own || scope === 'admin') return named
  throw new HttpError('forbidden', `this key does not belong to the workspace "${named}"`, {
    hint: 'remove the header; only keys with the scope admin may choose a workspace',
  })
}

/** Headers cannot carry characters beyond Latin-1, so other names are percent-encoded. */
function decodeName(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new HttpError(
      'invalid-input',
      `X-Recollect-Workspace is not valid percent-encoding: ${String(cause)}`,
    )
  }
}

/** Token bucket per caller: each request takes one token, and tokens are refilled at a steady rate. */
export class RateLimit {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor({ requestsPerSecond, requestBurst }: { requestsPerSecond: number; requestBurst: number }) {
    this.#perSecond = requestsPerSecond
    this.#burst = Math.max(1, requestBurst)
  }

  /** Seconds until the caller may retry; undefined if the request is allowed. */
  take(caller: string, nowMs: number): number | undefined {
    if (this.#perSecond === 0) return undefined
    const before = this.#buckets.get(caller)
    const gained = before === undefined ? 0 : (Math.max(0, nowMs - before.at) / 1000) * this.#perSecond
    const tokens = Math.min(this.#burst, (before?.tokens ?? this.#burst) + gained)
    const isLet = tokens >= 1
    this.#buckets.delete(caller)
    this.#buckets.set(caller, { tokens: isLet ? tokens - 1 : tokens, at: nowMs })
    this.#forgetOldest()
    return isLet ? undefined : Math.ceil((1 - tokens) / this.#perSecond)
  }

  /**
   * Evicts the caller that was idle longest: its bucket is full again, unless there are very many callers.
   */
  #forgetOldest(): void {
    if (this.#buckets.size <= MOST_CALLERS) return
    const [oldest] = this.#buckets.keys()
    if (oldest !== undefined) this.#buckets.delete(oldest)
  }
}

const MOST_CALLERS = 10_000

// Keeps web pages from reaching the memory of the person viewing them. A hostile page can make its host name
// resolve to this machine (DNS rebinding: the Host header gives it away) or send cross-site requests (Origin
// or Sec-Fetch-Site does).

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
