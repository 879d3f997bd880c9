import type { Message } from '../domain/message.ts'

/** A turn: what the user says, and everything until the user speaks again. */
export interface Turn {
  readonly messages: readonly Message[]
}

/** Turns in order. Only the first may begin with something else than a user's message. System messages are left out. */
export function splitTurns(messages: readonly Message[]): readonly Turn[] {
  const turns: Message[][] = []
  let previous: Message | undefined
  for (const message of messages) {
    if (message.role === 'system') continue
    const isNewTurn = previous === undefined || (message.role === 'user' && previous.role !== 'user')
    if (isNewTurn) turns.push([message])
    else turns.at(-1)?.push(message)
    previous = message
  }
  return turns.map((turn) => ({ messages: turn }))
}
