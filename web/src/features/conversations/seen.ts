// Which conversations have something new: each browser remembers up to when it has seen which. What is older than
// the first visit counts as seen.

import type { WireConversation } from 'recollect/react'
import { kept } from '../../kept.ts'
import { createStore } from '../../store.ts'

const KEY = 'seen'
const SINCE_KEY = 'seen-since'
/** Older ones are covered by moving the beginning. */
const MOST = 500

type Seen = Readonly<Record<string, string>>

function read(): Seen {
  try {
    return JSON.parse(kept.get(KEY) ?? '{}') as Seen
  } catch {
    // Written by something else: begin anew.
    return {}
  }
}

if (kept.get(SINCE_KEY) === undefined) kept.set(SINCE_KEY, new Date().toISOString())

export const seen = createStore<Seen>(read())

addEventListener('storage', ({ key }) => key?.endsWith(KEY) === true && seen.set(read()))

export function markSeen(id: string, at: string): void {
  const known = seen.get()
  if ((known[id] ?? '') >= at) return
  const entries = Object.entries({ ...known, [id]: at })
  const latest = entries.sort(([, one], [, other]) => (one < other ? 1 : -1)).slice(0, MOST)
  const next = Object.fromEntries(latest)
  seen.set(next)
  kept.set(KEY, JSON.stringify(next))
}

export function isUnread({ id, lastUsedAt }: WireConversation, known: Seen): boolean {
  return lastUsedAt > (known[id] ?? kept.get(SINCE_KEY) ?? '')
}
