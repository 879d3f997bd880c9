// One failed try, classified by what can be done about it. Every error thrown by a model's package becomes
// one of these, and only information that is safe to show is copied: an error of the AI SDK contains the
// whole request, including the user's text.

import { MemoryError } from '../../domain/errors.ts'
import { withoutSecrets } from './endpoint.ts'

/**
 * - `unreachable`: no connection, or one that was cut off
 * - `slow`: no response in time
 * - `status`: the server responded with an error
 * - `garbled`: the response was not what was requested
 * - `thrown`: any other error of a model object
 */
type FailureKind = 'unreachable' | 'slow' | 'status' | 'garbled' | 'thrown'

interface FailureDetails {
  readonly status?: number
  readonly retryAfterMs?: number | undefined
  readonly hint?: string
  readonly cause?: unknown
}

/**
 * Temporary: timeouts, conflicts, too early, too many. Every other status below 500 would be returned again.
 */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429])
const LONGEST_REASON = 300

export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly kind: FailureKind
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly hint: string | undefined

  constructor(kind: FailureKind, reason: string, details: FailureDetails = {}) {
    super(reason, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
    this.hint = details.hint
  }

  /** Whether a retry may succeed. */
  get isPassing(): boolean {
    if (this.kind === 'status') return PASSING_STATUSES.has(this.status ?? 0) || (this.status ?? 0) >= 500
    return this.kind !== 'thrown'
  }
}

/** The failure for an HTTP status. */
export function failureOfStatus(
  status: number,
  reason: string,
  { headers, now, hint }: { headers?: ResponseHeaders | undefined; now: number; hint?: string },
): CallFailure {
  const details = { status, retryAfterMs: readRetryAfter(headers, now), ...(hint !== undefined && { hint }) }
  return new CallFailure('status', toReason(reason), details)
}

/** The relevant fields of an AI SDK error. */
interface SdkFailure {
  readonly name?: string
  readonly message?: string
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly code?: string
  readonly cause?: unknown
}

export function toCallFailure(error: unknown, now: number): CallFailure {
  const chain = causesOf(error)
  const known = chain.find((link) => link instanceof CallFailure)
  if (known !== undefined) return known
  const answered = chain.find(({ statusCode }) => (statusCode ?? 0) >= 400)
  if (answered !== undefined) {
    const headers = answered.responseHeaders
    return failureOfStatus(answered.statusCode as number, answered.message ?? '', { headers, now })
  }
  const broken = chain.find(isNetworkError)
  if (broken !== undefined)
    return new CallFailure('unreachable', toReason(broken.message || broken.code || ''))
  const { message = String(error), name = '' } = chain[0] ?? {}
  if (name.startsWith('AI_')) return new CallFailure('garbled', toReason(message))
  return new CallFailure('thrown', toReason(message), { cause: error })
}

/** The error, its cause, the cause of that …; a limited number, in case of a cycle. */
function causesOf(error: unknown): (SdkFailure & object)[] {
  const chain: (SdkFailure & object)[] = []
  for (let link = error; typeof link === 'object' && link !== null && chain.length < 8; ) {
    chain.push(link as SdkFailure & object)
    link = (link as SdkFailure).cause
  }
  return chain
}

const NETWORK_CODE =
  /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|EHOSTDOWN$|ENETUNREACH$|ENETDOWN$|ENOTFOUND$|EAI_|UND_ERR_|EADDRNOTAVAIL$|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HPE_)/
const NETWORK_MESSAGE = /^(?:fetch failed|terminated|other side closed|socket hang up)$/i

function isNetworkError({ code, message }: SdkFailure): boolean {
  return NETWORK_CODE.test(String(code ?? '')) || NETWORK_MESSAGE.test(message ?? '')
}

function toReason(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line
}

/** The part of `Headers` that is needed; a plain object of lower-case names fits as well. */
type ResponseHeaders = Headers | Readonly<Record<string, string>>

/** How long the server asks to wait, from `retry-after-ms`, or `Retry-After` in seconds or as a date. */
export function readRetryAfter(headers: ResponseHeaders | undefined, now: number): number | undefined {
  const milliseconds = toNumber(headerOf(headers, 'retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const text = headerOf(headers, 'retry-after')
  const seconds = toNumber(text)
  if (seconds !== undefined) return seconds * 1000
  const date = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function headerOf(headers: ResponseHeaders | undefined, name: string): string | undefined {
  if (headers === undefined) return undefined
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return value ?? undefined
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

/** The beginning of a text, up to the limit. Drops half a surrogate pair, which many servers reject. */
export function cutText(text: string, maxCharacters: number): string {
  const cut =
    text.length > maxCharacters ? text.slice(0, maxCharacters).replace(/[\ud800-\udbff]$/, '') : text
  return cut.toWellFormed()
}

/** How error messages refer to a model. */
export interface GuardedModel {
  /** `the chat model llama3.2 at http://localhost:11434/v1` */
  readonly what: string
  /** Its option group, if it is configured by options: `models.chat`. */
  readonly option?: string
  readonly secrets?: readonly string[]
}

export function describeFailure(model: GuardedModel, failure: CallFailure, tries: number): MemoryError {
  const { what, secrets = [] } = model
  const status = failure.status === undefined ? '' : ` with ${failure.status}`
  const reason = failure.message === '' ? '' : `: ${failure.message}`
  const times = tries === 1 ? '' : ` (${tries} tries)`
  const message = withoutSecrets(`${what} failed${status}${times}${reason}`, secrets)
  const hint = failure.hint ?? hintFor(failure, model.option)
  return new MemoryError('model-failed', message, {
    ...(hint !== undefined && { hint: withoutSecrets(hint, secrets) }),
    ...(failure.kind === 'thrown' && { cause: withoutSecretsIn(failure.cause, secrets) }),
  })
}

/** Keeps an error that may be a bug in the application as the cause, with secrets removed. */
function withoutSecretsIn(cause: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0 || !(cause instanceof Error)) return cause
  const shown = new Error(withoutSecrets(cause.message, secrets))
  shown.stack = withoutSecrets(cause.stack ?? '', secrets)
  return shown
}

export function describeRest(
  { what, secrets = [] }: GuardedModel,
  restMs: number,
  reason: string,
): MemoryError {
  const shown = reason === '' ? '' : `; the last time: ${reason}`
  return new MemoryError(
    'model-failed',
    withoutSecrets(`${what} rests after failing repeatedly${shown}`, secrets),
    {
      hint: `it is tried again in ${Math.ceil(restMs / 1000)} s; built-in means answer meanwhile`,
    },
  )
}

function hintFor({ kind, status }: CallFailure, option: string | undefined): string | undefined {
  if (kind === 'slow') return 'raise models.timeoutMs, or use a smaller model'
  if (status === 429) return 'the server takes fewer calls: lower models.concurrency, or wait'
  if (option === undefined) return undefined
  if (kind === 'unreachable') return `is the server running? Its address is the option ${option}.url`
  if (kind === 'garbled') return `does the address in ${option}.url speak the right language?`
  if (status === 401 || status === 403) return `is the key in ${option}.key right?`
  if (status === 404) return `are ${option}.url and ${option}.model right?`
  return undefined
}
