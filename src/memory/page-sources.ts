// What a page adds to recall and contexts: its state, its active file, and the conversations held on it.

import type { PageMaterial } from '../context/material.ts'
import { definedFields } from '../domain/defined-fields.ts'
import type { Chunk, Document } from '../domain/document.ts'
import { type ConversationId, conversationId, documentId, type PageId, pageId } from '../domain/ids.ts'
import type { PageState } from '../domain/page.ts'
import type { ResolvedHistory } from '../options/context-options.ts'
import { readHistory } from '../record/queries/read-history.ts'
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

/** Enough to see the headings of a report, and more than fits a context. */
const MAX_OUTLINE_CHUNKS = 40
const MAX_OUTLINE_NAMES = 30
/** At most this many chunks of a file are sent anyway. */
const BEGINNING_CHUNKS = 3

/** What the page adds to the context of a question: the outline and beginning of its file, and selected queries. */
export async function readPageMaterial(
  { store, workspace }: WorkspaceDeps,
  options: ResolvedHistory,
  { page, question }: { readonly page: OpenPage; readonly question: string },
): Promise<PageMaterial> {
  const { document, ...state } = page
  const [chunks, { items: queries }] = await Promise.all([
    document === undefined
      ? []
      : store.chunks({ workspace, document: document.id, limit: MAX_OUTLINE_CHUNKS }),
    page.queryCount === 0
      ? { items: [] }
      : readHistory(store, { workspace, page: page.pageId, options }, { query: question }),
  ])
  return {
    state,
    outline: document === undefined ? '' : outlineOf(document, chunks),
    beginning: chunks.slice(0, BEGINNING_CHUNKS),
    queries,
    ...definedFields({ document }),
  }
}

function outlineOf({ format }: Document, chunks: readonly Chunk[]): string {
  if (format === 'csv') {
    const header = chunks[0]?.text.split('\n')[0] ?? ''
    const columns = header.split(/[,;\t|]/).map((name) => name.trim().replaceAll(/^"|"$/g, ''))
    return `columns: ${columns.filter((name) => name !== '').join(', ')}`
  }
  // A small file is one chunk, with its headings in the text.
  const names = new Set(chunks.flatMap(({ headingPath, text }) => [...headingPath, ...headingsIn(text)]))
  return names.size === 0 ? '' : `headings: ${[...names].slice(0, MAX_OUTLINE_NAMES).join(', ')}`
}

const headingsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^#{1,6}\s+(\S.*)$/gmu)].map(([, heading = '']) => heading.trim())

/** The edit kind that ties a conversation to a page; see page-follow.ts for its body. */
export const ON_PAGE = 'page-conversation'

/** The conversation with the id of the page, and those in which somebody asked on it. */
export async function findPageConversations(
  { store, workspace }: WorkspaceDeps,
  page: string,
): Promise<readonly ConversationId[]> {
  const edits = await store.edits({ workspace, kinds: [ON_PAGE], key: page })
  return [...new Set([conversationId(page), ...edits.flatMap(({ conversation }) => conversation ?? [])])]
}

/** The pages on which a conversation is held. */
export async function findConversationPages(
  { store, workspace }: WorkspaceDeps,
  conversation: ConversationId,
): Promise<readonly PageId[]> {
  const edits = await store.edits({ workspace, kinds: [ON_PAGE], conversation })
  return [...new Set(edits.map(({ key }) => pageId(key)))]
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
