import { indexableWords } from '../../domain/words.ts'
import type { WebSearch, WebSearchResult } from '../../model/models.ts'
import { splitSentences } from '../summaries/split-sentences.ts'
import {
  AROUND_NOW,
  ASKING,
  ASKING_ANYWHERE,
  COURTESY,
  DAILY_SUBJECT,
  EXPLAINING,
  HERE,
  LASTING,
  MAKING,
  NEWEST,
  OWN,
  STATING,
} from './recency-cues.ts'

/** Searches the web if the question asks for something recent; otherwise returns undefined without searching. */
export async function searchWeb(
  webSearch: WebSearch,
  question: string,
  options: { readonly limit: number; readonly signal?: AbortSignal },
): Promise<readonly WebSearchResult[] | undefined> {
  if (!asksForRecent(question)) return undefined
  return (await webSearch.search(question, options)).slice(0, options.limit)
}

// Whether a question asks for something that memory cannot know: today's weather, the latest version, who won
// last night. Each sentence is checked separately. It must be a question by its form, or a few keywords as typed
// into a search box; it must be about the world and not about the speakers; and it must have a recency cue. In
// doubt the answer is no: a missed search costs less than text that leaves the machine for nothing.

const QUESTION_MARK = /[?？؟]/
const STATEMENT_END = /[.!。！]\s*$/
/** A question is at the start or at the end of a message; pasted text is in between. */
const READ_CHARACTERS = 600
/** The length of a typical web search. Characters of scripts without spaces are counted one by one. */
const MOST_KEYWORDS = 7
const MOST_KEYWORD_CHARACTERS = 20
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Whether a message asks for something recent. */
export function asksForRecent(text: string): boolean {
  const shown =
    text.length > 2 * READ_CHARACTERS
      ? `${text.slice(0, READ_CHARACTERS)}\n\n${text.slice(-READ_CHARACTERS)}`
      : text
  return splitSentences(shown).some((sentence) => sentence.kind !== 'code' && asks(sentence.text))
}

function asks(sentence: string): boolean {
  const { words, wasCourteous } = withoutCourtesy(indexableWords(sentence).replaceAll(HERE, ''))
  if (words === '' || MAKING.test(words) || OWN.test(words) || LASTING.test(words)) return false
  const isAsking =
    wasCourteous || QUESTION_MARK.test(sentence) || ASKING.test(words) || ASKING_ANYWHERE.test(words)
  if (!isAsking && (STATEMENT_END.test(sentence) || !isKeywords(words))) return false
  if (DAILY_SUBJECT.test(words) && !EXPLAINING.test(words)) return true
  return NEWEST.test(words) || (isAsking && AROUND_NOW.test(words))
}

/** "Could you tell me …" makes any sentence a question; a greeting does not. */
function withoutCourtesy(words: string): { words: string; wasCourteous: boolean } {
  let rest = words
  let wasCourteous = false
  for (let found = COURTESY.exec(rest); found !== null; found = COURTESY.exec(rest)) {
    wasCourteous ||= found[0].includes(' ')
    rest = rest.slice(found[0].length).trimStart()
  }
  return { words: rest, wasCourteous }
}

function isKeywords(words: string): boolean {
  const most = WITHOUT_SPACES.test(words) ? MOST_KEYWORD_CHARACTERS : MOST_KEYWORDS
  return words.split(' ').length <= most && !STATING.test(words)
}
