import { type Command, InvalidArgumentError, Option } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import {
  type Context,
  type ContextOptions,
  type ConversationMemory,
  diffReceipts,
  MemoryError,
  toAnthropic,
  toGemini,
  toOpenAi,
  type WindowName,
} from '../../index.ts'
import { readJsonFile, toCount } from '../arguments.ts'
import { printContext } from '../print-context.ts'
import { printDiff } from '../print-diff.ts'
import { printJson } from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

interface ContextFlags {
  readonly budget?: number
  readonly window?: WindowName | number
  readonly system?: string
  readonly tools?: string
  readonly provider?: keyof typeof PROVIDERS
  readonly memory: boolean
  readonly memoryTokens?: number
  readonly diff?: number | true
}

const PROVIDERS = { openai: toOpenAi, anthropic: toAnthropic, gemini: toGemini } as const

export function contextCommand(): Command {
  return newCommand('context', 'Show the context a model would receive, and why.')
    .argument('<conversation>', 'id of the conversation')
    .argument('[question...]', 'the new question; defaults to the last recorded turn')
    .option('--budget <tokens>', 'maximum tokens of the request', toCount)
    .option('--window <size>', 'context window of the model: 12k, 128k, 262k or a number of tokens', toWindow)
    .option('--system <text>', 'system instructions')
    .option('--tools <file>', 'JSON file with the tool definitions, which count towards the budget')
    .option('--memory-tokens <tokens>', 'maximum tokens for memory', toCount)
    .option('--no-memory', 'only the messages of the conversation')
    .option(
      '--diff [back]',
      'show what changed since the previous context, or since <back> contexts ago',
      toDistance,
    )
    .addOption(
      new Option('--provider <name>', 'print the messages as JSON in the format of a provider').choices(
        Object.keys(PROVIDERS),
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  recollect context trip "Where should we eat?" --budget 800\n  recollect context trip --provider openai\n  recollect context trip "And where to stay?" --diff',
    )
    .action((id: string, words: string[], flags: ContextFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const handle = await needConversation(memory, id)
        const context = await handle.context({
          ...definedFields({ query: words.length > 0 ? words.join(' ') : undefined }),
          ...toRequest(flags),
        })
        if (flags.diff !== undefined) return showDiff(handle, context, { ...flags, isJson })
        return showContext(context, { ...flags, isJson })
      }),
    )
}

type Shown = Pick<ContextFlags, 'diff' | 'provider'> & { readonly isJson: boolean }

async function showContext(context: Context, { provider, isJson }: Shown): Promise<void> {
  const { receiptSaved, ...shown } = context
  if (provider !== undefined) printJson(PROVIDERS[provider](context.messages))
  else if (isJson) printJson({ ...shown, isReceiptKept: await receiptSaved })
  else printContext(context)
}

async function showDiff(
  handle: ConversationMemory,
  { receipt }: Context,
  { diff, isJson }: Shown,
): Promise<void> {
  const back = diff === true || diff === undefined ? 1 : diff
  const receipts = (await handle.receipts.list({ limit: back + 1 })).items
  const before = receipts.filter(({ id }) => id !== receipt.id)[back - 1]
  if (before === undefined) {
    throw new MemoryError('not-found', `no earlier context to compare with (${back} back)`, {
      hint: 'list them with: recollect receipts <conversation>',
    })
  }
  const changes = diffReceipts(before, receipt)
  if (isJson) printJson(changes)
  else printDiff(changes)
}

function toRequest(flags: ContextFlags): ContextOptions {
  const { budget, window, system, tools, memoryTokens, memory } = flags
  return {
    ...definedFields({ budgetTokens: budget, window, system, memoryTokens }),
    ...(!memory && { memory }),
    ...(tools !== undefined && { tools: readJsonFile(tools) as readonly unknown[] }),
  }
}

function toDistance(text: string): number {
  const count = toCount(text)
  if (count > 0) return count
  throw new InvalidArgumentError('Expected at least 1.')
}

function toWindow(text: string): WindowName | number {
  if (text === '12k' || text === '128k' || text === '262k') return text
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('Expected 12k, 128k, 262k or a number of tokens.')
}
