import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import type { WireConversation } from 'recollect/react'
import { useStore } from '../../store.ts'
import { conversationList, loadMore, refreshList } from './conversation-list.ts'
import { ConversationRow } from './conversation-row.tsx'
import { seen } from './seen.ts'

interface ConversationRowsProps {
  readonly openId: string | undefined
  readonly onLeave: () => void
}

const ROW_PX = 36
const HEADING_PX = 34
/** Loads more when fewer than this are left below. */
const AHEAD = 20

export function ConversationRows({ openId, onLeave }: ConversationRowsProps) {
  const state = useStore(conversationList)
  useStore(seen)
  const rows = useMemo(() => rowsOf(state.pinned, state.recent, state.deleting), [state])
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? HEADING_PX : ROW_PX),
    getItemKey: (index) => keyOf(rows[index], index),
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown > rows.length - AHEAD) void loadMore()
  }, [lastShown, rows.length])
  return (
    <nav ref={scroller} className="sidebar-list" aria-label="Chats">
      {rows.length === 0 && <EmptyList status={state.status} shelf={state.shelf} />}
      <ul className="sidebar-rows" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => (
          <Row key={item.key} item={item} row={rows[item.index]} openId={openId} onLeave={onLeave} />
        ))}
      </ul>
    </nav>
  )
}

function rowsOf(
  pinned: Parameters<typeof groupByDate>[0],
  recent: Parameters<typeof groupByDate>[0],
  deleting: ReadonlySet<string>,
): readonly ListRow[] {
  const isKept = ({ id }: { readonly id: string }) => !deleting.has(id)
  const top = pinned.filter(isKept).map((conversation) => ({ kind: 'conversation', conversation }) as const)
  const heading: readonly ListRow[] = top.length > 0 ? [{ kind: 'heading', text: 'Pinned' }] : []
  return [...heading, ...top, ...groupByDate(recent.filter(isKept), new Date())]
}

const keyOf = (row: ListRow | undefined, index: number): string | number => {
  if (row === undefined) return index
  return row.kind === 'heading' ? `heading ${row.text}` : row.conversation.id
}

interface RowProps extends ConversationRowsProps {
  readonly item: VirtualItem
  readonly row: ListRow | undefined
}

function Row({ item, row, openId, onLeave }: RowProps) {
  if (row === undefined) return null
  const place = { transform: `translateY(${item.start}px)`, height: item.size }
  if (row.kind === 'heading')
    return (
      <li className="sidebar-heading" style={place}>
        <h2>{row.text}</h2>
      </li>
    )
  return (
    <li className="sidebar-row" style={place}>
      <ConversationRow
        conversation={row.conversation}
        isOpen={row.conversation.id === openId}
        onLeave={onLeave}
      />
    </li>
  )
}

function EmptyList({ status, shelf }: { readonly status: string; readonly shelf: string }) {
  if (status === 'loading')
    return (
      <div className="sidebar-skeletons" role="status" aria-label="Loading chats">
        {[72, 88, 60, 80, 68].map((width) => (
          <div key={width} className="skeleton" style={{ width: `${width}%`, height: 14 }} />
        ))}
      </div>
    )
  if (status === 'failed')
    return (
      <p className="sidebar-empty">
        Couldn’t load chats.{' '}
        <button type="button" className="text-button" onClick={() => void refreshList()}>
          Try again
        </button>
      </p>
    )
  return (
    <p className="sidebar-empty">
      {shelf === 'archived' ? 'No archived chats.' : 'Your chats will appear here.'}
    </p>
  )
}

type ListRow =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'conversation'; readonly conversation: WireConversation }

const DAY_MS = 86_400_000

/** Inserts date headings: today, yesterday, last 7 days, last 30 days, then months. */
function groupByDate(conversations: readonly WireConversation[], now: Date): readonly ListRow[] {
  const rows: ListRow[] = []
  // Cached per day: formatting dates dominates the cost, and thousands of chats share a few days.
  const named = new Map<number, string>()
  let last = ''
  for (const conversation of conversations) {
    const day = startOfDay(new Date(conversation.lastUsedAt))
    const text = named.get(day) ?? spanOf(new Date(day), now)
    named.set(day, text)
    if (text !== last) rows.push({ kind: 'heading', text })
    last = text
    rows.push({ kind: 'conversation', conversation })
  }
  return rows
}

const month = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' })

function spanOf(at: Date, now: Date): string {
  const days = Math.round((startOfDay(now) - startOfDay(at)) / DAY_MS)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  if (days < 7) return 'Last 7 days'
  if (days < 30) return 'Last 30 days'
  return month.format(at)
}

const startOfDay = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
