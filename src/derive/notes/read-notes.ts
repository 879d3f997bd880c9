import { Digest } from '../../domain/digest.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import type { Note, NoteSource } from '../../domain/note.ts'
import { type DerivationStore, READER } from '../../store/derivations.ts'
import type { Edit, EditStore, NewEdit } from '../../store/edits.ts'
import { readToolNote } from './tool-notes.ts'

export interface NoteQuery {
  readonly workspace: WorkspaceId
  /** Only notes of this conversation; `null`: only notes without a conversation. */
  readonly conversation?: ConversationId | null
  /** Notes that expired before this time are left out. */
  readonly now?: Date
  /** Results of tools expire after this many days. */
  readonly expireDays: number
}

/** The kind of edit that stores a note. */
export const NOTE = 'note'

type NoteStore = Pick<EditStore, 'edits'> & Pick<DerivationStore, 'derivedItems'>

/** Notes and tool results, newest first. */
export async function readNotes(store: NoteStore, query: NoteQuery): Promise<readonly Note[]> {
  const { workspace, conversation, now } = query
  const [edits, found] = await Promise.all([
    store.edits({
      workspace,
      kinds: [NOTE],
      ...(conversation !== undefined && { conversation }),
      ...(now !== undefined && { now }),
    }),
    conversation === null ? [] : readToolNotes(store, query),
  ])
  const notes = [...edits.map(toNote), ...found]
  return notes.reverse().sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
}

async function readToolNotes(store: NoteStore, query: NoteQuery): Promise<readonly Note[]> {
  const { workspace, conversation, expireDays, now } = query
  const list = { workspace, deriver: READER, kind: 'note' } as const
  const items = await store.derivedItems(conversation ? { ...list, conversation } : list)
  const notes = items.map((item) => readToolNote(item, expireDays))
  return notes.filter(({ expiresAt }) => now === undefined || expiresAt === undefined || expiresAt > now)
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

/** An edit that replaces the same note. */
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
