// Question in, what matters out: the ranked search over messages, facts, notes, summaries, queries and chunks.
//
//  1. The question is made to stand alone (stand-alone.ts) and read: its words and what stands in for them, the days
//     it names, what it asks for (question/).
//  2. Messages are found by words, by time and by meaning, and weighed in three looks, each over fewer of them
//     (find-messages.ts). Other kinds are weighed by the same words (kinds/).
//  3. All go into one list by score. Orders that stand are seated in it whatever the question; where the whole of a
//     matter is asked for, the sittings take turns (rank/arrange.ts). The best are read again by a re-ranker, where
//     there is one.
//  4. What is unlike the question, in sight already, nearly said before, or over the limit stays out (choose-items.ts).
//
// The cost is bounded by the options, not by the store. Nothing here writes. Every item says how it got its place, and
// a model that fails costs quality, and a notice, never the answer.

import type { Fact } from '../domain/fact.ts'
import type { ConversationId, MessageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Place } from '../domain/place.ts'
import type { RecallAnswer, SearchedWord } from '../domain/recall.ts'
import { given } from '../given.ts'
import type { Embedder } from '../model/embedder.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { Reranker } from '../model/reranker.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import type { TimedScope } from '../store/recall-store.ts'
import type { AcceptedRecall } from './accepted-recall.ts'
import { chooseItems } from './choose-items.ts'
import { type FoundMessages, findMessages } from './find-messages.ts'
import type { Found } from './found.ts'
import { indexFacts } from './kinds/fact-index.ts'
import { findOthers, type OtherParts } from './kinds/find-others.ts'
import { idealScore, textJudge } from './kinds/weigh-text.ts'
import { compareTexts, findNearest, type NearThings, type VectorParts } from './meaning.ts'
import { nameTopics, readTopicStarts, type TopicStarts } from './name-topics.ts'
import { type Question, readQuestion } from './question/read-question.ts'
import { seatInstructions, spreadOut } from './rank/arrange.ts'
import { type Lifting, liftImportant } from './rank/lift-important.ts'
import { namedSpeakers } from './rank/weigh-heads.ts'
import type { TermMatches } from './rank/word-matches.ts'
import { round } from './reasons.ts'
import { rerankBest } from './rerank-best.ts'
import { factsKnownThen, type Scoped, scopeOf, scopeWithin, wantsMessage, withTopics } from './scope.ts'
import { type StandAlone, standAlone } from './stand-alone.ts'
import { toFoundMessages } from './to-found-messages.ts'

/** What recall is made of; the memory hands it in. */
export interface RecallParts extends Lifting, OtherParts {
  readonly rag: ResolvedRag
  /** By which texts are compared where no vectors are kept. */
  readonly builtInEmbedder: Embedder
  /** The neural one whose vectors the store keeps, and under which deriver. */
  readonly vectors?: NonNullable<VectorParts['vectors']>
  readonly languageModel?: LanguageModel
  readonly reranker?: Reranker
  readonly countTokens: (text: string) => number
  readonly now: Date
  /** The last turns of a conversation, in order. */
  readonly lastTurns: (conversation: ConversationId) => Promise<readonly Message[]>
  readonly readFacts: (asOf: Date) => Promise<readonly Fact[]>
}

/** Messages that are looked at because of the days that the question names. */
const IN_TIME = 100
/** The newest orders that stand. */
const INSTRUCTIONS = 50
/** Who wants few is not made to wait for many to be weighed and read: of those farther down, none gets so far up. */
const WEIGHED_AT_LEAST = 100
const READ_AT_LEAST = 10
const FOR_EACH = 4

export async function recall(parts: RecallParts, accepted: AcceptedRecall): Promise<RecallAnswer> {
  const { options, now, store } = parts
  const request = await withTopics(store, accepted)
  const notices: string[] = []
  const asked = await makeStandAlone(parts, request)
  const question = readQuestion(asked.standalone ?? request.text, {
    now: request.asOf ?? now,
    carried: asked.carried,
  })
  const facts = await factsKnownThen(store, request, await parts.readFacts(request.asOf ?? now))
  const messages = await searchMessages(parts, request, { question, facts, notices })
  const starts = await readTopicStarts(store, request.workspace, placesOfBest(messages, parts))
  const found = await findAll(parts, request, { question, facts, messages, starts })
  const ranked = await rerankBest(parts, {
    question: question.text,
    found,
    notices,
    ...given({ signal: request.signal }),
  })
  const { items, leftOut } = chooseItems(ranked, {
    ...request,
    leastSimilarity: options.leastSimilarity,
    countTokens: parts.countTokens,
    isInSight: ({ kind, messageIds }) =>
      kind === 'message' && messageIds.every((id) => request.inSight.has(id)),
  })
  const { carried: _, ...searched } = asked
  const words = toWords(question, messages.found.matches)
  return {
    question: searched,
    words,
    items: await nameTopics(store, request.workspace, { items, found, starts }),
    leftOut,
    notices,
  }
}

function toWords({ terms }: Question, matches: readonly TermMatches[]): readonly SearchedWord[] {
  const known = new Map(matches.map((match) => [match.term, match]))
  return terms.map((term) => {
    const match = known.get(term)
    return { word: term.word, messages: match?.count ?? 0, weight: round(match?.weight ?? 0) }
  })
}

