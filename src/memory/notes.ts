import { NOTE, readNotes, toNote, toNoteEdit } from '../derive/notes/read-notes.ts'
import type { Note } from '../domain/note.ts'
import { acceptConversationId, acceptName } from '../record/accept-id.ts'
import { acceptNote, type NewNote } from '../record/accept-note.ts'
import { acceptObject } from '../record/accept-object.ts'
import type { WorkspaceDeps } from '../record/record.ts'

export interface NoteListOptions {
  /** Only those of this conversation; `null`: only those of the workspace as a whole. @default all */
  readonly conversationId?: string | null
}

/** Short results of tools and web searches, with their sources. */
export interface NotesHandle {
  /** Those that have not expired, newest first: what was added, and short results in the messages of tools. */
  list(options?: NoteListOptions): Promise<readonly Note[]>
  /** Noting the same again renews it. */
  add(note: NewNote): Promise<Note>
  /** Whether there was one. What stands in a message goes with the message, or with time. */
  delete(id: string): Promise<boolean>
}

export async function listNotes(
  { store, workspace, now, limits }: WorkspaceDeps,
  expireDays: number,
  options: NoteListOptions = {},
): Promise<readonly Note[]> {
  acceptObject(options, { what: 'a list of notes', fields: ['conversationId'] })
  const { conversationId: id } = options
  const conversation = id === undefined || id === null ? id : acceptConversationId(id, limits)
  return readNotes(store, {
    workspace,
    expireDays,
    now: now(),
    ...(conversation !== undefined && { conversation }),
  })
}

export function openNotes(recorder: WorkspaceDeps, expireDays: number): NotesHandle {
  const { store, workspace } = recorder
  return {
    list: (options) => listNotes(recorder, expireDays, options),
    add: (note) => addNote(recorder, note, expireDays),
    delete: async (id) => {
      const key = acceptName(id, { what: 'the id of a note', most: recorder.limits.idCharacters })
      const edits = await store.edits({ workspace, kinds: [NOTE], key })
      const deleted = await store.deleteEdits(
        workspace,
        edits.map((edit) => edit.id),
      )
      return deleted > 0
    },
  }
}

async function addNote(recorder: WorkspaceDeps, note: NewNote, expireDays: number): Promise<Note> {
  const { store, workspace, limits, now } = recorder
  const accepted = acceptNote(note, { limits, expireDays, now: now() })
  const { conversationId: id } = note
  const edit = toNoteEdit({
    ...accepted,
    ...(id !== undefined && { conversationId: acceptConversationId(id, limits) }),
  })
  const saved = await store.saveEdit(workspace, edit, { now: now(), replace: true })
  await dropExpired(recorder)
  return toNote(saved)
}

/** Nobody sees them any more; they go when the next one comes. */
async function dropExpired({ store, workspace, now }: WorkspaceDeps): Promise<void> {
  const moment = now()
  const edits = await store.edits({ workspace, kinds: [NOTE] })
  const expired = edits.filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= moment)
  if (expired.length > 0)
    await store.deleteEdits(
      workspace,
      expired.map(({ id }) => id),
    )
}
