// Tracks whether the server can be reached, based on the app's own requests. While it is unreachable, a health check
// polls it with growing delays and notifies listeners when it is back.

import { createStore } from '../store.ts'

export type Connection = 'online' | 'unreachable' | 'locked'

const FIRST_WAIT_MS = 800
const LONGEST_WAIT_MS = 8000

export const connection = createStore<Connection>('online')
const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls `listener` each time the server becomes reachable again. Returns an unsubscribe function. */
export function onBack(listener: () => void): () => void {
  waiting.add(listener)
  return () => waiting.delete(listener)
}

export function noteAnswer(status: number): void {
  if (status === 401) connection.set('locked')
  else if (connection.get() !== 'online') reconnect()
}

export function noteFailure(): void {
  if (connection.get() === 'unreachable') return
  connection.set('unreachable')
  pollAfter(FIRST_WAIT_MS)
}

function reconnect(): void {
  clearTimeout(timer)
  connection.set('online')
  for (const listener of [...waiting]) listener()
}

function pollAfter(waitMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    try {
      await fetch('/api/health')
      reconnect()
    } catch {
      // Still unreachable.
      pollAfter(Math.min(waitMs * 1.6, LONGEST_WAIT_MS))
    }
  }, waitMs)
}

addEventListener('online', () => connection.get() === 'unreachable' && pollAfter(0))
addEventListener('offline', noteFailure)
