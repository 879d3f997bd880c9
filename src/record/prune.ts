// Retention: what was not used for a while is archived or erased, when somebody asks for it. Pinned
// conversations stay.

import type { Conversation } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { WorkspaceId } from '../domain/ids.ts'
import type { OnProgress, Store } from '../store/store.ts'

export interface PruneOptions {
  /** @default the option retention.unusedDays, 30 */
  readonly unusedDays?: number
  /** Archiving takes them out of sight and can be undone; erasing cannot. @default "archive" */
  readonly action?: 'archive' | 'erase'
  /** Tells what would go and changes nothing. @default false */
  readonly isDryRun?: boolean
  readonly onProgress?: OnProgress
}

export interface Pruned {
  readonly conversations: readonly Conversation[]
  readonly isDryRun: boolean
  readonly action: 'archive' | 'erase'
  /** False where erased words are still in the write-ahead log, see `Erased`. */
  readonly isScrubbed: boolean
}

interface PruneRequest extends PruneOptions {
  readonly workspace: WorkspaceId
  readonly unusedDays: number
  readonly now: Date
}

const DAY_MS = 86_400_000
const LISTED_AT_ONCE = 200

export async function prune(store: Store, request: PruneRequest): Promise<Pruned> {
  const { action = 'archive', isDryRun = false, unusedDays, now, workspace } = request
  if (!(unusedDays >= 0)) throw new MemoryError('invalid-input', `unusedDays cannot be ${unusedDays}`)
  const conversations = await findUnused(store, {
    workspace,
    action,
    since: new Date(now.getTime() - unusedDays * DAY_MS),
  })
  const done = isDryRun || conversations.length === 0
  const isScrubbed = done || (await take(store, { ...request, action, conversations }))
  return { conversations, isDryRun, action, isScrubbed }
}

interface Taken extends PruneRequest {
  readonly conversations: readonly Conversation[]
}

/** True when nothing erased is left in the files. */
async function take(
  store: Store,
  { conversations, workspace, action, now, onProgress }: Taken,
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
      limit: LISTED_AT_ONCE,
      ...definedFields({ cursor }),
    })
    found.push(...page.items)
    if (page.next === undefined) return found
    cursor = page.next
  }
}
