import type { WireConversation } from 'recollect/react'

export type ListRow =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'conversation'; readonly conversation: WireConversation }

const DAY_MS = 86_400_000

/** Inserts date headings: today, yesterday, last 7 days, last 30 days, then months. */
export function groupByDate(conversations: readonly WireConversation[], now: Date): readonly ListRow[] {
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
