/** What can go wrong on the way, besides what the server tells. */
export type RequestErrorCode = 'unreachable' | 'aborted' | 'malformed-answer' | (string & {})

interface RequestErrorDetails {
  readonly hint?: string | undefined
  /** Under which the server's log has the request. */
  readonly requestId?: string | undefined
  /** Of the HTTP answer; 0 where none came. */
  readonly status?: number
  /** After how long the server wants to be asked again. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** A request that failed: what, why, and what to do about it, in the words of the server where it answered. */
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

  /** Whether the same request may well succeed a little later. */
  get isPassing(): boolean {
    return this.code === 'unreachable' || PASSING.includes(this.status)
  }
}

/** Too many requests; a gateway or the store that is busy, or a server that is being restarted. */
const PASSING: readonly number[] = [429, 502, 503, 504]

export function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && error.name === 'RequestError'
}

/** Any failure as one that can be shown. */
export function toRequestError(error: unknown): RequestError {
  if (isRequestError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new RequestError('internal', message, { cause: error })
}

interface ToldError {
  readonly error: { code: string; message: string; hint?: string; requestId?: string }
}

const isTold = (body: unknown): body is ToldError =>
  typeof (body as Partial<ToldError> | null)?.error?.message === 'string'

/** The failure that an answer tells of. */
export async function readFailure(response: Response): Promise<RequestError> {
  const { status, headers } = response
  const requestId = headers.get('x-request-id') ?? undefined
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = Number.isFinite(seconds) ? seconds * 1000 : undefined
  const text = await response.text()
  const body = parseJson(text)
  if (!isTold(body)) {
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
    // Whoever asks sees that it is no error of ours, and says so.
    return undefined
  }
}
