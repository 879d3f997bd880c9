// Messages, by three looks, each over fewer and dearer: places that have the words in or around them; of the best,
// who said it and when; of the best of those, the text itself. What the words do not find, the time that the
// question names, nearness in meaning, and standing instructions may.

import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId } from '../domain/ids.ts'
import { withoutInjected } from '../domain/injected.ts'
import { conversationNumberOf, type MessageLocator, positionOf } from '../domain/locator.ts'
import { readableText } from '../domain/message.ts'
import { isSaid, withoutReplaced } from '../domain/recollect-metadata.ts'
import { findWords } from '../domain/words.ts'
import type { ResolvedRecall } from '../options/recall-options.ts'
import type { LocatedContent, MessageMeta, RecallStore, TimedScope } from '../store/recall-store.ts'
import type { Question } from './question/read-question.ts'
import { byScore, type Candidate } from './rank/candidate.ts'
import { namedSpeakers, type WordEvidence, weighHeads, wordsAround } from './rank/weigh-heads.ts'
import { bestPlaces } from './rank/weigh-places.ts'
import { type ReadCandidate, weighTexts } from './rank/weigh-texts.ts'
import type { TermMatches, WordMatches } from './rank/word-matches.ts'
import { without } from './rank/word-places.ts'

export interface MessageSearch {
  readonly store: RecallStore
  readonly scope: TimedScope
  readonly options: ResolvedRecall
  readonly words: WordMatches
  readonly isWanted: (head: MessageMeta) => boolean
  /** Whether that depends on the topic. */
  readonly isOfTopics: boolean
  /** The best so many are weighed by who said it and when … */
  readonly candidates: number
  /** … and of these the best so many are read. */
  readonly read: number
  readonly currentConversationId?: ConversationId
  /** The place of the message that asks, where it is recorded. */
  readonly asking?: MessageLocator
  /** Places that are looked at whatever their words, with their nearness in meaning where it is known. */
  readonly besides: readonly MessageLocator[]
  /** Of orders that stand, which are weighed whatever their words, the best so many are read. */
  readonly orders: { readonly places: readonly MessageLocator[]; readonly read: number }
  readonly nearest: ReadonlyMap<MessageLocator, number>
  /** Nearness in meaning of texts, 0 to 1, where no vectors are kept. */
  readonly compare?: (texts: readonly string[]) => Promise<readonly number[]>
}

export interface FoundMessage extends ReadCandidate {
  readonly position: number
  /** How like the question it is: by the words in and around it, its meaning, or the day it was said on. */
  readonly similarity: number
}

export interface FoundMessages {
  /** Best first. */
  readonly messages: readonly FoundMessage[]
  readonly evidence: WordEvidence
  /** All words of the question, those that no message has too. */
  readonly matches: readonly TermMatches[]
  /** Nothing speaks for any of them: no word, no meaning. */
  readonly isUnfounded: boolean
}

const WORDS_PER_TOKEN = 0.75

export async function findMessages(question: Question, search: MessageSearch): Promise<FoundMessages> {
  const { options, words } = search
  const { size } = words
  const matches = withoutPlace(words.matches, search.asking)
  const placed = toEvidence(matches.filter(({ places }) => places.length > 0))
  const heads = await findHeads(placed, search)
  const evidence = withoutNames(placed, question, heads)
  const meanTokens = Math.max(1, size.tokens / Math.max(1, size.messages))
  const { currentConversationId } = search
  const weighed = weighHeads(heads, {
    question,
    evidence,
    options,
    meanTokens,
    ...definedFields({ currentConversationId }),
  })
  const readable = await readBest(weighed, search)
  const similarities = await findSimilarities(readable, search)
  const meanWords = meanTokens * WORDS_PER_TOKEN
  const read = weighTexts(readable, { question, evidence, options, meanWords, similarities })
  const messages = read.map((candidate) => ({
    ...candidate,
    position: positionOf(candidate.place),
    similarity: similarityOf(candidate, { question, evidence, similarities }),
  }))
  return {
    messages: messages.sort(byScore),
    evidence,
    matches,
    isUnfounded: placed.matches.length === 0 && search.nearest.size === 0,
  }
}

