// Short tool results are worth keeping for a while and become notes. Long dumps do not.

import { definedFields } from '../../domain/defined-fields.ts'
import { asText, type Message, partsOf } from '../../domain/message.ts'
import type { Note } from '../../domain/note.ts'
import type { DerivedItem, StoredItem } from '../../store/derivations.ts'

/** A few sentences or a small table. Anything longer is data, not a result. */
const MOST_CHARACTERS = 600
const MADE_BY = 'tool-notes/1'
const DAY_MS = 86_400_000

interface NoteBody {
  readonly text: string
  readonly tool?: string
  readonly createdAt: string
}

/** One note for each short tool result in a message. */
export function toToolNotes({ id, content, createdAt, position, erasedAt }: Message): readonly DerivedItem[] {
  if (erasedAt !== undefined) return []
  return partsOf(content).flatMap((part, index) => {
    if (part.type !== 'tool-result') return []
    const text = asText(part.output).trim()
    if (text === '' || text.length > MOST_CHARACTERS) return []
    const body = { text, createdAt: createdAt.toISOString(), ...definedFields({ tool: part.toolName }) }
    const key = `${position}:${index}`
    return [{ kind: 'note', key, body, sources: [id], madeBy: MADE_BY, madeAt: createdAt, tokens: 0 }]
  })
}

export function readToolNote(item: StoredItem, expireDays: number): Note {
  const { key, body, sources, conversationId } = item
  const { text, tool, createdAt: time } = body as unknown as NoteBody
  const createdAt = new Date(time)
  return {
    id: [...sources, key.split(':')[1]].join(':'),
    text,
    source: definedFields({ tool }),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + expireDays * DAY_MS),
    conversationId,
    messageIds: sources,
  }
}
