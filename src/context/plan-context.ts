// Plans which turns are sent and how many tokens memory gets. The system prompt, the tools and the live turn are always
// sent. If the whole conversation fits, all of it is sent, and memory gets the rest. Otherwise the last few messages come
// first, and the rest is divided: at most half for memory, a quarter for the summary, a quarter for the first turns. Each
// has its own limit, and the tail gets what they leave.

import { BudgetError } from '../domain/errors.ts'
import { messageId } from '../domain/ids.ts'
import { withoutInjected } from '../domain/injected.ts'
import type { ContextMessage, Message } from '../domain/message.ts'
import { partsOf } from '../domain/message.ts'
import { type CountTokens, countMessageTokens, countToolsTokens, PER_REQUEST } from '../domain/tokens.ts'
import { ConversationTurns, type Cut } from './conversation-turns.ts'
import type { ContextMaterial, MemoryLimits, MemoryMaterial } from './material.ts'
import { fitSummary } from './memory/fit-summary.ts'
import type { RenderedMessage, TokenCounter } from './render-context.ts'
import { isPinned, type Turn } from './split-turns.ts'

export interface Plan {
  readonly material: ContextMaterial
  readonly system: RenderedMessage | undefined
  readonly toolTokens: number
  /** Tokens for turns and memory together. */
  readonly roomTokens: number
  readonly conversation: ConversationTurns
  readonly shares: Shares
  /** The cut if memory uses its whole share. */
  readonly cut: Cut
  /** The question to recall for; missing if there is none. */
  readonly question?: string
}

/** Maximum tokens of each. */
export interface Shares {
  readonly memoryTokens: number
  /** The part of it for standing memory, at the start of the prompt. */
  readonly frontTokens: number
  readonly summaryTokens: number
  readonly headTokens: number
}

export function planContext(material: ContextMaterial): Plan {
  const system = renderSystem(material)
  const toolTokens = countToolsTokens(material.counter.count, material.tools)
  const roomTokens = material.budgetTokens - PER_REQUEST - toolTokens - (system?.tokens ?? 0)
  const conversation = new ConversationTurns(material, findUnrecorded(material))
  const liveTokens = conversation.tokens(liveAlone(conversation))
  if (liveTokens > roomTokens) {
    throw new BudgetError(liveTokens + material.budgetTokens - roomTokens, material.budgetTokens)
  }
  const room = { material, conversation, roomTokens }
  const shares = divideRoom(room)
  const question = findQuestion(conversation)
  const cut = chooseCut({ ...room, shares }, shares.memoryTokens)
  return { ...room, system, toolTokens, shares, cut, ...(question !== undefined && { question }) }
}

/** Joins all system messages into one; a prompt that is also recorded is sent once. */
function renderSystem({ system, systemMessages, counter }: ContextMaterial): RenderedMessage | undefined {
  const pinned = systemMessages.filter(isPinned)
  const recorded = pinned.map(({ content }) => toText(content))
  const given = system === undefined || system.trim() === '' ? [] : [system]
  const texts = [...new Set([...given, ...recorded])]
  if (texts.length === 0) return undefined
  const message: ContextMessage = { role: 'system', content: texts.join('\n\n') }
  return { message, tokens: countMessageTokens(counter.count, message), sources: pinned }
}

const toText = (content: Message['content']): string =>
  partsOf(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')

/** The question of this call as a message, unless it is already recorded. */
function findUnrecorded({ history, query, counter }: ContextMaterial): readonly Message[] {
  if (query === undefined) return []
  const last = history.at(-1)
  if (last?.role === 'user' && toText(last.content) === query) return []
  return [toUnrecorded(query, { last, counter })]
}

/** Marks a message that is not recorded yet. */
const UNRECORDED = messageId('')
export const isRecorded = (message: Message): boolean => message.id !== UNRECORDED

function toUnrecorded(
  query: string,
  { last, counter }: { last: Message | undefined; counter: TokenCounter },
): Message {
  const said = { role: 'user' as const, content: query }
  const now = new Date(0)
  return {
    ...said,
    id: UNRECORDED,
    conversationId: last?.conversationId ?? ('' as Message['conversationId']),
    position: (last?.position ?? -1) + 1,
    createdAt: now,
    recordedAt: now,
    tokens: countMessageTokens(counter.count, said),
    tokenizer: counter.tokenizer,
    tokensBefore: last === undefined ? 0 : last.tokensBefore + last.tokens,
  }
}

/** The last user text of the live turn, without injected memory. */
function findQuestion({ live }: ConversationTurns): string | undefined {
  const texts = live.messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => withoutInjected(toText(content)).trim())
  return texts.findLast((text) => text !== '')
}

