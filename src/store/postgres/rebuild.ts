// Rebuilds everything in the store that is computed from messages, queries and chunks: counts, running sums, the word
// index. Each workspace is rebuilt in one transaction, so its readers see the old state until the new one is
// complete.

import { WORDS_VERSION } from '../../domain/words.ts'
import type { OnProgress } from '../store.ts'
import type { Connection } from './connection.ts'
import { rebuildDerived } from './derived-checks.ts'
import { readEntries } from './indexed-texts.ts'
import type { Session } from './session.ts'
import { addEntries, clearIndex, INDEXES, type IndexName } from './word-index.ts'

const WORDS_VERSION_SETTING = 'words-version'

export async function rebuild(
  connection: Connection,
  onProgress: OnProgress = () => undefined,
): Promise<void> {
  const workspaces = await connection.read((session) =>
    session.all<{ number: number }>('SELECT number FROM workspace ORDER BY number'),
  )
  let total = 0
  for (const { number } of workspaces)
    total += await connection.read((session) => countTexts(session, number))
  let done = 0
  for (const { number } of workspaces) {
    const before = done
    await connection.write(async (session) => {
      done = before
      await rebuildWorkspace(session, number, (count) => {
        done += count
        onProgress(Math.min(done, total), total)
      })
    }, 'endless')
  }
  await connection.write(noteWordsVersion)
  onProgress(total, total)
}

async function countTexts(session: Session, workspace: number): Promise<number> {
  const row = await session.get<{ count: number }>(
    `SELECT (SELECT coalesce(sum(message_count), 0) FROM conversation WHERE workspace = $1) +
       (SELECT count(*) FROM conversation WHERE workspace = $1) +
       (SELECT coalesce(sum(query_count), 0) FROM page WHERE workspace = $1) +
       (SELECT coalesce(sum(chunk_count), 0) FROM document WHERE workspace = $1) AS count`,
    workspace,
  )
  return row?.count ?? 0
}

async function rebuildWorkspace(
  session: Session,
  workspace: number,
  tell: (count: number) => void,
): Promise<void> {
  // Prevents concurrent writes.
  for (const table of ['conversation', 'page', 'document'])
    await session.run(
      `SELECT 1 FROM ${table} WHERE workspace = $1 ORDER BY number FOR NO KEY UPDATE`,
      workspace,
    )
  for (const sql of RECOUNT) await session.run(sql, workspace)
  for (const index of Object.keys(INDEXES) as IndexName[]) {
    await clearIndex(session, { workspace, index })
    for await (const entries of readEntries(session, { workspace, index })) {
      await addEntries(session, { workspace, index }, entries)
      tell(entries.length)
    }
  }
  await rebuildDerived(session, workspace)
}

const RECOUNT = [
  `UPDATE conversation c SET message_count = coalesce(m.messages, 0), token_count = coalesce(m.tokens, 0),
     first_said_at = m.first, last_message = m.last
   FROM conversation o LEFT JOIN (SELECT conversation, count(*) AS messages, sum(tokens) AS tokens,
     min(created_at) AS first, max(number) AS last FROM message WHERE workspace = $1 GROUP BY 1) m
     ON m.conversation = o.number WHERE o.workspace = $1 AND c.workspace = $1 AND c.number = o.number`,
  `UPDATE message SET tokens_before = s.expected FROM (SELECT conversation, position, coalesce(sum(tokens) OVER
     (PARTITION BY conversation ORDER BY position ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected
     FROM message WHERE workspace = $1) s
   WHERE message.workspace = $1 AND s.conversation = message.conversation AND s.position = message.position
     AND s.expected <> message.tokens_before`,
  `UPDATE page p SET query_count = (SELECT count(*) FROM query q WHERE q.workspace = $1 AND q.page = p.number)
   WHERE p.workspace = $1`,
  `UPDATE document d SET chunk_count = (SELECT count(*) FROM chunk k WHERE k.workspace = $1 AND k.document = d.number)
   WHERE d.workspace = $1`,
]

/** True if the index was built with other tokenization rules than the current ones. */
export async function hasOldWords(session: Session): Promise<boolean> {
  const row = await session.get<{ value: string }>(
    'SELECT value FROM setting WHERE name = $1',
    WORDS_VERSION_SETTING,
  )
  return row !== undefined && Number(row.value) !== WORDS_VERSION
}

export async function noteWordsVersion(session: Session): Promise<void> {
  await session.run(
    'INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    WORDS_VERSION_SETTING,
    String(WORDS_VERSION),
  )
}
