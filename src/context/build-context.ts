// Context out: what is handed to the model for one turn, within the budget, with its receipt.
//
// In order, what changes least first, what this question brings last:
//
//   system    the prompt of the call, then the recorded ones, as one message; nothing of ours is in it
//   memory    instructions, preferences and facts that stand, whatever is asked   ┐ at the start of the
//   summary   of what lies before the tail, as it was when the tail began there    ┘ first user message
//   head      the first turns, once the conversation no longer fits
//   tail      the last turns before the live one, as many as fit
//   recalled, notes, chunks      for this question: in the live turn, right before the user's words
//   live      the last thing a user said with everything since, tool calls included; or the question of this
//             call, if it is not recorded yet
//
//  1. Never over the budget, counted over everything that is sent: system, tools, messages and what a
//     provider adds around each. What is remembered has its own limit within it (plan-context.ts).
//  2. Valid for OpenAI, Anthropic and Gemini (render-context.ts, provider-validity.ts).
//  3. System prompt and live turn are always whole; when they do not fit, a BudgetError says by how much.
//  4. The same call gives the same bytes, and a new turn changes only the end: what was recalled goes with its
//     question, and the rest stays until the tail has to begin later (spend-budget.ts) or something that
//     stands changed. The receipt says where the prefix ends and why.
//  5. What is remembered is data between marks that nothing in it can close (src/domain/injected.ts).
//  6. What the model sees in a turn is not remembered to it as well.

import type { ContextMessage } from '../domain/context-message.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { ContextFingerprint, Receipt } from '../domain/receipt.ts'
import { accountParts } from './account-parts.ts'
import { type Assembled, assemble } from './assemble.ts'
import { compareContexts } from './fingerprint.ts'
import type { ContextMaterial, Found } from './material.ts'
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

export function buildContext(material: ContextMaterial, found?: Found): BuiltContext {
  return finishContext(planContext(material), found)
}

export function finishContext(plan: Plan, found: Found | undefined): BuiltContext {
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

/** The same texts that stand in the messages. */
function injectedBy({ remembered }: Assembled): BuiltContext['injected'] {
  const blocks = [remembered?.memoryBlock, remembered?.summary?.block].filter((text) => text !== undefined)
  return definedFields({
    prefix: blocks.length === 0 ? undefined : blocks.join('\n\n'),
    inline: remembered?.inlineBlock,
  })
}
