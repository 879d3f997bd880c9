import { conversationId } from '../../domain/ids.ts'
import type { DerivationCommit, DerivedItem, DerivedKind, ItemList, StoredItem } from '../derivations.ts'
import type { Connection } from './connection.ts'
import { fromFloatBytes, toFloatBytes } from './vector-bytes.ts'

interface Place {
  readonly workspace: number
  readonly derivation: number
}

export function putItems(
  connection: Connection,
  place: Place,
  { drop = [], put = [] }: Pick<DerivationCommit, 'drop' | 'put'>,
): void {
  for (const item of drop) dropItem(connection, place.derivation, item)
  for (const item of put) putItem(connection, place, item)
}

/** A new row every time, so that what was put last has the highest number. */
function putItem(connection: Connection, place: Place, item: DerivedItem): void {
  connection.run(
    `INSERT OR REPLACE INTO derived (workspace, derivation, kind, key, body, vector, sources, made_by, made_at, tokens)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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

function dropItem(
  connection: Connection,
  derivation: number,
  { kind, key }: Pick<DerivedItem, 'kind' | 'key'>,
): void {
  connection.run('DELETE FROM derived WHERE derivation = ? AND kind = ? AND key = ?', derivation, kind, key)
}

interface ItemRow {
  readonly number: number
  readonly conversation_id: string
  readonly kind: string
  readonly key: string
  readonly body: string
  readonly vector: Uint8Array | null
  readonly sources: string
  readonly made_by: string
  readonly made_at: number
  readonly tokens: number
}

const ITEMS = `FROM derived i JOIN derivation d ON d.number = i.derivation AND d.deriver = ?
  JOIN conversation c ON c.number = d.conversation JOIN workspace w ON w.number = i.workspace WHERE w.id = ? AND i.kind = ?`
const ACTIVE = `${ITEMS} AND d.is_active = 1`

export function readItems(connection: Connection, list: ItemList): readonly StoredItem[] {
  const rows = connection.all<ItemRow>(
    `SELECT i.*, c.id AS conversation_id ${ITEMS} AND i.number > ?
       ${list.generation === undefined ? 'AND d.is_active = ?' : 'AND d.generation = ?'}
       ${list.conversation === undefined ? 'AND ? IS NULL' : 'AND c.id = ?'}
       ${list.key === undefined ? 'AND ? IS NULL' : 'AND i.key = ?'} ORDER BY i.number`,
    list.deriver,
    list.workspace,
    list.kind,
    list.after ?? 0,
    list.generation ?? 1,
    list.conversation ?? null,
    list.key ?? null,
  )
  return rows.map(toItem)
}

function toItem(row: ItemRow): StoredItem {
  return {
    kind: row.kind as DerivedKind,
    key: row.key,
    body: JSON.parse(row.body),
    ...(row.vector !== null && { vector: fromFloatBytes(row.vector) }),
    sources: JSON.parse(row.sources),
    madeBy: row.made_by,
    madeAt: new Date(row.made_at),
    tokens: row.tokens,
    conversationId: conversationId(row.conversation_id),
    number: row.number,
  }
}

/** Numbers are never used twice, so that neither a new item nor a dropped one leaves both the same. */
export function readItemsVersion(
  connection: Connection,
  { workspace, deriver, kind }: Pick<ItemList, 'workspace' | 'deriver' | 'kind'>,
): string {
  const row = connection.get<{ count: number; last: number | null }>(
    `SELECT count(*) AS count, max(i.number) AS last ${ACTIVE}`,
    deriver,
    workspace,
    kind,
  )
  return `${row?.count ?? 0}:${row?.last ?? 0}`
}
