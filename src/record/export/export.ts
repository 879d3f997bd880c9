import type { Conversation } from '../../domain/conversation.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Document } from '../../domain/document.ts'
import { MemoryError } from '../../domain/errors.ts'
import { type ConversationId, pageId, type WorkspaceId } from '../../domain/ids.ts'
import type { PageState } from '../../domain/page.ts'
import { readConversations, readDocuments, readEdits } from '../../store/read-pages.ts'
import type { OnProgress, Store } from '../../store/store.ts'
import { readPageStates } from '../queries/read-history.ts'
import { exportJson } from './export-json.ts'
import { exportMarkdown } from './export-markdown.ts'

export interface ExportOptions {
  /** JSON imports back without loss; Markdown is for reading. @default "json" */
  readonly format?: 'json' | 'markdown'
  /** Exports one conversation with its page and attached documents, or one page. @default everything */
  readonly conversationId?: string
  /** Called with the number of messages written so far. */
  readonly onProgress?: OnProgress
}

interface ExportScope {
  readonly workspace: WorkspaceId
  readonly now: Date
}

/** Chunks of text, in order. Only one page of messages is in memory at any time. */
export async function* exportText(
  store: Store,
  scope: ExportScope,
  options: ExportOptions,
): AsyncGenerator<string> {
  const { format = 'json', conversationId, onProgress } = options
  if (format !== 'json' && format !== 'markdown') {
    throw new MemoryError('invalid-input', `unknown export format "${format}"`, {
      hint: 'use json or markdown',
    })
  }
  const id = conversationId as ConversationId | undefined
  if (id !== undefined) await assertExists(store, scope.workspace, id)
  const chosen = choose(store, scope.workspace, id)
  const edits = readEdits(store, { workspace: scope.workspace, ...definedFields({ conversation: id }) })
  const onMessage = onProgress && (await countMessages(store, scope.workspace, onProgress))
  const write = format === 'json' ? exportJson : exportMarkdown
  yield* write(store, { ...scope, ...chosen, edits, ...(onMessage && { onMessage }) })
}

interface ExportScopeItems {
  readonly conversations: AsyncIterable<Conversation>
  readonly pages: AsyncIterable<PageState>
  readonly documents: AsyncIterable<Document>
}

function choose(store: Store, workspace: WorkspaceId, id?: ConversationId): ExportScopeItems {
  if (id === undefined) {
    return {
      conversations: readConversations(store, workspace),
      pages: readPageStates(store, { workspace }),
      documents: readDocuments(store, { workspace }),
    }
  }
  const key = { workspace, page: pageId(id) }
  return {
    conversations: ifThere(() => store.findConversation({ workspace, conversation: id })),
    pages: ifThere(() => store.findPage(key)),
    documents: readDocuments(store, { workspace, conversation: id }),
  }
}

/** Checked before the first chunk, because a partial file would look complete. */
async function assertExists(store: Store, workspace: WorkspaceId, id: ConversationId): Promise<void> {
  const [conversation, page] = await Promise.all([
    store.findConversation({ workspace, conversation: id }),
    store.findPage({ workspace, page: pageId(id) }),
  ])
  if (conversation === undefined && page === undefined)
    throw new MemoryError('not-found', `conversation "${id}" not found`)
}

async function* ifThere<Item>(find: () => Promise<Item | undefined>): AsyncGenerator<Item> {
  const item = await find()
  if (item !== undefined) yield item
}

async function countMessages(
  store: Store,
  workspace: WorkspaceId,
  onProgress: OnProgress,
): Promise<() => void> {
  const { messages } = await store.statistics(workspace)
  let done = 0
  return () => onProgress(++done, messages)
}
