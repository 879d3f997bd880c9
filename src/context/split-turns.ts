import type { Message } from '../domain/message.ts'
import { readableText } from '../domain/message.ts'

/** A user message and everything until the next one. */
export interface Turn {
  readonly messages: readonly Message[]
}

/** A non-empty system message: it is sent with every context. */
export function isPinned({ role, erasedAt, content }: Message): boolean {
  return role === 'system' && erasedAt === undefined && readableText(content).trim() !== ''
}

/** Splits messages into turns, without system messages. Only the first turn may begin without a user message. */
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
