import { NOTE, readNotes, toNote, toNoteEdit } from '../derive/notes/read-notes.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Note } from '../domain/note.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptConversationId, acceptName, acceptObject } from '../record/accept.ts'
import { acceptNote } from '../record/accept-knowledge.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { NewNote } from '../schemas/knowledge.ts'
import { type PageOptions, type PaginatedList, paginateArray } from './paginate.ts'

export interface NoteListOptions extends PageOptions {
  /** Only notes of this conversation; `null`: only notes that belong to no conversation. @default all */
  readonly conversationId?: string | null
}

/**
 * Short results of tools and web searches, with their sources: `memory.notes`.
 *
 * @example
 * const note = await memory.notes.add({
 *   text: 'The ferry to Cacilhas leaves every 20 minutes.',
 *   source: { url: 'https://example.com/ferry' },
 * })
 * await memory.notes.delete(note.id)
 */
export interface Notes {
  /** Notes that have not expired, newest first: those added, and short results in tool messages. */
  list(options?: NoteListOptions): PaginatedList<Note>
  /** Adding the same note again renews it. */
  add(note: NewNote): Promise<Note>
  /** True if there was such a note. A note that is part of a message is deleted with the message, or expires. */
  delete(id: string): Promise<boolean>
}

/** Notes of one conversation: `trip.notes`. */
export interface ConversationNotes {
  list(options?: PageOptions): PaginatedList<Note>
}

const LIST_FIELDS = ['conversationId', 'limit', 'cursor'] as const

function listNotes(
  { store, workspace, now, limits }: WorkspaceDeps,
  expireDays: number,
  options: NoteListOptions = {},
): PaginatedList<Note> {
  async function readAll(): Promise<readonly Note[]> {
    acceptObject(options, { what: 'a list of notes', fields: LIST_FIELDS })
    const { conversationId: id } = options
    const conversation = id === undefined || id === null ? id : acceptConversationId(id, limits)
    return readNotes(store, {
      workspace,
      expireDays,
      now: now(),
      ...(conversation !== undefined && { conversation }),
    })
  }
  return paginateArray(readAll, options, ({ id }) => id)
}

interface ConversationNoteDeps {
  readonly conversation: ConversationId
  readonly expireDays: number
}

export const createConversationNotes = (
  deps: WorkspaceDeps,
  { conversation, expireDays }: ConversationNoteDeps,
): ConversationNotes => ({
  list: (options) => listNotes(deps, expireDays, { ...options, conversationId: conversation }),
})

export function createNotes(deps: WorkspaceDeps, expireDays: number): Notes {
  const { store, workspace } = deps
  return {
    list: (options) => listNotes(deps, expireDays, options),
    add: (note) => addNote(deps, note, expireDays),
    delete: async (id) => {
      const key = acceptName(id, { what: 'the id of a note', most: deps.limits.idCharacters })
      const edits = await store.edits({ workspace, kinds: [NOTE], key })
      const deleted = await store.deleteEdits(
        workspace,
        edits.map((edit) => edit.id),
      )
      return deleted > 0
    },
  }
}

async function addNote(deps: WorkspaceDeps, note: NewNote, expireDays: number): Promise<Note> {
  const { store, workspace, limits, now } = deps
  const accepted = acceptNote(note, { limits, expireDays, now: now() })
  const { conversationId: id } = note
  const edit = toNoteEdit({
    ...accepted,
    ...(id !== undefined && { conversationId: acceptConversationId(id, limits) }),
  })
  const saved = await store.saveEdit(workspace, edit, { now: now(), replace: true })
  await dropExpired(deps)
  return toNote(saved)
}

/** Expired notes are no longer listed; they are removed when the next one is added. */
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

export interface WebNoteDeps {
  readonly recorder: WorkspaceDeps
  readonly options: ResolvedConfig
  readonly models: Models
}

export interface WebQuestion {
  readonly conversation: ConversationId
  readonly question: string
  readonly signal?: AbortSignal
}

/** Searches the web and keeps the results as notes. Undefined if there is no web search or the question is not about something recent. */
export async function noteFromWeb(
  { recorder, options, models: { webSearch } }: WebNoteDeps,
  { conversation, question, signal }: WebQuestion,
): Promise<readonly Note[] | undefined> {
  if (webSearch === undefined) return undefined
  const { searchWeb } = await import('../derive/notes/search-web.ts')
  const { results } = options.models.webSearch
  const found = await searchWeb(webSearch, question, { limit: results, ...definedFields({ signal }) })
  if (found === undefined) return undefined
  const { expireDays } = options.notes
  const notes: Note[] = []
  // The best one last: a context takes the newest notes first.
  for (const { excerpt, url, title } of found.toReversed()) {
    const note = { text: excerpt, source: { url, title }, conversationId: conversation }
    notes.unshift(await addNote(recorder, note, expireDays))
  }
  return notes
}
