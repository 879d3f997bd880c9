import type { Connection } from './connection.ts'

/** One `doctor` check. */
export interface Check {
  readonly check: string
  /** One sentence per problem; empty if there are none. */
  readonly find: (connection: Connection) => readonly string[]
  readonly remedy: string
}

export const REBUILD =
  'run `recollect rebuild` to rebuild counts and the search index from messages, queries and documents'
export const RESTORE = 'restore the file from a backup; export what can still be read first'

/** Counts rows that should not exist. */
export const noneOf =
  (sql: string, tell: (count: number) => string): Check['find'] =>
  (connection) => {
    const count = connection.get<{ count: number }>(sql)?.count ?? 0
    return count === 0 ? [] : [tell(count)]
  }
