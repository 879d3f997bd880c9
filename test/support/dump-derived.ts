import { openPlain } from './sqlite-file.ts'

/** Everything that was derived, in a fixed order, without row numbers and creation times. */
export function dumpDerived(path: string): unknown {
  const database = openPlain(path)
  const scope = 'JOIN conversation c ON c.number = d.conversation JOIN workspace w ON w.number = c.workspace'
  const all = (sql: string) => database.prepare(sql).all()
  return {
    derivations: all(
      `SELECT w.id AS workspace, c.id AS conversation, d.deriver, d.version, d.is_active, d.cursor, d.state
       FROM derivation d ${scope} ORDER BY 1, 2, 3`,
    ),
    readings: all(
      `SELECT w.id AS workspace, c.id AS conversation, r.position, r.topic, hex(r.vector) AS vector
       FROM reading r JOIN derivation d ON d.number = r.derivation ${scope} ORDER BY 1, 2, 3`,
    ),
    items: all(
      `SELECT w.id AS workspace, c.id AS conversation, i.kind, i.key, i.body, hex(i.vector) AS vector, i.sources,
         i.made_by, i.tokens
       FROM derived i JOIN derivation d ON d.number = i.derivation ${scope} ORDER BY 1, 2, 3, 4`,
    ),
  }
}
