import type { WorkspaceId } from '../../domain/ids.ts'
import type { Section, StoredReceipt } from '../../domain/receipt.ts'
import { type ActivityRow, type ActivitySpan, addUp, DAY_MS, type StoreActivity } from '../activity-store.ts'
import { needRow } from '../sql/conversations.ts'
import type { ConversationKey } from '../store.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export async function saveReceipt(
  session: Session,
  workspace: WorkspaceId,
  { receipt, keep }: { receipt: StoredReceipt; keep: number },
): Promise<void> {
  const row = await execute(session, needRow({ workspace, conversation: receipt.conversationId }))
  await session.run(
    'INSERT INTO receipt (workspace, conversation, id, body) VALUES ($1, $2, $3, $4)',
    row.workspace,
    row.number,
    receipt.id,
    JSON.stringify(receipt),
  )
  await session.run(
    `DELETE FROM receipt WHERE workspace = $1 AND conversation = $2 AND number <= (SELECT number FROM receipt
       WHERE workspace = $1 AND conversation = $2 ORDER BY number DESC LIMIT 1 OFFSET $3)`,
    row.workspace,
    row.number,
    keep,
  )
}

export async function readReceipts(
  session: Session,
  key: ConversationKey,
  limit: number,
): Promise<readonly StoredReceipt[]> {
  const rows = await session.all<{ body: string }>(
    `SELECT r.body FROM workspace w JOIN conversation c ON c.workspace = w.number
     JOIN receipt r ON r.workspace = c.workspace AND r.conversation = c.number
     WHERE w.id = $1 AND c.id = $2 ORDER BY r.number DESC LIMIT $3`,
    key.workspace,
    key.conversation,
    limit,
  )
  return rows.map(({ body }) => {
    const receipt = JSON.parse(body) as StoredReceipt
    return { ...receipt, createdAt: new Date(receipt.createdAt) }
  })
}

/** Conversations used since the start of the time span; others cannot have messages or receipts in it. */
const USED = `WITH used AS (SELECT c.workspace, c.number, c.first_said_at FROM workspace w
  JOIN conversation c ON c.workspace = w.number WHERE w.id = $1 AND c.last_used_at >= $2::bigint)`

/** Receipts of these conversations, with only the fields that are counted. */
const MADE = `${USED}, receipts AS (
    SELECT r.conversation, r.body::json AS body
    FROM used JOIN receipt r ON r.workspace = used.workspace AND r.conversation = used.number
  ), made AS MATERIALIZED (
    SELECT conversation, (extract(epoch FROM (body ->> 'createdAt')::timestamptz) * 1000)::bigint AS at,
      (body ->> 'tokens')::bigint AS tokens, (body ->> 'messageCount')::integer AS count, body -> 'parts' AS parts
    FROM receipts)`

export async function readActivity(
  session: Session,
  { workspace, from, days }: ActivitySpan,
): Promise<StoreActivity> {
  const span = [workspace, from.getTime(), from.getTime() + days * DAY_MS] as const
  const said = await session.all<ActivityRow>(
    `${USED} SELECT (m.created_at - $2) / ${DAY_MS} AS day, count(*) AS messages, sum(m.tokens) AS tokens
     FROM used JOIN message m ON m.workspace = used.workspace AND m.conversation = used.number
     WHERE used.first_said_at < $3 AND m.created_at >= $2 AND m.created_at < $3 AND m.erased_at IS NULL GROUP BY day`,
    ...span,
  )
  const made = await session.all<ActivityRow>(
    `${MADE} SELECT (at - $2) / ${DAY_MS} AS day, count(*) AS contexts, sum(made.tokens)::bigint AS "contextTokens",
       sum(greatest(made.tokens, coalesce(m.tokens_before + m.tokens, 0)))::bigint AS "historyTokens"
     FROM made LEFT JOIN message m ON m.workspace = (SELECT number FROM workspace WHERE id = $1)
       AND m.conversation = made.conversation AND m.position = made.count - 1
     WHERE at >= $2 AND at < $3 GROUP BY day`,
    ...span,
  )
  const sections = await session.all<{ section: Section; tokens: number }>(
    `${MADE} SELECT part ->> 'section' AS section, sum((part ->> 'tokens')::bigint)::bigint AS tokens
     FROM made CROSS JOIN json_array_elements(made.parts) part WHERE at >= $2 AND at < $3 GROUP BY section`,
    ...span,
  )
  return addUp(days, [...said, ...made], sections)
}
