// Authenticates a request and chooses its workspace: with the hook `authorize`, from an API key, or from a trusted header.
// Only admins may name another workspace.

import { definedFields } from '../../domain/defined-fields.ts'
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

/** What is known about the sender of a request. */
interface Identity {
  readonly workspaceId: string
  readonly scope: KeyScope
  readonly keyId?: string
  /** Whose requests are counted together; undefined for local requests without a key. */
  readonly limitedAs: string | undefined
}

const GRANTS: Readonly<Record<KeyScope, readonly Scope[]>> = {
  metrics: ['metrics'],
  read: ['read'],
  write: ['read', 'write'],
  admin: ['metrics', 'read', 'write', 'admin'],
}

export async function admit(entrance: Entrance, visit: Visit): Promise<Caller> {
  const { memory, rateLimit } = entrance
  if (visit.scope === 'public') {
    limitRate(rateLimit, addressLimit(visit))
    return { memory, scope: 'read' }
  }
  const { workspaceId, scope, keyId, limitedAs } = await identify(entrance, visit)
  limitRate(rateLimit, limitedAs)
  if (!GRANTS[scope].includes(visit.scope)) {
    throw new HttpError('forbidden', `this requires the scope ${visit.scope}; yours is ${scope}`, {
      hint: `recollect keys create --scope ${visit.scope}`,
    })
  }
  const caller = { memory: toWorkspace(memory, workspaceId), scope, ...definedFields({ keyId }) }
  const named = visit.request.headers.get('x-recollect-workspace') ?? undefined
  return inWorkspace(entrance, caller, named && decodeName('X-Recollect-Workspace', named))
}

const toWorkspace = (memory: Memory, id: string): Workspace =>
  id === memory.workspaceId ? memory : memory.workspace(id)

/** The caller in the workspace that the request names, if it names one. */
export function inWorkspace(
  { memory }: Pick<Entrance, 'memory'>,
  caller: Caller,
  named: string | undefined,
): Caller {
  if (named === undefined || named === caller.memory.workspaceId) return caller
  if (caller.scope === 'admin') return { ...caller, memory: toWorkspace(memory, named) }
  throw new HttpError('forbidden', `you have no access to the workspace "${named}"`, {
    hint: 'name no workspace: only callers with the scope admin may choose one',
  })
}

async function identify(entrance: Entrance, visit: Visit): Promise<Identity> {
  const { memory, options } = entrance
  if (options.authorize !== undefined) return authorizeWith(options.authorize, visit.request)
  const key = await findKey(entrance, visit)
  if (key !== undefined)
    return { workspaceId: key.workspace, scope: key.scope, keyId: key.id, limitedAs: key.id }
  const limitedAs = addressLimit(visit)
  if (options.workspaceHeader === '') return { workspaceId: memory.workspaceId, scope: 'admin', limitedAs }
  return { workspaceId: readUser(options, visit.request), scope: 'write', limitedAs }
}

type Authorize = NonNullable<ResolvedServerOptions['authorize']>

/** Details of a failure are logged, and not sent. */
async function authorizeWith(authorize: Authorize, request: Request): Promise<Identity> {
  const answer = await Promise.resolve()
    .then(() => authorize(request))
    .catch((cause: unknown) => {
      throw authorizeFailed(cause)
    })
  if (answer === undefined || answer === null || answer === false)
    throw unauthorized('you are not signed in', 'the application decides who has access')
  const { workspaceId, scope = 'write' } = answer
  const isValid = typeof workspaceId === 'string' && workspaceId.trim() !== '' && Object.hasOwn(GRANTS, scope)
  if (!isValid)
    throw authorizeFailed(
      new TypeError('authorize must return { workspaceId, scope? }, or undefined for no access'),
    )
  return { workspaceId, scope, limitedAs: `workspace ${workspaceId}` }
}

const authorizeFailed = (cause: unknown): HttpError =>
  new HttpError('internal', 'authorize failed', {
    hint: "the server's log has the details under this request id",
    cause,
  })

/** The workspace in the trusted header. */
function readUser({ workspaceHeader: name }: ResolvedServerOptions, { headers }: Request): string {
  const user = decodeName(name, headers.get(name) ?? '').trim()
  if (user === '') throw unauthorized('the user is not known', `send the header ${name}, or an API key`)
  return user
}

/** Undefined where no key was sent and none is required. */
async function findKey({ memory, options }: Entrance, { request, shown }: Visit): Promise<Key | undefined> {
  const given = shown === undefined ? request.headers.get('authorization') : shown
  if (given === null) {
    const isLocal = !options.requireKey && !isForwarded(request)
    if (isLocal || options.workspaceHeader !== '') return undefined
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
const addressLimit = ({ address }: Visit): string | undefined =>
  address === undefined || isLoopback(address) ? undefined : `address ${address}`

function limitRate(rateLimit: RateLimit, limitedAs: string | undefined): void {
  const seconds = limitedAs === undefined ? undefined : rateLimit.take(limitedAs, Date.now())
  if (seconds === undefined) return
  throw new HttpError('too-many-requests', 'too many requests', {
    hint: `retry in ${seconds} s; the server option requestsPerSecond sets the limit`,
    headers: { 'retry-after': String(seconds) },
  })
}

/** Headers cannot carry characters beyond Latin-1, so other names are percent-encoded. */
function decodeName(header: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new HttpError('invalid-input', `${header} is not valid percent-encoding: ${String(cause)}`)
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

type BrowserRules = Pick<ResolvedServerOptions, 'host' | 'allowedHosts' | 'corsOrigins' | 'authorize'>

/** Rejects a request for a host name that is not allowed. `authorize` sees no cookies of a name that a page made up. */
export function checkHost(url: URL, { host, allowedHosts, authorize }: BrowserRules): void {
  const name = url.hostname.toLowerCase()
  const isChecked = (isLoopback(host) && authorize === undefined) || allowedHosts.length > 0
  if (!isChecked || isLoopback(name) || name === host.toLowerCase()) return
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return
  throw new HttpError('forbidden', `Host "${name}" is not allowed`, {
    hint: 'use http://localhost, or start the server with --allowed-host',
  })
}

/** Rejects a request that a browser sends on behalf of another site, unless that origin is allowed. */
export function checkOrigin(request: Request, url: URL, { corsOrigins }: BrowserRules): void {
  const origin = request.headers.get('origin')
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return
  if (origin === null && (site === null || site === 'none')) return
  if (origin !== null && (isOwn(origin, request, url) || isListed(origin, corsOrigins))) return
  throw new HttpError('forbidden', 'cross-origin requests are not allowed', {
    hint: 'start the server with --cors and the origin of the page',
  })
}

/**
 * Compares the host only: behind a TLS proxy, the scheme differs. Frameworks and proxies may change the URL; pages of
 * other sites can set neither Host nor X-Forwarded-Host.
 */
function isOwn(origin: string, { headers }: Request, url: URL): boolean {
  if (!URL.canParse(origin)) return false
  return [url.host, headers.get('host'), headers.get('x-forwarded-host')].includes(new URL(origin).host)
}

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
