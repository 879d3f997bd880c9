// Which conversations a deriver has not fully read. Triggers add them to the table `unread`; a lookup that finds
// many already read ones removes them.

import { type ConversationKey, conversationId, workspaceId } from '../../domain/ids.ts'
import type { StaleList } from '../derivations.ts'
import type { Connection } from './connection.ts'

interface KeyRow {
  readonly number: number
  readonly workspace_id: string
  readonly conversation_id: string
}

interface UnreadRow extends KeyRow {
  /** Number of unread messages; also 0 if the conversation is not to be read. */
  readonly behind: number
}

const KEY = 'c.number, w.id AS workspace_id, c.id AS conversation_id'
const READABLE = 'c.is_memory_on = 1 AND c.message_count > 0'
/** The conversation `c` has messages that the derivation `d` has not read. */
export const BEHIND: string = `${READABLE} AND coalesce(d.cursor, 0) < c.message_count`
/** To be followed by a condition on the deriver's name. */
export const WITH_ACTIVE: string = 'LEFT JOIN derivation d ON d.conversation = c.number AND d.is_active = 1'

const READ_AT_ONCE = 500
/** A write costs as much as skipping this many rows that were already read. */
const WORTH_A_WRITE = 100

export async function listStale(
  connection: Connection,
  wanted: StaleList,
): Promise<readonly ConversationKey[]> {
  const { deriver, limit } = wanted
  const isKnown = () => connection.get('SELECT 1 FROM deriver WHERE name = ?', deriver) !== undefined
  if (!(await connection.read(isKnown)))
    return (await connection.read(() => findReadable(connection, wanted))).map(toKey)
  const behind = await findBehind(connection, wanted)
  const outdated = behind.length < limit ? await connection.read(() => findOutdated(connection, wanted)) : []
  const rows = new Map([...behind, ...outdated].map((row) => [row.number, row]))
  return [...rows.values()].slice(0, limit).map(toKey)
}

/** All conversations, for a deriver that has not run yet. */
function findReadable(connection: Connection, { behind, limit }: StaleList): readonly KeyRow[] {
  return connection.all<KeyRow>(
    `SELECT ${KEY} FROM conversation c JOIN workspace w ON w.number = c.workspace
     WHERE ${READABLE} AND c.message_count >= ? ORDER BY c.number DESC LIMIT ?`,
    behind,
    limit,
  )
}

/** In batches, so that other work can run in between, however many rows were already read. */
async function findBehind(
  connection: Connection,
  { deriver, behind: least, limit }: StaleList,
): Promise<readonly KeyRow[]> {
  const behind: KeyRow[] = []
  const count = Math.min(READ_AT_ONCE, limit + WORTH_A_WRITE)
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await connection.read(() => readUnread(connection, deriver, { before, count }))
    behind.push(...rows.filter((row) => row.behind >= least))
    const settled = rows.filter((row) => row.behind === 0).map(({ number }) => number)
    if (settled.length >= WORTH_A_WRITE) await connection.write(() => settle(connection, deriver, settled))
    if (rows.length < count || behind.length >= limit) return behind.slice(0, limit)
    before = rows.at(-1)?.number ?? 0
  }
}

function readUnread(
  connection: Connection,
  deriver: string,
  { before, count }: { readonly before: number; readonly count: number },
): readonly UnreadRow[] {
  return connection.all<UnreadRow>(
    `SELECT ${KEY}, iif(${BEHIND}, c.message_count - coalesce(d.cursor, 0), 0) AS behind FROM unread u JOIN conversation c ON c.number = u.conversation
     JOIN workspace w ON w.number = c.workspace ${WITH_ACTIVE} AND d.deriver = u.deriver
     WHERE u.deriver = ? AND u.conversation < ? ORDER BY u.conversation DESC LIMIT ?`,
    deriver,
    before,
    count,
  )
}

/** Conversations read with other rules. */
function findOutdated(connection: Connection, { deriver, version, limit }: StaleList): readonly KeyRow[] {
  return connection.all<KeyRow>(
    `SELECT ${KEY} FROM (
       SELECT conversation FROM derivation WHERE is_active = 1 AND deriver = ?1 AND version < ?2
       UNION ALL SELECT conversation FROM derivation WHERE is_active = 1 AND deriver = ?1 AND version > ?2) d
     JOIN conversation c ON c.number = d.conversation JOIN workspace w ON w.number = c.workspace
     WHERE ${READABLE} LIMIT ?3`,
    deriver,
    version,
    limit,
  )
}

function toKey(row: KeyRow): ConversationKey {
  return { workspace: workspaceId(row.workspace_id), conversation: conversationId(row.conversation_id) }
}

/** Removes conversations that still have no unread messages. */
function settle(connection: Connection, deriver: string, conversations: readonly number[]): void {
  connection.run(
    `DELETE FROM unread WHERE deriver = ?1 AND conversation IN (
       SELECT c.number FROM json_each(?2) s CROSS JOIN conversation c ON c.number = s.value
       ${WITH_ACTIVE} AND d.deriver = ?1 WHERE NOT (${BEHIND}))`,
    deriver,
    JSON.stringify(conversations),
  )
}

/** Marks all conversations as unread for a new deriver. */
export function noteDeriver(connection: Connection, deriver: string): void {
  const { changes } = connection.run('INSERT OR IGNORE INTO deriver VALUES (?)', deriver)
  if (changes > 0) fillUnread(connection, deriver)
}

function fillUnread(connection: Connection, deriver: string): void {
  connection.run(
    `INSERT INTO unread SELECT ?1, c.number FROM conversation c ${WITH_ACTIVE} AND d.deriver = ?1 WHERE ${BEHIND}`,
    deriver,
  )
}

/** Rebuilds the table from conversations and derivations. */
export function rebuildUnread(connection: Connection): void {
  connection.run('DELETE FROM unread')
  connection.run('INSERT OR IGNORE INTO deriver SELECT DISTINCT deriver FROM derivation')
  for (const { name } of connection.all<{ name: string }>('SELECT name FROM deriver'))
    fillUnread(connection, name)
}
