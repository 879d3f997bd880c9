// Finds conversations, in all workspaces, that have messages a deriver has not read. Triggers insert them into the
// table `unread`; a reader that finds many rows that were read since then removes them.

import { type ConversationKey, conversationId, workspaceId } from '../../domain/ids.ts'
import type { StaleList } from '../derivations.ts'
import type { Connection } from './connection.ts'
import type { Session } from './session.ts'

interface KeyRow {
  readonly workspace: number
  readonly number: number
  readonly workspace_id: string
  readonly conversation_id: string
}

interface UnreadRow extends KeyRow {
  /** Number of unread messages; also 0 if the conversation should not be read. */
  readonly behind: number
}

const KEY = 'c.workspace, c.number, w.id AS workspace_id, c.id AS conversation_id'
const READABLE = 'c.is_memory_on AND c.message_count > 0'
/** The conversation `c` has messages that the derivation `d` lacks. */
export const BEHIND: string = `${READABLE} AND coalesce(d.cursor, 0) < c.message_count`
/** To be followed by a condition on the name of the deriver. */
export const WITH_ACTIVE: string =
  'LEFT JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number AND d.is_active'

const READ_AT_ONCE = 500
/** A write costs as much as skipping this many rows that were read. */
const WORTH_A_WRITE = 100

export async function listStale(
  connection: Connection,
  wanted: StaleList,
): Promise<readonly ConversationKey[]> {
  const { deriver, limit } = wanted
  const isKnown = await connection.read((session) =>
    session.get('SELECT 1 FROM deriver WHERE name = $1', deriver),
  )
  if (isKnown === undefined)
    return (await connection.read((session) => findReadable(session, wanted))).map(toKey)
  const behind = await findBehind(connection, wanted)
  const outdated =
    behind.length < limit ? await connection.read((session) => findOutdated(session, wanted)) : []
  const rows = new Map([...behind, ...outdated].map((row) => [row.number, row]))
  return [...rows.values()].slice(0, limit).map(toKey)
}

/** All conversations, for a deriver that has never run. */
async function findReadable(session: Session, { behind, limit }: StaleList): Promise<readonly KeyRow[]> {
  return session.all<KeyRow>(
    `SELECT ${KEY} FROM conversation c JOIN workspace w ON w.number = c.workspace
     WHERE ${READABLE} AND c.message_count >= $1 ORDER BY c.number DESC LIMIT $2`,
    behind,
    limit,
  )
}

/** Reads in batches, so that other calls get their turn however many rows were read since. */
async function findBehind(
  connection: Connection,
  { deriver, behind: least, limit }: StaleList,
): Promise<readonly KeyRow[]> {
  const behind: KeyRow[] = []
  const count = Math.min(READ_AT_ONCE, limit + WORTH_A_WRITE)
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const rows = await connection.read((session) => readUnread(session, deriver, { before, count }))
    behind.push(...rows.filter((row) => row.behind >= least))
    const settled = rows.filter((row) => row.behind === 0)
    if (settled.length >= WORTH_A_WRITE)
      await connection.write((session) => settle(session, deriver, settled))
    if (rows.length < count || behind.length >= limit) return behind.slice(0, limit)
    before = rows.at(-1)?.number ?? 0
  }
}

async function readUnread(
  session: Session,
  deriver: string,
  { before, count }: { readonly before: number; readonly count: number },
): Promise<readonly UnreadRow[]> {
  return session.all<UnreadRow>(
    `SELECT ${KEY}, CASE WHEN ${BEHIND} THEN c.message_count - coalesce(d.cursor, 0) ELSE 0 END AS behind
     FROM unread u JOIN conversation c ON c.workspace = u.workspace AND c.number = u.conversation
     JOIN workspace w ON w.number = c.workspace ${WITH_ACTIVE} AND d.deriver = u.deriver
     WHERE u.deriver = $1 AND u.conversation < $2::bigint ORDER BY u.conversation DESC LIMIT $3`,
    deriver,
    before,
    count,
  )
}

/** Conversations that were read by another version of the deriver. */
async function findOutdated(
  session: Session,
  { deriver, version, limit }: StaleList,
): Promise<readonly KeyRow[]> {
  return session.all<KeyRow>(
    `SELECT ${KEY} FROM derivation d
     JOIN conversation c ON c.workspace = d.workspace AND c.number = d.conversation
     JOIN workspace w ON w.number = c.workspace
     WHERE d.is_active AND d.deriver = $1 AND (d.version < $2 OR d.version > $2) AND ${READABLE} LIMIT $3`,
    deriver,
    version,
    limit,
  )
}

function toKey(row: KeyRow): ConversationKey {
  return { workspace: workspaceId(row.workspace_id), conversation: conversationId(row.conversation_id) }
}

/**
 * Removes conversations from the table if they are still up to date. Their rows are locked first, so that nothing is
 * appended meanwhile; the second statement sees what was committed while the first waited.
 */
async function settle(session: Session, deriver: string, rows: readonly KeyRow[]): Promise<void> {
  const lists = [rows.map(({ workspace }) => workspace), rows.map(({ number }) => number)]
  await session.run(
    `SELECT 1 FROM unnest($1::bigint[], $2::bigint[]) AS s (workspace, number)
     JOIN conversation c ON c.workspace = s.workspace AND c.number = s.number ORDER BY c.number FOR NO KEY UPDATE OF c`,
    ...lists,
  )
  await session.run(
    `DELETE FROM unread u USING unnest($2::bigint[], $3::bigint[]) AS s (workspace, number)
       JOIN conversation c ON c.workspace = s.workspace AND c.number = s.number ${WITH_ACTIVE} AND d.deriver = $1
     WHERE u.deriver = $1 AND u.workspace = c.workspace AND u.conversation = c.number AND NOT (${BEHIND})`,
    deriver,
    ...lists,
  )
}

/** Registers a deriver. One that has never run has everything to read. */
export async function noteDeriver(session: Session, deriver: string): Promise<void> {
  const isKnown = await session.get('SELECT 1 FROM deriver WHERE name = $1', deriver)
  if (isKnown !== undefined) return
  // Blocks appends: a transaction that began earlier would not know the name, and would not be visible here.
  await session.run('LOCK TABLE conversation IN SHARE ROW EXCLUSIVE MODE')
  const added = await session.run('INSERT INTO deriver VALUES ($1) ON CONFLICT DO NOTHING', deriver)
  if (added > 0) await fillUnread(session, deriver)
}

async function fillUnread(session: Session, deriver: string): Promise<void> {
  await session.run(
    `INSERT INTO unread (deriver, workspace, conversation) SELECT $1, c.workspace, c.number FROM conversation c
       ${WITH_ACTIVE} AND d.deriver = $1 WHERE ${BEHIND} ON CONFLICT DO NOTHING`,
    deriver,
  )
}

/** Rebuilds the table from the conversations and derivations of a workspace. */
export async function rebuildUnread(session: Session, workspace: number): Promise<void> {
  await session.run('DELETE FROM unread WHERE workspace = $1', workspace)
  await session.run(
    `INSERT INTO unread (deriver, workspace, conversation) SELECT r.name, c.workspace, c.number FROM deriver r
       CROSS JOIN conversation c ${WITH_ACTIVE} AND d.deriver = r.name WHERE c.workspace = $1 AND ${BEHIND}
     ON CONFLICT DO NOTHING`,
    workspace,
  )
}
