// Unread markers: each browser remembers when it last showed each conversation. Anything older than the first visit
// counts as read.

import type { WireConversation } from 'recollect/react'
import { localValues } from '../../browser-storage.ts'
import { createStore } from '../../store.ts'

const KEY = 'seen'
const SINCE_KEY = 'seen-since'
/** Entries kept; the oldest are dropped. */
const MOST = 500

type Seen = Readonly<Record<string, string>>

function read(): Seen {
  try {
    return JSON.parse(localValues.get(KEY) ?? '{}') as Seen
  } catch {
    return {} // Not our data: start empty.
  }
}

if (localValues.get(SINCE_KEY) === undefined) localValues.set(SINCE_KEY, new Date().toISOString())

export const seen = createStore<Seen>(read())

addEventListener('storage', ({ key }) => key?.endsWith(KEY) === true && seen.set(read()))

export function markSeen(id: string, at: string): void {
  const known = seen.get()
  if ((known[id] ?? '') >= at) return
  const entries = Object.entries({ ...known, [id]: at })
  const latest = entries.sort(([, one], [, other]) => (one < other ? 1 : -1)).slice(0, MOST)
  const next = Object.fromEntries(latest)
  seen.set(next)
  localValues.set(KEY, JSON.stringify(next))
}

export function isUnread({ id, lastUsedAt }: WireConversation, known: Seen): boolean {
  return lastUsedAt > (known[id] ?? localValues.get(SINCE_KEY) ?? '')
}