/** A question has all its own words; that says nothing of its neighbours. */
function withoutPlace(
  matches: readonly TermMatches[],
  asking: MessageLocator | undefined,
): readonly TermMatches[] {
  if (asking === undefined) return matches
  return matches.map((match) => ({ ...match, ...without(match, asking) }))
}

async function findHeads({ matches }: WordEvidence, search: MessageSearch): Promise<readonly MessageMeta[]> {
  const { store, scope, candidates } = search
  const places = bestPlaces(matches, candidates)
  const all = [...new Set([...places, ...search.orders.places, ...search.besides, ...search.nearest.keys()])]
  const heads = await store.getMessageMeta(scope.workspace, all, { includeTopics: search.isOfTopics })
  return heads.filter((head) => head.role !== 'system' && search.isWanted(head))
}

const toEvidence = (matches: readonly TermMatches[]): WordEvidence => ({
  matches,
  totalWeight: matches.reduce((sum, { weight }) => sum + weight, 0) || 1,
})

/** A name that is a speaker's here tells who, not what: it is weighed as that. */
function withoutNames(
  evidence: WordEvidence,
  question: Question,
  heads: readonly MessageMeta[],
): WordEvidence {
  const names = new Set(
    [...namedSpeakers(question, heads)].flatMap((name) => findWords(name).map(({ word }) => word)),
  )
  const matches = evidence.matches.filter(({ term }) => !names.has(term.word))
  if (matches.length === 0 || matches.length === evidence.matches.length) return evidence
  return toEvidence(matches)
}

/** The best, and whatever is looked at besides, with their texts. */
async function readBest(
  candidates: readonly Candidate[],
  search: MessageSearch,
): Promise<readonly (Candidate & { readonly text: string })[]> {
  const sorted = [...candidates].sort(byScore)
  const orders = new Set(search.orders.places)
  const bestOrders = sorted.filter(({ place }) => orders.has(place)).slice(0, search.orders.read)
  const kept = new Set([...search.besides, ...search.nearest.keys(), ...bestOrders.map(({ place }) => place)])
  const best = sorted.filter(({ place }, rank) => rank < search.read || kept.has(place))
  const places = best.map(({ place }) => place)
  const texts = await readTexts(search, places)
  return best.flatMap((candidate) => {
    const text = texts.get(candidate.place)
    return text === undefined ? [] : [{ ...candidate, text }]
  })
}

async function readTexts(
  { store, scope }: MessageSearch,
  places: readonly MessageLocator[],
): Promise<ReadonlyMap<MessageLocator, string>> {
  const messages = keepCurrent(await store.getContents(scope.workspace, places)).filter(isSaid)
  return new Map(messages.map(({ locator, content }) => [locator, withoutInjected(readableText(content))]))
}

/** Of an answer that was given anew, and of a question that was put in other words, only what stands now. */
function keepCurrent(messages: readonly LocatedContent[]): readonly LocatedContent[] {
  if (messages.every(({ metadata }) => metadata === undefined)) return messages
  const inOrder = messages
    .map((message) => ({ ...message, position: positionOf(message.locator) }))
    .sort((one, other) => one.position - other.position)
  return [...new Set(messages.map(({ locator }) => conversationNumberOf(locator)))].flatMap((number) =>
    withoutReplaced(inOrder.filter(({ locator }) => conversationNumberOf(locator) === number)),
  )
}

async function findSimilarities(
  candidates: readonly { readonly place: MessageLocator; readonly text: string }[],
  { nearest, compare }: MessageSearch,
): Promise<ReadonlyMap<MessageLocator, number>> {
  if (compare === undefined) return nearest
  const similarities = await compare(candidates.map(({ text }) => text))
  return new Map(candidates.map(({ place }, i) => [place, similarities[i] as number]))
}

interface Likeness {
  readonly question: Question
  readonly evidence: WordEvidence
  readonly similarities: ReadonlyMap<MessageLocator, number>
}

/** By words: the cosine of the question with what of it stands here, which is the root of that share. */
function similarityOf(
  { place, head, coverage }: ReadCandidate,
  { question, evidence, similarities }: Likeness,
): number {
  const isThen = question.spans.some(({ start, end }) => head.createdAt >= start && head.createdAt < end)
  const byWords = Math.sqrt(Math.max(coverage, wordsAround(place, evidence)))
  return Math.max(isThen ? 1 : 0, byWords, similarities.get(place) ?? 0)
}
