// What a query asks for, told from its words alone: cues for data (tables, counts, sums, "top 5") and cues for
// talk (greetings, explanations, opinions, writing), in several languages. Cues of both kinds make it hybrid.
// A short query without any cue goes on with what went before. The same words always give the same answer.

import type { Intent } from '../../domain/page.ts'
import { indexableWords } from '../../domain/words.ts'
import { CUES } from './intent-cues.ts'

interface Asked {
  readonly query: string
  readonly sql: string | null
}

/** A longer text without cues stands on its own. */
const FOLLOW_UP_WORDS = 8
/** Of a long text, what is asked stands at the beginning or at the end; between lies what was pasted. */
const READ_AT_EITHER_END = 500

/** Statements, names of columns, comparisons and "top 5" are data in every language. */
const PLAIN_DATA =
  /\bselect\b.+\bfrom\b|\b[a-z]+_[a-z_]+\b|\b\w+\.\w+\s*[<>=]|[<>]=?\s*\d|\btop[ -]\d|\b\d+ (?:best|worst|most|least)\b/is

/** What a query asks for, given what the one before it did. */
export function classifyIntent({ query, sql }: Asked, previous: Intent | undefined): Intent {
  const text = toEnds(query)
  const words = indexableWords(text)
  const { isData, isTalk, isReason } = readCues(words, sql !== null || PLAIN_DATA.test(text))
  if (isData) return isTalk ? 'hybrid' : 'data_query'
  const goesOn = words.split(' ').length <= FOLLOW_UP_WORDS && previous !== undefined
  if (!goesOn) return 'general_chat'
  if (isReason && previous === 'data_query') return 'hybrid'
  return isTalk && !isReason ? 'general_chat' : previous
}

interface Cues {
  readonly isData: boolean
  readonly isTalk: boolean
  readonly isReason: boolean
}

function readCues(words: string, isPlainData: boolean): Cues {
  const has = (cue: keyof typeof CUES) => CUES[cue].test(` ${words} `)
  // "What is a median?" asks for a word, not for a figure.
  if (!isPlainData && has('meaning') && !has('request'))
    return { isData: false, isTalk: true, isReason: false }
  const isReason = has('reason')
  const isTalk = isReason || has('talk')
  const isData = isPlainData || has('data') || ((isReason || !isTalk) && has('subject'))
  return { isData, isTalk, isReason }
}

function toEnds(text: string): string {
  if (text.length <= 2 * READ_AT_EITHER_END) return text
  return `${text.slice(0, READ_AT_EITHER_END)} ${text.slice(-READ_AT_EITHER_END)}`
}
