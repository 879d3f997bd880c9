// The receipt accounts for every recorded message once, as sent or as left out, and for everything that recall found:
// included, or dropped with a reason.

import { definedFields } from '../domain/defined-fields.ts'
import type { Message } from '../domain/message.ts'
import {
  type PositionRun,
  type ReceiptItem,
  type ReceiptOmission,
  type ReceiptPart,
  SECTIONS,
  type Section,
} from '../domain/receipt.ts'
import type { Assembled } from './assemble.ts'
import type { LeftMessage } from './material.ts'
import type { Taken } from './memory/memory-candidate.ts'
import { isRecorded, plainCut } from './plan-context.ts'
import { toRuns } from './receipt.ts'
import type { RenderedMessage } from './render-context.ts'
import { isPinned } from './split-turns.ts'

/** Only the best dropped items are listed. */
const MAX_DROPPED_SHOWN = 5

export function accountParts(assembled: Assembled): {
  readonly parts: readonly ReceiptPart[]
  readonly omitted: readonly ReceiptOmission[]
} {
  const recalled = recalledPositions(assembled)
  const parts = [...fixedParts(assembled), ...turnParts(assembled), ...memoryParts(assembled, recalled)]
  const inOrder = parts.toSorted(
    (one, other) => SECTIONS.indexOf(one.section) - SECTIONS.indexOf(other.section),
  )
  return {
    parts: inOrder.filter(({ tokens, runs }) => tokens > 0 || runs.length > 0),
    omitted: [...omittedMessages(assembled, recalled), ...droppedItems(assembled)],
  }
}

function fixedParts({ plan: { system, toolTokens } }: Assembled): readonly ReceiptPart[] {
  return [
    { ...toPart('tools', [], 'the tools of this call'), tokens: toolTokens },
    {
      ...toPart('system', system?.sources ?? [], 'the system prompt is always sent'),
      tokens: system?.tokens ?? 0,
    },
  ]
}

type TurnSection = 'head' | 'tail' | 'live'
/** A message joined from several counts with the last section. */
const LAST_FIRST: readonly TurnSection[] = ['live', 'tail', 'head']

function turnParts(assembled: Assembled): readonly ReceiptPart[] {
  const { plan, plain } = assembled
  const sectionOf = findSections(assembled)
  const said = sourcesOf(plain.messages)
  const sent = tokensBySection(plain.messages, sectionOf)
  const part = (section: TurnSection, reason: string): ReceiptPart => {
    const own = said.filter((message) => sectionOf(message) === section)
    return { ...toPart(section, own, reason), tokens: sent[section] }
  }
  const asked = plan.material.query === undefined ? 'the last turn' : 'the question and its turn'
  return [
    { ...part('head', 'how the conversation began'), budgetTokens: plan.shares.headTokens },
    { ...part('tail', 'the most recent turns that fit'), budgetTokens: tailBudget(assembled, sent) },
    part('live', `${asked}, always complete`),
  ]
}

function findSections({ plan: { conversation }, cut }: Assembled): (message: Message) => TurnSection {
  const live = new Set(conversation.live.messages)
  const head = new Set(conversation.head(cut).flatMap(({ messages }) => messages))
  return (message) => {
    if (live.has(message)) return 'live'
    return head.has(message) ? 'head' : 'tail'
  }
}

/** Tool results may have moved between turns: tokens count where they are sent, messages where they were said. */
function tokensBySection(
  messages: readonly RenderedMessage[],
  sectionOf: (message: Message) => TurnSection,
): Record<TurnSection, number> {
  const sent = { head: 0, tail: 0, live: 0 }
  const sectionsOf = ({ sources }: RenderedMessage) => sources.map(sectionOf)
  const first = messages.map(sectionsOf).find((sections) => sections.length > 0)
  // A line that was added counts with the section it belongs to.
  let section: TurnSection = first?.includes('head') ? 'head' : 'tail'
  for (const message of messages) {
    const own = sectionsOf(message)
    section = LAST_FIRST.find((name) => own.includes(name)) ?? section
    sent[section] += message.tokens
  }
  return sent
}

function tailBudget(
  { plan, cut, setAsideTokens }: Assembled,
  { head, tail, live }: Record<TurnSection, number>,
): number {
  const { conversation, shares, roomTokens } = plan
  const forSummary = conversation.hasGap(cut) ? shares.summaryTokens : 0
  return Math.max(tail, roomTokens - live - head - setAsideTokens - forSummary)
}

function toPart(section: Section, sources: readonly Message[], reason: string): ReceiptPart {
  const recorded = sources.filter(isRecorded)
  return { section, tokens: 0, reason, runs: toRuns(recorded), messageIds: recorded.map(({ id }) => id) }
}

/** The recorded messages, unique and in order. */
function sourcesOf(messages: readonly RenderedMessage[]): readonly Message[] {
  const unique = new Set(messages.flatMap(({ sources }) => sources))
  return [...unique].sort((one, other) => one.position - other.position)
}

