import { isMemoryError, type MemoryErrorCode } from '../index.ts'

/** What can go wrong at the door, before the memory is asked. */
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

/** Which status each failure has; one table for all. */
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

/** What passes, and after how many seconds it is worth asking again. */
export const RETRY_AFTER_SECONDS: Readonly<Partial<Record<ErrorCode, number>>> = {
  'store-busy': 1,
  // A database that is started again takes a few seconds; two are tried in vain at most.
  'store-unreachable': 2,
  // Behind a load balancer, another server answers; alone, this one has to come up again.
  'shutting-down': 2,
}

interface HttpErrorDetails {
  readonly hint?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that does not get as far as the memory. */
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

/** What a caller is told of a failure. */
export interface ToldError {
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

/** A bug tells nothing of itself to callers: the log has it under the id of the request. */
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
