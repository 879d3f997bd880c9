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
export async function readFailure(response: Response): Promise<RequestError> {
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