/** Positions of recalled messages of this conversation that are not sent as turns. */
function recalledPositions({ plan, cut, remembered }: Assembled): ReadonlySet<number> {
  const { conversation, material } = plan
  const head = conversation.head(cut).flatMap(({ messages }) => messages)
  const kept = new Set([...material.systemMessages, ...head].map(({ position }) => position))
  const tailFrom = conversation.tailFrom(cut)
  const positions = (remembered?.recalled ?? []).flatMap(({ candidate }) => candidate.position ?? [])
  return new Set(positions.filter((position) => position < tailFrom && !kept.has(position)))
}

function memoryParts(
  { remembered, tokens, plan }: Assembled,
  recalledAt: ReadonlySet<number>,
): readonly ReceiptPart[] {
  if (remembered === undefined) return []
  const { standing, recalled, page, notes, chunks, summary, chosen } = remembered
  const { budgets } = chosen
  const toMemoryPart = (part: Omit<ReceiptPart, 'messageIds' | 'runs'>): ReceiptPart => ({
    ...part,
    runs: part.section === 'recalled' ? toRuns([...recalledAt].map((position) => ({ position }))) : [],
    messageIds: [...new Set((part.items ?? []).flatMap(({ messageIds }) => messageIds))],
  })
  const forQuestion = [
    {
      section: 'recalled',
      taken: recalled,
      budgetTokens: budgets.forQuestion,
      reason: 'recalled for the question',
    },
    {
      section: 'page',
      taken: page,
      budgetTokens: budgets.page,
      reason: 'the state and the history of the page',
    },
    { section: 'notes', taken: notes, budgetTokens: budgets.forQuestion, reason: 'notes for the question' },
    {
      section: 'chunks',
      taken: chunks,
      budgetTokens: budgets.forQuestion,
      reason: 'documents for the question',
    },
  ] as const
  const shares = shareOut(
    forQuestion.map(({ taken }) => taken),
    tokens.inline,
  )
  return [
    toMemoryPart({
      section: 'memory',
      tokens: tokens.memory,
      budgetTokens: budgets.memory,
      reason: 'instructions, preferences and facts for any question',
      items: standing.map(toItem),
    }),
    toMemoryPart({
      section: 'summary',
      tokens: tokens.summary,
      budgetTokens: plan.shares.summaryTokens,
      reason: 'summary of the messages before the tail',
      items: summary === undefined ? [] : [summaryItem(summary, tokens.summary)],
    }),
    ...forQuestion.map(({ section, taken, budgetTokens, reason }, i) =>
      toMemoryPart({ section, tokens: shares[i] ?? 0, budgetTokens, reason, items: taken.map(toItem) }),
    ),
  ]
}

const toItem = ({ candidate, tokens, isCut }: Taken): ReceiptItem => ({
  ...candidate.item,
  tokens,
  ...(isCut && { isCut }),
})

const summaryItem = (
  { messageIds, isCut, through }: NonNullable<NonNullable<Assembled['remembered']>['summary']>,
  tokens: number,
): ReceiptItem => ({
  kind: 'summary',
  id: String(through),
  reasons: [{ text: `covers the first ${through} messages` }],
  tokens,
  messageIds,
  ...(isCut && { isCut }),
})

/** Each section counts its lines; the first non-empty one also counts marks and headings. */
function shareOut(sections: readonly (readonly Taken[])[], totalTokens: number): readonly number[] {
  const lines = sections.map((taken) => taken.reduce((sum, { tokens }) => sum + tokens, 0))
  const first = sections.findIndex((taken) => taken.length > 0)
  const others = lines.reduce((sum, tokens, i) => (i === first ? sum : sum + tokens), 0)
  return lines.map((tokens, i) => (i === first ? totalTokens - others : tokens))
}

function omittedMessages(assembled: Assembled, recalled: ReadonlySet<number>): readonly ReceiptOmission[] {
  const { plan, cut, plain } = assembled
  const { conversation, material } = plan
  const first = conversation.tail(cut)[0] ?? conversation.live
  const from = first.messages.find(isRecorded) ?? first.messages[0]
  const older = from === undefined || from.position === 0 ? [] : olderThan(from, { assembled, recalled })
  const single = plain.omitted.map(({ message, reason }) => ({
    tokens: message.tokens,
    reason,
    runs: toRuns([message].filter(isRecorded)),
  }))
  return [...older, ...single, ...leftMessages(material.left ?? [])].filter(({ runs }) => runs.length > 0)
}

/** Messages that are not part of the conversation, grouped by reason. */
function leftMessages(left: readonly LeftMessage[]): readonly ReceiptOmission[] {
  const reasons = [...new Set(left.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const messages = left.filter((one) => one.reason === reason).map(({ message }) => message)
    const tokens = messages.reduce((sum, message) => sum + message.tokens, 0)
    return { tokens, reason, runs: toRuns(messages) }
  })
}

