// The floor: the time of SQLite itself for the same rows in the same file with the same durability, through the same
// driver. No validation, tokenizer, word splitting or promises: all values are computed before the clock starts.

import { newId } from '../dist/domain/ids.js'
import { countMessageTokens } from '../dist/domain/tokens.js'
import { loadTokenizer } from '../dist/model/built-in/load-tokenizer.js'
import { loadDriver } from '../dist/store/sqlite/driver.js'
import { messageEntry } from '../dist/store/sqlite/word-index.js'

/** As in src/store/sqlite/open-database.ts. */
const PRAGMAS = [
  'busy_timeout = 40',
  'journal_mode = WAL',
  'synchronous = FULL',
  'secure_delete = ON',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  'cache_size = -16000',
]

/** Opens a file that Recollect made, and so with its schema. */
export async function openBare(path) {
  const { DatabaseSync } = await loadDriver()
  const database = new DatabaseSync(path)
  for (const pragma of PRAGMAS) database.exec(`PRAGMA ${pragma}`)
  return database
}

const INSERT_MESSAGE = `INSERT INTO message (workspace, conversation, position, id, role, name, content, metadata,
    importance, tokens, tokenizer, tokens_before, append_key, copy_of, created_at, recorded_at, erased_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

/** Computes all values of the next messages in the only conversation of the file. */
export async function createRowMaker(database) {
  const { count, name } = await loadTokenizer('o200k')
  const conversation = database.prepare('SELECT * FROM conversation').get()
  let position = conversation.message_count
  let tokensBefore = conversation.token_count
  const toRow = ({ role, content }) => {
    const now = new Date()
    const tokens = countMessageTokens(count, { content })
    const { workspace, number } = conversation
    const entry = messageEntry({ content, workspace, conversation: number, position })
    const place = [workspace, number, position++, newId(now), role, null]
    const counts = [tokens, name, tokensBefore]
    tokensBefore += tokens
    const times = [now.getTime(), now.getTime(), null]
    return {
      values: [...place, JSON.stringify(content), null, null, ...counts, null, null, ...times],
      ...entry,
      counts: [position, tokensBefore, now.getTime(), number],
    }
  }
  return (messages) => messages.map(toRow)
}

/** Appends rows in one transaction. */
export function prepareAppend(database) {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const insertMessage = database.prepare(INSERT_MESSAGE)
  const insertWords = database.prepare('INSERT INTO message_words (rowid, words, scope) VALUES (?, ?, ?)')
  const updateCounts = database.prepare(
    `UPDATE conversation SET message_count = ?, token_count = ?, last_used_at = ?, last_message = ? WHERE number = ?`,
  )
  return (rows) => {
    begin.run()
    let last
    for (const { values, number, words, scope } of rows) {
      last = insertMessage.run(...values).lastInsertRowid
      insertWords.run(number, words, scope)
    }
    const { counts } = rows.at(-1)
    updateCounts.run(...counts.slice(0, 3), last, counts[3])
    commit.run()
  }
}

/** The last messages of a conversation in order, with their content parsed. */
export function prepareReadLast(database) {
  const statement = database.prepare(
    'SELECT * FROM message WHERE conversation = ? ORDER BY position DESC LIMIT ?',
  )
  return (conversation, limit) => {
    const rows = statement.all(conversation, limit)
    for (const row of rows) row.content = JSON.parse(row.content)
    return rows.reverse()
  }
}

/** What must be equal in both files for the comparison to be valid. */
export async function summarize(path) {
  const database = await openBare(path)
  database.exec('CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, message_words, col)')
  const one = (sql) => database.prepare(sql).get()
  const summary = {
    ...one(
      'SELECT count(*) AS messages, sum(tokens) AS tokens, sum(length(content)) AS characters FROM message',
    ),
    ...one("SELECT count(*) AS indexed FROM message_words WHERE message_words MATCH 'scope : w1'"),
    ...one('SELECT sum(message_count) AS counted, sum(token_count) AS sum FROM conversation'),
    ...one('SELECT count(*) AS terms, sum(cnt) AS occurrences FROM temp.vocabulary'),
  }
  database.close()
  return summary
}
