import { type Command, InvalidArgumentError } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Memory,
  RECALL_KINDS,
  type Reason,
  type RecallAnswer,
  type Recalled,
  type RecallKind,
  type RecallOptions,
  type Scope,
  type SearchedWord,
} from '../../index.ts'
import { toCount, toScope } from '../arguments.ts'
import {
  bold,
  clip,
  countOf,
  dim,
  formatCount,
  formatTime,
  print,
  printJson,
  terminalWidth,
  yellow,
} from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

interface RecallFlags {
  readonly conversation?: string
  readonly kinds?: readonly RecallKind[]
  readonly limit?: number
  readonly budget?: number
  readonly from?: string
  readonly to?: string
  readonly asOf?: string
  readonly now?: string
  readonly scope?: Scope
  readonly explain?: true | string
}

export function recallCommand(): Command {
  return newCommand('recall', 'Find what the memory has about a question, best match first, with reasons.')
    .argument('<question...>', 'a question in plain language')
    .option('--conversation <id>', 'search this conversation only; the question may refer to its last turns')
    .option('--kinds <list>', `comma-separated kinds: ${RECALL_KINDS.join(', ')} (default: all)`, toKinds)
    .option('--limit <number>', 'maximum number of results (default: 5, or what fits the budget)', toCount)
    .option('--budget <tokens>', 'maximum tokens of all results together', toCount)
    .option('--from <date>', 'only from this time on: 2026-05-01 or 2026-05-01T12:00:00Z')
    .option('--to <date>', 'only before this time')
    .option('--as-of <date>', 'the memory as it was at this time')
    .option('--now <date>', 'when the question is asked: "last week" refers to it')
    .option(
      '--scope <scope>',
      'where to look: conversation, page, workspace, or comma-separated ids',
      toScope,
    )
    .option('--explain [message]', 'explain what was searched and left out, optionally for one message')
    .addHelpText('after', EXAMPLES)
    .action((words: string[], flags: RecallFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const { conversation, explain } = flags
        if (conversation !== undefined) await needConversation(memory, conversation)
        const question = words.join(' ')
        const request = toRequest(flags)
        if (explain !== undefined) return explainAnswer(memory, question, { request, explain, isJson })
        const answer = await memory.recall(question, request)
        if (isJson) return printJson(answer)
        if (answer.items.length > 0) return printRecalled(answer)
        printNothing(answer, { ...definedFields({ conversation }), ...(await memory.statistics()) })
      }),
    )
}

const EXAMPLES = `
Examples:
  recollect recall What is the name of our cat?
  recollect recall "and the top 5?" --conversation sales
  recollect recall "What did we decide on the roof?" --kinds message,summary --from 2026-05-01 --to 2026-06-01
  recollect recall Where do I live? --kinds fact --as-of 2025-01-01
  recollect recall violin --explain 01kv5je8g022dwxattd3sdz2sd`

interface Explaining {
  readonly request: RecallOptions
  /** The id of a message to explain, or true. */
  readonly explain: true | string
  readonly isJson: boolean
}

async function explainAnswer(
  memory: Memory,
  question: string,
  { request, explain, isJson }: Explaining,
): Promise<void> {
  const about = explain === true ? {} : { messageId: explain }
  const explanation = await memory.explain(question, { ...request, ...about })
  if (isJson) printJson(explanation)
  else print(...explanation.lines)
}

function toRequest({ conversation, budget, explain: _, ...rest }: RecallFlags): RecallOptions {
  return definedFields({ conversationId: conversation, budgetTokens: budget, ...rest })
}

function toKinds(text: string, before: readonly RecallKind[] = []): readonly RecallKind[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(RECALL_KINDS as readonly string[]).includes(name))
  if (unknown === undefined) return [...before, ...(names as RecallKind[])]
  throw new InvalidArgumentError(`Unknown kind "${unknown}". Use ${RECALL_KINDS.join(', ')}.`)
}

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
function printNothing(answer: RecallAnswer, { messages, conversations, conversation }: Searched): void {
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
