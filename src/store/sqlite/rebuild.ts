// Rebuilds everything that is computed from messages, queries and chunks: counts, running sums, search indexes.
// Runs in one transaction, so that readers see the old state until the new one is complete.

import { WORDS_VERSION } from '../../domain/words.ts'
import type { ConversationRow } from '../rows.ts'
import type { OnProgress } from '../store.ts'
import { countChunks, indexChunks } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import { rebuildDerived } from './derived-checks.ts'
import { indexMessages } from './message-index.ts'
import { countQueries, indexQueries } from './query-index.ts'
import { addEntry, conversationEntry } from './word-index.ts'

const WORDS_VERSION_SETTING = 'words-version'

export function rebuild(connection: Connection, onProgress: OnProgress = () => undefined): void {
  recount(connection)
  recountPages(connection)
  recountDocuments(connection)
  connection.run("INSERT INTO conversation_words (conversation_words) VALUES ('delete-all')")
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
