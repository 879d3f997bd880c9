import { askServer } from './postgres-store.ts'

/** Everything that was derived, in a fixed order, without row numbers and creation times. */
export async function dumpDerivedPostgres(url: string, schema = 'recollect'): Promise<unknown> {
  const named = (sql: string) => askServer(sql.replaceAll(/@(\w+)/g, `${schema}.$1`), url)
  const scope = `JOIN @conversation c ON c.workspace = d.workspace AND c.number = d.conversation`
  return {
    derivations: await named(
      `SELECT c.id, d.deriver, d.version, d.is_active, d.cursor, d.state FROM @derivation d ${scope} ORDER BY 1, 2, 3`,
    ),
    readings: await named(
      `SELECT c.id, d.deriver, r.position, r.topic, md5(r.vector) AS vector FROM @reading r
       JOIN @derivation d ON d.workspace = r.workspace AND d.number = r.derivation ${scope} ORDER BY 1, 2, 3`,
    ),
    items: await named(
      `SELECT c.id, i.kind, i.key, i.body, md5(i.vector) AS vector, i.sources, i.made_by, i.tokens FROM @derived i
       JOIN @derivation d ON d.workspace = i.workspace AND d.number = i.derivation ${scope} ORDER BY 1, 2, 3`,
    ),
  }
}
