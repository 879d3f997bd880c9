// The current value before the outdated one. A later message updates an earlier one if it says that something changed
// ("moved to", "not 31", "from now on"; domain/change-words.ts), gives a number or a name, and shares telling words,
// numbers or names with it: those of the question itself, or those of the sentences of the earlier message that have a
// word of the question ("our plumber is Ivo" links the plumber to whatever changes about Ivo). What the earlier message
// says besides may change without touching the question. The rarer the shared words are among the messages read for this
// question, the more they count, and those of the question count more. The update of one of the best messages takes the
// place right before it.

import { announcesChange } from '../../domain/change-words.ts'
import { isSubjectWord } from '../../domain/subject-words.ts'
import { listWords } from '../../domain/words.ts'
import type { Question } from '../question/read-question.ts'
import { isPerson } from './ranked-message.ts'
import type { ReadCandidate } from './weigh-texts.ts'
import { rarity } from './word-matches.ts'

/** The best messages that are checked for updates. One update is moved: with more, wrong ones push out right answers. */
export const UPDATABLE = 3
/** What both have to share, in units of the rarest word that two messages can share. */
const LEAST_SHARED = 0.6
const QUESTION_WORD = 1.5
/** Two messages that share "4000" are about the same thing. */
const NUMBER = /\d\d/
const NUMBER_WEIGHT = 1.3
/** The length, in telling words, from which on shared words count less. */
const MEAN_WORDS = 20
/** Long messages share words with any other; these are telling words. */
const MAX_UPDATE_WORDS = 30
const MAX_OUTDATED_WORDS = 45

/**
 * Whether outdated values are unwelcome: not if it asks for the past, a time span, a whole course of events, or what the
 * assistant said, which people do not update.
 */
export const asksForCurrent = ({ cues, spans, asksForAll }: Question): boolean =>
  !(cues.asksFirst || cues.asksAssistant || asksForAll || spans.length > 0)

/** `found` is sorted best first. */
export function putUpdateFirst<T extends Comparable>(found: readonly T[], question: Question): readonly T[] {
  if (!asksForCurrent(question)) return found
  const updates = found.filter(isUpdate)
  if (updates.length === 0) return found
  const stems = new Map(found.map((message) => [message, stemsOf(message.text)]))
  const weigher = weighShared(stems, question)
  for (const [rank, outdated] of found.slice(0, UPDATABLE).entries()) {
    const later = updates.filter((message) => isLater(message, outdated))
    const update = bestOf(later, weigher(outdated))
    if (update !== undefined && found.indexOf(update) > rank) return moveBefore(found, update, outdated)
  }
  return found
}

/** Messages of one batch may have the same time; within a conversation their positions decide. */
const isLater = (one: ReadCandidate, other: ReadCandidate): boolean =>
  one.head.createdAt.getTime() - other.head.createdAt.getTime() > 0 ||
  (one.head.conversationId === other.head.conversationId && one.place > other.place)

/** A number, or a name within a sentence. */
const VALUE = /\d|(?<=[\p{L}\p{N},;:)]\s)\p{Lu}\p{Ll}/u

const ONLY_ASKS = /^[^.!?]*\?\s*$/u

const isUpdate = ({ head, text }: ReadCandidate): boolean =>
  isPerson(head) && VALUE.test(text) && !ONLY_ASKS.test(text) && announcesChange(text)

/** A read message with its similarity to the question. */
type Comparable = ReadCandidate & { readonly similarity: number }

type Stems = ReadonlySet<string>

function weighShared(
  texts: ReadonlyMap<ReadCandidate, Stems>,
  question: Question,
): (outdated: ReadCandidate) => (update: ReadCandidate) => number {
  const counts = new Map<string, number>()
  for (const stems of texts.values()) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const rarest = rarity(2, texts.size)
  const asked = stemsOf(question.text)
  const weightOf = (stem: string) =>
    rarity(counts.get(stem) as number, texts.size) *
    (asked.has(stem) ? QUESTION_WORD : 1) *
    (NUMBER.test(stem) ? NUMBER_WEIGHT : 1)
  const forms = new Set(question.terms.flatMap(({ forms, relatives }) => [...forms, ...relatives]))
  return (outdated) => {
    const other = texts.get(outdated) as Stems
    const linking = question.cues.asksLatest ? other : linkingStems(outdated.text, { forms, asked })
    return (update) => {
      const own = texts.get(update) as Stems
      if (own.size > MAX_UPDATE_WORDS || other.size > MAX_OUTDATED_WORDS) return 0
      const both = [...own].filter((stem) => other.has(stem) && linking.has(stem))
      const sum = both.reduce((total, stem) => total + weightOf(stem), 0)
      return sum / rarest / Math.sqrt(1 + own.size / MEAN_WORDS)
    }
  }
}

const SENTENCE_BREAK = /(?<=[.!?…])\s+|\n+/u

/** The words of the question, and those in the sentences that have one of them. */
function linkingStems(
  text: string,
  { forms, asked }: { readonly forms: ReadonlySet<string>; readonly asked: Stems },
): Stems {
  const sentences = text.split(SENTENCE_BREAK).filter((one) => listWords(one).some((word) => forms.has(word)))
  return new Set([...asked, ...sentences.flatMap((one) => [...stemsOf(one)])])
}

/** Of equals, the later one. */
function bestOf<T extends ReadCandidate>(
  messages: readonly T[],
  weigh: (message: T) => number,
): T | undefined {
  const weighed = messages
    .map((message) => ({ message, weight: weigh(message) }))
    .filter(({ weight }) => weight >= LEAST_SHARED)
  weighed.sort((one, other) => other.weight - one.weight || other.message.place - one.message.place)
  return weighed[0]?.message
}

/** The update gets the same score, and counts as similar to the question because what it updates is. */
function moveBefore<T extends Comparable>(found: readonly T[], update: T, outdated: T): readonly T[] {
  const scores = { ...update.scores, update: outdated.score - update.score }
  const similarity = Math.max(update.similarity, outdated.similarity)
  const moved = { ...update, scores, score: outdated.score, similarity }
  return found
    .filter((message) => message !== update)
    .flatMap((message) => (message === outdated ? [moved, message] : [message]))
}

/** Forms of a word mostly have their first part in common. Numbers lose their ordinal ending. */
function stemsOf(text: string): Stems {
  const stems = new Set<string>()
  for (const word of listWords(text)) {
    if (/\d/.test(word)) stems.add(word.replace(/(?:st|nd|rd|th)$/, ''))
    else if (isSubjectWord(word)) stems.add(word.slice(0, Math.max(4, Math.ceil(word.length * 0.7))))
  }
  return stems
}
