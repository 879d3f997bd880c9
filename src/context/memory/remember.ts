import type { EarlierSummary, SummaryBefore } from '../../domain/topic.ts'
import type { Cut } from '../conversation-turns.ts'
import type { RecallResult } from '../material.ts'
import type { Plan } from '../plan-context.ts'
import { type ChosenMemory, chooseMemory, neededTokens } from './choose-memory.ts'
import { findCandidates, type VisibleMessages } from './find-candidates.ts'
import { type FittedSummary, fitSummary } from './fit-summary.ts'
import type { Taken } from './memory-candidate.ts'
import { HEADINGS, toBlock } from './to-lines.ts'

/** The memory that is sent with a cut. */
export interface Remembered {
  readonly chosen: ChosenMemory
  /** Tokens needed, ignoring limits per kind. */
  readonly neededTokens: number
  /** Each list is in the order in which it is sent. */
  readonly standing: readonly Taken[]
  readonly recalled: readonly Taken[]
  readonly page: readonly Taken[]
  readonly notes: readonly Taken[]
  readonly chunks: readonly Taken[]
  readonly summary?: FittedSummary & Pick<EarlierSummary, 'through'>
  /** Texts between their marks. */
  readonly memoryBlock?: string
  readonly inlineBlock?: string
}

export interface RememberRequest {
  readonly plan: Plan
  readonly found: RecallResult | undefined
  readonly cut: Cut
  readonly shareTokens: number
  readonly summaryTokens: number
}

/** Undefined if memory is off. */
export function remember(request: RememberRequest): Remembered | undefined {
  const { plan, found, cut, shareTokens } = request
  const { memory, counter } = plan.material
  if (memory === undefined) return undefined
  // Without a question nothing is sent for it.
  const forQuestion =
    plan.question === undefined ? { found: undefined, notes: [] } : { found, notes: memory.notes }
  const candidates = findCandidates({
    standing: memory.standing,
    ...forQuestion,
    visible: visibleMessages(plan, cut),
    count: counter.count,
  })
  const frontTokens = Math.max(0, Math.min(plan.shares.frontTokens, shareTokens))
  const share = { shareTokens, frontTokens, limits: memory.limits, count: counter.count }
  const chosen = chooseMemory(candidates, share)
  const { wishes, blocks, pinned, facts, preferences } = chosen.standing
  const known = [...blocks, ...inOrder(pinned), ...inOrder(facts), ...inOrder(preferences)]
  const recalled = inOrder(chosen.forQuestion.recalled)
  const notes = inOrder(chosen.forQuestion.notes)
  const chunks = inOrder(chosen.forQuestion.chunks)
  const memoryBlock = toBlock([
    { heading: HEADINGS.wishes, lines: linesOf(inOrder(wishes)) },
    { heading: HEADINGS.known, lines: linesOf(known) },
  ])
  const page = inOrder(chosen.forQuestion.page)
  const isAny = recalled.length + page.length + notes.length + chunks.length > 0
  const inlineBlock = toBlock([
    { lines: isAny ? [HEADINGS.recalled, ...linesOf(recalled)] : [] },
    { heading: HEADINGS.page, lines: linesOf(page) },
    { heading: HEADINGS.notes, lines: linesOf(notes) },
    { heading: HEADINGS.chunks, lines: linesOf(chunks) },
  ])
  const summary = summarize(request)
  return {
    chosen,
    neededTokens: neededTokens(candidates, share),
    standing: [...inOrder(wishes), ...known],
    recalled,
    page,
    notes,
    chunks,
    ...(summary && { summary }),
    ...(memoryBlock !== undefined && { memoryBlock }),
    ...(inlineBlock !== undefined && { inlineBlock }),
  }
}

const linesOf = (taken: readonly Taken[]): readonly string[] => taken.map(({ line }) => line)

/** Chronological: newer items follow what they correct, and the bytes do not depend on scores. */
function inOrder(taken: readonly Taken[]): readonly Taken[] {
  return taken.toSorted((one, other) => {
    const [left, right] = [one.candidate, other.candidate]
    return (
      timeOf(left.at) - timeOf(right.at) ||
      (left.position ?? 0) - (right.position ?? 0) ||
      compareText(left.item.id, right.item.id)
    )
  })
}

const timeOf = (at: Date | undefined): number => {
  const time = at?.getTime() ?? 0
  return Number.isNaN(time) ? 0 : time
}

function compareText(left: string, right: string): number {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** The messages that the model sees with this cut. */
export function visibleMessages({ conversation, material }: Plan, cut: Cut): VisibleMessages {
  const turns = [...conversation.head(cut), ...conversation.tail(cut), conversation.live]
  const messages = [...material.systemMessages, ...turns.flatMap((turn) => turn.messages)]
  const before = conversation.older.at(-1)?.messages.at(-1)
  return {
    conversationId: material.history[0]?.conversationId,
    messages,
    askedAfter: before?.createdAt,
  }
}

function summarize({ plan, cut, summaryTokens }: RememberRequest): Remembered['summary'] {
  const { conversation, material } = plan
  if (!conversation.hasGap(cut) || conversation.older.length === 0) return undefined
  const head = conversation.head(cut).flatMap(({ messages }) => messages)
  const earlier = material.memory && findSummary(material.memory.summaryBefore, conversation, cut)
  // A summary of turns that are all sent is not needed.
  if (earlier === undefined || earlier.through <= (head.at(-1)?.position ?? -1) + 1) return undefined
  const tail = conversation.tail(cut).flatMap(({ messages }) => messages)
  const covered = tail.filter(({ position }) => position < earlier.through)
  const fitted = fitSummary(earlier, {
    maxTokens: summaryTokens,
    sent: [...head, ...covered].map(({ id }) => id),
    isBetween: head.length > 0,
    count: material.counter.count,
  })
  return fitted && { ...fitted, through: earlier.through }
}

/** A summary is updated every few messages, so the next one is near. */
const MAX_LOOK_AHEAD = 60

/**
 * The first summary that covers everything before the tail, so that no turn is lost between them; the last one before
 * the tail if there is none yet. Both stay the same while the tail begins at the same message.
 */
function findSummary(
  summaryBefore: SummaryBefore,
  conversation: Plan['conversation'],
  cut: Cut,
): EarlierSummary | undefined {
  const from = conversation.tailFrom(cut)
  const end = Math.min(from + MAX_LOOK_AHEAD, conversation.live.messages[0]?.position ?? from)
  for (let position = from; position <= end; position++) {
    const summary = summaryBefore(position)
    if (summary !== undefined && summary.through >= from) return summary
  }
  return summaryBefore(from)
}
