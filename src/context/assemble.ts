// Joins turns and memory, and counts the result: texts were counted one by one, and together they may cost a little
// more. If so, memory is reduced until everything is within its limits.

import type { Cut } from './conversation-turns.ts'
import type { RecallResult } from './material.ts'
import { type Remembered, remember } from './memory/remember.ts'
import { chooseCut, type Plan, plainCut } from './plan-context.ts'
import { type Rendered, sumTokens } from './render-context.ts'

/** A context before its receipt is made. */
export interface Assembled {
  readonly plan: Plan
  readonly cut: Cut
  /** Missing if memory is off. */
  readonly remembered?: Remembered
  readonly found: RecallResult | undefined
  readonly tokens: AddedTokens
  /** Tokens that the tail leaves to memory. */
  readonly setAsideTokens: number
  /** The turns alone. */
  readonly plain: Rendered
  /** The turns with memory. */
  readonly body: Rendered
}

/** Tokens that memory adds to the messages. */
interface AddedTokens {
  readonly memory: number
  readonly summary: number
  readonly inline: number
}

const NOTHING_ADDED: AddedTokens = { memory: 0, summary: 0, inline: 0 }

export function assemble(plan: Plan, found: RecallResult | undefined): Assembled {
  const { summaryTokens, memoryTokens } = plan.shares
  let limits: Limits = { shareTokens: memoryTokens, summaryTokens }
  let [cut, setAsideTokens] = [plan.cut, memoryTokens]
  let remembered = remember({ plan, found, cut, ...limits })
  // The tail gets the tokens that memory does not need, and memory leaves out what the tail then sends: until memory
  // needs what is set aside for it.
  for (;;) {
    const neededTokens = inSteps(remembered?.neededTokens ?? 0, plan)
    if (neededTokens >= setAsideTokens) break
    setAsideTokens = neededTokens
    cut = chooseCut(plan, setAsideTokens)
    remembered = remember({ plan, found, cut, ...limits })
  }
  for (;;) {
    const assembled = { ...join(plan, cut, remembered), found, setAsideTokens }
    const over = overLimits(assembled)
    if (over.shareTokens <= 0 && over.summaryTokens <= 0) return withoutUnusedShares(assembled)
    const { memory, inline, summary } = assembled.tokens
    limits = {
      shareTokens: Math.min(limits.shareTokens, memory + inline) - Math.max(0, over.shareTokens),
      summaryTokens: Math.min(limits.summaryTokens, summary) - Math.max(0, over.summaryTokens),
    }
    remembered = remember({ plan, found, cut, ...limits })
  }
}

/** If memory adds nothing after all, the tail gets its tokens. */
function withoutUnusedShares(assembled: Assembled): Assembled {
  const { plan, cut, body, plain, remembered } = assembled
  const isAdded = body !== plain || plan.conversation.head(cut).length > 0
  const longest = plainCut(plan)
  if (isAdded || longest.tailStart >= cut.tailStart) return assembled
  return { ...assembled, ...join(plan, longest, remembered) }
}

/** Rounds up, so that the tail begins at the same message for many turns, although each recalls something else. */
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
  // If the first message is also the question, it has both.
  const front =
    remembered?.inlineBlock !== undefined && atFirst === added ? Math.min(added, frontAlone) : atFirst
  const memory = remembered?.summary === undefined ? front : Math.min(front, memoryAlone)
  return { memory, summary: front - memory, inline: added - front }
}

interface Limits {
  readonly shareTokens: number
  readonly summaryTokens: number
}

/** How far each is over its limit; 0 or less is within it. */
function overLimits({ plan, body, tokens, setAsideTokens }: Assembled): Limits {
  const over = sumTokens(body.messages) - plan.roomTokens
  return {
    shareTokens: Math.max(over, tokens.memory + tokens.inline - setAsideTokens),
    summaryTokens: Math.max(over, tokens.summary - plan.shares.summaryTokens),
  }
}
