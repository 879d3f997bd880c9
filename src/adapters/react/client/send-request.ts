/** Errors of the client itself, or any error code of the server. */
export type RequestErrorCode = 'unreachable' | 'aborted' | 'malformed-answer' | (string & {})

interface RequestErrorDetails {
  readonly hint?: string | undefined
  /** The id of the request in the server's log. */
  readonly requestId?: string | undefined
  /** The HTTP status; 0 if there was no response. */
  readonly status?: number
  /** How long to wait before a retry, as requested by the server. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A failed request: what failed, why, and what to do about it. Uses the server's message if it responded. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly code: RequestErrorCode
  readonly hint: string | undefined
  readonly requestId: string | undefined
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(code: RequestErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.hint = details.hint
    this.requestId = details.requestId
    this.status = details.status ?? 0
    this.retryAfterMs = details.retryAfterMs
  }

  /** Whether the same request may succeed a little later. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || TRANSIENT_STATUSES.includes(this.status)
  }
}

/** Too many requests, a busy gateway or store, or a server that is restarting. */
const TRANSIENT_STATUSES: readonly number[] = [429, 502, 503, 504]

export function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'RequestError'
}

/** Converts any error to one that can be shown. */
export function toRequestError(error: unknown): RequestError {
  if (isRequestError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new RequestError('internal', message, { cause: error })
}

interface ErrorBody {
  readonly error: { code: string; message: string; hint?: string; requestId?: string }
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof (body as Partial<ErrorBody> | null)?.error?.message === 'string'

/** Reads the error from a response. */
async function readFailure(response: Response): Promise<RequestError> {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
  const text = await response.text()
  const body = parseJson(text)
  if (!isErrorBody(body)) {
    return new RequestError('malformed-answer', `the server answered ${status}`, {
      hint: 'is this address the one of a Recollect server?',
      requestId,
      status,
      retryAfterMs,
    })
  }
  const { code, message, hint, requestId: told } = body.error
  return new RequestError(code, message, { hint, requestId: told ?? requestId, status, retryAfterMs })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not an error body of ours: the caller reports that.
    return undefined
  }
}

// Sends requests and reads responses. Reads are retried if the network or the server fails temporarily;
// writes are not, unless they are marked as idempotent.

export interface ClientOptions {
  /** Base URL of the server. @default the origin of the page */
  readonly url?: string
  /** An API key, or a function that returns one for each request. @default none */
  readonly key?: string | (() => string | undefined | Promise<string | undefined>)
  /**
   * The workspace of the user; another one needs the scope admin. What the browser stores is kept apart by it.
   * @default the workspace of the key
   */
  readonly workspace?: string
  /** Additional headers for every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** @default the global fetch */
  readonly fetch?: typeof fetch
  /**
   * How often reads are retried. @default 3: with the delays below, enough to survive a restart of the server
   */
  readonly retries?: number
  /** The first delay; it doubles with each retry. @default 300: hardly noticeable */
  readonly retryWaitMs?: number
}

type QueryValue = string | number | boolean | Date | undefined | null

export interface CallOptions {
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** The browser completes the request even if the page is closed; for small bodies. */
  readonly keepalive?: boolean
  /** May be retried although it is not a GET: sending it twice has the same effect as once. @default false */
  readonly isRepeatable?: boolean
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A page of a list. `next` is the cursor of the next page; null at the end. */
export type Listed<Name extends string, Item> = { readonly [Key in Name]: readonly Item[] } & {
  readonly next: string | null
}

/** Sends requests to one server. */
export interface Sender {
  /** The body of the response; undefined if it is empty. */
  request<T>(method: Method, path: string, options?: CallOptions): Promise<T>
  /** The successful response itself, for streams and files. */
  open(method: Method, path: string, options?: CallOptions): Promise<Response>
  /** The URL of a path, with its query. */
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
    // Headers cannot carry characters beyond Latin-1.
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

/** A network error, or the caller's abort. */
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

/** Retries temporary failures with exponential backoff. */
async function persist<T>(work: () => Promise<T>, { tries, waitMs, signal }: Patience): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (tries <= 1 || !isRequestError(error) || !error.isPassing) throw error
    await pause(error.retryAfterMs ?? waitMs, signal)
    return persist(work, { tries: tries - 1, waitMs: waitMs * 2, signal })
  }
}

/** Waits, or returns early if the caller aborts. */
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
