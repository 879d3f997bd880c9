// Puts the turns and what is remembered together, and counts what that really costs: texts were counted one by
// one, and together they may cost a little more. Then less is remembered, until everything is within its limits.

import type { Cut } from './conversation-turns.ts'
import type { Found } from './material.ts'
import { type Remembered, remember } from './memory/remember.ts'
import { chooseCut, type Plan } from './plan-context.ts'
import { type Rendered, sumTokens } from './render-context.ts'

/** A context, before anything is said about it. */
export interface Assembled {
  readonly plan: Plan
  readonly cut: Cut
  /** Missing where memory is off. */
  readonly remembered?: Remembered
  readonly found: Found | undefined
  readonly tokens: AddedTokens
  /** What the tail leaves to memory. */
  readonly setAsideTokens: number
  /** The turns alone. */
  readonly plain: Rendered
  /** The turns with what is remembered. */
  readonly body: Rendered
}

/** What memory adds to the messages that it joins. */
interface AddedTokens {
  readonly memory: number
  readonly summary: number
  readonly beside: number
}

const NOTHING_ADDED: AddedTokens = { memory: 0, summary: 0, beside: 0 }

export function assemble(plan: Plan, found: Found | undefined): Assembled {
  const { summaryTokens, memoryTokens } = plan.shares
  let limits: Limits = { shareTokens: memoryTokens, summaryTokens }
  const first = remember({ plan, found, cut: plan.cut, ...limits })
  const neededTokens = first?.neededTokens ?? 0
  const setAsideTokens = inSteps(neededTokens, plan)
  // What memory does not need belongs to the tail; and what is then in sight is not remembered.
  const cut = neededTokens < memoryTokens ? chooseCut(plan, { neededTokens, setAsideTokens }) : plan.cut
  for (;;) {
    const remembered = remember({ plan, found, cut, ...limits })
    const assembled = { ...join(plan, cut, remembered), found, setAsideTokens }
    const over = overLimits(assembled)
    if (over.shareTokens <= 0 && over.summaryTokens <= 0) return assembled
    const { memory, beside, summary } = assembled.tokens
    limits = {
      shareTokens: Math.min(limits.shareTokens, memory + beside) - Math.max(0, over.shareTokens),
      summaryTokens: Math.min(limits.summaryTokens, summary) - Math.max(0, over.summaryTokens),
    }
  }
}

/** So that the tail begins at the same place for many turns, although each recalls something else. */
function inSteps(tokens: number, { material: { stepTokens }, shares: { memoryTokens } }: Plan): number {
  if (stepTokens === 0) return tokens
  if (stepTokens >= memoryTokens) return memoryTokens
  return Math.min(memoryTokens, Math.ceil(tokens / stepTokens) * stepTokens)
}

type Joint = Omit<Assembled, 'found' | 'setAsideTokens'>

function join(plan: Plan, cut: Cut, remembered: Remembered | undefined): Joint {
  const { conversation } = plan
  const plain = conversation.render(cut)
  const blocks = [remembered?.memoryBlock, remembered?.summary?.block].filter((text) => text !== undefined)
  const inline = remembered?.inlineBlock
  const base = { plan, cut, plain, ...(remembered && { remembered }) }
  if (blocks.length === 0 && inline === undefined) return { ...base, tokens: NOTHING_ADDED, body: plain }
  const body = conversation.render(cut, {
    ...(blocks.length > 0 && { prefix: blocks.join('\n\n') }),
    ...(inline !== undefined && { inline }),
  })
  return { ...base, tokens: measure({ plan, plain, body, remembered }), body }
}

interface Joined {
  readonly plan: Plan
  readonly plain: Rendered
  readonly body: Rendered
  readonly remembered: Remembered | undefined
}

function measure({ plan, plain, body, remembered }: Joined): AddedTokens {
  const { count } = plan.material.counter
  const countBlock = (block: string | undefined) => (block === undefined ? 0 : count(`${block}\n\n`))
  const memoryAlone = countBlock(remembered?.memoryBlock)
  const frontAlone = memoryAlone + countBlock(remembered?.summary?.block)
  const added = sumTokens(body.messages) - sumTokens(plain.messages)
  const atFirst = (body.messages[0]?.tokens ?? 0) - (plain.messages[0]?.tokens ?? 0)
  // Where the first message is the question's as well, both are in it.
  const front =
    remembered?.inlineBlock !== undefined && atFirst === added ? Math.min(added, frontAlone) : atFirst
  const memory = remembered?.summary === undefined ? front : Math.min(front, memoryAlone)
  return { memory, summary: front - memory, beside: added - front }
}

interface Limits {
  readonly shareTokens: number
  readonly summaryTokens: number
}

/** How much less each may have; nothing where it is 0 or below. */
function overLimits({ plan, body, tokens, setAsideTokens }: Assembled): Limits {
  const over = sumTokens(body.messages) - plan.roomTokens
  return {
    shareTokens: Math.max(over, tokens.memory + tokens.beside - setAsideTokens),
    summaryTokens: Math.max(over, tokens.summary - plan.shares.summaryTokens),
  }
}