interface Room {
  readonly material: ContextMaterial
  readonly conversation: ConversationTurns
  readonly roomTokens: number
}

const NO_SHARES: Shares = { memoryTokens: 0, frontTokens: 0, summaryTokens: 0, headTokens: 0 }
/** The share of the summary changes in steps, not with every sentence or question. */
const SUMMARY_STEP = 50

function divideRoom(room: Room): Shares {
  const { memory } = room.material
  if (memory === undefined) return NO_SHARES
  if (fitsWhole(room)) return besideWhole(room, memory.limits)
  const spareTokens = room.roomTokens - room.conversation.tokens(leastCut(room, memory.limits))
  const quarter = Math.floor(spareTokens / 4)
  const memoryTokens = Math.min(memory.limits.memoryTokens, Math.floor(spareTokens / 2))
  return {
    memoryTokens,
    frontTokens: Math.floor(memoryTokens / 2),
    summaryTokens: summaryShare(memory, quarter, room.material.counter.count),
    headTokens: quarter,
  }
}

/**
 * As a conversation fills the budget, recalled items give way first: they are sent with their question only. Standing
 * memory gives way in halves, since each change of it changes the prompt from its start.
 */
function besideWhole({ conversation, roomTokens }: Room, limits: MemoryLimits): Shares {
  const memoryTokens = Math.min(limits.memoryTokens, roomTokens - conversation.tokens(WHOLE))
  const halves = [2, 4, 8].map((part) => Math.floor(limits.memoryTokens / part))
  return { ...NO_SHARES, memoryTokens, frontTokens: halves.find((tokens) => tokens <= memoryTokens) ?? 0 }
}

/** The summary's share: 0 without a summary, and no more than the longest one so far needs. */
function summaryShare(
  { limits: { summaryTokens }, summaryBefore }: MemoryMaterial,
  maxTokens: number,
  count: CountTokens,
): number {
  const whole = fitSummary(summaryBefore(Number.MAX_SAFE_INTEGER), {
    maxTokens: Number.POSITIVE_INFINITY,
    sent: [],
    isBetween: true,
    count,
  })
  if (whole === undefined) return 0
  const needed = Math.ceil(count(`${whole.block}\n\n`) / SUMMARY_STEP) * SUMMARY_STEP
  return Math.min(summaryTokens, needed, maxTokens - (maxTokens % SUMMARY_STEP))
}

const WHOLE: Cut = { headTurns: 0, tailStart: 0 }

function fitsWhole({ conversation, roomTokens }: Room): boolean {
  return conversation.isFromStart && conversation.tokens(WHOLE) <= roomTokens
}

const liveAlone = ({ older }: ConversationTurns): Cut => ({ headTurns: 0, tailStart: older.length })

/** The last turns that have so many messages, or fewer where these do not fit. */
function leastCut({ conversation, roomTokens }: Room, { minRecentMessages }: MemoryLimits): Cut {
  const { older, isFromStart } = conversation
  let tailStart = older.length
  // The first turn of a stretch that does not reach back to the beginning may be half of one.
  for (let count = 0; tailStart > (isFromStart ? 0 : 1) && count < minRecentMessages; ) {
    tailStart -= 1
    count += older[tailStart]?.messages.length ?? 0
  }
  while (tailStart < older.length && conversation.tokens({ headTurns: 0, tailStart }) > roomTokens)
    tailStart += 1
  return { headTurns: 0, tailStart }
}

/** The cut without memory: the tail alone. */
export const plainCut = (room: Room): Cut => ({
  headTurns: 0,
  tailStart: findStart(room, room.roomTokens, 0),
})

