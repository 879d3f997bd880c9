import type { SqliteDatabase, SqliteStatement, SqlValue } from './driver.ts'

/** Runs statements and caches them once prepared. */
export class Statements {
  readonly database: SqliteDatabase
  readonly #statements = new Map<string, SqliteStatement>()

  constructor(database: SqliteDatabase) {
    this.database = database
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  /** Returns the number of changed rows and the number of the last inserted row. */
  run(sql: string, ...values: SqlValue[]): { changes: number; rowid: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values)
    return { changes: Number(changes), rowid: Number(lastInsertRowid) }
  }

  protected closeDatabase(): void {
    this.#statements.clear()
    this.database.close()
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
