// Memories of mem0: facts without messages, from `get_all`, the platform's export or OpenMemory. The text is in
// `memory`, `text`, `content` or `data`.

import { definedFields } from '../../../domain/defined-fields.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { ForeignFormat } from '../foreign/foreign.ts'
import { type Fields, fieldsOf, idOf, readTime, textOf } from '../foreign/foreign.ts'
import { toStatements } from '../foreign/to-parts.ts'

export const mem0: ForeignFormat = {
  name: 'mem0',
  noun: 'memory',
  recognizes: (value) => {
    const fields = fieldsOf(value)
    const isOther = OTHERS.some((name) => name in fields)
    return !isOther && idOf(fields['id']) !== undefined && findText(fields) !== undefined
  },
  read: (value) => {
    const fields = fieldsOf(value)
    const id = idOf(fields['id'])
    const text = findText(fields)
    if (id === undefined || text === undefined)
      throw new MemoryError('invalid-input', 'missing "id" or "memory"')
    const createdAt = readTime(fields['updated_at']) ?? readTime(fields['created_at'])
    const validUntil = readTime(fields['expiration_date'])
    const facts = toStatements(text).map((statement, i) => ({
      id: i === 0 ? `mem0-${id}` : `mem0-${id}.${i + 1}`,
      text: statement,
      ...definedFields({ createdAt, validUntil }),
    }))
    return { kind: 'facts', facts }
  },
}

/** Fields of messages, chats and ratings, which memories do not have. */
const OTHERS = ['role', 'messages', 'conversation_id', 'rating', 'title'] as const

function findText(fields: Fields): string | undefined {
  const texts = ['memory', 'text', 'content', 'data'].map((name) => textOf(fields[name]))
  return texts.find((text) => text !== undefined)?.trim()
}
