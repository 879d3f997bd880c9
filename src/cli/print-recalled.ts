import type { Reason, RecallAnswer, Recalled, SearchedWord } from '../index.ts'
import {
  bold,
  clip,
  countOf,
  dim,
  formatCount,
  formatTime,
  print,
  terminalWidth,
  yellow,
} from './terminal.ts'

const INDENT = '    '
/** Of most items the first few say it. */
const REASONS = 4

/** What was recalled, as people read it: how good, what, who and when, the words, and why. */
export function printRecalled(answer: Pick<RecallAnswer, 'question' | 'notices' | 'items'>): void {
  printSearched(answer)
  for (const [i, item] of answer.items.entries()) printItem(item, i + 1)
}

function printSearched({ question, notices }: Pick<RecallAnswer, 'question' | 'notices'>): void {
  if (question.standalone !== undefined)
    print(dim(`searched as: ${question.standalone}`), dim(`because ${question.rewrittenBecause}`))
  for (const notice of notices) print(yellow(notice))
}

function printItem(item: Recalled, rank: number): void {
  const width = Math.max(20, terminalWidth() - INDENT.length)
  print(
    `${String(rank).padStart(2)}  ${bold(item.score.toFixed(2))}  ${item.kind}  ${dim(placeOf(item))}`,
    `${INDENT}${clip(item.text, width)}`,
    `${INDENT}${dim(clip(`why: ${item.why.slice(0, REASONS).map(tellReason).join(', ')}`, width))}`,
  )
}

/** Who, when and where. */
function placeOf({ source, role, createdAt, conversationId, position, id }: Recalled): string {
  const where = conversationId === undefined ? undefined : `in ${conversationId}`
  const place = position === undefined ? where : `${where} #${position}`
  return [source ?? role, formatTime(createdAt), place, id].filter((part) => part !== undefined).join(' · ')
}

const tellReason = ({ text, score }: Reason): string =>
  score === 0 ? text : `${text} ${score > 0 ? '+' : ''}${score.toFixed(1)}`

interface Searched {
  readonly messages: number
  readonly conversations: number
  /** The one that was looked through. */
  readonly conversation?: string
}

/** What was searched, and what to try. */
export function printNothing(
  answer: RecallAnswer,
  { messages, conversations, conversation }: Searched,
): void {
  printSearched(answer)
  const all = `${countOf(messages, 'message')} of ${countOf(conversations, 'conversation')}`
  print(
    'Nothing that is known is like this question.',
    dim(
      `searched: ${conversation === undefined ? all : `the conversation ${conversation}`}, and what is known beside them`,
    ),
    dim(`for: ${answer.words.map(tellWord).join(', ') || 'no word that tells what it is about'}`),
    `Try other words, a name or a date${conversation === undefined ? '' : ', or all conversations'}; beginnings of words are found by recollect search "vio*".`,
  )
}

const tellWord = ({ word, messages }: SearchedWord): string =>
  `"${word}" (in ${messages === 0 ? 'no message' : formatCount(messages)})`
