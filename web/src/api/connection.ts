// Whether the server can be reached, as the requests of the app find out. While it is gone, it is asked again and
// again, ever more slowly, and everybody who waits is told when it is back.

import { createStore } from '../store.ts'

export type Connection = 'there' | 'gone' | 'locked'

const FIRST_WAIT_MS = 800
const LONGEST_WAIT_MS = 8000

export const connection = createStore<Connection>('there')
const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls back each time the server is there again. Returns how to end it. */
export function onBack(listener: () => void): () => void {
  waiting.add(listener)
  return () => waiting.delete(listener)
}

export function noteAnswer(status: number): void {
  if (status === 401) connection.set('locked')
  else if (connection.get() !== 'there') comeBack()
}

export function noteFailure(): void {
  if (connection.get() === 'gone') return
  connection.set('gone')
  askAgain(FIRST_WAIT_MS)
}

function comeBack(): void {
  clearTimeout(timer)
  connection.set('there')
  for (const listener of [...waiting]) listener()
}

function askAgain(waitMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    try {
      await fetch('/api/health')
      comeBack()
    } catch {
      // Still gone: that is what was asked.
      askAgain(Math.min(waitMs * 1.6, LONGEST_WAIT_MS))
    }
  }, waitMs)
}

addEventListener('online', () => connection.get() === 'gone' && askAgain(0))
addEventListener('offline', noteFailure)
