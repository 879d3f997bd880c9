import type { Command } from 'commander'
import { toCount } from '../arguments.ts'
import { countOf, dim, print, printJson } from '../terminal.ts'
import { needConversation, newCommand, withMemory } from '../with-memory.ts'

export function summaryCommand(): Command {
  return newCommand(
    'summary',
    'Summarize a conversation with the language model, or from its own sentences without one.',
  )
    .argument('<conversation>', 'id of the conversation')
    .option('--max-tokens <number>', 'maximum length in tokens', toCount, 400)
    .action((id: string, { maxTokens }: { maxTokens: number }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const summary = await (await needConversation(memory, id)).summary({ maxTokens })
        if (isJson) return printJson(summary)
        if (summary.text === '') return print('Nothing to summarize yet.')
        print(summary.text)
        if (summary.keyTopics.length > 0) print(dim(`Topics: ${summary.keyTopics.join(', ')}`))
        print(
          dim(`${countOf(summary.tokens, 'token')}, from ${countOf(summary.messageIds.length, 'message')}`),
        )
      }),
    )
}
