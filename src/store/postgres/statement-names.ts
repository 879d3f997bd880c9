// Names for prepared statements. PostgreSQL keeps a named statement parsed for the lifetime of the connection, and
// after a few executions its plan too; for small statements that saves half of the cost. Statements that run rarely,
// or contain literal limits, get no name, because every connection would have to keep them.

/** A statement gets a name the third time it runs. */
const OFTEN = 3
/** Each takes about ten kilobytes per connection; the store has about this many statements. */
const MOST_NAMED = 200
/** After this many statements that did not repeat, counting starts over. */
const MOST_COUNTED = 1000

export class StatementNames {
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #unfit = new Set<string>()
  #given = 0

  /** The name of a statement; undefined if it should not be prepared. */
  nameOf(sql: string): string | undefined {
    const known = this.#names.get(sql)
    if (known !== undefined || this.#given >= MOST_NAMED || this.#unfit.has(sql)) return known
    const count = (this.#counts.get(sql) ?? 0) + 1
    if (count < OFTEN) {
      if (this.#counts.size >= MOST_COUNTED) this.#counts.clear()
      this.#counts.set(sql, count)
      return undefined
    }
    this.#counts.delete(sql)
    this.#given += 1
    const name = `recollect_${this.#given}`
    this.#names.set(sql, name)
    return name
  }

  /** From now on the statement has no name. Its name is not reused, because connections still know it. */
  giveUp(sql: string): void {
    this.#unfit.add(sql)
    this.#names.delete(sql)
  }
}
