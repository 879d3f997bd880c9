import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { OpenPool, PgClient } from '../../src/store/postgres/driver.ts'
import { fromJsonb, toColumn, toMilliseconds, toParameter } from '../../src/store/postgres/driver.ts'

const PARSERS = { 20: Number, 1700: Number, 25: toColumn, 1184: toMilliseconds, 3802: fromJsonb }

/** PostgreSQL in this process (PGlite) with pgvector: a pool with one connection. */
export function pglitePool(database: PGlite): OpenPool {
  let last: Promise<void> = Promise.resolve()
  return async ({ prepare }) => {
    for (const sql of prepare) await database.exec(sql)
    return {
      connect() {
        const before = last
        let leave: () => void = () => undefined
        last = new Promise((resolve) => {
          leave = resolve
        })
        return before.then(() => toClient(database, leave))
      },
      end: () => last,
    }
  }
}

export const openPglite = (): Promise<PGlite> => PGlite.create({ extensions: { vector } })

function toClient(database: PGlite, leave: () => void): PgClient {
  return {
    async query(sql, values) {
      if (values.length === 0) {
        const result = (await database.exec(sql, { parsers: PARSERS })).at(-1)
        return { rows: result?.rows ?? [], rowCount: result?.affectedRows ?? 0 }
      }
      const { rows, affectedRows } = await database.query(sql, values.map(toParameter), { parsers: PARSERS })
      return { rows, rowCount: affectedRows ?? 0 }
    },
    release: leave,
  }
}
