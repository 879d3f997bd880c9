import { isMemoryError, type MemoryErrorCode } from '../index.ts'

/** Errors of the HTTP layer, raised before the memory is called. */
export type HttpErrorCode =
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

export type ErrorCode = MemoryErrorCode | HttpErrorCode

/** The HTTP status of each error code. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
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
export const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorCode, number>>> = {
  'store-busy': 1,
  // A database takes a few seconds to restart; at most two retries fail.
  'store-unreachable': 2,
  // Behind a load balancer, another server responds; a single server has to restart first.
  'shutting-down': 2,
}

interface HttpErrorDetails {
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An error of the HTTP layer. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly code: HttpErrorCode | 'invalid-input' | 'too-large' | 'not-found'
  readonly hint: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: HttpError['code'], message: string, { hint, headers = {} }: HttpErrorDetails = {}) {
    super(message)
    this.code = code
    this.hint = hint
    this.headers = headers
  }
}

/** The part of an error that is sent to the client. */
export interface ToldError {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

/** Hides the details of a bug from clients: the log has them under the request id. */
export function toToldError(error: unknown): ToldError {
  if (error instanceof HttpError || isMemoryError(error)) {
    const { code, message, hint } = error
    return { code, message, ...(hint !== undefined && { hint }) }
  }
  return {
    code: 'internal',
    message: 'a bug in Recollect',
    hint: 'the log of the server has it under this id',
  }
}
