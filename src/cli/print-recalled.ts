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
/** The first few reasons are enough for most items. */
const REASONS = 4

/** Prints recalled items: score, kind, origin, text and reasons. */
export function printRecalled(answer: Pick<RecallAnswer, 'question' | 'notices' | 'items'>): void {
  printSearched(answer)
  for (const [i, item] of answer.items.entries()) printItem(item, i + 1)
}

function printSearched({ question, notices }: Pick<RecallAnswer, 'question' | 'notices'>): void {
  if (question.standalone !== undefined)
    print(dim(`searched as: ${question.standalone}`), dim(`reason: ${question.rewrittenBecause}`))
  for (const notice of notices) print(yellow(notice))
}

function printItem(item: Recalled, rank: number): void {
  const width = Math.max(20, terminalWidth() - INDENT.length)
  print(
    `${String(rank).padStart(2)}  ${bold(item.score.toFixed(2))}  ${item.kind}  ${dim(placeOf(item))}`,
    `${INDENT}${clip(item.text, width)}`,
    `${INDENT}${dim(clip(`why: ${item.why.slice(0, REASONS).map(formatReason).join(', ')}`, width))}`,
  )
}

/** Speaker, time and conversation. */
function placeOf({ source, role, createdAt, conversationId, position, id }: Recalled): string {
  const where = conversationId === undefined ? undefined : `in ${conversationId}`
  const place = position === undefined ? where : `${where} #${position}`
  return [source ?? role, formatTime(createdAt), place, id].filter((part) => part !== undefined).join(' · ')
}

const formatReason = ({ text, score }: Reason): string =>
  score === 0 ? text : `${text} ${score > 0 ? '+' : ''}${score.toFixed(1)}`

interface Searched {
  readonly messages: number
  readonly conversations: number
  /** The conversation that was searched, if only one. */
  readonly conversation?: string
}

/** Prints what was searched and what to try instead. */
export function printNothing(
  answer: RecallAnswer,
  { messages, conversations, conversation }: Searched,
): void {
  printSearched(answer)
  const all = `${countOf(messages, 'message')} in ${countOf(conversations, 'conversation')}`
  print(
    'No matches.',
    dim(
      `searched: ${conversation === undefined ? all : `the conversation ${conversation}`}, and facts, notes and documents`,
    ),
    dim(`for: ${answer.words.map(formatWord).join(', ') || 'no distinctive words'}`),
    `Try other words, a name or a date${conversation === undefined ? '' : ', or search all conversations'}. To search by prefix: recollect search "vio*"`,
  )
}

const formatWord = ({ word, messages }: SearchedWord): string =>
  `"${word}" (in ${messages === 0 ? 'no message' : formatCount(messages)})`
