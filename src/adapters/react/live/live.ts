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
