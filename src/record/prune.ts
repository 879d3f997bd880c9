// Retention: archives or erases conversations that were not used for a while. Runs only when called. Pinned
// conversations are kept.

import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { messageId, type WorkspaceId } from '../domain/ids.ts'
import type { Erased, OnProgress, Store } from '../store/store.ts'
import { makeTitle, TITLE_FROM } from './make-title.ts'
import type { WorkspaceDeps } from './record.ts'

export interface PruneOptions {
  /** @default the option retention.unusedDays, 30 */
  readonly unusedDays?: number
  /** Archiving hides conversations and can be undone; erasing cannot. @default "archive" */
  readonly action?: 'archive' | 'erase'
  /** Returns what would be pruned and changes nothing. @default false */
  readonly dryRun?: boolean
  readonly onProgress?: OnProgress
}

export interface Pruned {
  readonly conversations: readonly Conversation[]
  readonly isDryRun: boolean
  readonly action: 'archive' | 'erase'
  /** False if erased text is still in the write-ahead log, see `Erased`. */
  readonly isScrubbed: boolean
}

interface PruneRequest extends PruneOptions {
  readonly workspace: WorkspaceId
  readonly unusedDays: number
  readonly now: Date
}

export const DAY_MS = 86_400_000
const LIST_PAGE_SIZE = 200

export async function prune(store: Store, request: PruneRequest): Promise<Pruned> {
  const { action = 'archive', dryRun: isDryRun = false, unusedDays, now, workspace } = request
  checkAge(unusedDays, 'unusedDays')
  const conversations = await findUnused(store, {
    workspace,
    action,
    since: new Date(now.getTime() - unusedDays * DAY_MS),
  })
  const done = isDryRun || conversations.length === 0
  const isScrubbed = done || (await pruneAll(store, { ...request, action, conversations }))
  return { conversations, isDryRun, action, isScrubbed }
}

export function checkAge(days: number, name: string): void {
  if (!(days >= 0)) throw new MemoryError('invalid-input', `${name} must be at least 0, not ${days}`)
}

interface PruneTargets extends PruneRequest {
  readonly conversations: readonly Conversation[]
}

/** Returns whether all erased text is gone from the files. */
async function pruneAll(
  store: Store,
  { conversations, workspace, action, now, onProgress }: PruneTargets,
): Promise<boolean> {
  const keys = conversations.map(({ id }) => ({ workspace, conversation: id }))
  if (action === 'erase') return (await store.eraseConversations(keys)).isScrubbed
  for (const [i, key] of keys.entries()) {
    await store.changeConversation(key, { archivedAt: now })
    onProgress?.(i + 1, keys.length)
  }
  return true
}

async function findUnused(
  store: Store,
  { workspace, action, since }: { workspace: WorkspaceId; action: 'archive' | 'erase'; since: Date },
): Promise<Conversation[]> {
  const found: Conversation[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await store.listConversations({
      workspace,
      archived: action === 'archive' ? 'without' : 'with',
      isPinned: false,
      unusedSince: since,
      limit: LIST_PAGE_SIZE,
      ...definedFields({ cursor }),
    })
    found.push(...page.items)
    if (page.next === undefined) return found
    cursor = page.next
  }
}

/** Erases one message and its copies in forks. A title generated from it is generated again without it. */
export async function eraseMessage({ store, workspace, now }: WorkspaceDeps, id: string): Promise<Erased> {
  const message = await store.findMessage(workspace, messageId(id))
  if (message === undefined) throw new MemoryError('not-found', `message "${id}" not found`)
  const erased = await store.eraseMessage(workspace, message.id, now())
  const key = { workspace, conversation: message.conversationId }
  const conversation = await store.findConversation(key)
  if (conversation === undefined || conversation.title !== undefined) return erased
  const title = makeTitle(await store.messages({ ...key, limit: TITLE_FROM }))
  if (title !== undefined) await store.changeConversation(key, { title })
  return erased
}
