// Words of the search index. A text becomes a list of folded words: letters, marks and digits
// of any language, lower-cased, with compatibility forms unified (ﬁ → fi, Ａ → a) and without the accents
// that people leave out when they type (Latin, Greek, Cyrillic, Hebrew points, Arabic vowels).
// Scripts written without spaces (Chinese, Japanese, Thai, Khmer …) are split into single characters, and a
// run of them in a query becomes a phrase: that finds any substring, without a dictionary.
//
// Every store indexes exactly these words, so that a search finds the same on each of them. A change here
// changes the index: raise WORDS_VERSION, and stores rebuild their index when they are opened.

import { RecentCache } from './recent-cache.ts'

/** The version of these rules that an index was built with. */
export const WORDS_VERSION = 1

/** One word of a text: folded, with its range in the original. */
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

/**
 * Longer words are truncated: hexadecimal dumps and base64 would fill the index with words nobody types in
 * full.
 */
export const MAX_WORD_CHARACTERS = 64

/** The words of a text with their positions, in order. */
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

const cutOff = (word: string): string =>
  word.length > MAX_WORD_CHARACTERS ? word.slice(0, MAX_WORD_CHARACTERS) : word

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

/** The indexed form of a word. */
function foldWord(original: string): string {
  if (ASCII.test(original)) return original.toLowerCase().slice(0, MAX_WORD_CHARACTERS)
  const folded = original.normalize('NFKD').replace(DROPPED_MARKS, '').normalize('NFC').toLowerCase()
  return folded
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')
    .slice(0, MAX_WORD_CHARACTERS)
    .toWellFormed()
    .replaceAll('\ufffd', '')
}

/**
 * The words of a message are read several times, and a context reads up to 200 messages in between. Longer texts,
 * such as a pasted book, are not cached.
 */
const MAX_CACHED_TEXT_CHARACTERS = 4000
const cachedWords = new RecentCache<string, readonly string[]>(200)

/** The words of a text, in order: the same as `findWords`, without their positions. */
export function listWords(text: string): readonly string[] {
  const known = cachedWords.get(text)
  if (known !== undefined) return known
  const words = makeList(text)
  if (text.length <= MAX_CACHED_TEXT_CHARACTERS) cachedWords.set(text, words)
  return words
}

function makeList(text: string): readonly string[] {
  if (!hasPlainLetters(text)) return findAnyWords(text).map(({ word }) => word)
  return (text.toLowerCase().match(PLAIN_WORD) ?? []).map(cutOff)
}

/** The words of a text, separated by spaces: the text that a store indexes. */
export function indexableWords(text: string): string {
  return listWords(text).join(' ')
}

// Words that say little about a subject, folded as by words.ts, where "don't" is "don" and "t".

const wordList = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Function words and small talk, in the most common chat languages. */
export const SMALL_WORDS: ReadonlySet<string> = wordList(
  `i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs this that
   these those a an the and or but if then than so because as of at by for with about to from in on off up down out
   over under again am is are was were be been being do does did doing done have has had having can could will would
   shall should may might must not no nor only just very too also here there now when where why how what which who whom
   all any both each few more most other some such same own im ive id ill dont doesnt didnt cant wont isnt don doesn
   didn won isn aren wasn couldn wouldn shouldn hasn haven s t m re ve d ll yes yeah yep sure ok okay please thanks thank
   hi hello hey well oh wow great good nice cool need want like get got let know think go going make one thing something
   anything else help really much many lot still even ever never always
   der die das den dem des ein eine einen einem einer und oder aber ich du er sie es wir ihr mir mich dir dich uns ist
   sind war bin hat haben habe mit von zu im am auf fur nicht auch wie was wo wann warum bitte danke ja nein
   el la los las un una unos unas y o pero yo tu ella nosotros es son era de del en con por para no si que como cuando
   donde gracias favor hola le les des du au aux et ou mais je il elle nous vous est sont dans sur avec pour pas oui non
   merci bonjour os as um uma e mas eu ele ela do da dos das em com sem sim nao obrigado il lo gli di della che`,
)

/** Frequent whatever the subject: numbers, times, plain verbs and adjectives. */
export const COMMON_WORDS: ReadonlySet<string> = wordList(
  `number people time day place find look looking book give tell show information address use work way back new old
   first last next right left best better long little big small high low part see seen saw say said come came take took
   put keep call called try tried ask asked feel felt start started stop bit kind sort type different able available
   sorry maybe probably sound sounds hear heard wait mean minute hour week month year today tomorrow yesterday night
   morning afternoon evening monday tuesday wednesday thursday friday saturday sunday two three four five six seven
   eight nine ten hundred thousand happy glad lets lol haha everything nothing someone person live lives lived love
   loves enjoy every guess pretty though since while before after until already yet prefer preference option options
   area ready top bottom example`,
)

const NUMBER = /^\p{N}+$/u

/** Whether a folded word indicates the subject of a text. */
export function isContentWord(word: string): boolean {
  return !(SMALL_WORDS.has(word) || COMMON_WORDS.has(word) || isNumber(word))
}

/** Whether a folded word consists of digits only, in any script. */
export function isNumber(word: string): boolean {
  // Fast path: nearly all words begin with a lowercase letter.
  return !(word >= 'a' && word < '{') && NUMBER.test(word)
}

/**
 * All matches of a global expression, which must not match the empty string. `matchAll` copies the expression
 * with every call, which takes longer than most of these searches.
 */
export function matchAll(text: string, expression: RegExp): RegExpExecArray[] {
  const all: RegExpExecArray[] = []
  expression.lastIndex = 0
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) all.push(found)
  return all
}
