import type { RecollectClient } from '../client/create-client.ts'
import { Announcements } from './announcements.ts'
import type { Live } from './live.ts'

/** How long unused values are cached: going back to a page within a minute shows it at once. */
const KEPT_MS = 60_000

/** The live values of one client, one per name. */
export class LiveCache {
  readonly announcements: Announcements
  readonly #kept: Map<string, Live<unknown>> = new Map()

  constructor(client: RecollectClient) {
    this.announcements = new Announcements(client.name)
  }

  take<L extends Live<unknown>>(name: string, make: () => L): L {
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept as L
    const made = make()
    this.#kept.set(name, made)
    made.onRest = () => this.#forgetLater(name, made)
    this.#forgetLater(name, made)
    return made
  }

  #forgetLater(name: string, live: Live<unknown>): void {
    const timer: unknown = setTimeout(() => {
      if (!live.isRead && this.#kept.get(name) === live) this.#kept.delete(name)
    }, KEPT_MS)
    // In Node, during server-side rendering, the timer must not keep the process alive.
    ;(timer as { unref?: () => void }).unref?.()
  }
}

const caches = new WeakMap<RecollectClient, LiveCache>()

export function cacheOf(client: RecollectClient): LiveCache {
  const known = caches.get(client)
  if (known !== undefined) return known
  const made = new LiveCache(client)
  caches.set(client, made)
  return made
}
