// The export format that imports back without loss. One JSON document, written as a stream. Scalar fields come before
// messages and queries, so that a reader can process it as a stream too.
//
//   { "format": "recollect", "version": 1, "exportedAt": …, "workspace": …,
//     "conversations": [ { "conversation": { id, title, … }, "messages": [ … ], "receipts": [ … ] }, … ],
//     "pages": [ { "page": { pageId, activeFile, … }, "queries": [ … ] }, … ],
//     "documents": [ { id, name, contentHash, …, "text": …, "blocks": [ [kind, start, end, level, title], … ] }, … ],
//     "edits": [ { kind, key, body, conversation, … }, … ] }
//
// Edits come last, in the order they were made, after every message they refer to.

import type { Conversation } from '../../domain/conversation.ts'
import type { Block, Document } from '../../domain/document.ts'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { PageState, Query } from '../../domain/page.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import type { Edit } from '../../store/edits.ts'
import type { PageKey } from '../../store/page-store.ts'
import { readMessages } from '../../store/read-pages.ts'
import type { ConversationKey, Store } from '../../store/store.ts'
import { readQueries } from '../queries/read-history.ts'

export const EXPORT_FORMAT = 'recollect'
export const EXPORT_VERSION = 1

/** A message in an export, without the fields that the store computes. */
export type ExportedMessage = Omit<Message, 'conversationId' | 'tokensBefore'>
export type ExportedConversation = Omit<Conversation, 'messageCount' | 'tokenCount' | 'lastUsedAt'>
export type ExportedPage = Omit<PageState, 'queryCount' | 'lastUsedAt'>
export type ExportedQuery = Omit<Query, 'pageId' | 'position'>
export type ExportedEdit = Omit<Edit, 'id'>
/** Attachments are exported with the conversations; chunks are computed again on import. */
export interface ExportedDocument
  extends Omit<Document, 'conversationIds' | 'characters' | 'tokens' | 'tokenizer' | 'chunkCount'> {
  readonly text: string
  readonly blocks: readonly ExportedBlock[]
}
/** A tuple, since there are many; only headings have a level and a title. */
export type ExportedBlock = readonly [
  kind: string,
  start: number,
  end: number,
  level?: number,
  title?: string,
]

const ALL_RECEIPTS = Number.MAX_SAFE_INTEGER

export async function* exportJson(store: Store, request: ExportRequest): AsyncGenerator<string> {
  const { workspace, now } = request
  const head = { format: EXPORT_FORMAT, version: EXPORT_VERSION, exportedAt: now, workspace }
  yield `${JSON.stringify(head).slice(0, -1)},"conversations":[`
  let separator = '\n'
  for await (const conversation of request.conversations) {
    yield `${separator}{"conversation":${JSON.stringify(toExported(conversation))},"messages":[`
    const key = { workspace, conversation: conversation.id }
    yield* inArray(readExported(store, key, request.onMessage))
    yield '],"receipts":['
    yield* inArray(oldestFirst(await store.receipts(key, ALL_RECEIPTS)))
    yield ']}'
    separator = ',\n'
  }
  yield '\n],"pages":['
  yield* writePages(store, request)
  yield '\n],"documents":['
  yield* inArray(readExportedDocuments(store, request))
  yield '\n],"edits":['
  yield* inArray(withoutIds(request.edits))
  yield '\n]}\n'
}

async function* writePages(store: Store, { workspace, pages }: ExportRequest): AsyncGenerator<string> {
  let separator = '\n'
  for await (const { queryCount: _, lastUsedAt: __, ...page } of pages) {
    yield `${separator}{"page":${JSON.stringify(page satisfies ExportedPage)},"queries":[`
    yield* inArray(readExportedQueries(store, { workspace, page: page.pageId }))
    yield ']}'
    separator = ',\n'
  }
}

async function* readExportedQueries(store: Store, key: PageKey): AsyncGenerator<ExportedQuery> {
  for await (const { pageId: _, position: __, ...query } of readQueries(store, key)) yield query
}

async function* readExportedDocuments(
  store: Store,
  { workspace, documents }: ExportRequest,
): AsyncGenerator<ExportedDocument> {
  for await (const document of documents) {
    const content = await store.documentText({ workspace, document: document.id })
    if (content === undefined) continue
    const {
      conversationIds: _,
      characters: __,
      tokens: ___,
      tokenizer: ____,
      chunkCount: _____,
      ...rest
    } = document
    yield { ...rest, text: content.text, blocks: content.blocks.map(toExportedBlock) }
  }
}

function toExportedBlock({ kind, start, end, level, title }: Block): ExportedBlock {
  return kind === 'heading' ? [kind, start, end, level ?? 1, title ?? ''] : [kind, start, end]
}

async function* withoutIds(edits: AsyncIterable<Edit>): AsyncGenerator<ExportedEdit> {
  for await (const { id: _, ...edit } of edits) yield edit
}

function toExported(conversation: Conversation): ExportedConversation {
  const { messageCount: _, tokenCount: __, lastUsedAt: ___, ...exported } = conversation
  return exported
}

const oldestFirst = (receipts: readonly StoredReceipt[]): readonly StoredReceipt[] => receipts.toReversed()

async function* readExported(
  store: Store,
  key: ConversationKey,
  onMessage?: () => void,
): AsyncGenerator<ExportedMessage> {
  for await (const { conversationId: _, tokensBefore: __, ...message } of readMessages(store, key)) {
    yield message
    onMessage?.()
  }
}

async function* inArray(items: AsyncIterable<object> | Iterable<object>): AsyncGenerator<string> {
  let separator = '\n'
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n'
  }
}

/** The input of the format writers. */
export interface ExportRequest {
  readonly workspace: WorkspaceId
  readonly conversations: AsyncIterable<Conversation>
  readonly pages: AsyncIterable<PageState>
  readonly documents: AsyncIterable<Document>
  readonly edits: AsyncIterable<Edit>
  readonly now: Date
  readonly onMessage?: () => void
}
