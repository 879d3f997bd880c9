// A chat without a terminal: all of the input is one message, but for lines that are commands of the chat.

import { createInterface } from 'node:readline'
import { CHAT_COMMANDS, readCommand } from './chat-commands.ts'
import type { ChatSession } from './chat-session.ts'

/** False where an answer failed. */
export async function chatInPipe(session: ChatSession, input: NodeJS.ReadableStream): Promise<boolean> {
  let isFine = true
  for await (const { text, command } of readTurns(input)) {
    if (text !== '') isFine = (await session.ask(text)) && isFine
    if (command?.name === 'quit') break
    if (command !== undefined) await CHAT_COMMANDS[command.name]?.run(session, command.rest)
  }
  return isFine
}

interface Turn {
  readonly text: string
  /** What ended the text. */
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
