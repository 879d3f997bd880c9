import type { WorkspaceId } from '../../domain/ids.ts'
import { byKey } from '../batch.ts'
import type { DerivedItem, DerivedKind, ItemList, StoredItem } from '../derivations.ts'
import { type ItemRow, type NamedItem, toItem } from '../item-rows.ts'
import { toVersion, type VersionRow } from '../sql/derivations.ts'
import { Conditions } from '../sql/statement.ts'
import { toFloatBytes } from '../vector-bytes.ts'
import { hiddenLists, type Session } from './session.ts'

export interface DerivationNumber {
  readonly workspace: number
  readonly derivation: number
}

/**
 * Writes items, each with the next number of its kind, in one statement. Other writers of the same kind in this
 * workspace wait from here to the commit, so the commit should follow directly.
 */
export async function putItems(
  session: Session,
  { workspace, derivation }: DerivationNumber,
  put: readonly DerivedItem[],
): Promise<void> {
  if (put.length === 0) return
  // Of two items with the same key, the last one wins.
  const items = [...new Map(put.map((item) => [`${item.kind} ${item.key}`, item])).values()]
  const counts = countKinds(items)
  await session.run(
    PUT,
    workspace,
    derivation,
    items.map(({ kind }) => kind),
    items.map(({ key }) => key),
    items.map(({ body }) => JSON.stringify(body)),
    items.map(({ vector }) => (vector === undefined ? null : toFloatBytes(vector))),
    items.map(({ sources }) => JSON.stringify(sources)),
    items.map(({ madeBy }) => madeBy),
    items.map(({ madeAt }) => madeAt.getTime()),
    items.map(({ tokens }) => tokens),
    // Sorted, so that two transactions with the same kinds wait for each other instead of deadlocking.
    ...toColumns([...counts].sort(([one], [other]) => (one < other ? -1 : 1))),
  )
}

const PUT = `WITH numbered AS (INSERT INTO departure (workspace, kind, last)
    SELECT $1, n.kind, n.wanted FROM unnest($11::text[], $12::bigint[]) AS n (kind, wanted)
    ON CONFLICT (workspace, kind) DO UPDATE SET last = departure.last + excluded.last RETURNING kind, last)
  INSERT INTO derived (workspace, derivation, kind, key, body, vector, sources, made_by, made_at, tokens, ordinal)
  SELECT $1, $2, i.kind, i.key, i.body, i.vector, i.sources, i.made_by, i.made_at, i.tokens,
    k.last + 1 - row_number() OVER (PARTITION BY i.kind ORDER BY i.at DESC)
  FROM unnest($3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::bigint[], $10::int[])
    WITH ORDINALITY AS i (kind, key, body, vector, sources, made_by, made_at, tokens, at)
  JOIN numbered k ON k.kind = i.kind
  ON CONFLICT (workspace, derivation, kind, md5(key)) DO UPDATE SET ordinal = excluded.ordinal, body = excluded.body,
    vector = excluded.vector, sources = excluded.sources, made_by = excluded.made_by, made_at = excluded.made_at,
    tokens = excluded.tokens`

