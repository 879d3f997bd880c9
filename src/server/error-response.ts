import { HttpError, type HttpErrorCode, RETRY_AFTER_SECONDS, STATUS, toToldError } from './http-error.ts'

/** The body of every error response. */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint?: string
    readonly requestId: string
  }
}

export function toErrorResponse(error: unknown, requestId: string): Response {
  const told = toToldError(error)
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
