// The web is asked for what the memory cannot have, and what it says is kept as notes of the conversation.

import { definedFields } from '../domain/defined-fields.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { Note } from '../domain/note.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import { openNotes } from './notes.ts'

export interface WebNoteParts {
  readonly recorder: WorkspaceDeps
  readonly options: ResolvedConfig
  readonly models: Models
}

export interface WebQuestion {
  readonly conversation: ConversationId
  readonly question: string
  readonly signal?: AbortSignal
}

/** Undefined where the web was not asked: it is switched off, or the question asks for nothing recent. */
export async function noteFromWeb(
  { recorder, options, models: { webSearch } }: WebNoteParts,
  { conversation, question, signal }: WebQuestion,
): Promise<readonly Note[] | undefined> {
  if (webSearch === undefined) return undefined
  const { searchWeb } = await import('../derive/notes/search-web.ts')
  const { results } = options.models.webSearch
  const found = await searchWeb(webSearch, question, { limit: results, ...definedFields({ signal }) })
  if (found === undefined) return undefined
  const notes = openNotes(recorder, options.notes.expireDays)
  return Promise.all(
    found.map(({ excerpt, url, title }) =>
      notes.add({ text: excerpt, source: { url, title }, conversationId: conversation }),
    ),
  )
}
