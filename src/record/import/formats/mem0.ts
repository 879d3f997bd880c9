// Memories of mem0: statements without messages, as `get_all`, the platform's export and OpenMemory give them. The
// text is called memory, text, content or data.

import { definedFields } from '../../../domain/defined-fields.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { ForeignFormat } from '../foreign/foreign.ts'
import { readTime } from '../foreign/read-time.ts'
import { type Fields, fieldsOf, idOf, textOf } from '../foreign/read-value.ts'
import { toStatements } from '../foreign/to-statements.ts'

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
      throw new MemoryError('invalid-input', 'a memory needs an "id" and a text under "memory"')
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

/** What messages, chats and ratings of answers have, and memories have not. */
const OTHERS = ['role', 'messages', 'conversation_id', 'rating', 'title'] as const

function findText(fields: Fields): string | undefined {
  const texts = ['memory', 'text', 'content', 'data'].map((name) => textOf(fields[name]))
  return texts.find((text) => text !== undefined)?.trim()
}
