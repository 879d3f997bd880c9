import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Scope } from '../../index.ts'
import { toCount, toScope } from '../arguments.ts'
import { CHAT_COMMANDS, chatOnTerminal, readCommand } from '../chat/chat-on-terminal.ts'
import { ChatSession, jsonScreen, TextScreen } from '../chat/chat-session.ts'
import { interruptible } from '../terminal.ts'
import { newCommand, type Session, withMemory } from '../with-memory.ts'

interface ChatFlags {
  readonly conversation: string
  readonly budget?: number
  readonly system?: string
  readonly now?: string
  readonly scope?: Scope
  readonly page?: string
}

const HELP = `
Commands in the chat: /memory, /why, /topics, /facts, /search, /new, /open, /help, /quit.
Ctrl-C stops an answer, or leaves the chat. Piped input is sent as one message, except for lines that
are commands. With --json, each event is one line of JSON. Without a model, answers are quoted from memory.

Examples:
  recollect chat
  recollect chat --conversation trip
  echo "Where did we want to eat?" | recollect chat --conversation trip
  recollect chat --json < question.txt`

export function chatCommand(): Command {
  return newCommand('chat', 'Chat with a model that remembers; without a model, answers come from memory.')
    .option('--conversation <id>', 'conversation to continue; created if it does not exist', 'chat')
    .option('--budget <tokens>', 'maximum tokens per request', toCount)
    .option('--system <text>', 'instructions for the model')
    .option('--now <date>', 'when the question is asked: "last week" refers to it')
    .option(
      '--scope <scope>',
      'where to look: conversation, page, workspace, or comma-separated ids',
      toScope,
    )
    .option('--page <id>', 'page on which the question is asked')
    .addHelpText('after', HELP)
    .action((flags: ChatFlags, command: Command) =>
      withMemory(command, { mayCreate: true, mayFindModel: true }, (session) => chat(session, flags)),
    )
}

async function chat({ memory, isJson, found }: Session, flags: ChatFlags): Promise<void> {
  const { conversation, budget, system, now, scope, page } = flags
  const screen = isJson ? jsonScreen : new TextScreen()
  const settings = definedFields({ budgetTokens: budget, system, now, scope, pageId: page })
  if (found !== undefined) screen.note(`using ${found.model} at ${found.url}`)
  const session = new ChatSession({ memory, conversation, screen, settings })
  if (process.stdin.isTTY === true && process.stdout.isTTY === true && !isJson) {
    screen.note(`conversation ${conversation} · /help for commands · Ctrl-D to leave`)
    return chatOnTerminal(session)
  }
  const isSuccess = await interruptible('Everything up to here is saved.', ({ signal }) => {
    signal.addEventListener('abort', () => session.stop())
    return chatInPipe(session, process.stdin)
  })
  // After /quit, the rest of the input is ignored.
  process.stdin.destroy()
  if (!isSuccess) process.exitCode = 1
}

// A chat without a terminal: the whole input is one message, except for lines that are slash commands.

/** Returns false if an answer failed. */
async function chatInPipe(session: ChatSession, input: NodeJS.ReadableStream): Promise<boolean> {
  let isSuccess = true
  for await (const { text, command } of readTurns(input)) {
    if (text !== '') isSuccess = (await session.ask(text)) && isSuccess
    if (command?.name === 'quit') break
    if (command !== undefined) await CHAT_COMMANDS[command.name]?.run(session, command.rest)
  }
  return isSuccess
}

interface Turn {
  readonly text: string
  /** The command line that follows the text. */
  readonly command?: ReturnType<typeof readCommand>
}

async function* readTurns(input: NodeJS.ReadableStream): AsyncGenerator<Turn> {
  let lines: string[] = []
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const command = readCommand(line)
    if (command === undefined) {
      lines.push(line)
      continue
    }
    yield { text: lines.join('\n').trim(), command }
    lines = []
  }
  yield { text: lines.join('\n').trim() }
}
