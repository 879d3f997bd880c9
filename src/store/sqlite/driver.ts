// Uses Node's built-in SQLite if it is complete enough, and otherwise (Node 20, early 22) a package with the same
// interface and prebuilt binaries, so that no machine needs a compiler. See docs/decisions/0002.

import { MemoryError } from '../../domain/errors.ts'

export type SqlValue = null | number | bigint | string | Uint8Array

/** The part of `node:sqlite` that we use. */
export interface SqliteStatement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): unknown
  all(...values: SqlValue[]): unknown[]
}

export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

export interface SqliteDriver {
  DatabaseSync: new (path: string, options?: { readOnly?: boolean }) => SqliteDatabase
  backup(
    source: SqliteDatabase,
    path: string,
    options?: { rate?: number; progress?: (state: { totalPages: number; remainingPages: number }) => void },
  ): Promise<number>
}

/** The first version with FTS5 secure-delete. */
const OLDEST_SQLITE = [3, 42] as const

export async function loadDriver(): Promise<SqliteDriver> {
  const builtIn = await loadBuiltIn()
  if (builtIn !== undefined && isComplete(builtIn)) return builtIn
  try {
    const driver = (await import('@photostructure/sqlite')) as unknown as SqliteDriver
    if (isComplete(driver)) return driver
  } catch (cause) {
    throw new MemoryError('missing-dependency', 'no usable SQLite was found', {
      hint: 'npm install @photostructure/sqlite, or use Node 22.16 or newer',
      cause,
    })
  }
  throw new MemoryError(
    'missing-dependency',
    `SQLite ${OLDEST_SQLITE.join('.')} or newer with FTS5 is needed`,
    {
      hint: 'update @photostructure/sqlite or Node',
    },
  )
}

async function loadBuiltIn(): Promise<SqliteDriver | undefined> {
  if (process.getBuiltinModule === undefined) return undefined
  return withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite') as SqliteDriver | undefined)
}

/**
 * Node 22 warns on every start that its SQLite is experimental. Using it is our decision, so users need no warning.
 */
function withoutExperimentalWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

function isComplete(driver: SqliteDriver): boolean {
  if (typeof driver.DatabaseSync !== 'function' || typeof driver.backup !== 'function') return false
  const database = new driver.DatabaseSync(':memory:')
  try {
    const row = database
      .prepare("SELECT sqlite_version() AS version, sqlite_compileoption_used('ENABLE_FTS5') AS fts5")
      .get() as { version: string; fts5: number }
    const [major = 0, minor = 0] = row.version.split('.').map(Number)
    const isNewEnough = major > OLDEST_SQLITE[0] || (major === OLDEST_SQLITE[0] && minor >= OLDEST_SQLITE[1])
    return isNewEnough && row.fts5 === 1
  } finally {
    database.close()
  }
}

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
