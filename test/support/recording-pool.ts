import { type OpenPool, openPool } from '../../src/store/postgres/driver.ts'

/** A `pg` pool that records every distinct statement. */
export function recordingPool(statements: Set<string>): OpenPool {
  return async (settings) => {
    const pool = await openPool(settings)
    return {
      ...pool,
      async connect() {
        const client = await pool.connect()
        return {
          ...client,
          query(sql, values) {
            statements.add(sql)
            return client.query(sql, values)
          },
        }
      },
    }
  }
}
