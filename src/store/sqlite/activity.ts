import type { Section } from '../../domain/receipt.ts'
import { type ActivityRow, type ActivitySpan, DAY_MS, type StoreActivity, toDays } from '../activity.ts'
import type { Connection } from './connection.ts'

/** Only conversations that overlap with the span are looked into. */
const USED = `WITH used AS (SELECT c.number, c.first_said_at FROM workspace w JOIN conversation c ON c.workspace = w.number
  WHERE w.id = ?1 AND c.last_used_at >= ?2)`

/** Receipts of the span, without the rest of their bodies. */
const MADE = `${USED}, made AS MATERIALIZED (
  SELECT r.conversation, CAST(round(unixepoch(r.body ->> '$.createdAt', 'subsec') * 1000) AS INTEGER) AS at,
    r.body ->> '$.tokens' AS tokens, r.body ->> '$.messageCount' AS count, r.body -> '$.parts' AS parts
  FROM used u CROSS JOIN receipt r ON r.conversation = u.number)`

export function readActivity(connection: Connection, { workspace, from, days }: ActivitySpan): StoreActivity {
  const span = [workspace, from.getTime(), from.getTime() + days * DAY_MS] as const
  const said = connection.all<ActivityRow>(
    `${USED} SELECT CAST((m.created_at - ?2) / ${DAY_MS} AS INTEGER) AS day, count(*) AS messages, sum(m.tokens) AS tokens
     FROM used u CROSS JOIN message m ON m.conversation = u.number
     WHERE u.first_said_at < ?3 AND m.created_at >= ?2 AND m.created_at < ?3 AND m.erased_at IS NULL GROUP BY day`,
    ...span,
  )
  const made = connection.all<ActivityRow>(
    `${MADE} SELECT CAST((at - ?2) / ${DAY_MS} AS INTEGER) AS day, count(*) AS contexts, sum(made.tokens) AS contextTokens,
       sum(max(made.tokens, coalesce(m.tokens_before + m.tokens, 0))) AS historyTokens
     FROM made LEFT JOIN message m ON m.conversation = made.conversation AND m.position = count - 1
     WHERE at >= ?2 AND at < ?3 GROUP BY day`,
    ...span,
  )
  const sections = connection.all<{ section: Section; tokens: number }>(
    `${MADE} SELECT part.value ->> '$.section' AS section, sum(part.value ->> '$.tokens') AS tokens
     FROM made CROSS JOIN json_each(made.parts) part WHERE at >= ?2 AND at < ?3
     GROUP BY section HAVING sum(part.value ->> '$.tokens') > 0`,
    ...span,
  )
  return {
    days: toDays(days, said, made),
    sections: Object.fromEntries(sections.map(({ section, tokens }) => [section, tokens])),
  }
}
