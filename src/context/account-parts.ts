// The receipt accounts for every recorded message once, as sent or as left out, and for everything that recall found:
// included, or dropped with a reason.

import type { Message } from '../domain/message.ts'
import {
  type ReceiptItem,
  type ReceiptOmission,
  type ReceiptPart,
  SECTIONS,
  type Section,
} from '../domain/receipt.ts'
import { accountOmissions } from './account-omissions.ts'
import type { Assembled } from './assemble.ts'
import type { Taken } from './memory/memory-candidate.ts'
import { isRecorded } from './plan-context.ts'
import { toRuns } from './receipt.ts'
import type { RenderedMessage } from './render-context.ts'

/** Only the best dropped items are listed. */
const _MAX_DROPPED_SHOWN = 5

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
    omitted: accountOmissions(assembled, recalled),
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
