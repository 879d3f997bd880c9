import { isMemoryError, type MemoryErrorCode } from '../index.ts'

/** Errors of the HTTP layer, raised before the memory is called. */
type HttpErrorCode =
  | 'invalid-json'
  | 'unauthorized'
  | 'forbidden'
  | 'method-not-allowed'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'headers-too-large'
  | 'malformed-request'
  | 'shutting-down'
  | 'internal'

type ErrorCode = MemoryErrorCode | HttpErrorCode

/** The HTTP status of each error code. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  'invalid-input': 422,
  'too-large': 413,
  'not-found': 404,
  conflict: 409,
  'budget-too-small': 422,
  'store-busy': 503,
  'store-unreachable': 503,
  'store-full': 507,
  'store-damaged': 500,
  'store-too-new': 500,
  'store-failed': 500,
  'store-closed': 503,
  'missing-dependency': 501,
  'model-failed': 502,
  'unsupported-format': 415,
  'invalid-json': 400,
  unauthorized: 401,
  forbidden: 403,
  'method-not-allowed': 405,
  'unsupported-media-type': 415,
  'too-many-requests': 429,
  'headers-too-large': 431,
  'malformed-request': 400,
  'shutting-down': 503,
  internal: 500,
}

/** Temporary errors, with the number of seconds after which to retry. */
const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorCode, number>>> = {
  'store-busy': 1,
  // A database takes a few seconds to restart; at most two retries fail.
  'store-unreachable': 2,
  // Behind a load balancer, another server responds; a single server has to restart first.
  'shutting-down': 2,
}

interface HttpErrorDetails {
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Logged, and not sent. */
  readonly cause?: unknown
}

/** An error of the HTTP layer. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode | 'invalid-input' | 'too-large' | 'not-found'
  readonly hint: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: HttpError['code'],
    message: string,
    { hint, headers = {}, cause }: HttpErrorDetails = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    this.code = code
    this.hint = hint
    this.headers = headers
  }
}

/** The part of an error that is sent to the client. */
interface PublicError {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

/** Hides the details of a bug from clients: the log has them under the request id. */
export function toPublicError(error: unknown): PublicError {
  if (error instanceof HttpError || isMemoryError(error)) {
    const { code, message, hint } = error
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  return {
    code: 'internal',
    message: 'internal error: a bug in Recollect',
    hint: "the server's log has the details under this request id",
  }
}

/** The body of every error response. */
interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint?: string
    readonly requestId: string
  }
}

export function toErrorResponse(error: unknown, requestId: string): Response {
  const told = toPublicError(error)
  const body: ErrorBody = { error: { ...told, requestId } }
  const headers = error instanceof HttpError ? error.headers : {}
  const seconds = RETRY_AFTER_SECONDS[told.code]
  return new Response(JSON.stringify(body), {
    status: STATUS[told.code],
    headers: {
      'content-type': 'application/json',
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
      ...headers,
    },
  })
}

/** The same as raw bytes, for data that Node could not parse as a request. */
export function toRawError(code: HttpErrorCode, message: string, requestId: string): string {
  const body = JSON.stringify({ error: { code, message, requestId } } satisfies ErrorBody)
  const status = STATUS[code]
  const reason = status === 431 ? 'Request Header Fields Too Large' : 'Bad Request'
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
