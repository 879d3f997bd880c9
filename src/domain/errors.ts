/** Every kind of error that a caller may want to handle. */
export type MemoryErrorCode =
  | 'invalid-input'
  | 'too-large'
  | 'not-found'
  | 'conflict'
  | 'budget-too-small'
  | 'store-busy'
  | 'store-unreachable'
  | 'store-full'
  | 'store-damaged'
  | 'store-too-new'
  | 'store-failed'
  | 'store-closed'
  | 'missing-dependency'
  | 'model-failed'
  | 'unsupported-format'

interface MemoryErrorDetails {
  readonly hint?: string
  readonly cause?: unknown
}

/** The message says what failed, in domain terms; `hint` says what to do about it. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError'
  readonly code: MemoryErrorCode
  readonly hint: string | undefined

  constructor(code: MemoryErrorCode, message: string, details: MemoryErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.hint = details.hint
  }
}

/** The required parts of the context exceed the budget. */
export class BudgetError extends MemoryError {
  readonly neededTokens: number
  readonly budgetTokens: number

  constructor(neededTokens: number, budgetTokens: number) {
    const over = neededTokens - budgetTokens
    super(
      'budget-too-small',
      `system prompt, tools and live turn need ${neededTokens} tokens; the budget is ${budgetTokens}: ${over} too many`,
      {
        hint: `raise budgetTokens to at least ${neededTokens}, or shorten the system prompt, the tools or the last turn`,
      },
    )
    this.neededTokens = neededTokens
    this.budgetTokens = budgetTokens
  }
}

/** Checks the name, so that it works across two installed copies of the package. */
export function isMemoryError(error: unknown): error is MemoryError {
  return error instanceof Error && error.name === 'MemoryError' && 'code' in error
}
