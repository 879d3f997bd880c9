import type { Message } from '../domain/message.ts'
import { readableText } from '../domain/message.ts'

/**
 * What a user said and everything until the next user message. Several user messages in a row are several turns, since
 * they may be a log or a talk of two people; only a picture or a file joins the text next to it.
 */
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
  for (const message of messages) {
    if (isPinned(message)) continue
    const turn = turns.at(-1)
    if (turn === undefined || (message.role === 'user' && !isSameUtterance(turn, message)))
      turns.push([message])
    else turn.push(message)
  }
  return turns.map((turn) => ({ messages: turn }))
}

/** The same speaker continues, and one of the two messages has no text. */
function isSameUtterance(turn: readonly Message[], message: Message): boolean {
  const previous = turn.at(-1)
  if (previous?.role !== 'user' || previous.name !== message.name) return false
  return !(hasText(previous) && hasText(message))
}

const hasText = ({ content }: Message): boolean => readableText(content).trim() !== ''
