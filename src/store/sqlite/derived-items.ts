import type { WorkspaceId } from '../../domain/ids.ts'
import { byKey } from '../batch.ts'
import type { DerivedItem, DerivedKind, ItemList, StoredItem } from '../derivations.ts'
import { type ItemRow, type NamedItem, toItem } from '../item-rows.ts'
import { toVersion, type VersionRow } from '../sql/derivations.ts'
import { toFloatBytes } from '../vector-bytes.ts'
import type { Connection } from './connection.ts'
import type { SqlValue } from './driver.ts'
import { ACTIVE, OF_GENERATION } from './readings.ts'

/** Updates the row in place, so that few pages change; a separate ordinal records that it was put last. */
export function putItem(
  connection: Connection,
  place: { readonly workspace: number; readonly derivation: number },
  item: DerivedItem,
): void {
  connection.run(
    `INSERT INTO derived (workspace, derivation, kind, key, body, vector, sources, made_by, made_at, tokens, ordinal)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
       (SELECT coalesce(max(ordinal), 0) + 1 FROM derived WHERE workspace = ?1 AND kind = ?3))
     ON CONFLICT DO UPDATE SET ordinal = excluded.ordinal, body = excluded.body, vector = excluded.vector,
       sources = excluded.sources, made_by = excluded.made_by, made_at = excluded.made_at, tokens = excluded.tokens`,
    place.workspace,
    place.derivation,
    item.kind,
    item.key,
    JSON.stringify(item.body),
    item.vector === undefined ? null : toFloatBytes(item.vector),
    JSON.stringify(item.sources),
    item.madeBy,
    item.madeAt.getTime(),
    item.tokens,
  )
}

export function dropItem(
  connection: Connection,
  derivation: number,
  { kind, key }: Pick<DerivedItem, 'kind' | 'key'>,
): void {
  connection.run('DELETE FROM derived WHERE derivation = ? AND kind = ? AND key = ?', derivation, kind, key)
}

/** Only the needed columns: with many rows, they dominate the time. */
const columnsOf = (vector: 'i.vector' | 'NULL') =>
  `i.ordinal, c.id AS conversation_id, i.key, i.body, ${vector} AS vector, i.sources, i.made_by, i.made_at, i.tokens`

/** Uses the conversation, or the indexes over all items of a kind in the workspace. */
export function readItems(connection: Connection, list: ItemList): readonly StoredItem[] {
  const { workspace, conversation, deriver, kind, generation } = list
  const columns = columnsOf(list.withVectors === true ? 'i.vector' : 'NULL')
  const { sql, values } = narrow(list)
  const rows =
    conversation === undefined
      ? connection.all<ItemRow>(
          `SELECT ${columns} FROM workspace w CROSS JOIN derived i ON i.workspace = w.number
           CROSS JOIN derivation d ON d.number = i.derivation AND d.is_active = 1 AND d.deriver = coalesce(?, d.deriver)
           CROSS JOIN conversation c ON c.number = d.conversation WHERE w.id = ? AND ${sql}`,
          deriver ?? null,
          workspace,
          ...values,
        )
      : connection.all<ItemRow>(
          `SELECT ${columns} ${generation === undefined ? ACTIVE : OF_GENERATION}
           CROSS JOIN derived i ON i.derivation = d.number WHERE ${sql}`,
          workspace,
          conversation,
          deriver ?? '',
          ...(generation === undefined ? [] : [generation]),
          ...values,
        )
  return rows.map((row) => toItem(row, kind))
}

/** The unary plus keeps SQLite from scanning all items of the kind in order if a key is given. */
function narrow({ kind, key, after = 0, limit = -1 }: ItemList): { sql: string; values: SqlValue[] } {
  return key === undefined
    ? { sql: 'i.kind = ? AND i.ordinal > ? ORDER BY i.ordinal LIMIT ?', values: [kind, after, limit] }
    : {
        sql: 'i.kind = ? AND i.key = ? AND +i.ordinal > ? ORDER BY +i.ordinal LIMIT ?',
        values: [kind, key, after, limit],
      }
}

const NAMED_ITEMS = `SELECT s.key + 1 AS at, ${columnsOf('NULL')} FROM json_each(?) s
  CROSS JOIN workspace w ON w.id = s.value ->> 0
  CROSS JOIN conversation c ON c.workspace = w.number AND c.id = s.value ->> 1
  CROSS JOIN derivation d ON d.conversation = c.number AND d.is_active = 1 AND d.deriver = s.value ->> 2
  CROSS JOIN derived i ON i.derivation = d.number AND i.kind = s.value ->> 3 AND i.key = s.value ->> 4`

/** In one statement: scattered rows of a large file are read faster together than call by call. */
export function readNamedItems(
  connection: Connection,
  named: readonly NamedItem[],
): readonly (readonly StoredItem[])[] {
  const names = named.map((one) => [one.workspace, one.conversation, one.deriver, one.kind, one.key])
  const rows = connection.all<ItemRow & { readonly at: number }>(NAMED_ITEMS, JSON.stringify(names))
  return byKey(named.length, rows).map((own, i) =>
    own.map((row) => toItem(row, (named[i] as NamedItem).kind)),
  )
}

// Counts removals per workspace and kind (with triggers, so that cascades are included). Row numbers only grow
// while nothing is removed, so the count and the highest number together change whenever a list does. Each version
// is read in one statement, and so from one state of the file.

const GONE =
  'SELECT w.number AS workspace, (SELECT count FROM departure WHERE workspace = w.number AND kind = ?) AS gone'

export function readEditsVersion(connection: Connection, workspace: WorkspaceId): string {
  const last = '(SELECT max(number) FROM edit WHERE workspace = w.number) AS last'
  return toVersion(
    connection.get<VersionRow>(`${GONE}, ${last} FROM workspace w WHERE w.id = ?`, 'edit', workspace),
  )
}

export function readItemsVersion(connection: Connection, workspace: WorkspaceId, kind: DerivedKind): string {
  const last = '(SELECT max(ordinal) FROM derived WHERE workspace = w.number AND kind = ?) AS last'
  return toVersion(
    connection.get<VersionRow>(`${GONE}, ${last} FROM workspace w WHERE w.id = ?`, kind, kind, workspace),
  )
}
