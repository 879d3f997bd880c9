// Names for statements that are sent again and again. PostgreSQL keeps what has a name parsed for as long as the
// connection is there, and after a few times its plan too; for small statements that is half of their cost. What is sent
// now and then, or has its limits written into it, gets no name: every connection would have to remember it.

/** From the third time on. */
const OFTEN = 3
/** Each takes some ten kilobytes of every connection; the store has about as many statements. */
const MOST_NAMED = 200
/** After so many that did not come again, all are counted anew. */
const MOST_COUNTED = 1000

export class StatementNames {
  readonly #counts = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #unfit = new Set<string>()
  #given = 0

  /** The same for the same statement; undefined where it should have none. */
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

  /** From now on it has none. Its name is not given to another: connections know it. */
  giveUp(sql: string): void {
    this.#unfit.add(sql)
    this.#names.delete(sql)
  }
}
