import { definedFields } from '../../domain/defined-fields.ts'
import type { Message } from '../../domain/message.ts'
import { spokenText } from '../spoken-text.ts'
import type { Turn } from './summary.ts'

/** Converts a message to a turn; empty if it contains no spoken text. */
export function toTurn(message: Message): readonly Turn[] {
  const { id, role, name, createdAt, position } = message
  const text = spokenText(message)
  return text.trim() === '' ? [] : [{ id, role, text, createdAt, position, ...definedFields({ name }) }]
}
