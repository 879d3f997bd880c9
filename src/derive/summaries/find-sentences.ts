// Finds the sentences that a summary can use, in the third person. Code, lists, greetings and asides give none. A
// sentence that no rule can report grammatically, or that is not English, is quoted after its speaker's name.

import type { MessageId } from '../../domain/ids.ts'
import { toSingleSpaces } from '../single-spaces.ts'
import { isEmptyWord, meanWeight } from './content-words.ts'
import type { ReadSentence, ReadTurn } from './read-turns.ts'
import { cleanSentence } from './report/clean-sentence.ts'
import { isBaseVerb } from './report/english-verbs.ts'
import { isAside } from './report/is-aside.ts'
import type { Report, SpeechAct } from './report/report.ts'
import { reportSentence } from './report/report-sentence.ts'
import type { Voices } from './report/to-third-person.ts'
import type { Turn } from './summary.ts'

export interface SentenceCandidate {
  /** The sentence in the summary. */
  readonly text: string
  /** The sentence that was said. */
  readonly original: string
  readonly act: SpeechAct | 'quote'
  readonly speaker: string
  readonly messageId: MessageId
  /** Said by an assistant that is not a person. */
  readonly isMachine: boolean
  /** The content words of the original, without duplicates. */
  readonly words: readonly string[]
}

/** Shorter sentences are answers that mean nothing without their question. */
const SHORTEST_QUOTE_WORDS = 5
/** Shorter messages are assumed to be in the language of the conversation. */
const TELLING_CHARACTERS = 80
/** Longer sentences are logs, or text without punctuation, and do not belong in a summary. */
const LONGEST_CHARACTERS = 400
/** Rewriting a sentence in the third person is the slow part, and a summary has only a few dozen sentences. */
const MOST_REPORTED = 2000
/** Enough to include the first exchange after the greetings. */
const OPENING_SENTENCES = 10

/** The candidates of the turns, in the order in which they were said. `weightOf` weighs a content word. */
export function findSentences(
  turns: readonly ReadTurn[],
  weightOf: (word: string) => number,
  most: number = MOST_REPORTED,
): SentenceCandidate[] {
  const isName = findNames(turns)
  const isReportedTurn = findEnglish(turns)
  const isKept = shortlist(turns, weightOf, most)
  return turns.flatMap((read) => {
    const { turn, voices, sentences } = read
    const report = isReportedTurn(read)
      ? (sentence: string) => reportSentence(sentence, voices, isName) ?? quoteEnglish(sentence, voices)
      : (sentence: string) => quote(sentence, voices)
    const source = { turn, voices }
    return sentences
      .filter(isKept)
      .flatMap((sentence) => toCandidate(sentence, report(sentence.text), source))
  })
}

/** Whether a turn is English: by its own words, or if it is short, by the language of most of the conversation. */
function findEnglish(turns: readonly ReadTurn[]): (turn: ReadTurn) => boolean {
  const english = new Set(turns.filter(({ prose }) => isEnglish(prose)))
  const length = (some: Iterable<ReadTurn>) => [...some].reduce((sum, { prose }) => sum + prose.length, 0)
  const isMostlyEnglish = 2 * length(english) > length(turns)
  return (turn) => english.has(turn) || (isMostlyEnglish && turn.prose.length < TELLING_CHARACTERS)
}

/** In a long conversation, the first sentences and those with the highest word weights. */
function shortlist(
  turns: readonly ReadTurn[],
  weightOf: (word: string) => number,
  most: number,
): (sentence: ReadSentence) => boolean {
  const sentences = turns.flatMap((turn) => turn.sentences.filter(isReportable))
  if (sentences.length <= most) return isReportable
  const weights = new Map(sentences.map((sentence) => [sentence, meanWeight(sentence.words, weightOf)]))
  const weigh = (sentence: ReadSentence) => weights.get(sentence) ?? 0
  const weightiest = sentences.toSorted((a, b) => weigh(b) - weigh(a)).slice(0, most)
  const kept = new Set([...sentences.slice(0, OPENING_SENTENCES), ...weightiest])
  return (sentence) => kept.has(sentence)
}

function isReportable({ text, words }: ReadSentence): boolean {
  return words.length > 0 && text.length <= LONGEST_CHARACTERS && !/[:：]$/.test(text)
}

type Quote = { readonly text: string; readonly act: 'quote' }
type Source = { readonly turn: Turn; readonly voices: Voices }

function toCandidate(
  { text: original, words }: ReadSentence,
  report: Report | Quote | undefined,
  { turn, voices }: Source,
): SentenceCandidate[] {
  if (report === undefined) return []
  const isMachine = turn.role === 'assistant' && turn.name === undefined
  const { text, act } = report
  const { speaker } = voices
  return [{ text, act, original, speaker, messageId: turn.id, isMachine, words: [...new Set(words)] }]
}

/** Fragments and complicated questions are left out. With several possible addressees, a "you" can only be quoted. */
function quoteEnglish(sentence: string, voices: Voices): Quote | undefined {
  const isLost = voices.addressee !== undefined || isAside(cleanSentence(sentence))
  return isLost ? undefined : quote(sentence, voices)
}

function quote(sentence: string, { speaker }: Voices): Quote | undefined {
  if ([...sentence.matchAll(/[\p{L}\p{N}]+/gu)].length < SHORTEST_QUOTE_WORDS && !/\p{Lo}{5}/u.test(sentence))
    return undefined
  const label = speaker.charAt(0).toUpperCase() + speaker.slice(1)
  return { text: `${label}: “${toSingleSpaces(sentence)}”`, act: 'quote' }
}

/** Whether a word at the start of a sentence is a name, judged by how it is written elsewhere. */
function findNames(turns: readonly ReadTurn[]): (word: string) => boolean {
  const names = new Set<string>()
  const small = new Set<string>()
  for (const { prose } of turns) {
    for (const name of prose.match(/(?<=[\p{Ll}\d,] )\p{Lu}[\p{L}\d]+/gu) ?? []) names.add(name)
    for (const word of prose.match(/\b\p{Ll}[\p{Ll}']+/gu) ?? []) small.add(word)
  }
  return (word) => {
    const folded = word.toLowerCase()
    if (isEmptyWord(folded) || /['’]/.test(word)) return false
    return names.has(word) || !(small.has(folded) || isBaseVerb(folded) || /(?:ing|ly|ed|s)$/.test(folded))
  }
}

const MARKERS: ReadonlySet<string> = new Set(
  `the of and to is are was were you your that it it's for with this have has not what my we they be at on from would will
   can could about there their how when where who why because if which been do does did don't i'm i've i'd i'll i me
   an or but by should let's please`.split(/\s+/),
)

/** At least one word in six of English text is one of these; other languages share almost none of them. */
const LEAST_SHARE = 1 / 6

/** Whether a text is English, by its function words. */
function isEnglish(text: string): boolean {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}']+/gu) ?? []
  let markers = 0
  for (const word of words) if (MARKERS.has(word)) markers += 1
  return markers >= words.length * LEAST_SHARE
}
