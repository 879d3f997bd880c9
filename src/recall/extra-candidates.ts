// Candidates that do not depend on the words of the question: standing instructions, messages from the days it names,
// and messages near it in meaning. Also loads facts and notes, which are read as a whole.

import { definedFields } from '../domain/defined-fields.ts'
import type { Fact } from '../domain/fact.ts'
import type { ConversationId, MessageId } from '../domain/ids.ts'
import type { MessageLocator } from '../domain/locator.ts'
import type { Note } from '../domain/note.ts'
import type { RecallStore, TimedScope } from '../store/recall-store.ts'
import { indexFacts } from './kinds/fact-index.ts'
import { findNearest, type Nearest, type VectorParts } from './meaning.ts'
import type { Question } from './question/read-question.ts'
import { factsKnownThen, type Scoped, scopeWithin } from './scope.ts'

export interface ExtraCandidateParts extends VectorParts {
  readonly store: RecallStore
  readonly now: Date
  readonly readFacts: (asOf: Date) => Promise<readonly Fact[]>
  readonly readNotes: (conversations: readonly ConversationId[] | undefined) => Promise<readonly Note[]>
}

export interface ExtraCandidateSearch {
  readonly question: Question
  readonly scope: TimedScope
  readonly notices: string[]
}

export interface ExtraCandidates {
  readonly facts: readonly Fact[]
  readonly notes: readonly Note[]
  /** The messages that gave standing instructions. */
  readonly standingInstructions: readonly MessageLocator[]
  readonly inTime: readonly MessageLocator[]
  readonly nearest: Nearest
  /** The message to report on. */
  readonly about: readonly MessageLocator[]
  /** The question itself, if it is recorded. */
  readonly questionLocator?: MessageLocator
}

/** Per span of days that the question names. */
const MAX_MESSAGES_PER_SPAN = 100
/** The newest standing instructions. */
const MAX_INSTRUCTIONS = 50

export async function findExtraCandidates(
  parts: ExtraCandidateParts,
  request: Scoped,
  { question, scope, notices }: ExtraCandidateSearch,
): Promise<ExtraCandidates> {
  const locate = async (id: MessageId | undefined) =>
    id === undefined ? [] : parts.store.locate(request.workspace, [id])
  const [known, notes, inTime, nearest, about, [questionLocator]] = await Promise.all([
    findStandingInstructions(parts, request),
    request.kinds.has('note') ? parts.readNotes(request.conversations) : [],
    findInTime(parts, scope, question),
    findNearest(parts, {
      scope,
      question: question.text,
      notices,
      ...definedFields({ signal: request.signal }),
    }),
    locate(request.about),
    locate(request.questionMessageId),
  ])
  return { ...known, notes, inTime, nearest, about, ...definedFields({ questionLocator }) }
}

async function findStandingInstructions(
  { store, now, readFacts }: ExtraCandidateParts,
  request: Scoped,
): Promise<Pick<ExtraCandidates, 'facts' | 'standingInstructions'>> {
  const facts = await factsKnownThen(store, request, await readFacts(request.asOf ?? now))
  const instructions = indexFacts(facts).instructions.slice(-MAX_INSTRUCTIONS)
  const saidIn = instructions.flatMap(({ sources }) => sources.slice(-1))
  return { facts, standingInstructions: await store.locate(request.workspace, saidIn) }
}

async function findInTime(
  { store }: ExtraCandidateParts,
  scope: TimedScope,
  { spans }: Question,
): Promise<readonly MessageLocator[]> {
  const found = await Promise.all(
    spans.map(({ start, end }) =>
      store.findByTime({ ...scopeWithin(scope, start, end), limit: MAX_MESSAGES_PER_SPAN }),
    ),
  )
  return found.flatMap(({ locators }) => locators)
}
