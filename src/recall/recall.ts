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

import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { RecallAnswer, SearchedWord } from '../domain/recall.ts'
import type { Embedder } from '../model/embedder.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { Reranker } from '../model/reranker.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import type { AcceptedRecall } from './accepted-recall.ts'
import { chooseItems } from './choose-items.ts'
import { type FoundMessage, type FoundMessages, findMessages } from './find-messages.ts'
import type { Found } from './found.ts'
import { findOthers, type OtherParts } from './kinds/find-others.ts'
import { idealScore, textJudge } from './kinds/weigh-text.ts'
import { type BesidesParts, type LookedAt, type Looking, lookBesides } from './look-besides.ts'
import { compareTexts } from './meaning.ts'
import { nameTopics, readTopicStarts, type TopicStarts } from './name-topics.ts'
import { type Question, readQuestion } from './question/read-question.ts'
import { seatInstructions, seatsAmong, spreadOut } from './rank/arrange.ts'
import { type Lifting, liftImportant } from './rank/lift-important.ts'
import { namedSpeakers } from './rank/weigh-heads.ts'
import { findWordMatches, type TermMatches } from './rank/word-matches.ts'
import { round } from './reasons.ts'
import { rerankBest } from './rerank-best.ts'
import { type Scoped, scopeOf, wantsMessage, withTopics } from './scope.ts'
import { type StandAlone, standAlone } from './stand-alone.ts'
import { toFoundMessages } from './to-found-messages.ts'

/** What recall is made of; the memory hands it in. */
export interface RecallParts extends Lifting, OtherParts, BesidesParts {
  readonly store: OtherParts['store']
  readonly rag: ResolvedRag
  /** By which texts are compared where no vectors are kept. */
  readonly builtInEmbedder: Embedder
  readonly languageModel?: LanguageModel
  readonly reranker?: Reranker
  readonly countTokens: (text: string) => number
  /** The last turns of a conversation, in order. */
  readonly lastTurns: (conversation: ConversationId) => Promise<readonly Message[]>
}

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
  const messages = await searchMessages(parts, request, { question, notices })
  const { found, starts } = await findAll(parts, request, { question, messages })
  const ranked = await rerankBest(parts, {
    question: question.text,
    found,
    notices,
    ...definedFields({ signal: request.signal }),
  })
  const { items, leftOut } = chooseItems(ranked, {
    ...request,
    leastSimilarity: options.minSimilarity,
    countTokens: parts.countTokens,
    isInSight: ({ kind, messageIds }) =>
      kind === 'message' && messageIds.every((id) => request.excludeMessageIds.has(id)),
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
async function makeStandAlone(
  parts: RecallParts,
  { text, currentConversationId, signal }: Scoped,
): Promise<StandAlone> {
  const turns = currentConversationId === undefined ? [] : await parts.lastTurns(currentConversationId)
  const last = turns.at(-1)
  const isRecorded = last?.role === 'user' && last.content === text
  const { languageModel } = parts
  return standAlone(text, {
    turns: isRecorded ? turns.slice(0, -1) : turns,
    ...definedFields({ languageModel, signal }),
  })
}

interface FoundMaterial extends LookedAt {
  readonly found: FoundMessages
}

/** Neither waits for the other: what the words find, and what is looked at whatever its words. */
async function searchMessages(
  parts: RecallParts,
  request: Scoped,
  { question, notices }: Pick<Looking, 'question' | 'notices'>,
): Promise<FoundMaterial> {
  const { store, options } = parts
  const scope = scopeOf(request)
  const [words, besides] = await Promise.all([
    findWordMatches(question, { ...options, store, scope, limit: options.wordMatches }),
    lookBesides(parts, request, { question, scope, notices }),
  ])
  const { instructions, asking, nearest } = besides
  const compare = parts.vectors === undefined ? compareTexts(parts.builtInEmbedder, question.text) : undefined
  const found = await findMessages(question, {
    store,
    scope,
    options,
    words,
    besides: [...besides.inTime, ...besides.about],
    orders: { places: instructions, read: Math.max(READ_AT_LEAST, request.limit) },
    nearest: nearest.messages,
    ...definedFields({ currentConversationId: request.currentConversationId, asking, compare }),
    isWanted: wantsMessage(request),
    isOfTopics: request.topicPlaces !== undefined,
    candidates: Math.min(options.candidates, WEIGHED_AT_LEAST + FOR_EACH * request.limit),
    read: Math.min(options.maxTexts, Math.max(parts.rag.rerankTop, READ_AT_LEAST + FOR_EACH * request.limit)),
  })
  return { ...besides, found }
}

interface FoundSoFar {
  readonly question: Question
  readonly messages: FoundMaterial
}

interface FoundAll {
  readonly found: readonly Found[]
  /** Where the topics began of those that are likely to be chosen. */
  readonly starts: TopicStarts
}

async function findAll(
  parts: RecallParts,
  request: Scoped,
  { question, messages }: FoundSoFar,
): Promise<FoundAll> {
  const { found, facts, notes, nearest, inTime } = messages
  const hasNothing = found.messages.length === 0 || (found.isUnfounded && inTime.length === 0)
  const ideal = idealScore(
    question,
    parts.options,
    namedSpeakers(
      question,
      found.messages.map(({ head }) => head),
    ).size > 0,
  )
  const judge = textJudge(question, found.matches, parts.options)
  const [{ lifted, starts }, others] = await Promise.all([
    liftBest(parts, request, messages),
    findOthers(parts, request, { question, facts, notes, found, near: nearest.others, judge, ideal }),
  ])
  const instructions = new Set(messages.instructions)
  const said =
    request.kinds.has('message') && !hasNothing
      ? toFoundMessages(lifted, { question, judge, ideal, instructions, pauseMs: parts.options.pauseMs })
      : []
  return { found: arrange([...said, ...others], question, ideal), starts }
}

/** The topics are read of the best, and of the orders that will have a seat. */
async function liftBest(
  parts: RecallParts,
  { workspace, limit }: Scoped,
  { found: { messages }, instructions }: FoundMaterial,
): Promise<{ readonly lifted: readonly FoundMessage[]; readonly starts: TopicStarts }> {
  const orders = new Set(instructions)
  const best = messages.slice(0, parts.rag.rerankTop)
  const seated = messages.filter(({ place }) => orders.has(place)).slice(0, seatsAmong(limit))
  const places = new Set([...best, ...seated].map(({ place }) => place))
  const starts = await readTopicStarts(parts.store, workspace, [...places])
  return { lifted: await liftImportant(parts, { found: messages, starts }), starts }
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
