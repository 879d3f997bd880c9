// Builds the messages for one turn of a model, within the budget, with a receipt.
//
// Sections are ordered by how often they change; what belongs to this question comes last:
//
//   system    the system prompt of the call, then the recorded ones, as one message; memory adds nothing to it
//   memory    instructions, preferences and lasting facts, whatever the question  ┐ at the start of the
//   summary   of the messages before the tail, as it was when the tail began      ┘ first user message
//   head      the first turns, once the conversation no longer fits
//   tail      the last turns before the live one, as many as fit
//   recalled, notes, chunks      for this question: in the live turn, right before the user's text
//   live      the last user message and everything after it, including tool calls and their reasoning; or the
//             question of this call, if it is not recorded yet
//
//  1. Never over the budget, counted over everything that is sent: system, tools, messages and what a provider adds
//     around each. Memory has its own limit within the budget (plan-context.ts).
//  2. Valid for OpenAI, Anthropic and Gemini (render-context.ts, provider-validity.ts).
//  3. The system prompt and the live turn are always complete. If they do not fit, a BudgetError says by how much.
//  4. The same call gives the same bytes, and a new turn changes only the end: recalled items are sent only with their
//     question, and the rest stays the same until the tail has to begin later (plan-context.ts) or standing memory
//     changes. The receipt says where the common prefix ends and why.
//  5. Memory is data between marks that nothing inside can close (src/domain/injected.ts).
//  6. Messages that are sent are not repeated as memory.

import { definedFields } from '../domain/defined-fields.ts'
import type { ContextMessage } from '../domain/message.ts'
import type { ContextFingerprint, Receipt } from '../domain/receipt.ts'
import { accountParts } from './account-parts.ts'
import { type Assembled, assemble } from './assemble.ts'
import { compareContexts } from './fingerprint.ts'
import type { ContextMaterial, RecallResult } from './material.ts'
import { type Plan, planContext } from './plan-context.ts'
import { sumTokens } from './render-context.ts'

export interface BuiltContext {
  readonly messages: readonly ContextMessage[]
  readonly receipt: Pick<
    Receipt,
    'budgetTokens' | 'tokens' | 'tokenizer' | 'parts' | 'omitted' | 'repairs' | 'sharedPrefix'
  >
  readonly fingerprint: ContextFingerprint
  readonly injected: { readonly prefix?: string; readonly inline?: string }
}

export function buildContext(material: ContextMaterial, found?: RecallResult): BuiltContext {
  return finishContext(planContext(material), found)
}

export function finishContext(plan: Plan, found: RecallResult | undefined): BuiltContext {
  const assembled = assemble(plan, found)
  const { material, system } = plan
  const { body } = assembled
  const rendered = system === undefined ? body.messages : [system, ...body.messages]
  const { fingerprint, sharedPrefix } = compareContexts(assembled, rendered)
  const { parts, omitted } = accountParts(assembled)
  return {
    messages: rendered.map(({ message }) => message),
    fingerprint,
    injected: injectedBy(assembled),
    receipt: {
      budgetTokens: material.budgetTokens,
      tokens: material.budgetTokens - plan.roomTokens + sumTokens(body.messages),
      tokenizer: material.counter.tokenizer,
      parts,
      omitted,
      repairs: body.repairs.map(({ message, repair }) => ({
        ...(message && { messageId: message.id }),
        repair,
      })),
      sharedPrefix,
    },
  }
}

/** The memory texts as they are in the messages. */
function injectedBy({ remembered }: Assembled): BuiltContext['injected'] {
  const blocks = [remembered?.memoryBlock, remembered?.summary?.block].filter((text) => text !== undefined)
  return definedFields({
    prefix: blocks.length === 0 ? undefined : blocks.join('\n\n'),
    inline: remembered?.inlineBlock,
  })
}
