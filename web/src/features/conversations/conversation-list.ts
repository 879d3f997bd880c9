// The conversations in the sidebar: pinned ones first, then the others by last use, loaded in pages. Changes are shown
// at once and rolled back with a message if the server rejects them. Deleting waits until the undo period is over;
// pending deletions are sent when the page is closed.

import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { onBack } from '../../api/connection.ts'
import { notifyTabs, onNotified } from '../../api/tabs.ts'
import { createStore } from '../../store.ts'
import { showError, showToast } from '../../ui/toasts.tsx'

export interface ConversationListState {
  readonly shelf: 'active' | 'archived'
  readonly pinned: readonly WireConversation[]
  readonly recent: readonly WireConversation[]
  readonly next: string | null
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isLoadingMore: boolean
  /** Hidden while their deletion can still be undone. */
  readonly deleting: ReadonlySet<string>
}

export const conversationList = createStore<ConversationListState>({
  shelf: 'active',
  pinned: [],
  recent: [],
  next: null,
  status: 'loading',
  isLoadingMore: false,
  deleting: new Set(),
})

const PAGE = 100
const POLL_MS = 20_000
const UNDO_MS = 7000

const show = (change: Partial<ConversationListState>) =>
  conversationList.update((state) => ({ ...state, ...change }))

const archivedOf = (shelf: ConversationListState['shelf']) => (shelf === 'archived' ? 'only' : 'without')

/** Reloads the first page and keeps the pages loaded after it. */
export async function refreshList(): Promise<void> {
  const { shelf } = conversationList.get()
  const archived = archivedOf(shelf)
  try {
    const [pinned, first] = await Promise.all([
      client.conversations({ archived, pinned: true, limit: 200 }),
      client.conversations({ archived, pinned: false, limit: PAGE }),
    ])
    if (conversationList.get().shelf !== shelf) return
    const { recent, next } = joinPages(first.conversations, first.next)
    show({ pinned: pinned.conversations, recent, next, status: 'ready' })
  } catch {
    // The connection notice reports the error; the list loaded before stays visible.
    show({ status: conversationList.get().recent.length > 0 ? 'ready' : 'failed' })
  }
}

function joinPages(first: readonly WireConversation[], firstNext: string | null) {
  const { recent: known, next: knownNext } = conversationList.get()
  const oldest = first.at(-1)?.lastUsedAt
  if (firstNext === null || oldest === undefined || known.length <= PAGE)
    return { recent: first, next: firstNext }
  const fresh = new Set(first.map(({ id }) => id))
  const older = known.filter(({ id, lastUsedAt }) => !fresh.has(id) && lastUsedAt <= oldest)
  return { recent: [...first, ...older], next: knownNext }
}

export async function loadMore(): Promise<void> {
  const { next, isLoadingMore, shelf } = conversationList.get()
  if (next === null || isLoadingMore) return
  show({ isLoadingMore: true })
  try {
    const page = await client.conversations({
      archived: archivedOf(shelf),
      pinned: false,
      limit: PAGE * 3,
      cursor: next,
    })
    const known = new Set(conversationList.get().recent.map(({ id }) => id))
    const more = page.conversations.filter(({ id }) => !known.has(id))
    show({ recent: [...conversationList.get().recent, ...more], next: page.next, isLoadingMore: false })
  } catch {
    // Scrolling further retries.
    show({ isLoadingMore: false })
  }
}

export function chooseShelf(shelf: ConversationListState['shelf']): void {
  show({ shelf, pinned: [], recent: [], next: null, status: 'loading' })
  void refreshList()
}

export function findListed(id: string): WireConversation | undefined {
  const { pinned, recent } = conversationList.get()
  return pinned.find((one) => one.id === id) ?? recent.find((one) => one.id === id)
}

type Changes = Partial<Pick<WireConversation, 'tags' | 'isPinned' | 'isMemoryOn' | 'documents'>> & {
  readonly title?: string | null
  readonly isArchived?: boolean
}

/** Applies changes optimistically and rolls them back if the request fails. */
export async function changeConversation(id: string, changes: Changes): Promise<boolean> {
  const { pinned, recent } = conversationList.get()
  showChanged(id, changes)
  try {
    await client
      .conversation(id)
      .change(changes as Parameters<ReturnType<typeof client.conversation>['change']>[0])
    notifyTabs(`conversation ${id}`)
    void refreshList()
    return true
  } catch (error) {
    show({ pinned, recent })
    showError('Couldn’t save the change', error)
    return false
  }
}

function showChanged(id: string, { isArchived, title, ...changes }: Changes): void {
  const listed = findListed(id)
  if (listed === undefined) return
  const changed = {
    ...listed,
    ...changes,
    ...(title !== undefined && title !== null && { title, isTitleGiven: true }),
  } as WireConversation
  const { pinned, recent, shelf } = conversationList.get()
  const leavesShelf = isArchived !== undefined && isArchived === (shelf === 'active')
  const without = (list: readonly WireConversation[]) => list.filter((one) => one.id !== id)
  const put = (list: readonly WireConversation[], isListed: boolean) =>
    isListed && !leavesShelf
      ? [...without(list), changed].sort((one, other) => (one.lastUsedAt < other.lastUsedAt ? 1 : -1))
      : without(list)
  show({ pinned: put(pinned, changed.isPinned), recent: put(recent, !changed.isPinned) })
}

const pendingDeletions = new Map<string, ReturnType<typeof setTimeout>>()

const setDeleting = (change: (ids: Set<string>) => void) => {
  const deleting = new Set(conversationList.get().deleting)
  change(deleting)
  show({ deleting })
}

/** Hides a conversation at once, and deletes it when the undo period is over. */
export function deleteConversation(id: string, title: string): void {
  setDeleting((ids) => ids.add(id))
  pendingDeletions.set(
    id,
    setTimeout(() => void deleteNow(id), UNDO_MS),
  )
  showToast(`Deleted “${title}”.`, {
    durationMs: UNDO_MS - 300,
    action: {
      label: 'Undo',
      run() {
        clearTimeout(pendingDeletions.get(id))
        pendingDeletions.delete(id)
        setDeleting((ids) => ids.delete(id))
      },
    },
  })
}

async function deleteNow(id: string): Promise<void> {
  pendingDeletions.delete(id)
  try {
    await client.request('DELETE', `/api/conversations/${encodeURIComponent(id)}`, { keepalive: true })
    notifyTabs('conversations')
    await refreshList()
  } catch (error) {
    showError('Couldn’t delete the chat', error)
  }
  setDeleting((ids) => ids.delete(id))
}

addEventListener('pagehide', () => {
  for (const [id, timer] of pendingDeletions) {
    clearTimeout(timer)
    void deleteNow(id)
  }
})

/** Reloads the list after changes elsewhere, on reconnect and by polling. Returns an unsubscribe function. */
export function keepListFresh(): () => void {
  void refreshList()
  const whenVisible = () => document.visibilityState === 'visible' && void refreshList()
  const timer = setInterval(whenVisible, POLL_MS)
  document.addEventListener('visibilitychange', whenVisible)
  const unsubscribes = [onNotified(() => void refreshList()), onBack(() => void refreshList())]
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', whenVisible)
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}