/** Chooses the cut that leaves these tokens to memory; the whole conversation leaves what is left. */
export function chooseCut(room: Room & { readonly shares: Shares }, setAsideTokens: number): Cut {
  const { material, conversation, roomTokens, shares } = room
  if (material.memory === undefined) return plainCut(room)
  if (fitsWhole(room)) return WHOLE
  const leftTokens = roomTokens - setAsideTokens
  const least = leastCut(room, material.memory.limits).tailStart
  const withinTokens = leftTokens - shares.summaryTokens
  const headTurns = countHeadTurns(conversation, shares.headTokens)
  for (const turns of headTurns === 0 ? [0] : [headTurns, 0]) {
    const tailStart = Math.min(least, findStart(room, withinTokens, turns))
    const cut = { headTurns: turns, tailStart }
    const isApart = turns === 0 || conversation.hasGap(cut)
    if (isApart && conversation.tokens(cut) <= withinTokens) return cut
  }
  return { headTurns: 0, tailStart: least }
}

function countHeadTurns(conversation: ConversationTurns, maxTokens: number): number {
  for (let turns = conversation.maxHeadTurns; turns > 0; turns--) {
    const head = conversation.head({ headTurns: turns, tailStart: conversation.older.length })
    if (conversation.tokensOf(head) <= maxTokens) return turns
  }
  return 0
}

function findStart({ material, conversation }: Room, roomTokens: number, headTurns: number): number {
  const { older, isFromStart } = conversation
  const headTokens = conversation.tokensOf(conversation.head({ headTurns, tailStart: older.length }))
  return findTailStart(older, {
    roomTokens: roomTokens - headTokens,
    stepTokens: material.stepTokens,
    isFromStart,
    turnTokens: conversation.turnTokens,
    cost: (tailStart) => conversation.tokens({ headTurns, tailStart }) - headTokens,
  })
}

// Finds where the tail begins. It should be as long as the budget allows, and begin at the same message for many turns,
// because a provider's prompt cache hits only as far as the prompt is the same from its start. So the beginning moves in
// steps: with steps of an eighth of the budget it moves once per eighth of the budget, and a sixteenth stays unused on
// average.
//
// The steps are a grid over the running sum of tokens since the conversation began. This needs no state from the last
// turn, is deterministic, and never moves back.

interface TailBudget {
  /** Tokens for all turns of the tail. */
  readonly roomTokens: number
  /** 0 turns the grid off. */
  readonly stepTokens: number
  /** The turns include the beginning of the conversation. */
  readonly isFromStart: boolean
  /** The cost of each turn on its own. */
  readonly turnTokens: readonly number[]
  /** The exact cost of turns `from` and later: tool results may move between turns. */
  readonly cost: (from: number) => number
}

/** Index of the tail's first turn; `turns.length` for an empty tail. */
function findTailStart(turns: readonly Turn[], budget: TailBudget): number {
  const starts = turns.map((_, i) => i).filter((i) => isOnGrid(turns, i, budget))
  const about = sumsFrom(budget.turnTokens)
  const likely = starts.findIndex((start) => (about[start] ?? 0) <= budget.roomTokens)
  const tried = likely < 0 ? [] : starts.slice(likely)
  return tried.find((start) => budget.cost(start) <= budget.roomTokens) ?? turns.length
}

/** For each turn, the cost of it and all later ones. */
function sumsFrom(turnTokens: readonly number[]): readonly number[] {
  const sums = [...turnTokens]
  for (let i = sums.length - 2; i >= 0; i--) sums[i] = (sums[i] ?? 0) + (sums[i + 1] ?? 0)
  return sums
}

/** The first turn of the conversation, and the first turn after each step. */
function isOnGrid(turns: readonly Turn[], i: number, { stepTokens, isFromStart }: TailBudget): boolean {
  if (i === 0) return isFromStart
  if (stepTokens === 0) return true
  const step = (turn: number) => Math.floor((turns[turn]?.messages[0]?.tokensBefore ?? 0) / stepTokens)
  return step(i) > step(i - 1)
}
