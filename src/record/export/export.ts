import type { Conversation } from '../../domain/conversation.ts'
import type { ConversationId, WorkspaceId } from '../../domain/ids.ts'
import { MemoryError } from '../../errors.ts'
import type { OnProgress, Store } from '../../store/store.ts'
import { readConversations, readEdits } from '../read-pages.ts'
import { exportJson } from './export-json.ts'
import { exportMarkdown } from './export-markdown.ts'

export interface ExportOptions {
  /** JSON imports back without loss; Markdown is for people. @default "json" */
  readonly format?: 'json' | 'markdown'
  /** One conversation instead of all. */
  readonly conversationId?: string
  /** Called with the number of messages written so far. */
  readonly onProgress?: OnProgress
}

interface ExportScope {
  readonly workspace: WorkspaceId
  readonly now: Date
}

/** Pieces of text, in order. Only a page of messages is in memory at any time. */
export async function* exportText(
  store: Store,
  scope: ExportScope,
  options: ExportOptions,
): AsyncGenerator<string> {
  const { format = 'json', conversationId, onProgress } = options
  if (format !== 'json' && format !== 'markdown') {
    throw new MemoryError('invalid-input', `there is no export format "${format}"`, {
      hint: 'json or markdown',
    })
  }
  const conversations = chosen(store, scope.workspace, conversationId as ConversationId | undefined)
  const edits = readEdits(store, {
    workspace: scope.workspace,
    ...(conversationId !== undefined && { conversation: conversationId as ConversationId }),
  })
  const onMessage = onProgress && (await countMessages(store, scope.workspace, onProgress))
  const write = format === 'json' ? exportJson : exportMarkdown
  yield* write(store, { ...scope, conversations, edits, ...(onMessage && { onMessage }) })
}

async function* chosen(
  store: Store,
  workspace: WorkspaceId,
  id?: ConversationId,
): AsyncGenerator<Conversation> {
  if (id === undefined) {
    yield* readConversations(store, workspace)
    return
  }
  const conversation = await store.findConversation({ workspace, conversation: id })
  if (conversation === undefined) throw new MemoryError('not-found', `there is no conversation "${id}"`)
  yield conversation
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
