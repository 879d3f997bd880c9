// The third pass, over the text of the best candidates: how often the words occur and in how long a text, whether they
// are adjacent, whether the text has what the question asks for (a time, a number, a name, a preference), whether it
// answers a question, and how near it is in meaning.

import type { MessageLocator } from '../../domain/locator.ts'
import { multilineRegExp } from '../../domain/multiline-regexp.ts'
import type { ResolvedRecall } from '../../options/recall-options.ts'
import type { Question } from '../question/read-question.ts'
import { lookupOf, type OwnWords, weighWords } from './own-words.ts'
import { isPerson, type RankedMessage, type Scores, totalOf, withoutZeros } from './ranked-message.ts'
import type { WordEvidence } from './weigh-heads.ts'

export interface TextWeighing {
  readonly question: Question
  readonly evidence: WordEvidence
  readonly options: ResolvedRecall
  /** The mean length of a message in the scope, in words. */
  readonly meanWords: number
  /** Similarity in meaning, 0 to 1, where known. */
  readonly similarities: ReadonlyMap<MessageLocator, number>
}

/** A candidate with its text. */
export interface ReadCandidate extends RankedMessage {
  readonly text: string
  /** The share of the question's words that it has: 0 to 1. */
  readonly coverage: number
  /** The words of the question that it has. */
  readonly found: readonly string[]
}

export function weighTexts(
  candidates: readonly (RankedMessage & { readonly text: string })[],
  weighing: TextWeighing,
): readonly ReadCandidate[] {
  const lookup = lookupOf(weighing.evidence.matches, weighing.options.synonymWeight)
  const own = new Map(candidates.map(({ place, text }) => [place, weighWords(text, lookup, weighing)]))
  const speakers = new Set(candidates.flatMap(({ head: { name } }) => name?.split(/\s+/) ?? []))
  const texts = new Map(candidates.map(({ place, text }) => [place, text]))
  return candidates.map((candidate) => {
    const words = own.get(candidate.place) as OwnWords
    const previous = (candidate.place - 1) as MessageLocator
    const answered = isQuestion(texts.get(previous) ?? '') ? (own.get(previous)?.score ?? 0) : 0
    const scores = textScores(candidate, { words, answered, speakers, weighing })
    const { coverage, found } = words
    return { ...candidate, coverage, found, scores, score: totalOf(scores) }
  })
}

interface TextFindings {
  readonly words: OwnWords
  /** If this replies to a question: how well that question matches. */
  readonly answered: number
  /** Names of all speakers. */
  readonly speakers: ReadonlySet<string>
  readonly weighing: TextWeighing
}

function textScores(
  { head, text, place, scores }: RankedMessage & { readonly text: string },
  { words, answered, speakers, weighing }: TextFindings,
): Scores {
  const { options, similarities } = weighing
  const bare = isBareQuestion(text) ? options.bareQuestionWeight : 0
  return withoutZeros({
    ...scores,
    words: options.wordsWeight * words.score + options.phraseWeight * words.pairs,
    meaning: options.meaningWeight * (similarities.get(place) ?? 0),
    answer:
      options.replyWeight * answered + answerScore(text, speakers, weighing) * (isPerson(head) ? 1 : 0.5),
    substance: (scores.substance ?? 0) - bare,
  })
}

/** The text has what the question asks for. */
function answerScore(
  text: string,
  speakers: ReadonlySet<string>,
  { question: { cues }, options }: TextWeighing,
): number {
  return (
    (cues.asksWhen && mentionsTime(text) ? options.answerWeight : 0) +
    (cues.asksHowMany && hasNumber(text) ? options.answerWeight : 0) +
    (cues.asksName && hasName(text, speakers) ? options.answerWeight : 0) +
    (cues.asksAdvice && statesPreference(text) ? options.preferenceWeight : 0)
  )
}

/** A short message that only asks. */
const BARE_CHARACTERS = 200
const isBareQuestion = (text: string): boolean => text.length < BARE_CHARACTERS && isQuestion(text)

// Detects what a text contains: a time, a number, a name, a preference, a question. English, except for digits and
// question marks.

const TIME = multilineRegExp('i')`
  \b(?:yesterday|today|tomorrow|tonight|(?:last|next|this) (?:night|week|weekend|month|year|summer|fall|autumn|winter|
  spring|morning|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|ago|recently|(?:mon|tues|wednes|thurs|fri|satur|sun)day|
  january|february|march|april|june|july|august|september|october|november|december|\d{4}|since|
  (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a few|several|couple of)(?: more)?[ -]
  (?:minute|hour|day|week|month|year)s?)\b`
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|couple|several|dozen|hundred)\b/iu
/** Capitalized, but not at the start of a sentence. */
const CAPITALIZED = /(?<=[^.!?\s"'“]\s["'“]?)(?!I\b|OK\b|BTW\b|LOL\b)\p{Lu}[\p{L}\p{N}]+/gu
const QUOTED = /["“][^"”]{3,60}["”]/
const PREFERENCE = multilineRegExp('i')`
  \bi(?:'d| would)? (?:really |always |usually |generally )?(?:prefer|rather|like (?:to|my|using|when)|
  (?:don't|do not) (?:like|want)|love|enjoy|want to avoid|chose|decided|aim)\b|
  \bi've (?:chosen|decided)|\bmy prefer|\btrying to keep\b`
/** Ignores a closing note in brackets, such as an image caption. */
const QUESTION = /[?？؟]["'”’)]*\s*(?:\[[^\]]*\]\s*)?$/

export const mentionsTime = (text: string): boolean => TIME.test(text)
export const hasNumber = (text: string): boolean => NUMBER.test(text)
export const statesPreference = (text: string): boolean => PREFERENCE.test(text)
export const isQuestion = (text: string): boolean => QUESTION.test(text)

/** A name or a title other than those of the speakers, who address each other by name. */
export function hasName(text: string, speakers: ReadonlySet<string>): boolean {
  return QUOTED.test(text) || text.match(CAPITALIZED)?.some((name) => !speakers.has(name)) === true
}
