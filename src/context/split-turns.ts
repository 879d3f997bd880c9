import type { Message } from '../domain/message.ts'
import { readableText } from '../domain/message.ts'

/** A turn: what the user says, and everything until the user speaks again. */
export interface Turn {
  readonly messages: readonly Message[]
}

/** A system message with something in it: it is sent with every context, wherever it stands. */
export function isPinned({ role, erasedAt, content }: Message): boolean {
  return role === 'system' && erasedAt === undefined && readableText(content).trim() !== ''
}

/** Turns in order. Only the first may begin with something else than a user's message. System messages go apart. */
export function splitTurns(messages: readonly Message[]): readonly Turn[] {
  const turns: Message[][] = []
  let previous: Message | undefined
  for (const message of messages) {
    if (isPinned(message)) continue
    const isNewTurn = previous === undefined || (message.role === 'user' && previous.role !== 'user')
    if (isNewTurn) turns.push([message])
    else turns.at(-1)?.push(message)
    previous = message
  }
  return turns.map((turn) => ({ messages: turn }))
}
