// A chat without a terminal: the whole input is one message, except for lines that are slash commands.

import { createInterface } from 'node:readline'
import { CHAT_COMMANDS, readCommand } from './chat-commands.ts'
import type { ChatSession } from './chat-session.ts'

/** Returns false if an answer failed. */
export async function chatInPipe(session: ChatSession, input: NodeJS.ReadableStream): Promise<boolean> {
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
