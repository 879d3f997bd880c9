// What is looked at whatever the words of the question: orders that stand, what was said on the days that it names, what
// is near it in meaning; and facts and notes, which are read as a whole.

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

export interface BesidesParts extends VectorParts {
  readonly store: RecallStore
  readonly now: Date
  readonly readFacts: (asOf: Date) => Promise<readonly Fact[]>
  readonly readNotes: (conversations: readonly ConversationId[] | undefined) => Promise<readonly Note[]>
}

export interface Looking {
  readonly question: Question
  readonly scope: TimedScope
  readonly notices: string[]
}

export interface LookedAt {
  readonly facts: readonly Fact[]
  readonly notes: readonly Note[]
  /** Of orders that stand. */
  readonly instructions: readonly MessageLocator[]
  readonly inTime: readonly MessageLocator[]
  readonly nearest: Nearest
  /** Of the message that is to be told of. */
  readonly about: readonly MessageLocator[]
  /** Of the message that asks, where it is recorded. */
  readonly asking?: MessageLocator
}

/** Messages that are looked at because of the days that the question names. */
const IN_TIME = 100
/** The newest orders that stand. */
const INSTRUCTIONS = 50

export async function lookBesides(
  parts: BesidesParts,
  request: Scoped,
  { question, scope, notices }: Looking,
): Promise<LookedAt> {
  const placesOf = async (id: MessageId | undefined) =>
    id === undefined ? [] : parts.store.locate(request.workspace, [id])
  const [known, notes, inTime, nearest, about, [asking]] = await Promise.all([
    readOrders(parts, request),
    request.kinds.has('note') ? parts.readNotes(request.conversations) : [],
    findInTime(parts, scope, question),
    findNearest(parts, {
      scope,
      question: question.text,
      notices,
      ...definedFields({ signal: request.signal }),
    }),
    placesOf(request.about),
    placesOf(request.questionMessageId),
  ])
  return { ...known, notes, inTime, nearest, about, ...definedFields({ asking }) }
}

async function readOrders(
  { store, now, readFacts }: BesidesParts,
  request: Scoped,
): Promise<Pick<LookedAt, 'facts' | 'instructions'>> {
  const facts = await factsKnownThen(store, request, await readFacts(request.asOf ?? now))
  const orders = indexFacts(facts).instructions.slice(-INSTRUCTIONS)
  const saidIn = orders.flatMap(({ sources }) => sources.slice(-1))
  return { facts, instructions: await store.locate(request.workspace, saidIn) }
}

async function findInTime(
  { store }: BesidesParts,
  scope: TimedScope,
  { spans }: Question,
): Promise<readonly MessageLocator[]> {
  const found = await Promise.all(
    spans.map(({ start, end }) => store.findByTime({ ...scopeWithin(scope, start, end), limit: IN_TIME })),
  )
  return found.flatMap(({ locators }) => locators)
}
