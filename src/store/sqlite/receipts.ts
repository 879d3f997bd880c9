import { setImmediate } from 'node:timers/promises'
import type { WorkspaceId } from '../../domain/ids.ts'
import type { Section, StoredReceipt } from '../../domain/receipt.ts'
import { type ActivityRow, type ActivitySpan, addUp, DAY_MS, type StoreActivity } from '../activity-store.ts'
import { findRow, needRow } from '../sql/conversations.ts'
import type { ConversationKey } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'

export function saveReceipt(
  connection: Connection,
  workspace: WorkspaceId,
  { receipt, keep }: { receipt: StoredReceipt; keep: number },
): void {
  const { number } = execute(connection, needRow({ workspace, conversation: receipt.conversationId }))
  connection.run(
    'INSERT INTO receipt (conversation, id, body) VALUES (?, ?, ?)',
    number,
    receipt.id,
    JSON.stringify(receipt),
  )
  connection.run(
    `DELETE FROM receipt WHERE conversation = ?1 AND number <= (
       SELECT number FROM receipt WHERE conversation = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)`,
    number,
    keep,
  )
}

export function readReceipts(
  connection: Connection,
  key: ConversationKey,
  limit: number,
): readonly StoredReceipt[] {
  const conversation = execute(connection, findRow(key))
  if (conversation === undefined) return []
  const rows = connection.all<{ body: string }>(
    'SELECT body FROM receipt WHERE conversation = ? ORDER BY number DESC LIMIT ?',
    conversation.number,
    limit,
  )
  return rows.map(({ body }) => {
    const receipt = JSON.parse(body) as StoredReceipt
    return { ...receipt, createdAt: new Date(receipt.createdAt) }
  })
}

// Sums over the conversations that were used in a span, in batches, so that other work can run in between.

/** Takes less than a tenth of a second. */
const MESSAGES_AT_A_TIME = 40_000

/** Receipts with only the needed parts of their bodies. */
const MADE = `WITH made AS MATERIALIZED (
  SELECT r.conversation, CAST(round(unixepoch(r.body ->> '$.createdAt', 'subsec') * 1000) AS INTEGER) AS at,
    r.body ->> '$.tokens' AS tokens, r.body ->> '$.messageCount' AS count, r.body -> '$.parts' AS parts
  FROM json_each(?1) used CROSS JOIN receipt r ON r.conversation = used.value)`

interface Used {
  readonly number: number
  readonly message_count: number
}

interface SectionRow {
  readonly section: Section
  readonly tokens: number
}

type Read = <T>(work: () => T) => Promise<T>

export async function readActivity(
  connection: Connection,
  span: ActivitySpan,
  read: Read,
): Promise<StoreActivity> {
  const rows: ActivityRow[] = []
  const sections: SectionRow[] = []
  for (const numbers of slice(await read(() => listUsed(connection, span)))) {
    const sums = await read(() => sumUp(connection, span, JSON.stringify(numbers)))
    rows.push(...sums.rows)
    sections.push(...sums.sections)
    await setImmediate()
  }
  return addUp(span.days, rows, sections)
}

const listUsed = (connection: Connection, { workspace, from }: ActivitySpan): readonly Used[] =>
  connection.all<Used>(
    `SELECT c.number, c.message_count FROM workspace w JOIN conversation c ON c.workspace = w.number
     WHERE w.id = ? AND c.last_used_at >= ?`,
    workspace,
    from.getTime(),
  )

function slice(used: readonly Used[]): readonly (readonly number[])[] {
  const slices: number[][] = []
  let messages = Number.POSITIVE_INFINITY
  for (const { number, message_count } of used) {
    if (messages + message_count > MESSAGES_AT_A_TIME) {
      slices.push([])
      messages = 0
    }
    slices.at(-1)?.push(number)
    messages += message_count
  }
  return slices
}

function sumUp(connection: Connection, { from, days }: ActivitySpan, numbers: string) {
  const span = [numbers, from.getTime(), from.getTime() + days * DAY_MS] as const
  const said = connection.all<ActivityRow>(
    `SELECT CAST((m.created_at - ?2) / ${DAY_MS} AS INTEGER) AS day, count(*) AS messages, sum(m.tokens) AS tokens
     FROM json_each(?1) used CROSS JOIN message m ON m.conversation = used.value
     WHERE m.created_at >= ?2 AND m.created_at < ?3 AND m.erased_at IS NULL GROUP BY day`,
    ...span,
  )
  const made = connection.all<ActivityRow>(
    `${MADE} SELECT CAST((at - ?2) / ${DAY_MS} AS INTEGER) AS day, count(*) AS contexts,
       sum(made.tokens) AS contextTokens,
       sum(max(made.tokens, coalesce(m.tokens_before + m.tokens, 0))) AS historyTokens
     FROM made LEFT JOIN message m ON m.conversation = made.conversation AND m.position = count - 1
     WHERE at >= ?2 AND at < ?3 GROUP BY day`,
    ...span,
  )
  const sections = connection.all<SectionRow>(
    `${MADE} SELECT part.value ->> '$.section' AS section, sum(part.value ->> '$.tokens') AS tokens
     FROM made CROSS JOIN json_each(made.parts) part WHERE at >= ?2 AND at < ?3 GROUP BY section`,
    ...span,
  )
  return { rows: [...said, ...made], sections }
}