/** The last turns, without the question itself where it is recorded already. */
async function makeStandAlone(parts: RecallParts, { text, askedIn, signal }: Scoped): Promise<StandAlone> {
  const turns = askedIn === undefined ? [] : await parts.lastTurns(askedIn)
  const last = turns.at(-1)
  const isRecorded = last?.role === 'user' && last.content === text
  const { languageModel } = parts
  return standAlone(text, {
    turns: isRecorded ? turns.slice(0, -1) : turns,
    ...given({ languageModel, signal }),
  })
}

interface Material {
  readonly question: Question
  readonly facts: readonly Fact[]
}

interface FoundMaterial {
  readonly found: FoundMessages
  readonly instructions: ReadonlySet<Place>
  /** How near in meaning what is no message is. */
  readonly near: NearThings
  /** Some were said on the days that the question names. */
  readonly isSaidThen: boolean
}

async function searchMessages(
  parts: RecallParts,
  request: Scoped,
  { question, facts, notices }: Material & { readonly notices: string[] },
): Promise<FoundMaterial> {
  const { store, options } = parts
  const scope = scopeOf(request)
  const orders = indexFacts(facts).instructions.slice(-INSTRUCTIONS)
  const [instructions, inTime, nearest] = await Promise.all([
    store.placesOf(
      request.workspace,
      orders.flatMap(({ sources }) => sources.slice(-1)),
    ),
    findInTime(parts, scope, question),
    findNearest(parts, { scope, question: question.text, notices, ...given({ signal: request.signal }) }),
  ])
  const placesOf = async (id: MessageId | undefined) =>
    id === undefined ? [] : store.placesOf(request.workspace, [id])
  const [about, [asking]] = await Promise.all([placesOf(request.about), placesOf(request.askedAs)])
  const compare = parts.vectors === undefined ? compareTexts(parts.builtInEmbedder, question.text) : undefined
  const found = await findMessages(question, {
    store,
    scope,
    options,
    besides: [...inTime, ...about],
    orders: { places: instructions, read: Math.max(READ_AT_LEAST, request.limit) },
    nearest: nearest.messages,
    ...given({ askedIn: request.askedIn, asking }),
    isWanted: wantsMessage(request),
    isOfTopics: request.topicPlaces !== undefined,
    candidates: Math.min(options.candidates, WEIGHED_AT_LEAST + FOR_EACH * request.limit),
    read: Math.min(options.read, Math.max(parts.rag.rerankTop, READ_AT_LEAST + FOR_EACH * request.limit)),
    ...given({ compare }),
  })
  const { others: near } = nearest
  return { found, near, instructions: new Set(instructions), isSaidThen: inTime.length > 0 }
}

async function findInTime(
  { store }: RecallParts,
  scope: TimedScope,
  { spans }: Question,
): Promise<readonly Place[]> {
  const found = await Promise.all(
    spans.map(({ start, end }) =>
      store.findPlacesInTime({ ...scopeWithin(scope, start, end), limit: IN_TIME }),
    ),
  )
  return found.flatMap(({ places }) => places)
}

/** Of these the topics are read. */
const placesOfBest = ({ found }: FoundMaterial, { rag }: RecallParts): readonly Place[] =>
  found.messages.slice(0, rag.rerankTop).map(({ place }) => place)

interface FoundSoFar extends Material {
  readonly messages: FoundMaterial
  readonly starts: TopicStarts
}

async function findAll(
  parts: RecallParts,
  request: Scoped,
  { question, facts, messages, starts }: FoundSoFar,
): Promise<readonly Found[]> {
  const { found, near, instructions, isSaidThen } = messages
  const hasNothing = found.messages.length === 0 || (found.isUnfounded && !isSaidThen)
  const ideal = idealScore(
    question,
    parts.options,
    namedSpeakers(
      question,
      found.messages.map(({ head }) => head),
    ).size > 0,
  )
  const judge = textJudge(question, found.matches, parts.options)
  const lifted = await liftImportant(parts, { found: found.messages, starts })
  const said =
    request.kinds.has('message') && !hasNothing
      ? toFoundMessages(lifted, { question, judge, ideal, instructions, pauseMs: parts.options.pauseMs })
      : []
  const others = await findOthers(parts, request, { question, facts, found, near, judge, ideal })
  return arrange([...said, ...others], question, ideal)
}

/** What a further message of a sitting has to be better by, where the sittings take turns. */
const CROWDING = 1

function arrange(found: readonly Found[], question: Question, ideal: number): readonly Found[] {
  const sorted = [...found].sort((one, other) => other.score - one.score)
  if (question.asksForAll) {
    // An order is told of where it belongs to the matter, and has no seat.
    const unseated = sorted.map(({ isInstruction: _, ...one }) => one)
    return spreadOut(unseated, { groupOf: ({ group, id }) => group ?? id, crowding: CROWDING / ideal })
  }
  return seatInstructions(
    sorted.filter(({ isInstruction }) => !isInstruction),
    sorted.filter(({ isInstruction }) => isInstruction),
  )
}
