import { Digest } from '../../domain/digest.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import type { Note, NoteSource } from '../../domain/note.ts'
import type { Edit, EditStore, NewEdit } from '../../store/edits.ts'

export interface NoteQuery {
  readonly workspace: WorkspaceId
  /** Only those of this conversation; `null`: only those of none. */
  readonly conversation?: ConversationId | null
  /** Those that expired before this are left out. */
  readonly now?: Date
}

/** The kind of edit that a note is. */
export const NOTE = 'note'

/** Newest first. */
export async function readNotes(store: Pick<EditStore, 'edits'>, query: NoteQuery): Promise<readonly Note[]> {
  const edits = await store.edits({ ...query, kinds: [NOTE] })
  const notes = edits.map(toNote)
  return notes.reverse().sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
}

interface NoteBody {
  readonly text: string
  readonly source: NoteSource
  readonly createdAt: string
}

export function toNote({ key, body, conversation, expiresAt, sources = [] }: Edit): Note {
  const { text, source, createdAt } = body as unknown as NoteBody
  return {
    id: key,
    text,
    source,
    createdAt: new Date(createdAt),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(conversation !== undefined && { conversationId: conversation }),
    messageIds: sources,
  }
}

/** To be saved in the place of the same note. */
export function toNoteEdit(note: Omit<Note, 'id'>): NewEdit {
  const { text, source, createdAt, expiresAt, conversationId, messageIds } = note
  const { tool = '', url = '', title = '' } = source
  const words = [conversationId ?? '', text, tool, url, title]
  return {
    kind: NOTE,
    key: words.reduce((digest, word) => digest.add(word), new Digest()).toString(),
    body: { text, source: { ...source }, createdAt: createdAt.toISOString() },
    ...(conversationId !== undefined && { conversation: conversationId }),
    ...(expiresAt !== undefined && { expiresAt }),
    sources: messageIds,
  }
}
