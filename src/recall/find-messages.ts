// Finds messages in three passes, each over fewer candidates at a higher cost: positions with the words in or around
// them; for the best of these, who said it and when; for the best of those, the text itself. Messages without the words
// are found by the time that the question names, by meaning, or as standing instructions.

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
import { byScore, isPerson, type RankedMessage } from './rank/ranked-message.ts'
import { asksForCurrent, UPDATABLE } from './rank/updates.ts'
import { namedSpeakers, type WordEvidence, weighHeads, wordsAround, wordsNear } from './rank/weigh-heads.ts'
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
  /** `isWanted` depends on the topic. */
  readonly isOfTopics: boolean
  /** Maximum candidates for the second pass. */
  readonly maxCandidates: number
  /** Maximum candidates whose full text is loaded. */
  readonly maxTexts: number
  readonly currentConversationId?: ConversationId
  /** The question itself, if it is recorded. */
  readonly questionLocator?: MessageLocator
  /** Messages that are always read. */
  readonly extraLocators: readonly MessageLocator[]
  /** Always candidates; the best of them, up to `read`, are read. */
  readonly standingInstructions: { readonly places: readonly MessageLocator[]; readonly read: number }
  readonly nearest: ReadonlyMap<MessageLocator, number>
  /** Similarity in meaning, 0 to 1, when no vectors are stored. */
  readonly compare?: (texts: readonly string[]) => Promise<readonly number[]>
}

export interface FoundMessage extends ReadCandidate {
  readonly position: number
  /** If it has no word of the question: those in the messages near it. */
  readonly near: readonly string[]
  /** Similarity to the question by the words in and around it, its meaning, or its date. */
  readonly similarity: number
}

export interface FoundMessages {
  /** Best first. */
  readonly messages: readonly FoundMessage[]
  readonly evidence: WordEvidence
  /** All words of the question, including those that no message has. */
  readonly matches: readonly TermMatches[]
  /** No candidate matches by words or meaning. */
  readonly isUnfounded: boolean
}

const WORDS_PER_TOKEN = 0.75
/** If no message has a word of the question, one has to be this much nearer in meaning than the threshold. */
const MEANING_ALONE = 1.5

export async function findMessages(question: Question, search: MessageSearch): Promise<FoundMessages> {
  const { options, words } = search
  const { size } = words
  const matches = withoutPlace(words.matches, search.questionLocator)
  const placed = toEvidence(matches)
  const heads = await findHeads(placed, search)
  const evidence = withoutNames(matches, question, heads)
  const meanTokens = Math.max(1, size.tokens / Math.max(1, size.messages))
  const { currentConversationId } = search
  const weighed = weighHeads(heads, {
    question,
    evidence,
    options,
    meanTokens,
    ...definedFields({ currentConversationId }),
  })
  const weigh = async (readable: readonly ReadableMessage[]): Promise<FoundMessage[]> => {
    const similarities = await findSimilarities(readable, search)
    const meanWords = meanTokens * WORDS_PER_TOKEN
    return weighTexts(readable, { question, evidence, options, meanWords, similarities }).map(
      (candidate) => ({
        ...candidate,
        position: positionOf(candidate.place),
        near: candidate.found.length > 0 ? [] : wordsNear(candidate.place, evidence),
        similarity: similarityOf(candidate, { question, evidence, similarities }),
      }),
    )
  }
  const best = (await weigh(await readBest(weighed, search))).sort(byScore)
  const later = asksForCurrent(question) ? await weigh(await readLater(best, weighed, search)) : []
  return {
    messages: [...best, ...later].sort(byScore),
    evidence,
    matches,
    isUnfounded:
      placed.matches.length === 0 &&
      search.nearest.size === 0 &&
      !best.some(({ similarity }) => similarity >= MEANING_ALONE * options.minSimilarity),
  }
}

/** The question contains its own words, which says nothing about its neighbours. */
function withoutPlace(
  matches: readonly TermMatches[],
  asking: MessageLocator | undefined,
): readonly TermMatches[] {
  if (asking === undefined) return matches
  return matches.map((match) => {
    const others = without(match, asking)
    const isIn = others.places.length < match.places.length
    return { ...match, ...others, count: match.count - Number(isIn) }
  })
}

