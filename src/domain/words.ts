// Words as the search index knows them. A text becomes a list of folded words: letters, marks and digits
// of any language, lower-cased, with compatibility forms unified (ﬁ → fi, Ａ → a) and with the accents
// removed that people leave out when they type (Latin, Greek, Cyrillic, Hebrew points, Arabic vowels).
// Scripts written without spaces (Chinese, Japanese, Thai, Khmer …) are cut into single characters, and a
// run of them in a question becomes a phrase: that finds any substring, without a dictionary.
//
// Every store indexes exactly these words, so that a search finds the same on each of them. A change here
// changes the index: raise WORDS_VERSION, and stores index anew when they are opened.

/** Which version of the rules below an index was made with. */
export const WORDS_VERSION = 1

/** One word of a text: folded, with its place in the original. */
export interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
}

const RUN = /[\p{L}\p{M}\p{N}]+/gu
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u
const PIECE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]\p{M}*|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]+/gu
const DROPPED_MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g
const ASCII = /^[\x20-\x7e]*$/
const BEYOND_ASCII = /[^\p{ASCII}]/u
const LETTER_BEYOND_ASCII = /(?!\p{ASCII})[\p{L}\p{M}\p{N}]/u
const PLAIN_WORD = /[a-z0-9]+/g

/** Long hexadecimal dumps and base64 would fill the index with words nobody types in full. */
export const LONGEST_WORD = 64

/** The words of a text with their places, in order. */
export function findWords(text: string): Word[] {
  return hasPlainLetters(text) ? findPlainWords(text) : findAnyWords(text)
}

const hasPlainLetters = (text: string): boolean =>
  !(BEYOND_ASCII.test(text) && LETTER_BEYOND_ASCII.test(text))

function findPlainWords(text: string): Word[] {
  const words: Word[] = []
  for (const { 0: word, index: start } of text.toLowerCase().matchAll(PLAIN_WORD))
    words.push({ word: cutOff(word), start, end: start + word.length })
  return words
}

const cutOff = (word: string): string => (word.length > LONGEST_WORD ? word.slice(0, LONGEST_WORD) : word)

function findAnyWords(text: string): Word[] {
  const words: Word[] = []
  for (const run of text.matchAll(RUN)) {
    if (!WITHOUT_SPACES.test(run[0])) addWord(words, run[0], run.index)
    else for (const piece of run[0].matchAll(PIECE)) addWord(words, piece[0], run.index + piece.index)
  }
  return words
}

function addWord(words: Word[], original: string, start: number): void {
  const word = foldWord(original)
  if (word !== '') words.push({ word, start, end: start + original.length })
}

/** How a word stands in the index. */
function foldWord(original: string): string {
  if (ASCII.test(original)) return original.toLowerCase().slice(0, LONGEST_WORD)
  const folded = original.normalize('NFKD').replace(DROPPED_MARKS, '').normalize('NFC').toLowerCase()
  return folded
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .slice(0, LONGEST_WORD)
    .toWellFormed()
    .replaceAll('\ufffd', '')
}

/**
 * Whoever reads messages asks for the words of each several times, and recall reads many before it asks again. A pasted
 * book is not worth keeping.
 */
const REMEMBERED_CHARACTERS = 4000
const REMEMBERED_TEXTS = 100
const remembered = new Map<string, readonly string[]>()

/** The words of a text, in order: the same as `findWords`, without their places. */
export function listWords(text: string): readonly string[] {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const words = makeList(text)
  if (text.length <= REMEMBERED_CHARACTERS) remember(text, words)
  return words
}

/** The text that came first makes room. */
function remember(text: string, words: readonly string[]): void {
  remembered.set(text, words)
  if (remembered.size <= REMEMBERED_TEXTS) return
  const [oldest = ''] = remembered.keys()
  remembered.delete(oldest)
}

function makeList(text: string): readonly string[] {
  if (!hasPlainLetters(text)) return findAnyWords(text).map(({ word }) => word)
  return (text.toLowerCase().match(PLAIN_WORD) ?? []).map(cutOff)
}

/** The words of a text, separated by spaces: what a store indexes. */
export function indexableWords(text: string): string {
  return listWords(text).join(' ')
}
