import type { DerivedItem, ItemList, StoredItem } from '../derivations.ts'
import { type ItemRow, toItem } from '../item-rows.ts'
import { toFloatBytes } from '../vector-bytes.ts'
import { Conditions } from './conditions.ts'
import type { Session } from './connection.ts'
import { byKey } from './gather.ts'
import { hiddenLists } from './hidden-lists.ts'

export interface DerivationNumber {
  readonly workspace: number
  readonly derivation: number
}

/** Each with its ordinal. Of two with the same key, only the last may be handed in. */
export async function putItems(
  session: Session,
  { workspace, derivation }: DerivationNumber,
  items: readonly (DerivedItem & { readonly ordinal: number })[],
): Promise<void> {
  if (items.length === 0) return
  await session.run(
    `INSERT INTO derived (workspace, derivation, kind, key, body, vector, sources, made_by, made_at, tokens, ordinal)
     SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[], $8::text[], $9::bigint[],
       $10::int[], $11::bigint[])
     ON CONFLICT (workspace, derivation, kind, md5(key)) DO UPDATE SET ordinal = excluded.ordinal, body = excluded.body,
       vector = excluded.vector, sources = excluded.sources, made_by = excluded.made_by, made_at = excluded.made_at,
       tokens = excluded.tokens`,
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
    items.map(({ ordinal }) => ordinal),
  )
}

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

const COLUMNS =
  'i.ordinal, c.id AS conversation_id, i.key, i.body, i.vector, i.sources, i.made_by, i.made_at, i.tokens'

/** One thing of a conversation, as readers see it. */
export type NamedItem = ItemList & Required<Pick<ItemList, 'conversation' | 'deriver' | 'key'>>

export const isNamedItem = (list: ItemList): list is NamedItem =>
  list.conversation !== undefined &&
  list.deriver !== undefined &&
  list.key !== undefined &&
  list.generation === undefined &&
  list.after === undefined &&
  list.limit === undefined

const NAMED_LISTS = hiddenLists('$1::text[]', '$2::text[]', '$3::text[]', '$4::text[]', '$5::text[]')

/** Of each at most one; the limit keeps PostgreSQL from reading all things of a workspace to find a few. */
export async function readNamedItems(
  session: Session,
  named: readonly NamedItem[],
): Promise<readonly (readonly StoredItem[])[]> {
  const rows = await session.all<ItemRow & { at: number }>(
    `SELECT s.at, i.* FROM ${NAMED_LISTS} WITH ORDINALITY
       AS s (workspace, conversation, deriver, kind, key, at)
     CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM workspace w
       JOIN conversation c ON c.workspace = w.number AND c.id = s.conversation
       JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number AND d.deriver = s.deriver
         AND d.is_active
       JOIN derived i ON i.workspace = d.workspace AND i.derivation = d.number AND i.kind = s.kind
         AND md5(i.key) = md5(s.key)
       WHERE w.id = s.workspace LIMIT 1) i`,
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

/** Through the conversation, or through the indexes over all things of a kind in the workspace. */
export async function readItems(session: Session, list: ItemList): Promise<readonly StoredItem[]> {
  const conditions = toConditions(list)
  const rows = await session.all<ItemRow>(
    `SELECT ${COLUMNS} FROM workspace w JOIN derived i ON i.workspace = w.number
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
