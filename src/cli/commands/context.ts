import { type Command, InvalidArgumentError, Option } from 'commander'
import { given } from '../../given.ts'
import { type ContextRequest, toAnthropic, toGemini, toOpenAi, type WindowName } from '../../index.ts'
import { readJsonFile, toCount } from '../arguments.ts'
import { printContext } from '../print-context.ts'
import { printJson } from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

interface ContextFlags {
  readonly budget?: number
  readonly window?: WindowName | number
  readonly system?: string
  readonly tools?: string
  readonly provider?: keyof typeof PROVIDERS
}

const PROVIDERS = { openai: toOpenAi, anthropic: toAnthropic, gemini: toGemini } as const

export function contextCommand(): Command {
  return newCommand('context', 'Show what would be handed to a model, and why.')
    .argument('<conversation>', 'id of the conversation')
    .argument('[question...]', 'what is asked now; the last recorded turn when left out')
    .option('--budget <tokens>', 'the most tokens of the whole request', toCount)
    .option('--window <size>', '12k, 128k, 262k or a number of tokens', toWindow)
    .option('--system <text>', 'instructions that come first')
    .option('--tools <file>', 'JSON file with the list of tools: they cost tokens too')
    .addOption(
      new Option('--provider <name>', 'print the messages as JSON in the shape of a provider').choices(
        Object.keys(PROVIDERS),
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  recollect context trip "Where should we eat?" --budget 800\n  recollect context trip --provider openai',
    )
    .action((id: string, words: string[], flags: ContextFlags, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const handle = await needConversation(memory, id)
        const context = await handle.context(words.length > 0 ? words.join(' ') : undefined, toRequest(flags))
        if (flags.provider !== undefined) printJson(PROVIDERS[flags.provider](context.messages))
        else if (isJson) printJson(context)
        else printContext(context)
      }),
    )
}

function toRequest({ budget, window, system, tools }: ContextFlags): ContextRequest {
  return {
    ...given({ budgetTokens: budget, window, system }),
    ...(tools !== undefined && { tools: readJsonFile(tools) as readonly unknown[] }),
  }
}

function toWindow(text: string): WindowName | number {
  if (text === '12k' || text === '128k' || text === '262k') return text
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be 12k, 128k, 262k or a number of tokens.')
}
