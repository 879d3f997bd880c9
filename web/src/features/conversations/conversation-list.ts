// The conversations as the sidebar shows them: pinned ones, and the others by last use, read in pages. Changes are
// shown at once and taken back, with a message, when the server refuses them. Erasing waits until it can no longer be
// undone; whatever waits is sent when the page goes away.

import type { WireConversation } from 'recollect/react'
import { client } from '../../api/client.ts'
import { onBack } from '../../api/connection.ts'
import { onTold, tellTabs } from '../../api/tabs.ts'
import { createStore } from '../../store.ts'
import { showToast } from '../../ui/toasts.tsx'

export interface ConversationListState {
  readonly shelf: 'active' | 'archived'
  readonly pinned: readonly WireConversation[]
  readonly recent: readonly WireConversation[]
  readonly next: string | null
  readonly status: 'loading' | 'ready' | 'failed'
  readonly isLoadingMore: boolean
  /** About to be erased, and not shown any more. */
  readonly leaving: ReadonlySet<string>
}

export const conversationList = createStore<ConversationListState>({
  shelf: 'active',
  pinned: [],
  recent: [],
  next: null,
  status: 'loading',
  isLoadingMore: false,
  leaving: new Set(),
})

const PAGE = 100
const POLL_MS = 20_000
const UNDO_MS = 7000

const show = (change: Partial<ConversationListState>) =>
  conversationList.update((state) => ({ ...state, ...change }))

const archivedOf = (shelf: ConversationListState['shelf']) => (shelf === 'archived' ? 'only' : 'without')

/** Reads the beginning again; what was loaded beyond it stays. */
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
    // The connection's own notice tells; what was read before stays in sight.
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
    // Scrolling on asks again.
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

/** Changes a conversation: seen at once, taken back when it fails. */
export async function changeConversation(id: string, changes: Changes): Promise<boolean> {
  const { pinned, recent } = conversationList.get()
  showChanged(id, changes)
  try {
    await client
      .conversation(id)
      .change(changes as Parameters<ReturnType<typeof client.conversation>['change']>[0])
    tellTabs(`conversation ${id}`)
    void refreshList()
    return true
  } catch (error) {
    show({ pinned, recent })
    showToast(`That could not be changed: ${error instanceof Error ? error.message : String(error)}`)
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
  const leaves = isArchived !== undefined && isArchived === (shelf === 'active')
  const without = (list: readonly WireConversation[]) => list.filter((one) => one.id !== id)
  const put = (list: readonly WireConversation[], isThere: boolean) =>
    isThere && !leaves
      ? [...without(list), changed].sort((one, other) => (one.lastUsedAt < other.lastUsedAt ? 1 : -1))
      : without(list)
  show({ pinned: put(pinned, changed.isPinned), recent: put(recent, !changed.isPinned) })
}

const waitingToErase = new Map<string, ReturnType<typeof setTimeout>>()

const setLeaving = (change: (ids: Set<string>) => void) => {
  const leaving = new Set(conversationList.get().leaving)
  change(leaving)
  show({ leaving })
}

/** Takes a conversation out of sight, and erases it when nobody has said "undo" for a while. */
export function eraseConversation(id: string, title: string): void {
  setLeaving((ids) => ids.add(id))
  waitingToErase.set(
    id,
    setTimeout(() => void eraseNow(id), UNDO_MS),
  )
  showToast(`“${title}” is deleted.`, {
    durationMs: UNDO_MS - 300,
    action: {
      label: 'Undo',
      run() {
        clearTimeout(waitingToErase.get(id))
        waitingToErase.delete(id)
        setLeaving((ids) => ids.delete(id))
      },
    },
  })
}

async function eraseNow(id: string): Promise<void> {
  waitingToErase.delete(id)
  try {
    await client.request('DELETE', `/api/conversations/${encodeURIComponent(id)}`, { keepalive: true })
    tellTabs('conversations')
    await refreshList()
  } catch (error) {
    showToast(`It could not be deleted: ${error instanceof Error ? error.message : String(error)}`)
  }
  setLeaving((ids) => ids.delete(id))
}

addEventListener('pagehide', () => {
  for (const [id, timer] of waitingToErase) {
    clearTimeout(timer)
    void eraseNow(id)
  }
})

/** Keeps the list up to date: other tabs, other programs, a server that was gone. Returns how to end it. */
export function keepListFresh(): () => void {
  void refreshList()
  const whenVisible = () => document.visibilityState === 'visible' && void refreshList()
  const timer = setInterval(whenVisible, POLL_MS)
  document.addEventListener('visibilitychange', whenVisible)
  const ends = [onTold(() => void refreshList()), onBack(() => void refreshList())]
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', whenVisible)
    for (const end of ends) end()
  }
}
