// Splits what somebody says into the sentences that statements are read from.

import { CHANGED } from '../../../domain/change-words.ts'
import { isTelling } from '../../../domain/subject-words.ts'
import { listWords } from '../../../domain/words.ts'
import { isAsked } from './languages.ts'
import { isDateWord, MONTH, readValues, WEEKDAY } from './read-values.ts'

export interface Sentence {
  readonly text: string
  /** One of several dates in a row, each with what happens then. */
  readonly isListed?: true
}

/** A longer sentence is a story; its clauses are read one by one. */
export const MAX_CHARACTERS = 240

export function splitSentences(text: string): Sentence[] {
  return text
    .split(/(?<=[?!])["')]*\s+/u)
    .flatMap((piece) => piece.split(FULL_STOP))
    .flatMap(splitLong)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .reduce(joinFragment, [])
    .flatMap(splitList)
}

/** "1. August", "2. OG" and "Dr. Weber" are no ends of sentences. */
const FULL_STOP = new RegExp(
  `(?<!(?:^|[\\s(])(?:\\p{L}|dr|mr|mrs|ms|st|no|nr|ca|bzw|incl|inkl|approx|prof|sr|sra|dott|ecc|etc|rif|réf|ref|tel|tél))(?<!(?:^|[\\s(])\\d{1,2}(?=\\.\\s+(?:${MONTH}|og|stock|etage)(?!\\p{L})))[.]+["')]*\\s+|…\\s+|\\n+`,
  'iu',
)

function splitLong(sentence: string): string[] {
  if (sentence.length <= MAX_CHARACTERS) return [sentence]
  return sentence.split(/(?:[;—–]|, (?:and|but|so|und|aber|y|pero|et|mais|e|mas|ma) )\s*/u)
}

const FRAGMENT = new RegExp(
  `^(?:still |then |now |back |final |on )?(?:[\\d€$£]|(?:${WEEKDAY}|${MONTH})(?!\\p{L}))`,
  'iu',
)
/** "Mon kiné" is no Monday. */
const FRENCH_MY = /^mon (?!at|and|to|morning|evening|afternoon|\d)\p{Ll}/iu
const MAX_FRAGMENT = 80
/** "4.7 goes out on Tuesday" is about version 4.7. */
const ABOUT_VERSION = /^\d{1,2}(?:\.\d{1,2})+ (?=[\p{L}→])/u

/** "Organisers moved demo day. 5 November, 17:00": a fragment of values belongs to the sentence before it. */
function joinFragment(sentences: string[], piece: string): string[] {
  const before = sentences.at(-1)
  const isJoined =
    before !== undefined && before.length <= MAX_FRAGMENT && isFragment(piece) && !isAsked(before)
  if (isJoined) sentences[sentences.length - 1] = `${before.replace(/[!.…]+$/u, '')}. ${piece}`
  else sentences.push(piece)
  return sentences
}

function isFragment(piece: string): boolean {
  if (!FRAGMENT.test(piece) || FRENCH_MY.test(piece) || piece.length >= MAX_FRAGMENT) return false
  const version = ABOUT_VERSION.exec(piece)?.[0].trim()
  return version === undefined || !readValues(piece).some(({ text }) => text === version)
}

const MAX_ITEM = 60
/** A clause that continues the one before it is no item of a list. */
const CONTINUES =
  /(?<!\p{L})(?:not?|n't|so|then|but|because|nicht|dann|aber|weil|sondern|así|sino|pero|porque|pas|donc|mais|não|então|mas|non|quindi|ma)(?!\p{L})/iu

/** "exams: maths on 3 May, physics on 9 May" says two things, each of which can be moved. */
function splitList(sentence: string): Sentence[] {
  const items = sentence
    .replace(/^[^:\d]{3,60}: +(?=\p{L})/u, '')
    .split(/[,;] +(?:and |und |y |et |e )?/u)
    .map((item) => item.trim())
  const isList = items.length > 1 && items.every(isItem)
  return isList ? items.map((text) => ({ text, isListed: true })) : [{ text: sentence }]
}

function isItem(item: string): boolean {
  const words = listWords(item)
  const [first = ''] = words
  if (item.length > MAX_ITEM || isDateWord(first) || CHANGED.test(first) || CONTINUES.test(item)) return false
  const isOfThing = ABOUT_VERSION.test(item) || (/^\p{L}/u.test(item) && words.some(isTelling))
  return isOfThing && readValues(item).some(({ type }) => type === 'date')
}