function countKinds(items: readonly DerivedItem[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

const toColumns = (counts: readonly (readonly [string, number])[]) => [
  counts.map(([kind]) => kind),
  counts.map(([, count]) => count),
]

export async function dropItems(
  session: Session,
  { workspace, derivation }: DerivationNumber,
  items: readonly Pick<DerivedItem, 'kind' | 'key'>[],
): Promise<void> {
  if (items.length === 0) return
  await session.run(
    `DELETE FROM derived i USING unnest($3::text[], $4::text[]) AS n (kind, key)
     WHERE i.workspace = $1 AND i.derivation = $2 AND i.kind = n.kind AND md5(i.key) = md5(n.key)`,
    workspace,
    derivation,
    items.map(({ kind }) => kind),
    items.map(({ key }) => key),
  )
}

const NO_VECTOR = 'NULL::bytea'
const columnsOf = (vector: string) =>
  `i.ordinal, i.key, i.body, ${vector} AS vector, i.sources, i.made_by, i.made_at, i.tokens`

/**
 * Uses lateral subqueries instead of one join: a join would take longer to plan than to run, and could start at the
 * wrong end, with the items of all conversations that have the same key.
 */
const derivationOf = (which: string) => `JOIN workspace w ON w.id = s.workspace
  CROSS JOIN LATERAL (SELECT d.number FROM conversation c
    JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number
    WHERE c.workspace = w.number AND c.id = s.conversation AND d.deriver = s.deriver AND ${which} LIMIT 1) d`

const NAMED_LISTS = hiddenLists('$1::text[]', '$2::text[]', '$3::text[]', '$4::text[]', '$5::text[]')

/** At most one item for each name. */
export async function readNamedItems(
  session: Session,
  named: readonly NamedItem[],
): Promise<readonly (readonly StoredItem[])[]> {
  const rows = await session.all<ItemRow & { at: number }>(
    `SELECT s.at, s.conversation AS conversation_id, ${columnsOf(NO_VECTOR)}
     FROM ${NAMED_LISTS} WITH ORDINALITY AS s (workspace, conversation, deriver, kind, key, at)
     ${derivationOf('d.is_active')}
     CROSS JOIN LATERAL (SELECT i.* FROM derived i WHERE i.workspace = w.number AND i.derivation = d.number
       AND i.kind = s.kind AND md5(i.key) = md5(s.key) LIMIT 1) i`,
    named.map(({ workspace }) => workspace),
    named.map(({ conversation }) => conversation),
    named.map(({ deriver }) => deriver),
    named.map(({ kind }) => kind),
    named.map(({ key }) => key),
  )
  return byKey(named.length, rows).map((own, i) =>
    own.map((row) => toItem(row, (named[i] as NamedItem).kind)),
  )
}

/** All items of a kind in a conversation. */
export type WholeList = ItemList & Required<Pick<ItemList, 'conversation' | 'deriver'>>

export const isWholeList = (list: ItemList): list is WholeList =>
  list.conversation !== undefined &&
  list.deriver !== undefined &&
  list.key === undefined &&
  list.after === undefined &&
  list.limit === undefined

const WHOLE_LISTS = hiddenLists(
  '$1::text[]',
  '$2::text[]',
  '$3::text[]',
  '$4::text[]',
  '$5::int[]',
  '$6::boolean[]',
)

export async function readWholeLists(
  session: Session,
  lists: readonly WholeList[],
): Promise<readonly (readonly StoredItem[])[]> {
  const rows = await session.all<ItemRow & { at: number }>(
    `SELECT s.at, s.conversation AS conversation_id, ${columnsOf('CASE WHEN s.has_vector THEN i.vector END')}
     FROM ${WHOLE_LISTS} WITH ORDINALITY
       AS s (workspace, conversation, deriver, kind, generation, has_vector, at)
     ${derivationOf('CASE WHEN s.generation IS NULL THEN d.is_active ELSE d.generation = s.generation END')}
     CROSS JOIN LATERAL (SELECT i.* FROM derived i WHERE i.workspace = w.number AND i.derivation = d.number
       AND i.kind = s.kind OFFSET 0) i
     ORDER BY s.at, i.ordinal`,
    lists.map(({ workspace }) => workspace),
    lists.map(({ conversation }) => conversation),
    lists.map(({ deriver }) => deriver),
    lists.map(({ kind }) => kind),
    lists.map(({ generation }) => generation ?? null),
    lists.map(({ withVectors }) => withVectors ?? false),
  )
  return byKey(lists.length, rows).map((own, i) =>
    own.map((row) => toItem(row, (lists[i] as WholeList).kind)),
  )
}

/** Reads through the conversation, or through the indexes over all items of a kind in the workspace. */
export async function readItems(session: Session, list: ItemList): Promise<readonly StoredItem[]> {
  const conditions = toConditions(list)
  const rows = await session.all<ItemRow>(
    `SELECT c.id AS conversation_id, ${columnsOf(list.withVectors === true ? 'i.vector' : NO_VECTOR)}
     FROM workspace w JOIN derived i ON i.workspace = w.number
     JOIN derivation d ON d.workspace = i.workspace AND d.number = i.derivation
     JOIN conversation c ON c.workspace = d.workspace AND c.number = d.conversation
     WHERE ${conditions.sql} ORDER BY i.ordinal ${list.limit === undefined ? '' : `LIMIT ${list.limit}`}`,
    ...conditions.values,
  )
  return rows.map((row) => toItem(row, list.kind))
}

function toConditions(list: ItemList): Conditions {
  const { conversation, generation } = list
  const conditions = new Conditions()
  conditions.add((value) => `w.id = ${value}`, list.workspace)
  conditions.add((value) => `i.kind = ${value}`, list.kind)
  conditions.add((value) => `i.ordinal > ${value}`, list.after ?? 0)
  if (list.key !== undefined) conditions.add((value) => `md5(i.key) = md5(${value}::text)`, list.key)
  if (conversation !== undefined) {
    conditions.add((value) => `c.id = ${value}`, conversation)
    conditions.add((value) => `d.deriver = ${value}`, list.deriver ?? '')
  } else if (list.deriver !== undefined) conditions.add((value) => `d.deriver = ${value}`, list.deriver)
  if (conversation === undefined || generation === undefined) conditions.add(() => 'd.is_active')
  else conditions.add((value) => `d.generation = ${value}`, generation)
  return conditions
}

// Counters of deletions, and numbers of new items. Triggers count deletions per workspace and kind, so that cascades
// are included. A new item gets the next number of its kind; the writer locks the row of the kind until the commit,
// so that numbers become visible in order. Each version is read with one statement, so it describes one moment.

/** Until the commit, no other transaction adds or removes items of these kinds. */
export async function holdNumbers(
  session: Session,
  workspace: number,
  kinds: Iterable<string>,
): Promise<void> {
  await session.run(
    `INSERT INTO departure (workspace, kind) SELECT $1, n.kind FROM unnest($2::text[]) AS n (kind)
     ON CONFLICT (workspace, kind) DO UPDATE SET last = departure.last`,
    workspace,
    // Sorted, so that two transactions with the same kinds wait for each other instead of deadlocking.
    [...kinds].sort(),
  )
}

const VERSION = `SELECT w.number AS workspace, d.count AS gone, d.last FROM workspace w
  LEFT JOIN departure d ON d.workspace = w.number AND d.kind = $2 WHERE w.id = $1`

export async function readEditsVersion(session: Session, workspace: WorkspaceId): Promise<string> {
  return toVersion(await session.get<VersionRow>(VERSION, workspace, 'edit'))
}

export async function readItemsVersion(
  session: Session,
  workspace: WorkspaceId,
  kind: DerivedKind,
): Promise<string> {
  return toVersion(await session.get<VersionRow>(VERSION, workspace, kind))
}