/**
 * Everything before a message, except system prompts, the first turns and recalled messages, in groups: would these
 * messages fit without memory, and does the summary that is sent cover them?
 */
function olderThan(first: Message, { assembled, recalled }: Older): readonly ReceiptOmission[] {
  const { plan, cut, remembered } = assembled
  const { material, conversation } = plan
  const kept = [
    ...material.systemMessages.filter(isPinned),
    ...conversation.head(cut).flatMap(({ messages }) => messages),
    ...(material.left ?? []).map(({ message }) => message),
  ].filter(({ position }) => position < first.position)
  const taken = [...kept.map(({ position }) => position), ...recalled].sort((a, b) => a - b)
  const hasMemory = material.memory !== undefined
  const fitsFrom = hasMemory
    ? Math.min(first.position, conversation.tailFrom(plainCut(plan)))
    : first.position
  const through = Math.min(first.position, remembered?.summary?.through ?? 0)
  const edges = [...new Set([0, fitsFrom, through, first.position])].sort((a, b) => a - b)
  const tokensBefore = toTokensBefore(material.history, first)
  return edges.slice(1).map((end, i) => {
    const start = edges[i] as number
    const isWithin = ({ position }: Message) => position >= start && position < end
    const keptTokens = kept.filter(isWithin).reduce((sum, { tokens }) => sum + tokens, 0)
    const replacedBy = start >= fitsFrom ? replacingSections(assembled) : []
    return {
      tokens: Math.max(0, tokensBefore(end) - tokensBefore(start) - keptTokens),
      reason: replacedBy.length > 0 ? replacedReason(replacedBy) : tooOldReason(material),
      runs: without(
        [start, end - 1],
        taken.filter((position) => position >= start && position < end),
      ),
      ...(hasMemory && { coverage: start < through ? ('summary' as const) : ('recall' as const) }),
      ...(replacedBy.length > 0 && { replacedBy }),
    }
  })
}

interface Older {
  readonly assembled: Assembled
  readonly recalled: ReadonlySet<number>
}

/** The tokens of all messages before a position; before the first message that is loaded, those before that one. */
function toTokensBefore(history: readonly Message[], end: Message): (position: number) => number {
  return (position) => {
    if (position === 0) return 0
    const next = history.find((message) => message.position >= position) ?? end
    return Math.min(next.tokensBefore, end.tokensBefore)
  }
}

const tooOldReason = ({ stepTokens }: Assembled['plan']['material']): string =>
  `older than what fits the budget${stepTokens > 0 ? '; the cut moves in steps to keep the prompt prefix stable' : ''}`

/** What each section of memory has instead of turns. */
const INSTEAD: Partial<Record<Section, string>> = {
  memory: 'what is known of the user',
  summary: 'a summary of the earlier turns',
  head: 'the first turns',
  recalled: 'what was recalled for the question',
  page: 'the state of the page',
  notes: 'notes for the question',
  chunks: 'documents for the question',
}

function replacingSections({ plan, cut, tokens, remembered }: Assembled): readonly Section[] {
  const isThere: Partial<Record<Section, boolean>> = {
    memory: tokens.memory > 0,
    summary: tokens.summary > 0,
    head: plan.conversation.head(cut).length > 0,
    recalled: (remembered?.recalled.length ?? 0) > 0,
    page: (remembered?.page.length ?? 0) > 0,
    notes: (remembered?.notes.length ?? 0) > 0,
    chunks: (remembered?.chunks.length ?? 0) > 0,
  }
  return SECTIONS.filter((section) => isThere[section])
}

function replacedReason(sections: readonly Section[]): string {
  const names = sections.flatMap((section) => INSTEAD[section] ?? [])
  const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('')
  return `made room for ${list}: more of what matters in the same budget`
}

/** A run of positions without some of them. */
function without([from, to]: readonly [number, number], taken: readonly number[]): readonly PositionRun[] {
  const edges = [from - 1, ...taken, to + 1]
  return edges
    .slice(1)
    .map((edge, i): PositionRun => [(edges[i] as number) + 1, edge - 1])
    .filter(([start, end]) => start <= end)
}

function droppedItems({ remembered, found }: Assembled): readonly ReceiptOmission[] {
  const dropped = (remembered?.chosen.dropped ?? []).map(({ candidate: { item, tokens }, reason }) => ({
    tokens,
    reason,
    runs: [],
    item: { kind: item.kind, id: item.id, ...definedFields({ score: item.score }) },
  }))
  const leftOut = (remembered === undefined ? [] : (found?.answer.leftOut ?? [])).map(
    ({ kind, id, score, reason }) => ({ tokens: 0, reason, runs: [], item: { kind, id, score } }),
  )
  return [...dropped.slice(0, MAX_DROPPED_SHOWN), ...leftOut.slice(0, MAX_DROPPED_SHOWN)]
}
