import type { z } from 'zod'
import { type ResolvedContext, usableTokens } from '../options/context-options.ts'
import { contextTurn } from '../schemas/chat.ts'
import { check } from '../schemas/check.ts'
import type { Input } from '../schemas/values.ts'

/** Options of a context, with the question and the signal of a turn. */
export type ContextTurn = Input<typeof contextTurn>

export function acceptRequest(
  request: ContextTurn,
  options: ResolvedContext & { readonly memoryTokens: number },
): z.output<typeof contextTurn> & { readonly budgetTokens: number; readonly memoryTokens: number } {
  const checked = check(contextTurn, request)
  const { budgetTokens = usableTokens(checked.window ?? options.window) } = checked
  return { ...checked, budgetTokens, memoryTokens: checked.memoryTokens ?? options.memoryTokens }
}
