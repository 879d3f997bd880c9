import type { Command } from 'commander'
import { countOf, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function forkCommand(): Command {
  return newCommand('fork', 'Begin a new conversation with everything up to and including a message.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<message>', 'id of the last message that the fork has')
    .option('--id <id>', 'id of the new conversation (made)')
    .option('--title <title>', 'its title (that of the original)')
    .action((from: string, message: string, flags: { id?: string; title?: string }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const fork = await memory.conversation(from).fork(message, flags)
        if (isJson) printJson(fork)
        else print(`${fork.id}  ${countOf(fork.messageCount, 'message')}`)
      }),
    )
}
