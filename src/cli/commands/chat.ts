import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import { toCount } from '../arguments.ts'
import { chatInPipe } from '../chat/chat-in-pipe.ts'
import { chatOnTerminal } from '../chat/chat-on-terminal.ts'
import { jsonScreen, TextScreen } from '../chat/chat-screen.ts'
import { ChatSession } from '../chat/chat-session.ts'
import { interruptible } from '../interrupt.ts'
import { newCommand, type Session, withMemory } from '../with-memory.ts'

interface ChatFlags {
  readonly conversation: string
  readonly budget?: number
  readonly system?: string
}

const HELP = `
At a terminal, /help lists what the chat can do: /memory, /why, /topics, /facts, /search, /new, /open, /quit.
Ctrl-C stops an answer, and leaves when there is none. In a pipe, all of the input is one message, but for lines
that are such a command. With --json each event is a line. Without a model, the answers are quoted from memory.

Examples:
  recollect chat
  recollect chat --conversation trip
  echo "Where did we want to eat?" | recollect chat --conversation trip
  recollect chat --json < question.txt`

export function chatCommand(): Command {
  return newCommand('chat', 'Talk with a model that remembers; without a model, with the memory itself.')
    .option('--conversation <id>', 'the conversation to go on with, made if it is missing', 'chat')
    .option('--budget <tokens>', 'the most tokens that the model is given', toCount)
    .option('--system <text>', 'instructions for the model')
    .addHelpText('after', HELP)
    .action((flags: ChatFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayFindModel: true }, (session) => chat(session, flags)),
    )
}

async function chat({ memory, isJson, found }: Session, flags: ChatFlags): Promise<void> {
  const { conversation, budget, system } = flags
  const screen = isJson ? jsonScreen : new TextScreen()
  const settings = definedFields({ budgetTokens: budget, system })
  if (found !== undefined) screen.note(`${found.model} at ${found.url} answers`)
  const session = new ChatSession({ memory, conversation, screen, settings })
  if (process.stdin.isTTY === true && process.stdout.isTTY === true && !isJson) {
    screen.note(`conversation ${conversation} · /help lists what there is · Ctrl-D leaves`)
    return chatOnTerminal(session)
  }
  const isFine = await interruptible('What was said until then is kept.', ({ signal }) => {
    signal.addEventListener('abort', () => session.stop())
    return chatInPipe(session, process.stdin)
  })
  // After /quit nobody reads what may still come.
  process.stdin.destroy()
  if (!isFine) process.exitCode = 1
}
