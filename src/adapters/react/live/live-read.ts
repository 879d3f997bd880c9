// A value that is read from the server as a whole, and read again when it may have changed. While it has
// readers, an unreachable server is polled until it is back; the previous value stays visible.

import { onReturn } from '../browser.ts'
import { type RequestError, toRequestError } from '../client/request-error.ts'
import { type ChangeBus, concerns, Live } from './live.ts'

export interface ReadState<T> {
  /** Missing until the first read. */
  readonly value: T | undefined
  /** The error of the last read; missing after a successful one. */
  readonly error: RequestError | undefined
  readonly isLoading: boolean
}

export interface ReadSource<T> {
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
