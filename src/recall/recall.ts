// Recall: the ranked search over messages, facts, notes, summaries, queries and chunks.
//
//  1. The question is rewritten to stand alone (stand-alone.ts) and parsed: its words with their forms and synonyms,
//     the days it names, what it asks for (question/).
//  2. Messages are found by words, by time and by meaning, and scored in three passes, each over fewer of them
//     (find-messages.ts). Other kinds are scored by the same words (kinds/).
//  3. All of them are sorted into one list by score. Standing instructions get reserved places in it. If the question
//     asks for a whole subject, sessions take turns (rank/arrange.ts). A re-ranker, if configured, reorders the best.
//  4. Items that are dissimilar to the question, already visible, near-duplicates or over the limit are left out
//     (choose-items.ts).
//
// The options bound the cost, whatever the size of the store. Recall only reads. Every item carries the reasons for its
// rank. If a model fails, recall falls back to built-in methods and adds a notice.

import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { RecallAnswer, SearchedWord } from '../domain/recall.ts'
import type { Embedder, Reranker } from '../model/models.ts'
import type { ResolvedRag } from '../options/recall-options.ts'
import type { AcceptedRecall } from './accepted-recall.ts'
import { chooseItems } from './choose-items.ts'
import {
  type ExtraCandidateParts,
  type ExtraCandidateSearch,
  type ExtraCandidates,
  findExtraCandidates,
} from './extra-candidates.ts'
import { type FoundMessage, type FoundMessages, findMessages } from './find-messages.ts'
import { findOthers, type OtherParts } from './kinds/find-others.ts'
import { idealScore, textJudge } from './kinds/weigh-text.ts'
import { compareTexts } from './meaning.ts'
import { nameTopics, readTopicStarts, type TopicStarts } from './name-topics.ts'
import { type Question, readQuestion } from './question/read-question.ts'
import { seatInstructions, seatsAmong, spreadOut } from './rank/arrange.ts'
import { type Lifting, liftImportant } from './rank/lift-important.ts'
import { putUpdateFirst } from './rank/updates.ts'
import { namedSpeakers } from './rank/weigh-heads.ts'
import { findWordMatches, type TermMatches } from './rank/word-matches.ts'
import { round } from './reasons.ts'
import { type Scoped, scopeOf, wantsMessage, withTopics } from './scope.ts'
import { type ScoredItem, shownOf } from './scored-item.ts'
import type { StandAlone } from './stand-alone.ts'
import { toFoundMessages } from './to-scored-messages.ts'

/** Dependencies of recall; see src/memory/recall.ts. */
export interface RecallParts extends Lifting, OtherParts, ExtraCandidateParts {
  readonly store: OtherParts['store']
  readonly rag: ResolvedRag
  /** Compares texts when no vectors are stored. */
  readonly builtInEmbedder: Embedder
  readonly reranker?: Reranker
  readonly countTokens: (text: string) => number
  readonly relatedWords: (word: string) => readonly string[]
  /** Rewrites a follow-up. */
  readonly standAlone: (asked: {
    readonly text: string
    readonly conversation: ConversationId | undefined
    readonly signal?: AbortSignal
  }) => Promise<StandAlone>
}

/** Candidates and texts to load for a small limit; candidates further down hardly ever reach the top. */
const MIN_CANDIDATES = 100
const MIN_TEXTS = 10
const CANDIDATES_PER_ITEM = 4

