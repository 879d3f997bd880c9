import type { Command } from 'commander'
import { countOf, print, printJson } from '../terminal.ts'
import { newCommand, withMemory } from '../with-memory.ts'

export function forkCommand(): Command {
  return newCommand('fork', 'Copy a conversation up to and including a message into a new one.')
    .argument('<conversation>', 'id of the conversation')
    .argument('<message>', 'id of the last message to copy')
    .option('--id <id>', 'id of the new conversation (default: generated)')
    .option('--title <title>', 'title of the new conversation (default: same title)')
    .action((from: string, message: string, flags: { id?: string; title?: string }, command: Command) =>
      withMemory(command, { mayCreate: false }, async ({ memory, isJson }) => {
        const fork = await memory.conversation(from).fork(message, flags)
        if (isJson) printJson(fork)
        else print(`${fork.id}  ${countOf(fork.messageCount, 'message')}`)
      }),
    )
}
