/**
 * Caches the values that were used last: between `size` and twice as many. Two generations instead of one list by age,
 * because a Map takes long to find its oldest entry after many were deleted.
 */
export class RecentCache<Key, Value> {
  readonly #size: number
  #recent = new Map<Key, Value>()
  #older = new Map<Key, Value>()

  constructor(size: number) {
    this.#size = size
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key)
    if (recent !== undefined) return recent
    const older = this.#older.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  set(key: Key, value: Value): void {
    if (this.#recent.size >= this.#size) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(key, value)
  }
}
