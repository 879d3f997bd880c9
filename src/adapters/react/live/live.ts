import { onReturn } from '../browser.ts'
import type { RecollectClient } from '../client/create-client.ts'
import { type RequestError, toRequestError } from '../client/send-request.ts'

// A value shared by several components: all of them see the same one and are notified of changes. It starts
// with its first reader and rests after the last one leaves.

type Listener = () => void

export abstract class Live<T> {
  #value: T
  readonly #first: T
  readonly #listeners: Set<Listener> = new Set()
  /** Set by the cache, to learn when there are no more readers. */
  onRest: Listener = () => undefined

  constructor(value: T) {
    this.#value = value
    this.#first = value
  }

  readonly get: () => T = () => this.#value

  /** The value before anything was read: what a server renders, and what a page has to begin with in the browser. */
  readonly getFirst: () => T = () => this.#first

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
  readonly #savers: Map<string, () => Promise<void>> = new Map()
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

  /** How unsaved changes of a page are saved at once. Returns a function that removes it. */
  onSave(about: string, save: () => Promise<void>): () => void {
    this.#savers.set(about, save)
    return () => {
      if (this.#savers.get(about) === save) this.#savers.delete(about)
    }
  }

  /** Resolves when they are saved, or could not be. */
  async save(about: string): Promise<void> {
    await this.#savers.get(about)?.()
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

// A value that is read from the server as a whole, and read again when it may have changed. While it has
// readers, an unreachable server is polled until it is back; the previous value stays visible.

export interface ReadState<T> {
  /** Missing until the first read. */
  readonly value: T | undefined
  /** The error of the last read; missing after a successful one. */
  readonly error: RequestError | undefined
  readonly isLoading: boolean
}

interface ReadSource<T> {
  readonly read: (signal: AbortSignal) => Promise<T>
  /** Read again when one of these changes. */
  readonly about?: readonly string[]
}

const FIRST_WAIT_MS = 1000
/** A server that is back is noticed within this time. */
const LONGEST_WAIT_MS = 15_000

export class LiveRead<T> extends Live<ReadState<T>> {
  readonly #source: ReadSource<T>
  readonly #changes: ChangeBus
  #ends: (() => void)[] = []
  #underWay: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #waitMs = FIRST_WAIT_MS

  constructor(source: ReadSource<T>, changes: ChangeBus) {
    super({ value: undefined, error: undefined, isLoading: true })
    this.#source = source
    this.#changes = changes
  }

  protected begin(): void {
    const again = () => void this.refresh()
    const ends = [onReturn(again)]
    const { about = [] } = this.#source
    ends.push(this.#changes.subscribe((told) => about.some((name) => concerns(told, name)) && again()))
    this.#ends = ends
    again()
  }

  protected rest(): void {
    for (const end of this.#ends) end()
    this.#ends = []
    clearTimeout(this.#timer)
    this.#underWay?.abort()
  }

  /** Reads again; of two concurrent reads, the later one counts. */
  readonly refresh: () => Promise<void> = async () => {
    clearTimeout(this.#timer)
    this.#underWay?.abort()
    const underWay = new AbortController()
    this.#underWay = underWay
    this.set({ ...this.get(), isLoading: true })
    try {
      const value = await this.#source.read(underWay.signal)
      if (underWay.signal.aborted) return
      this.#waitMs = FIRST_WAIT_MS
      this.set({ value, error: undefined, isLoading: false })
    } catch (error) {
      if (!underWay.signal.aborted) this.#fail(toRequestError(error))
    }
  }

  /** Optimistic update: shows the result of a change before the server confirms it. */
  assume(change: (value: T) => T): void {
    const { value } = this.get()
    if (value !== undefined) this.set({ ...this.get(), value: change(value) })
  }

  #fail(error: RequestError): void {
    this.set({ ...this.get(), error, isLoading: false })
    if (!error.isPassing || !this.isRead) return
    this.#timer = setTimeout(() => void this.refresh(), this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, LONGEST_WAIT_MS)
  }
}
