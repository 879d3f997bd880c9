// Which turns are sent, and how much room memory has beside them. What is always sent whole comes off the budget
// first: system prompt, tools, live turn. Then the last few messages, if they fit. What is spare beyond that is
// shared: at most half for what is remembered, a quarter for the summary, a quarter for the first turns; each
// has a limit of its own, and everything that they leave belongs to the tail.

import type { ContextMessage } from '../domain/context-message.ts'
import { BudgetError } from '../domain/errors.ts'
import { messageId } from '../domain/ids.ts'
import { withoutInjected } from '../domain/injected.ts'
import type { Message } from '../domain/message.ts'
import { partsOf } from '../domain/message.ts'
import { type CountTokens, countMessageTokens, countToolsTokens, PER_REQUEST } from '../domain/tokens.ts'
import { ConversationTurns, type Cut } from './conversation-turns.ts'
import type { ContextMaterial, MemoryLimits, MemoryMaterial } from './material.ts'
import { fitSummary } from './memory/fit-summary.ts'
import type { RenderedMessage, TokenCounter } from './render-context.ts'
import { findTailStart } from './spend-budget.ts'
import { isPinned } from './split-turns.ts'

export interface Plan {
  readonly material: ContextMaterial
  readonly system: RenderedMessage | undefined
  readonly toolTokens: number
  /** What the turns and all that is remembered may cost together. */
  readonly roomTokens: number
  readonly conversation: ConversationTurns
  readonly shares: Shares
  /** With all of memory's share set aside. */
  readonly cut: Cut
  /** What to recall for; missing where nobody asks anything. */
  readonly question?: string
}

/** The most that each may take. */
export interface Shares {
  readonly memoryTokens: number
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
  const { memoryTokens } = shares
  const cut = chooseCut({ ...room, shares }, { neededTokens: memoryTokens, setAsideTokens: memoryTokens })
  return { ...room, system, toolTokens, shares, cut, ...(question !== undefined && { question }) }
}

/** One system message from all there are; a prompt of the call that is recorded too is not sent twice. */
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

/** The question of this call as a message, unless it is recorded already. */
function findUnrecorded({ history, query, counter }: ContextMaterial): readonly Message[] {
  if (query === undefined) return []
  const last = history.at(-1)
  if (last?.role === 'user' && toText(last.content) === query) return []
  return [toUnrecorded(query, { last, counter })]
}

/** Stands for a message that has no place in the record yet. */
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

/** The last thing that the user said in the live turn, without what a memory had put there. */
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

const NO_SHARES: Shares = { memoryTokens: 0, summaryTokens: 0, headTokens: 0 }
/** The room of a summary grows and shrinks by so much: not with every sentence of it, nor with every question. */
const SUMMARY_STEP = 50

function divideRoom(room: Room): Shares {
  const { memory } = room.material
  if (memory === undefined) return NO_SHARES
  const spareTokens = room.roomTokens - room.conversation.tokens(leastCut(room, memory.limits))
  const quarter = Math.floor(spareTokens / 4)
  return {
    memoryTokens: Math.min(memory.limits.memoryTokens, Math.floor(spareTokens / 2)),
    summaryTokens: summaryShare(memory, quarter, room.material.counter.count),
    headTokens: quarter,
  }
}

/** What a summary may take: nothing while there is none, and not more than the longest so far needs. */
function summaryShare(
  { limits: { summaryTokens }, summaryBefore }: MemoryMaterial,
  mostTokens: number,
  count: CountTokens,
): number {
  const whole = fitSummary(summaryBefore(Number.MAX_SAFE_INTEGER), {
    mostTokens: Number.POSITIVE_INFINITY,
    head: [],
    isBetween: true,
    count,
  })
  if (whole === undefined) return 0
  const needed = Math.ceil(count(`${whole.block}\n\n`) / SUMMARY_STEP) * SUMMARY_STEP
  return Math.min(summaryTokens, needed, mostTokens - (mostTokens % SUMMARY_STEP))
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

export interface ForMemory {
  readonly neededTokens: number
  /** What is needed, in steps: the tail is to begin at the same place for many turns. */
  readonly setAsideTokens: number
}

/** Where to cut when so much is for what is remembered. */
export function chooseCut(
  room: Room & { readonly shares: Shares },
  { neededTokens, setAsideTokens }: ForMemory,
): Cut {
  const { material, conversation, roomTokens, shares } = room
  const leftTokens = roomTokens - setAsideTokens
  if (material.memory === undefined) return { headTurns: 0, tailStart: findStart(room, leftTokens, 0) }
  const whole = { headTurns: 0, tailStart: 0 }
  if (conversation.isFromStart && conversation.tokens(whole) <= roomTokens - neededTokens) return whole
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

function countHeadTurns(conversation: ConversationTurns, mostTokens: number): number {
  for (let turns = conversation.maxHeadTurns; turns > 0; turns--) {
    const head = conversation.head({ headTurns: turns, tailStart: conversation.older.length })
    if (conversation.tokensOf(head) <= mostTokens) return turns
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
