import { MemoryError } from '../domain/errors.ts'
import { type ResolvedContext, usableTokens, type WindowName } from '../options/context-options.ts'

export interface ContextOptions {
  /** What the user asks now, if it is not recorded yet. @default the last message of the user */
  readonly query?: string
  /** The most tokens that the whole request may have. @default what the window leaves */
  readonly budgetTokens?: number
  /** The size of the model's window. @default the option context.window */
  readonly window?: WindowName | number
  /** Instructions that come before everything else, and before recorded system messages. */
  readonly system?: string
  /** The conversation as it was before this position: what comes after it is to be said anew. @default all */
  readonly before?: number
  /** Only the turns after this position: the reader has no others, and memory is to tell of them. @default all */
  readonly after?: number
  /** The tools of the request, in the provider's shape: they cost tokens too. */
  readonly tools?: readonly unknown[]
  /** False: nothing but the turns of the conversation. @default true, unless the conversation's memory is off */
  readonly memory?: boolean
  /** The most tokens of what is remembered. @default the option context.memoryTokens */
  readonly memoryTokens?: number
  /** `background` does not wait until the receipt is stored; `receiptSaved` resolves when it is. @default "now" */
  readonly receipt?: 'now' | 'background'
}

/** Refuses what makes no sense. */
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
    throw new MemoryError('invalid-input', 'tools must be a list')
  }
  for (const field of ['after', 'before'] as const) {
    const position = request[field]
    if (position !== undefined && !Number.isSafeInteger(position))
      throw new MemoryError('invalid-input', `${field} must be a position`)
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
  throw new MemoryError('invalid-input', `a budget cannot be ${asked} tokens`, {
    hint: 'give budgetTokens as a whole number above 0, or window as "12k", "128k", "262k" or a number',
  })
}

function acceptMemoryTokens(request: ContextOptions, options: { readonly memoryTokens: number }): number {
  const memoryTokens = request.memoryTokens ?? options.memoryTokens
  if (Number.isSafeInteger(memoryTokens) && memoryTokens >= 0) return memoryTokens
  throw new MemoryError('invalid-input', `memory cannot have ${JSON.stringify(memoryTokens)} tokens`, {
    hint: 'give memoryTokens as a whole number; 0 leaves memory out',
  })
}

function acceptText(field: string, text: unknown): void {
  if (text === undefined) return
  if (typeof text !== 'string') throw new MemoryError('invalid-input', `${field} must be a text`)
  if (text.isWellFormed()) return
  throw new MemoryError('invalid-input', `${field} has half of a character in it (a lone surrogate)`, {
    hint: 'text.toWellFormed() mends it',
  })
}
