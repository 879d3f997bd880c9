import type { DateSpan } from '../../domain/dates/date-span.ts'
import { COMMON_WORDS, findWords, SMALL_WORDS, type Word } from '../../domain/words.ts'
import { membersOf } from './kinds-of-things.ts'
import { formsIn, type Language, languageOf } from './languages.ts'
import { asksForAll, type QuestionCues, readCues } from './question-cues.ts'
import { readQuestionDates } from './question-dates.ts'
import { synonymsOf } from './synonyms.ts'
import { formsOf, relativesOf } from './word-forms.ts'

/** A word of the question, and what else counts as having it. */
export interface Term {
  /** Folded, as in the question. */
  readonly word: string
  /** The word and its inflected forms, as indexed. */
  readonly forms: readonly string[]
  /** Words that match at half the weight: same root, synonyms, or members of the kind it names. */
  readonly relatives: readonly string[]
  /** 0 to 1: lower for common words, lowest for words that only phrase the question. */
  readonly weight: number
}

export interface Question {
  readonly text: string
  readonly terms: readonly Term[]
  /** Neighbours in the question: indexes into `terms`. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly cues: QuestionCues
  readonly asksForAll: boolean
  /** The dates that it names. */
  readonly spans: readonly DateSpan[]
}

/** Maximum words that are searched for. */
const MAX_TERMS = 32
const COMMON_WEIGHT = 0.6
const ASKING_WEIGHT = 0.25
/** Words added from earlier turns count half. */
const CARRIED_WEIGHT = 0.5

const wordList = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Words that form questions. */
const INTERROGATIVE =
  wordList(`when where why how what which who whom whose did does do is are was were has have had would
  could should can will kind type many long much often`)

/** Words that say what to do with the results. */
const ASKING =
  wordList(`list order mention mentioned mentions brought bring aspects aspect different conversations
  conversation throughout across comprehensive summary summarize provide clear complete including include key items item
  walk discussed discuss recommend recommended suggest suggested ensure discussion discussions chats chat talked remember
  recall remind name names called`)

export interface ReadQuestionOptions {
  readonly now: Date
  /** Folded words that were added from earlier turns. */
  readonly carried?: readonly string[]
}

export function readQuestion(text: string, { now, carried = [] }: ReadQuestionOptions): Question {
  const cues = readCues(text)
  const words = findWords(text)
  const language = languageOf(words.map(({ word }) => word))
  const spans = readQuestionDates(text, { now, lean: 'past', isEnglish: language === undefined })
  const isDate = ({ start }: Word) =>
    spans.some(({ index, text: date }) => start >= index && start < index + date.length)
  // Months are searched for even if they look like function words: "in May".
  const telling = words.filter(
    (word) =>
      (isTelling(word.word) && !language?.functionWords.has(word.word)) ||
      (isDate(word) && MONTHS.has(word.word)),
  )
  const asked = joinUnspaced(telling, text)
  const chosen = chooseWords(asked.map(({ word }) => word))
  const leaning = new Set(carried)
  const terms = chosen.map((word) => toTerm(word, leaning.has(word) ? CARRIED_WEIGHT : 1, language))
  const indexOf = new Map(chosen.map((word, index) => [word, index]))
  return {
    text,
    terms,
    pairs: findPairs(words, indexOf),
    cues,
    asksForAll: asksForAll(text, cues),
    spans,
  }
}

const MONTHS = wordList(
  `january february march april may june july august september october november december`,
)

const isTelling = (word: string): boolean => !(SMALL_WORDS.has(word) || INTERROGATIVE.has(word))

/** Scripts without spaces are indexed by character: two adjacent characters are searched for together. */
function joinUnspaced(words: readonly Word[], text: string): readonly Pick<Word, 'word'>[] {
  return words.flatMap((word, i) => {
    const next = words[i + 1]
    if (!isUnspaced(word, text)) return [word]
    if (next !== undefined && next.start === word.end) return [{ word: `${word.word} ${next.word}` }]
    const before = words[i - 1]
    return before !== undefined && before.end === word.start ? [] : [word]
  })
}

const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const isUnspaced = ({ start, end }: Word, text: string): boolean => UNSPACED.test(text.slice(start, end))

/** Unique words; of very many, the most specific ones, for which length is a proxy. */
function chooseWords(words: readonly string[]): readonly string[] {
  const unique = [...new Set(words)]
  if (unique.length <= MAX_TERMS) return unique
  const best = unique
    .map((word, index) => ({
      word,
      index,
      value: (weightOf(word) === 1 ? 100 : 0) + Math.min(word.length, 12),
    }))
    .sort((one, other) => other.value - one.value || one.index - other.index)
    .slice(0, MAX_TERMS)
  return best.sort((one, other) => one.index - other.index).map(({ word }) => word)
}

function weightOf(word: string): number {
  if (ASKING.has(word)) return ASKING_WEIGHT
  return COMMON_WORDS.has(word) ? COMMON_WEIGHT : 1
}

function toTerm(word: string, share: number, language: Language | undefined): Term {
  const forms = language === undefined ? formsOf(word) : formsIn(language, word)
  const known = new Set(forms)
  const members = membersOf(forms).flatMap((member) => [member, `${member}s`])
  const synonyms = synonymsOf(forms).flatMap(formsOf)
  const relatives = [...new Set([...members, ...synonyms, ...relativesOf(word)])]
  const weight = weightOf(word)
  return {
    word,
    forms,
    relatives: weight < COMMON_WEIGHT ? [] : relatives.filter((form) => !known.has(form)),
    weight: weight * share,
  }
}

/** Adjacent words of the question that are both searched for. */
function findPairs(
  words: readonly Word[],
  indexOf: ReadonlyMap<string, number>,
): readonly (readonly [number, number])[] {
  return words.slice(1).flatMap((word, i): (readonly [number, number])[] => {
    const one = indexOf.get((words[i] as Word).word)
    const other = indexOf.get(word.word)
    return one === undefined || other === undefined || one === other ? [] : [[one, other]]
  })
}
