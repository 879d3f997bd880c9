import { MemoryError } from '../domain/errors.ts'
import { type ResolvedContext, usableTokens, type WindowName } from '../options/context-options.ts'

export interface ContextOptions {
  /** The question, if it is not recorded yet. @default the last user message */
  readonly query?: string
  /** Maximum tokens of the whole request. @default what the window allows */
  readonly budgetTokens?: number
  /** The size of the model's window. @default the option context.window */
  readonly window?: WindowName | number
  /** Instructions that come first, before recorded system messages. */
  readonly system?: string
  /** Build the context as of this position (exclusive), for example to regenerate a reply. @default all messages */
  readonly before?: number
  /** Send only turns after this position; memory covers the earlier ones. @default all messages */
  readonly after?: number
  /** The tools of the request, in the provider's shape; they count against the budget. */
  readonly tools?: readonly unknown[]
  /** Set to false to send only turns of the conversation. @default true, unless the conversation's memory is off */
  readonly memory?: boolean
  /** Maximum tokens of memory. @default the option context.memoryTokens */
  readonly memoryTokens?: number
  /** `background` does not wait until the receipt is stored; `receiptSaved` resolves when it is. @default "now" */
  readonly receipt?: 'now' | 'background'
}

/** Validates a request. */
export function acceptRequest(
  request: ContextOptions,
  options: ResolvedContext & { readonly memoryTokens: number },
): { readonly budgetTokens: number; readonly memoryTokens: number } {
  acceptText('query', request.query)
  acceptText('system', request.system)
  if (request.query?.trim() === '') {
    throw new MemoryError('invalid-input', 'query is empty', { hint: 'leave it out' })
  }
  if (request.tools !== undefined && !Array.isArray(request.tools)) {
    throw new MemoryError('invalid-input', 'tools must be an array')
  }
  for (const field of ['after', 'before'] as const) {
    const position = request[field]
    if (position !== undefined && !Number.isSafeInteger(position))
      throw new MemoryError('invalid-input', `${field} must be an integer position`)
  }
  if (request.memory !== undefined && typeof request.memory !== 'boolean') {
    throw new MemoryError('invalid-input', 'memory must be true or false')
  }
  return { budgetTokens: acceptBudget(request, options), memoryTokens: acceptMemoryTokens(request, options) }
}

function acceptBudget(request: ContextOptions, options: ResolvedContext): number {
  const window = request.window ?? options.window
  const budgetTokens = request.budgetTokens ?? usableTokens(window)
  if (Number.isSafeInteger(budgetTokens) && budgetTokens > 0) return budgetTokens
  const asked = JSON.stringify(request.budgetTokens ?? window)
  throw new MemoryError('invalid-input', `invalid budget: ${asked} tokens`, {
    hint: 'budgetTokens must be a positive integer; window must be "12k", "128k", "262k" or a number',
  })
}

function acceptMemoryTokens(request: ContextOptions, options: { readonly memoryTokens: number }): number {
  const memoryTokens = request.memoryTokens ?? options.memoryTokens
  if (Number.isSafeInteger(memoryTokens) && memoryTokens >= 0) return memoryTokens
  throw new MemoryError('invalid-input', `invalid memoryTokens: ${JSON.stringify(memoryTokens)}`, {
    hint: 'memoryTokens must be a non-negative integer; 0 leaves memory out',
  })
}

function acceptText(field: string, text: unknown): void {
  if (text === undefined) return
  if (typeof text !== 'string') throw new MemoryError('invalid-input', `${field} must be a string`)
  if (text.isWellFormed()) return
  throw new MemoryError('invalid-input', `${field} contains an unpaired surrogate`, {
    hint: 'text.toWellFormed() repairs it',
  })
}
