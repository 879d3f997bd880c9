// What a context leaves out, for its receipt: recorded messages with the reason, and items that recall found.

import { definedFields } from '../domain/defined-fields.ts'
import type { Message } from '../domain/message.ts'
import { type PositionRun, type ReceiptOmission, SECTIONS, type Section } from '../domain/receipt.ts'
import type { Assembled } from './assemble.ts'
import type { LeftMessage } from './material.ts'
import { isRecorded, plainCut } from './plan-context.ts'
import { toRuns } from './receipt.ts'
import { isPinned } from './split-turns.ts'

/** Only the best dropped items are listed. */
const MAX_DROPPED_SHOWN = 5

/** `recalled`: positions of recalled messages of this conversation that are not sent as turns. */
export function accountOmissions(
  assembled: Assembled,
  recalled: ReadonlySet<number>,
): readonly ReceiptOmission[] {
  return [...omittedMessages(assembled, recalled), ...droppedItems(assembled)]
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
