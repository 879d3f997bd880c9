import { MemoryError } from '../../domain/errors.ts'
import type { CallFailure } from '../network/call-failure.ts'
import { withoutSecrets } from '../network/endpoint.ts'

/** A model as messages speak of it. */
export interface GuardedModel {
  /** `the chat model llama3.2 at http://localhost:11434/v1` */
  readonly what: string
  /** Where its settings lie, if they are options: `models.chat`. */
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

/** An error that may be a slip in a program, for whoever looks for it. */
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
