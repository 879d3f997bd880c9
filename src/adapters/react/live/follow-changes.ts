// What changes on the server, by whomever, told to the hooks of one client: `GET /api/events`, for as long as the page
// is seen. Whoever comes back is told to look at everything, by the server, with the first event.

import { isVisible, onVisibility } from '../browser.ts'
import type { RecollectClient } from '../client/create-client.ts'
import { readEvents } from '../client/read-events.ts'
import { EVERYTHING } from './announcements.ts'
import { cacheOf } from './live-cache.ts'

/** What changed, by name only: a conversation, page or document by its id, or any of the kind. */
export interface ServerChange {
  readonly kind: 'conversation' | 'page' | 'document' | 'knowledge' | 'everything'
  readonly id?: string
}

export interface FollowOptions {
  /** Called besides, for what is no hook. */
  readonly onChange?: (change: ServerChange) => void
}

/** Whoever is told reads; an answer should have the time to come before the next word of it. */
const PAUSE_MS = 1000
/** The server says something every fifteen seconds; when it has not for three times as long, the line is dead. */
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 15_000

/** Follows until it is ended. Returns how to. */
export function followChanges(client: RecollectClient, { onChange }: FollowOptions = {}): () => void {
  const { announcements } = cacheOf(client)
  const waiting = new PacedChanges((change) => {
    announcements.hear({ about: toAbout(change) })
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

/** One connection after the other, ever more slowly while none lasts. */
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
      // The line broke, or never came about: another one is tried, which begins with `everything`.
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
  if (kind === 'everything') return EVERYTHING
  return id === undefined ? kind : `${kind} ${id}`
}

/** The first at once; what comes soon after, together and each once. */
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
