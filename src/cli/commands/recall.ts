import { type Command, InvalidArgumentError } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { type Memory, RECALL_KINDS, type RecallKind, type RecallOptions } from '../../index.ts'
import { toCount } from '../arguments.ts'
import { printNothing, printRecalled } from '../print-recalled.ts'
import { print, printJson } from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

interface RecallFlags {
  readonly conversation?: string
  readonly kinds?: readonly RecallKind[]
  readonly limit?: number
  readonly budget?: number
  readonly from?: string
  readonly to?: string
  readonly asOf?: string
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

function toRequest({ conversation, kinds, limit, budget, from, to, asOf }: RecallFlags): RecallOptions {
  return definedFields({ conversationId: conversation, kinds, limit, budgetTokens: budget, from, to, asOf })
}

function toKinds(text: string, before: readonly RecallKind[] = []): readonly RecallKind[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(RECALL_KINDS as readonly string[]).includes(name))
  if (unknown === undefined) return [...before, ...(names as RecallKind[])]
  throw new InvalidArgumentError(`Unknown kind "${unknown}". Use ${RECALL_KINDS.join(', ')}.`)
}
