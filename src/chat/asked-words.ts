// Which words of a question a text has. Forms of a word mostly share their first part, in all languages with endings.

import { FUNCTION_WORDS } from '../domain/function-words.ts'
import type { Recalled, SearchedWord, Signal } from '../domain/recall.ts'
import { isNumber, listWords, SMALL_WORDS } from '../domain/words.ts'

const SHORTEST_STEM = 4
const STEM_SHARE = 0.7

const stemOf = (word: string): string =>
  word.slice(0, Math.max(SHORTEST_STEM, Math.ceil(word.length * STEM_SHARE)))

/** A text has a word if it has one that begins like it and is hardly longer. */
export function hasWord(text: string, word: string): boolean {
  const stem = stemOf(word)
  return listWords(text).some(
    (other) => other === word || (other.startsWith(stem) && Math.abs(other.length - word.length) <= 4),
  )
}

const LANGUAGES = Object.values(FUNCTION_WORDS)
const isFunctionWord = (word: string): boolean =>
  SMALL_WORDS.has(word) || LANGUAGES.some((functionWords) => functionWords.has(word))

/** The words of a question that say what it is about. */
export const askedWords = (question: string): readonly string[] => [
  ...new Set(listWords(question).filter((word) => !(isFunctionWord(word) || isNumber(word)))),
]

/** 0 to 1: the share of these words that a text has. */
export function coverageOf(text: string, words: readonly string[]): number {
  return words.length === 0 ? 0 : words.filter((word) => hasWord(text, word)).length / words.length
}

/** How well an item has a word: itself, a related one, or only the messages around it. 0 to 1. */
export function presenceOf(word: string, { text, source = '', why }: Recalled): number {
  if (hasWord(`${source} ${text}`, word)) return 1
  const has = (wanted: Signal): boolean =>
    why.some((reason) => reason.signal === wanted && reason.text.includes(`"${word}"`))
  if (has('words')) return RELATED
  return has('neighbours') ? NEARBY : 0
}

const RELATED = 0.5
const NEARBY = 0.3

/** 0 to 1: the share of these words that an item has, rare words counting more. */
export function evidenceOf(
  item: Recalled,
  words: readonly string[],
  searched: readonly SearchedWord[],
): number {
  const weights = new Map(searched.map(({ word, weight }) => [word, weight]))
  const weightOf = (word: string): number => weights.get(word) ?? 0
  const total = words.reduce((sum, word) => sum + weightOf(word), 0)
  return total === 0
    ? 1
    : words.reduce((sum, word) => sum + weightOf(word) * presenceOf(word, item), 0) / total
}

const SENTENCE_BREAK = /(?<=[.!?…]["'”’)]*)\s+|\n+/u

/** The consecutive sentences of a text, up to this length, that have the most of these words. Short texts stay whole. */
export function bestSentences(text: string, words: readonly string[], maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const sentences = text.split(SENTENCE_BREAK)
  const windows = sentences.map((_, i) => windowFrom(sentences.slice(i), maxCharacters))
  const best = windows.reduce((one, other) =>
    coverageOf(other, words) > coverageOf(one, words) ? other : one,
  )
  return best.length <= maxCharacters ? best : `${[...best].slice(0, maxCharacters - 1).join('')}…`
}

function windowFrom(sentences: readonly string[], maxCharacters: number): string {
  let window = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (window.length + 1 + sentence.length > maxCharacters) break
    window += ` ${sentence}`
  }
  return window
}
