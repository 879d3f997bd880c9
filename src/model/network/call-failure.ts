// One try that failed, told apart by what can be done about it. Whatever a model's package throws becomes one of
// these, and only what is safe to show is taken along: an error of the AI SDK carries the whole request, with the
// user's words in it.

import { type ResponseHeaders, readRetryAfter } from './retry-after.ts'

/**
 * - `unreachable`: no connection, or one that was cut off
 * - `slow`: no answer in time
 * - `status`: the server answered with an error
 * - `garbled`: it answered with something else than what was asked for
 * - `thrown`: anything else that a model object threw
 */
export type FailureKind = 'unreachable' | 'slow' | 'status' | 'garbled' | 'thrown'

interface FailureDetails {
  readonly status?: number
  readonly retryAfterMs?: number | undefined
  readonly hint?: string
  readonly cause?: unknown
}

/** Those that pass: timeouts, conflicts, too early, too many. Every other refusal below 500 will come again. */
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

  /** Whether another try may do better. */
  get isPassing(): boolean {
    if (this.kind === 'status') return PASSING_STATUSES.has(this.status ?? 0) || (this.status ?? 0) >= 500
    return this.kind !== 'thrown'
  }
}

/** The error that a server's answer is, by its status. */
export function failureOfStatus(
  status: number,
  reason: string,
  { headers, now, hint }: { headers?: ResponseHeaders | undefined; now: number; hint?: string },
): CallFailure {
  const details = { status, retryAfterMs: readRetryAfter(headers, now), ...(hint !== undefined && { hint }) }
  return new CallFailure('status', toReason(reason), details)
}

/** What the AI SDK throws when a call fails, as far as it matters. */
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

/** The error, its cause, the cause of that …; a few, since a circle has no end. */
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
