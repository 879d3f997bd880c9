// What a page adds to recall and contexts: its state, its active file, and the conversations held on it.

import type { Document } from '../domain/document.ts'
import { type ConversationId, conversationId, documentId, type PageId, pageId } from '../domain/ids.ts'
import type { PageState } from '../domain/page.ts'
import type { WorkspaceDeps } from '../record/record.ts'

/** A page with the document that is its active file, if that is stored here. */
export interface OpenPage extends PageState {
  readonly document?: Document
}

export async function readOpenPage(
  { store, workspace }: WorkspaceDeps,
  id: string,
): Promise<OpenPage | undefined> {
  const page = await store.findPage({ workspace, page: pageId(id) })
  if (page === undefined || page.activeFile === null) return page
  const document = await store.findDocument({ workspace, document: documentId(page.activeFile.id) })
  return document === undefined ? page : { ...page, document }
}

/** The edit kind that ties a conversation to a page. */
const ON_PAGE = 'page-conversation'

/** The conversation with the id of the page, and those in which somebody asked on it. */
export async function findPageConversations(
  { store, workspace }: WorkspaceDeps,
  page: string,
): Promise<readonly ConversationId[]> {
  const edits = await store.edits({ workspace, kinds: [ON_PAGE], key: page })
  return [...new Set([conversationId(page), ...edits.flatMap(({ conversation }) => conversation ?? [])])]
}

/** Remembers that a conversation is held on a page. */
export async function joinPage(
  { store, workspace, now }: WorkspaceDeps,
  { page, conversation }: { readonly page: PageId; readonly conversation: ConversationId },
): Promise<void> {
  if (String(page) === String(conversation)) return
  const known = await store.edits({ workspace, kinds: [ON_PAGE], key: page, conversation })
  if (known.length > 0) return
  const edit = { kind: ON_PAGE, key: page, body: {}, conversation }
  await store.saveEdit(workspace, edit, { now: now(), replace: true })
}
