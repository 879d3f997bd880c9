// A value that several components look at: they all see the same one, and are told when it changes. It begins to
// live with its first reader, and rests when the last one leaves.

type Listener = () => void

export abstract class Live<T> {
  #value: T
  readonly #listeners: Set<Listener> = new Set()
  /** Set by whoever keeps it, to know when nobody reads any more. */
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

  /** Somebody looks. May come again after `rest`. */
  protected abstract begin(): void
  /** Nobody looks any more. */
  protected abstract rest(): void
}
