// Rebuilds everything that is computed from messages, queries and chunks: counts, running sums, search indexes.
// Runs in one transaction, so that readers see the old state until the new one is complete.

import { WORDS_VERSION } from '../../domain/words.ts'
import { type ConversationRow, type PackedRow, parseContent } from '../rows.ts'
import type { OnProgress } from '../store.ts'
import { withWords } from './blocks.ts'
import { countChunks, indexChunks } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { rebuildDerived } from './derived-checks.ts'
import { countQueries, indexQueries } from './query-index.ts'
import { addEntry, conversationEntry, type IndexName, messageEntry } from './word-index.ts'

const READ_AT_ONCE = 1000
const WORDS_VERSION_SETTING = 'words-version'

export function rebuild(connection: Connection, onProgress: OnProgress = () => undefined): void {
  recount(connection)
  recountPages(connection)
  recountDocuments(connection)
  clear(connection, 'conversation_words')
  for (const row of connection.all<ConversationRow>('SELECT * FROM conversation')) {
    addEntry(connection, 'conversation_words', conversationEntry(row))
  }
  const queries = countQueries(connection)
  const chunks = countChunks(connection)
  let messages = 0
  indexMessages(connection, (done, total) => {
    messages = total
    onProgress(done, total + queries + chunks)
  })
  const all = messages + queries + chunks
  indexQueries(connection, (done) => onProgress(messages + done, all))
  indexChunks(connection, (done) => onProgress(messages + queries + done, all))
  rebuildDerived(connection)
  noteWordsVersion(connection)
}

function recount(connection: Connection): void {
  connection.run(
    `UPDATE conversation SET
       message_count = (SELECT count(*) FROM message m WHERE m.conversation = conversation.number),
       token_count = (SELECT coalesce(sum(tokens), 0) FROM message m WHERE m.conversation = conversation.number),
       first_said_at = (SELECT min(created_at) FROM message m WHERE m.conversation = conversation.number),
       last_message = (SELECT max(number) FROM message m WHERE m.conversation = conversation.number)`,
  )
  connection.run(
    `UPDATE message SET tokens_before = s.expected FROM (
       SELECT number, coalesce(sum(tokens) OVER (PARTITION BY conversation ORDER BY position
         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected FROM message) s
     WHERE s.number = message.number AND s.expected <> message.tokens_before`,
  )
}

function recountPages(connection: Connection): void {
  connection.run('UPDATE page SET query_count = (SELECT count(*) FROM query q WHERE q.page = page.number)')
}

function recountDocuments(connection: Connection): void {
  connection.run('DELETE FROM chunk WHERE place >> 24 NOT IN (SELECT number FROM document)')
  connection.run(
    `UPDATE document SET chunk_count = (SELECT count(*) FROM chunk k
       WHERE k.place >= document.number << 24 AND k.place < (document.number + 1) << 24)`,
  )
  connection.run('DELETE FROM attachment')
  connection.run(
    `INSERT OR IGNORE INTO attachment
       SELECT c.workspace, d.value, c.number FROM conversation c, json_each(c.documents) d`,
  )
}

function clear(connection: Connection, index: IndexName): void {
  connection.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
}

/**
 * Rebuilds the index of messages in the order of its row numbers: otherwise FTS5 writes a segment for each step
 * back.
 */
export function indexMessages(connection: Connection, onProgress: OnProgress = () => undefined): void {
  clear(connection, 'message_words')
  const total = connection.get<{ count: number }>('SELECT count(*) AS count FROM message')?.count ?? 0
  let done = 0
  for (let after: Pick<IndexedRow, 'conversation' | 'position'> = { conversation: -1, position: -1 }; ; ) {
    const rows = connection.all<IndexedRow>(
      `SELECT workspace, conversation, position, content, metadata, erased_at, block FROM message
       WHERE (conversation, position) > (?, ?) ORDER BY conversation, position LIMIT ?`,
      after.conversation,
      after.position,
      READ_AT_ONCE,
    )
    for (const row of withWords(connection, rows)) {
      if (row.erased_at !== null) continue
      addEntry(connection, 'message_words', messageEntry({ ...row, content: parseContent(row.content) }))
    }
    done += rows.length
    onProgress(done, total)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last
  }
}

interface IndexedRow extends PackedRow {
  readonly workspace: number
  readonly conversation: number
  readonly erased_at: number | null
}

/** Whether the index was built with older word rules than the current ones. */
export function hasOldWords(connection: Connection): boolean {
  const row = connection.get<{ value: string }>(
    'SELECT value FROM setting WHERE name = ?',
    WORDS_VERSION_SETTING,
  )
  return row !== undefined && Number(row.value) !== WORDS_VERSION
}

export function noteWordsVersion(connection: Connection): void {
  connection.run(
    'INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)',
    WORDS_VERSION_SETTING,
    String(WORDS_VERSION),
  )
}
