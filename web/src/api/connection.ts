// Tracks whether the server can be reached, based on the app's own requests. While it is unreachable, a health check
// polls it with growing delays and notifies listeners when it is back.

import { createStore } from '../store.ts'

type Connection = 'online' | 'unreachable' | 'locked'

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

/** Loads a lazy part of the app; if the server is unreachable, loads it when the server is back. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (await isServerReachable()) throw error
    noteFailure()
    await untilBack()
    return loadAgain(load)
  }
}

/** Some browsers cache a failed module fetch until the page is reloaded. */
async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    location.reload()
    return new Promise(() => undefined)
  }
}

async function isServerReachable(): Promise<boolean> {
  try {
    await fetch('/api/health')
    return true
  } catch {
    return false // Unreachable is an answer, not an error.
  }
}

const untilBack = (): Promise<void> =>
  new Promise((resolve) => {
    const end = onBack(() => {
      end()
      resolve()
    })
  })
