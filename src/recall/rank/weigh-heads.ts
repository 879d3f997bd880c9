// The second pass, over metadata, without the text: the speaker, the session, the time.

import type { DateSpan } from '../../domain/dates/date-span.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { MessageLocator } from '../../domain/locator.ts'
import { findWords } from '../../domain/words.ts'
import type { ResolvedRecall } from '../../options/recall-options.ts'
import type { MessageMeta } from '../../store/recall-store.ts'
import type { Question } from '../question/read-question.ts'
import { isPerson, type RankedMessage, totalOf, withoutZeros } from './ranked-message.ts'
import { findSittings, type Sitting } from './sittings.ts'
import { nearnessAt } from './weigh-places.ts'
import type { TermMatches } from './word-matches.ts'
import { lowerBound, presenceAt } from './word-places.ts'

/** The word matches, for all candidates. */
export interface WordEvidence {
  readonly matches: readonly TermMatches[]
  /** The maximum that the words of the question can add. */
  readonly totalWeight: number
}

export interface HeadWeighing {
  readonly question: Question
  readonly evidence: WordEvidence
  readonly options: ResolvedRecall
  readonly currentConversationId?: ConversationId
  /** The mean length of a message in the scope. */
  readonly meanTokens: number
}

const WORDS_PER_TOKEN = 0.75
/** Logarithm of the length with full substance, about 33 words. */
const FULL_LENGTH = 3.5
const DAY_MS = 86_400_000
/** Maximum for a date near the one in the question; it falls to 0 a month away. */
const NEAR_DATE = 0.6
const FAR_DATE_MS = 31 * DAY_MS

export function weighHeads(heads: readonly MessageMeta[], weighing: HeadWeighing): readonly RankedMessage[] {
  const { question, options } = weighing
  const named = namedSpeakers(question, heads)
  const sittings = findSittings(heads, options.pauseMs)
  const sittingScores = weighSittings(sittings, weighing.evidence)
  const ages = question.cues.asksLatest || question.cues.asksFirst ? ageOrder(heads) : NO_AGES
  return heads.map((head) => {
    const scores = withoutZeros({
      words: options.wordsWeight * ownWords(head, weighing),
      neighbours: options.neighboursWeight * wordsAround(head.locator, weighing.evidence),
      session: options.sessionWeight * (sittingScores.get(sittings.get(head.locator) as Sitting) ?? 0),
      speaker: speakerScore(head, { question, options, named }),
      time: timeScore(head, { question, options, age: ages.get(head.locator) ?? 0 }),
      conversation: head.conversationId === weighing.currentConversationId ? options.conversationWeight : 0,
      substance: options.lengthWeight * substanceOf(head),
    })
    return { place: head.locator, head, scores, score: totalOf(scores) }
  })
}

/** Speakers that the question names. */
export function namedSpeakers(
  { terms }: Question,
  heads: readonly Pick<MessageMeta, 'name'>[],
): ReadonlySet<string> {
  const asked = new Set(terms.map(({ word }) => word))
  const names = new Set(heads.flatMap(({ name }) => (name === undefined ? [] : [name])))
  return new Set([...names].filter((name) => findWords(name).some(({ word }) => asked.has(word))))
}

/** BM25 with every word counted once; the text itself is scored in the third pass. */
function ownWords({ locator, tokens }: MessageMeta, { evidence, meanTokens }: HeadWeighing): number {
  const { matches, totalWeight } = evidence
  let sum = 0
  for (const match of matches) sum += match.weight * presenceAt(match, locator)
  return (sum * 2.2) / (1 + 1.2 * (0.25 + (0.75 * tokens) / meanTokens)) / totalWeight
}

/** The share of the question's weight found at or near a position. */
export function wordsAround(place: MessageLocator, { matches, totalWeight }: WordEvidence): number {
  let sum = 0
  for (const match of matches) sum += match.weight * nearnessAt(match, place)
  return sum / totalWeight
}

/** The words of the question at or near a position. */
export function wordsNear(place: MessageLocator, { matches }: WordEvidence): readonly string[] {
  return matches.filter((match) => nearnessAt(match, place) > 0).map(({ term }) => term.word)
}

/** How much of the question each session covers; a word in all sessions adds nothing. */
function weighSittings(
  sittings: ReadonlyMap<MessageLocator, Sitting>,
  { matches }: WordEvidence,
): ReadonlyMap<Sitting, number> {
  const unique = [...new Set(sittings.values())]
  const counts = matches.map(({ places }) => countIn(unique, places))
  const rarities = counts.map((of) => {
    const having = of.filter((count) => count > 0).length
    return Math.log(1 + (unique.length - having + 0.5) / (having + 0.5))
  })
  const total = rarities.reduce((sum, value, i) => sum + value * termWeight(matches, i), 0) || 1
  return new Map(
    unique.map((sitting, at) => {
      const sum = counts.reduce((all, of, i) => {
        const count = of[at] as number
        return all + ((rarities[i] as number) * termWeight(matches, i) * count * 2.2) / (count + 1.2)
      }, 0)
      return [sitting, sum / total]
    }),
  )
}

const termWeight = (matches: readonly TermMatches[], i: number): number =>
  (matches[i] as TermMatches).term.weight

/** Number of the sorted positions in each session. */
function countIn(sittings: readonly Sitting[], places: Float64Array): readonly number[] {
  return sittings.map(({ from, to }) => lowerBound(places, to + 1) - lowerBound(places, from))
}

interface SpeakerAsked {
  readonly question: Question
  readonly options: ResolvedRecall
  readonly named: ReadonlySet<string>
}

/** Long assistant replies must not crowd out what people said, unless the question asks for them. */
function speakerScore(head: MessageMeta, { question, options, named }: SpeakerAsked): number {
  const { asksAssistant, asksSummary } = question.cues
  const isNamed = head.name !== undefined && named.has(head.name)
  const isOwn = !asksSummary && isPerson(head) !== asksAssistant
  return (isNamed ? options.speakerWeight : 0) + (isOwn ? options.personWeight : 0)
}

interface TimeAsked {
  readonly question: Question
  readonly options: ResolvedRecall
  /** 0 for the oldest candidate, 1 for the newest. */
  readonly age: number
}

function timeScore({ createdAt }: MessageMeta, { question, options, age }: TimeAsked): number {
  const { spans, cues } = question
  const near = spans.reduce((best, span) => Math.max(best, dateNearness(createdAt, span)), 0)
  const latest = cues.asksLatest ? age : 0
  const first = cues.asksFirst ? 1 - age : 0
  return options.timeWeight * near + options.recencyWeight * (latest + first)
}

function dateNearness(moment: Date, { start, end }: DateSpan): number {
  const time = moment.getTime()
  if (time >= start.getTime() && time < end.getTime()) return 1
  const distance = time < start.getTime() ? start.getTime() - time : time - end.getTime()
  return Math.max(0, NEAR_DATE * (1 - distance / FAR_DATE_MS))
}

const NO_AGES: ReadonlyMap<MessageLocator, number> = new Map()

function ageOrder(heads: readonly MessageMeta[]): ReadonlyMap<MessageLocator, number> {
  const sorted = [...heads].sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
  const last = Math.max(1, sorted.length - 1)
  return new Map(sorted.map(({ locator }, i) => [locator, i / last]))
}

/** A message of a word or two seldom has the answer. */
function substanceOf({ tokens }: MessageMeta): number {
  return Math.min(1, Math.log(1 + tokens * WORDS_PER_TOKEN) / FULL_LENGTH)
}