export async function recall(parts: RecallParts, accepted: AcceptedRecall): Promise<RecallAnswer> {
  const { options, now, store } = parts
  const request = await withTopics(store, accepted)
  const notices: string[] = []
  const { text, currentConversationId: conversation, signal } = request
  const asked = await parts.standAlone({ text, conversation, ...definedFields({ signal }) })
  const question = readQuestion(asked.standalone ?? text, {
    now: request.now ?? request.asOf ?? now,
    carried: asked.carried,
    relatedWords: parts.relatedWords,
  })
  const messages = await searchMessages(parts, request, { question, notices })
  const { found, starts } = await findAll(parts, request, { question, messages })
  const ranked = await rerankBest(parts, {
    question: question.text,
    found,
    notices,
    ...definedFields({ signal }),
  })
  const { items, leftOut } = chooseItems(ranked, {
    ...request,
    leastSimilarity: options.minSimilarity,
    countTokens: parts.countTokens,
    isVisible: ({ kind, messageIds }) =>
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

interface MessageResults extends ExtraCandidates {
  readonly found: FoundMessages
}

/** Word matches and extra candidates are looked up in parallel. */
async function searchMessages(
  parts: RecallParts,
  request: Scoped,
  { question, notices }: Pick<ExtraCandidateSearch, 'question' | 'notices'>,
): Promise<MessageResults> {
  const { store, options } = parts
  const scope = scopeOf(request)
  const [words, extra] = await Promise.all([
    findWordMatches(question, { ...options, store, scope, limit: options.wordMatches }),
    findExtraCandidates(parts, request, { question, scope, notices }),
  ])
  const { standingInstructions, questionLocator, nearest } = extra
  const compare =
    parts.vectors === undefined && options.meaningWeight > 0
      ? compareTexts(parts.builtInEmbedder, question.text)
      : undefined
  const found = await findMessages(question, {
    store,
    scope,
    options,
    words,
    extraLocators: [...extra.inTime, ...extra.about],
    standingInstructions: { places: standingInstructions, read: Math.max(MIN_TEXTS, request.limit) },
    nearest: nearest.messages,
    ...definedFields({ currentConversationId: request.currentConversationId, questionLocator, compare }),
    isWanted: wantsMessage(request),
    isOfTopics: request.topicPlaces !== undefined,
    maxCandidates: Math.min(options.candidates, MIN_CANDIDATES + CANDIDATES_PER_ITEM * request.limit),
    maxTexts: Math.min(
      options.maxTexts,
      Math.max(parts.rag.rerankTop, MIN_TEXTS + CANDIDATES_PER_ITEM * request.limit),
    ),
  })
  return { ...extra, found }
}

interface SearchState {
  readonly question: Question
  readonly messages: MessageResults
}

interface AllResults {
  readonly found: readonly ScoredItem[]
  /** Topic starts of the messages that are likely to be chosen. */
  readonly starts: TopicStarts
}

async function findAll(
  parts: RecallParts,
  request: Scoped,
  { question, messages }: SearchState,
): Promise<AllResults> {
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
  const instructions = new Set(messages.standingInstructions)
  const said =
    request.kinds.has('message') && !hasNothing
      ? toFoundMessages(putUpdateFirst(lifted, question), {
          question,
          judge,
          ideal,
          instructions,
          pauseMs: parts.options.pauseMs,
        })
      : []
  return { found: arrange([...said, ...others], question, ideal), starts }
}

/** Reads the topics of the best messages, and of the instructions that get a reserved place. */
async function liftBest(
  parts: RecallParts,
  { workspace, limit }: Scoped,
  { found: { messages }, standingInstructions }: MessageResults,
): Promise<{ readonly lifted: readonly FoundMessage[]; readonly starts: TopicStarts }> {
  const instructions = new Set(standingInstructions)
  const best = messages.slice(0, parts.rag.rerankTop)
  const seated = messages.filter(({ place }) => instructions.has(place)).slice(0, seatsAmong(limit))
  const places = new Set([...best, ...seated].map(({ place }) => place))
  const starts = await readTopicStarts(parts.store, workspace, [...places])
  return { lifted: await liftImportant(parts, { found: messages, starts }), starts }
}

/** Subtracted for every earlier message of the same session when sessions take turns. */
const CROWDING_PENALTY = 1

function arrange(found: readonly ScoredItem[], question: Question, ideal: number): readonly ScoredItem[] {
  const sorted = [...found].sort((one, other) => other.score - one.score)
  if (question.asksForAll) {
    // Instructions compete like other messages here and have no reserved place.
    const unseated = sorted.map(({ isInstruction: _, ...one }) => one)
    return spreadOut(unseated, {
      groupOf: ({ group, id }) => group ?? id,
      crowding: CROWDING_PENALTY / ideal,
    })
  }
  return seatInstructions(
    sorted.filter(({ isInstruction }) => !isInstruction),
    sorted.filter(({ isInstruction }) => isInstruction),
  )
}

interface RerankParts {
  readonly rag: Pick<ResolvedRag, 'rerankTop'>
  readonly reranker?: Reranker
}

interface ToRerank {
  readonly question: string
  /** Best first. */
  readonly found: readonly ScoredItem[]
  readonly notices: string[]
  readonly signal?: AbortSignal
}

/** Reorders the best items with a re-ranking model. If the model fails, the order stays. */
async function rerankBest(
  { rag, reranker }: RerankParts,
  { question, found, notices, signal }: ToRerank,
): Promise<readonly ScoredItem[]> {
  const best = found.slice(0, rag.rerankTop)
  if (reranker === undefined || best.length < 2) return found
  try {
    const scores = await reranker.rerank(
      question,
      best.map((one) => shownOf(one).text),
      signal === undefined ? {} : { signal },
    )
    const order = best.map((one, i) => ({ one, score: scores[i] as number }))
    const ranked = order
      .sort((left, right) => right.score - left.score)
      .map(({ one }, rank) => toReranked(one, reranker, rank))
    return [...ranked, ...found.slice(rag.rerankTop)]
  } catch (error) {
    if (!(isMemoryError(error) && error.code === 'model-failed')) throw error
    notices.push(`not re-ranked: ${error.message}`)
    return found
  }
}

const toReranked = (found: ScoredItem, { name }: Reranker, rank: number): ScoredItem => ({
  ...found,
  why: [...found.why, { signal: 'reranked', score: 0, text: `ranked ${rank + 1} by ${name}` }],
})
