// How a request goes out and an answer comes back. Reading is tried again when the network or the server falters;
// what writes is not, unless it says that twice is the same as once.

import { isRequestError, RequestError, readFailure } from './request-error.ts'

export interface ClientOptions {
  /** Where the server is. @default the origin of the page */
  readonly url?: string
  /** A key, or how to get one for each request. @default none */
  readonly key?: string | (() => string | undefined | Promise<string | undefined>)
  /** Only for keys with the scope admin. @default the one of the key */
  readonly workspace?: string
  /** More headers for every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default the global one */
  readonly fetch?: typeof fetch
  /** How often reading is tried again. @default 3: with the waits below, a restart of the server is sat out */
  readonly retries?: number
  /** The first wait; each one after is twice as long. @default 300: a person hardly notices */
  readonly retryWaitMs?: number
}

type QueryValue = string | number | boolean | Date | undefined | null

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The browser finishes the request even when the page goes away; for small bodies. */
  readonly keepalive?: boolean
  /** May be tried again, though it is no GET: sent twice, it does the same as once. @default false */
  readonly isRepeatable?: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends requests to one server. */
export interface Sender {
  /** The body of the answer; undefined where there is none. */
  request<T>(method: Method, path: string, options?: CallOptions): Promise<T>
  /** The answer as it comes, for streams and files. It is one of success. */
  open(method: Method, path: string, options?: CallOptions): Promise<Response>
  /** The address of a path, with its query. */
  address(path: string, query?: CallOptions['query']): string
}

const RETRIES = 3
const RETRY_WAIT_MS = 300

export function createSender(options: ClientOptions = {}): Sender {
  const base = (options.url ?? '').replace(/\/+$/, '')
  const address = (path: string, query: CallOptions['query'] = {}) => base + path + toSearch(query)
  const open = async (method: Method, path: string, call: CallOptions = {}) => {
    const isRepeatable = method === 'GET' || call.isRepeatable === true
    return persist(() => openOnce(options, { method, url: address(path, call.query), call }), {
      tries: isRepeatable ? 1 + (options.retries ?? RETRIES) : 1,
      waitMs: options.retryWaitMs ?? RETRY_WAIT_MS,
      signal: call.signal,
    })
  }
  return {
    address,
    open,
    async request<T>(method: Method, path: string, call: CallOptions = {}) {
      return readBody<T>(await open(method, path, call), call.signal)
    },
  }
}

function toSearch(query: NonNullable<CallOptions['query']>): string {
  const words = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    words.set(name, value instanceof Date ? value.toISOString() : String(value))
  }
  return words.size === 0 ? '' : `?${words}`
}

interface Outgoing {
  readonly method: Method
  readonly url: string
  readonly call: CallOptions
}

async function openOnce(options: ClientOptions, { method, url, call }: Outgoing): Promise<Response> {
  const { body, signal, keepalive } = call
  const init: RequestInit = {
    method,
    headers: { ...(await standingHeaders(options)), ...bodyHeaders(body), ...call.headers },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  }
  let response: Response
  try {
    response = await (options.fetch ?? fetch)(url, init)
  } catch (cause) {
    throw toNetworkError(cause, signal)
  }
  if (!response.ok) throw await readFailure(response)
  return response
}

const isRaw = (body: unknown): body is Blob | ArrayBuffer | FormData =>
  body instanceof Blob || body instanceof ArrayBuffer || body instanceof FormData

const bodyHeaders = (body: unknown): Record<string, string> =>
  body === undefined || isRaw(body) ? {} : { 'content-type': 'application/json' }

async function standingHeaders({ key, workspace, headers }: ClientOptions): Promise<Record<string, string>> {
  const shown = typeof key === 'function' ? await key() : key
  return {
    ...headers,
    ...(shown && { authorization: `Bearer ${shown}` }),
    // Headers hold no letters beyond Latin-1.
    ...(workspace && { 'x-recollect-workspace': encodeURIComponent(workspace) }),
  }
}

async function readBody<T>(response: Response, signal: AbortSignal | undefined): Promise<T> {
  if (response.status === 204) return undefined as T
  try {
    return (await response.json()) as T
  } catch (cause) {
    if (cause instanceof SyntaxError) {
      throw new RequestError('malformed-answer', 'the server’s answer is not JSON', {
        hint: 'is this address the one of a Recollect server?',
        status: response.status,
        cause,
      })
    }
    throw toNetworkError(cause, signal)
  }
}

/** A failure of the network, or of whoever asked no longer wanting the answer. */
export function toNetworkError(cause: unknown, signal: AbortSignal | undefined): RequestError {
  if (signal?.aborted) return new RequestError('aborted', 'the request was stopped', { cause })
  return new RequestError('unreachable', 'the memory’s server cannot be reached', {
    hint: 'is it running, and is there a network? nothing that was answered is lost',
    cause,
  })
}

interface Patience {
  readonly tries: number
  readonly waitMs: number
  readonly signal: AbortSignal | undefined
}

/** Tries again after failures that pass, waiting twice as long each time. */
async function persist<T>(work: () => Promise<T>, { tries, waitMs, signal }: Patience): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (tries <= 1 || !isRequestError(error) || !error.isPassing) throw error
    await pause(error.retryAfterMs ?? waitMs, signal)
    return persist(work, { tries: tries - 1, waitMs: waitMs * 2, signal })
  }
}

/** Waits; less long when whoever asked wants nothing any more. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((wake) => {
    const timer = setTimeout(wake, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      wake()
    })
  })
  if (signal?.aborted) throw toNetworkError(signal.reason, signal)
}
