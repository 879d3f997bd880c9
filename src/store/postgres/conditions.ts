import type { SqlValue } from './driver.ts'

/** Conditions joined by AND, with their values as parameters $1, $2 … */
export class Conditions {
  readonly values: SqlValue[] = []
  readonly #sql: string[] = []

  /** `write` receives the parameter name of each value. */
  add(write: (...names: string[]) => string, ...values: readonly SqlValue[]): void {
    const names = values.map((_, i) => `$${this.values.length + i + 1}`)
    this.values.push(...values)
    this.#sql.push(write(...names))
  }

  get sql(): string {
    return this.#sql.join(' AND ')
  }
}
