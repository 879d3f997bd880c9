// Passes changes on the server, made by any client, to the hooks of one client: `GET /api/events`, while the
// page is visible. After each reconnect, the first event of the server is `everything`, so nothing is missed.

import { isVisible, onVisibility } from '../browser.ts'
import { readEvents } from '../client/chat-stream.ts'
import type { RecollectClient } from '../client/create-client.ts'
import { cacheOf, EVERYTHING_CHANGED } from './live.ts'

/** What changed, by name only: a conversation, page or document by its id, or any of that kind. */
export interface ServerChange {
  readonly kind: 'conversation' | 'page' | 'document' | 'knowledge' | 'everything'
  readonly id?: string
}

export interface FollowOptions {
  /** Also called for each change, for code outside of hooks. */
  readonly onChange?: (change: ServerChange) => void
}

/** Each change causes a read; leave time for the response before the next one. */
const PAUSE_MS = 1000
/**
 * The server sends something every fifteen seconds; after three times as long without data, the connection is
 * dead.
 */
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

/** Follows changes until the returned function is called. */
export function followChanges(client: RecollectClient, { onChange }: FollowOptions = {}): () => void {
  const { changes } = cacheOf(client)
  const waiting = new PacedChanges((change) => {
    changes.publishLocally({ about: toAbout(change) })
    onChange?.(change)
  })
  let following: AbortController | undefined
  const look = () => {
    if (!isVisible()) following?.abort()
    else if (following === undefined || following.signal.aborted) {
      following = new AbortController()
      void follow(client, following.signal, (change) => waiting.add(change))
    }
  }
  look()
  const end = onVisibility(look)
  return () => {
    end()
    following?.abort()
    waiting.clear()
  }
}

/** Reconnects with increasing delays while connections fail. */
async function follow(
  client: RecollectClient,
  signal: AbortSignal,
  tell: (change: ServerChange) => void,
): Promise<void> {
  let waitMs = FIRST_WAIT_MS
  const heard = (change: ServerChange) => {
    waitMs = FIRST_WAIT_MS
    tell(change)
  }
  while (!signal.aborted) {
    try {
      await readConnection(client, signal, heard)
    } catch {
      // The connection failed: try another one, which begins with `everything`.
    }
    await pause(waitMs, signal)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

async function readConnection(
  client: RecollectClient,
  signal: AbortSignal,
  tell: (change: ServerChange) => void,
): Promise<void> {
  const line = new AbortController()
  const cut = () => line.abort()
  signal.addEventListener('abort', cut)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    const { body } = await client.open('GET', '/api/events', { signal: line.signal })
    if (body === null) return
    timer = setTimeout(cut, SILENCE_MS)
    for await (const event of readEvents(body)) {
      clearTimeout(timer)
      timer = setTimeout(cut, SILENCE_MS)
      if ('data' in event) tell(JSON.parse(event.data) as ServerChange)
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cut)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    const timer = setTimeout(wake, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      wake()
    })
  })
}

const toAbout = ({ kind, id }: ServerChange): string => {
  if (kind === 'everything') return EVERYTHING_CHANGED
  return id === undefined ? kind : `${kind} ${id}`
}

/** Passes the first change at once; later ones within the pause are batched without duplicates. */
class PacedChanges {
  readonly #tell: (change: ServerChange) => void
  readonly #waiting: Map<string, ServerChange> = new Map()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(tell: (change: ServerChange) => void) {
    this.#tell = tell
  }

  add(change: ServerChange): void {
    this.#waiting.set(toAbout(change), change)
    if (this.#timer === undefined) this.#flush()
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#waiting.clear()
  }

  readonly #flush = (): void => {
    const changes = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#timer = changes.length === 0 ? undefined : setTimeout(this.#flush, PAUSE_MS)
    const everything = changes.find(({ kind }) => kind === 'everything')
    for (const change of everything === undefined ? changes : [everything]) this.#tell(change)
  }
}
