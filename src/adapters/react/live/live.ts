import type { RecollectClient } from '../client/create-client.ts'

// A value shared by several components: all of them see the same one and are notified of changes. It starts
// with its first reader and rests after the last one leaves.

type Listener = () => void

export abstract class Live<T> {
  #value: T
  readonly #listeners: Set<Listener> = new Set()
  /** Set by the cache, to learn when there are no more readers. */
  onRest: Listener = () => undefined

  constructor(value: T) {
    this.#value = value
  }

  readonly get: () => T = () => this.#value

  readonly subscribe: (listener: Listener) => Listener = (listener) => {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.begin()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.rest()
      this.onRest()
    }
  }

  get isRead(): boolean {
    return this.#listeners.size > 0
  }

  protected set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of [...this.#listeners]) listener()
  }

  /** Called for the first reader; again if a reader returns after `rest`. */
  protected abstract begin(): void
  /** Called when there are no more readers. */
  protected abstract rest(): void
}

/** What changed: `conversation trip` or `page sales`; `conversation` alone means any of them. */
export interface ChangeNotice {
  readonly about: string
}

/** Changes may have been missed. */
export const EVERYTHING_CHANGED = 'everything'

/** Whether a listener for this name should read again. */
export const concerns = ({ about }: ChangeNotice, name: string): boolean =>
  about === name ||
  about === EVERYTHING_CHANGED ||
  name.startsWith(`${about} `) ||
  about.startsWith(`${name} `)

type Channel = InstanceType<typeof BroadcastChannel>
type ChangeListener = (change: ChangeNotice) => void

/** Notifies listeners in this tab, and in other tabs of the same server, that something has to be read again. */
export class ChangeBus {
  readonly #listeners: Set<ChangeListener> = new Set()
  readonly #name: string
  #channel: Channel | undefined

  constructor(name: string) {
    this.#name = `recollect ${name}`
  }

  /**
   * Returns a function that unsubscribes. The channel is only open while there are listeners: an open one
   * keeps a process alive.
   */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    this.#channel ??= this.#open()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#channel?.close()
      this.#channel = undefined
    }
  }

  /** Notifies all listeners of other tabs, and those of this tab except `except`. */
  publish(change: ChangeNotice, except?: ChangeListener): void {
    for (const listener of [...this.#listeners]) if (listener !== except) listener(change)
    this.#channel?.postMessage(change)
  }

  /** Notifies this tab only: other tabs learn of the change from the same source. */
  publishLocally(change: ChangeNotice): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  #open(): Channel | undefined {
    if (typeof BroadcastChannel === 'undefined') return undefined
    const channel = new BroadcastChannel(this.#name)
    channel.onmessage = ({ data }) => {
      for (const listener of [...this.#listeners]) listener(data as ChangeNotice)
    }
    return channel
  }
}

/** How long unused values are cached: going back to a page within a minute shows it at once. */
const KEPT_MS = 60_000

/** The live values of one client, one per name. */
class LiveCache {
  readonly changes: ChangeBus
  readonly #kept: Map<string, Live<unknown>> = new Map()

  constructor(client: RecollectClient) {
    this.changes = new ChangeBus(client.name)
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