async function findHeads({ matches }: WordEvidence, search: MessageSearch): Promise<readonly MessageMeta[]> {
  const { store, scope, maxCandidates } = search
  const places = bestPlaces(matches, maxCandidates)
  const all = [
    ...new Set([
      ...places,
      ...smallScopeOf(search),
      ...search.standingInstructions.places,
      ...search.extraLocators,
      ...search.nearest.keys(),
    ]),
  ]
  const heads = await store.getMessageMeta(scope.workspace, all, { includeTopics: search.isOfTopics })
  return heads.filter((head) => head.role !== 'system' && search.isWanted(head))
}

/** The messages of a small scope, if they can be compared by meaning. */
const smallScopeOf = ({ words, compare }: MessageSearch): readonly MessageLocator[] =>
  compare === undefined ? [] : (words.smallScope ?? [])

/** Words that no message has count in the total: one match of four words says little. */
const toEvidence = (matches: readonly TermMatches[]): WordEvidence => ({
  matches: matches.filter(({ places }) => places.length > 0),
  totalWeight: matches.reduce((sum, { weight }) => sum + weight, 0) || 1,
})

/** The name of a speaker says who, not what: it is scored as a speaker instead of a word. */
function withoutNames(
  matches: readonly TermMatches[],
  question: Question,
  heads: readonly MessageMeta[],
): WordEvidence {
  const names = new Set(
    [...namedSpeakers(question, heads)].flatMap((name) => findWords(name).map(({ word }) => word)),
  )
  const evidence = toEvidence(matches.filter(({ term }) => !names.has(term.word)))
  return evidence.matches.length === 0 ? toEvidence(matches) : evidence
}

type ReadableMessage = RankedMessage & { readonly text: string }

/** The best candidates and the extra ones, with their texts. */
async function readBest(
  candidates: readonly RankedMessage[],
  search: MessageSearch,
): Promise<readonly ReadableMessage[]> {
  const sorted = [...candidates].sort(byScore)
  const instructions = new Set(search.standingInstructions.places)
  const bestInstructions = sorted
    .filter(({ place }) => instructions.has(place))
    .slice(0, search.standingInstructions.read)
  const kept = new Set([
    ...search.extraLocators,
    ...search.nearest.keys(),
    ...bestInstructions.map(({ place }) => place),
  ])
  const maxTexts = Math.max(search.maxTexts, smallScopeOf(search).length)
  const best = sorted.filter(({ place }, rank) => rank < maxTexts || kept.has(place))
  return withTexts(best, search)
}

/** Candidates that may update the best messages and are not read yet. */
const MAX_LATER = 24

/** Messages that were said after one of the best: other candidates, which may say what changed since. */
async function readLater(
  best: readonly FoundMessage[],
  candidates: readonly RankedMessage[],
  search: MessageSearch,
): Promise<readonly ReadableMessage[]> {
  const read = new Set(best.map(({ place }) => place))
  const first = Math.min(...best.slice(0, UPDATABLE).map(({ head }) => head.createdAt.getTime()))
  const later = candidates
    .filter(({ place, head }) => !read.has(place) && isPerson(head) && head.createdAt.getTime() > first)
    .sort(byScore)
  return withTexts(later.slice(0, MAX_LATER), search)
}

async function withTexts(
  candidates: readonly RankedMessage[],
  search: MessageSearch,
): Promise<readonly ReadableMessage[]> {
  if (candidates.length === 0) return []
  const texts = await readTexts(
    search,
    candidates.map(({ place }) => place),
  )
  return candidates.flatMap((candidate) => {
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

/** Keeps only the current version of regenerated answers and edited questions. */
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

interface SimilarityEvidence {
  readonly question: Question
  readonly evidence: WordEvidence
  readonly similarities: ReadonlyMap<MessageLocator, number>
}

/** Similarity by words is the cosine of the question with the part of it found here: the root of that share. */
function similarityOf(
  { place, head, coverage }: ReadCandidate,
  { question, evidence, similarities }: SimilarityEvidence,
): number {
  const isThen = question.spans.some(({ start, end }) => head.createdAt >= start && head.createdAt < end)
  const byWords = Math.sqrt(Math.max(coverage, wordsAround(place, evidence)))
  return Math.max(isThen ? 1 : 0, byWords, similarities.get(place) ?? 0)
}
