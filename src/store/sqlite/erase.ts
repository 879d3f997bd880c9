// Erasing for real. Rows are deleted or blanked, their words leave the index (word-index.ts), and the file
// is written anew: `secure_delete` overwrites what is deleted, but when SQLite moves rows between pages,
// copies of them stay behind in the unused part of a page. Then the write-ahead log, which still holds the
// pages as they were, is emptied into the file and cut to nothing. A reader elsewhere that still looks at
// the old state keeps that from happening: it is noted in the file, and done at the next opening or erasing,
// or when somebody asks.

import type { ConversationId, MessageId, WorkspaceId } from '../../domain/ids.ts'
import { conversationId, newId } from '../../domain/ids.ts'
import { findWords } from '../../domain/words.ts'
import { MemoryError } from '../../errors.ts'
import type { ConversationKey, Erased } from '../store.ts'
import type { Connection } from './connection.ts'
import { changeRow, findWorkspace, needRow } from './conversations.ts'
import { isFull } from './driver-errors.ts'
import { findMessageRow } from './messages.ts'
import type { ConversationRow, MessageRow } from './rows.ts'
import {
  conversationEntry,
  dropLeftovers,
  type IndexEntry,
  messageEntry,
  removeEntry,
  rewrite,
} from './word-index.ts'

type Erasure = Omit<Erased, 'isScrubbed'>

const SCRUB_PENDING = 'scrub-pending'

export async function eraseMessage(
  connection: Connection,
  workspace: WorkspaceId,
  { id, now }: { id: MessageId; now: Date },
): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const number = findWorkspace(connection, workspace)
    const message = number === undefined ? undefined : findMessageRow(connection, number, id)
    if (number === undefined || message === undefined) {
      throw new MemoryError('not-found', `there is no message "${id}"`)
    }
    const copies = findCopies(connection, number, message.copy_of ?? message.id)
    const standing = copies.filter((copy) => copy.erased_at === null)
    for (const copy of standing) blank(connection, copy, { removed, now })
    return { messages: standing.length, conversations: 0, copiesIn: [] }
  })
}

interface ErasedCopy extends MessageRow {
  readonly workspace: number
}

function findCopies(connection: Connection, workspace: number, original: string): ErasedCopy[] {
  return connection.all<ErasedCopy>(
    `SELECT * FROM message WHERE workspace = ?1 AND id = ?2
     UNION ALL SELECT * FROM message WHERE workspace = ?1 AND copy_of = ?2`,
    workspace,
    original,
  )
}

function entryOf(message: ErasedCopy): IndexEntry {
  return messageEntry(message.number, { ...message, content: JSON.parse(message.content) })
}

/** The row stays, so that positions have no gap and a retry with the same id does not bring the words back. */
function blank(
  connection: Connection,
  message: ErasedCopy,
  { removed, now }: { removed: RemovedWords; now: Date },
): void {
  removed.take(entryOf(message))
  connection.run(
    'UPDATE message SET content = \'""\', name = NULL, metadata = NULL, tokens = 0, erased_at = ? WHERE number = ?',
    now.getTime(),
    message.number,
  )
  connection.run(
    'UPDATE message SET tokens_before = tokens_before - ? WHERE conversation = ? AND position > ?',
    message.tokens,
    message.conversation,
    message.position,
  )
  const conversation = connection.get<ConversationRow>(
    'UPDATE conversation SET token_count = token_count - ? WHERE number = ? RETURNING *',
    message.tokens,
    message.conversation,
  ) as ConversationRow
  // A title that was made may hold the words.
  if (conversation.is_title_given === 0) changeRow(connection, conversation, { title: null })
}

export async function eraseConversations(
  connection: Connection,
  keys: readonly ConversationKey[],
): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const rows = keys.map((key) => needRow(connection, key))
    const copiesIn = new Set(rows.flatMap((row) => findOtherCopies(connection, row)))
    const counts = rows.map((row) => deleteConversation(connection, row, removed))
    for (const { conversation } of keys) copiesIn.delete(conversation)
    return { messages: sum(counts), conversations: rows.length, copiesIn: [...copiesIn] }
  })
}

export async function eraseWorkspace(connection: Connection, workspace: WorkspaceId): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const number = findWorkspace(connection, workspace)
    if (number === undefined) throw new MemoryError('not-found', `there is no workspace "${workspace}"`)
    const conversations = connection.all<ConversationRow>(
      'SELECT * FROM conversation WHERE workspace = ?',
      number,
    )
    const counts = conversations.map((row) => deleteConversation(connection, row, removed))
    connection.run('DELETE FROM workspace WHERE number = ?', number)
    return { messages: sum(counts), conversations: conversations.length, copiesIn: [] }
  })
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

const ERASED_AT_ONCE = 500

function deleteConversation(connection: Connection, row: ConversationRow, removed: RemovedWords): number {
  for (let after = -1; ; ) {
    const messages = connection.all<ErasedCopy>(
      'SELECT * FROM message WHERE conversation = ? AND position > ? ORDER BY position LIMIT ?',
      row.number,
      after,
      ERASED_AT_ONCE,
    )
    for (const message of messages) {
      if (message.erased_at === null) removed.take(entryOf(message))
    }
    const last = messages.at(-1)
    if (last === undefined) break
    after = last.position
  }
  removeEntry(connection, 'conversation_words', conversationEntry(row.number, row))
  findHeirs(connection, row)
  // Messages and receipts go with it.
  connection.run('DELETE FROM conversation WHERE number = ?', row.number)
  return row.message_count
}

function findOtherCopies(connection: Connection, row: ConversationRow): readonly ConversationId[] {
  const rows = connection.all<{ id: string }>(
    `SELECT DISTINCT c.id FROM conversation c WHERE c.number <> ?1 AND c.number IN (
       SELECT o.conversation FROM message m JOIN message o ON o.workspace = m.workspace AND o.copy_of = m.id
         WHERE m.conversation = ?1
       UNION SELECT o.conversation FROM message m JOIN message o ON o.workspace = m.workspace AND o.id = m.copy_of
         WHERE m.conversation = ?1
       UNION SELECT o.conversation FROM message m JOIN message o ON o.workspace = m.workspace AND o.copy_of = m.copy_of
         WHERE m.conversation = ?1)`,
    row.number,
  )
  return rows.map(({ id }) => conversationId(id))
}

/** Copies outlive their original: the first of them takes its place, so that the id is free for another message. */
function findHeirs(connection: Connection, row: ConversationRow): void {
  connection.run(
    `WITH heir AS (
       SELECT o.copy_of AS gone, min(o.number) AS number FROM message m
       JOIN message o ON o.workspace = m.workspace AND o.copy_of = m.id
       WHERE m.conversation = ?1 AND o.conversation <> ?1 GROUP BY o.copy_of)
     UPDATE message SET copy_of = CASE WHEN message.number = heir.number THEN NULL
       ELSE (SELECT id FROM message first WHERE first.number = heir.number) END
     FROM heir WHERE message.workspace = ?2 AND message.copy_of = heir.gone AND message.conversation <> ?1`,
    row.number,
    row.workspace,
  )
}

/** The words that an erase takes out of the index of messages. */
class RemovedWords {
  readonly #connection: Connection
  readonly #words = new Set<string>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  take(entry: IndexEntry): void {
    removeEntry(this.#connection, 'message_words', entry)
    for (const { word } of findWords(entry.words)) this.#words.add(word)
  }

  dropLeftovers(): void {
    dropLeftovers(this.#connection, 'message_words', this.#words)
    // Small, and titles that were replaced long ago may have left something too.
    rewrite(this.#connection, 'conversation_words')
  }
}

async function eraseAndScrub(
  connection: Connection,
  erase: (removed: RemovedWords) => Erasure,
): Promise<Erased> {
  const erasure = await connection.write(() => {
    const removed = new RemovedWords(connection)
    const done = erase(removed)
    removed.dropLeftovers()
    // A mark of its own: an erase that comes while another one scrubs is not taken for done.
    const mark = newId(new Date())
    connection.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', SCRUB_PENDING, mark)
    return done
  })
  return { ...erasure, isScrubbed: await scrub(connection) }
}

export function isScrubPending(connection: Connection): boolean {
  return readMark(connection) !== undefined
}

function readMark(connection: Connection): string | undefined {
  return connection.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', SCRUB_PENDING)?.value
}

/** True when nothing of what was erased is left in any file. */
export async function scrub(connection: Connection): Promise<boolean> {
  const mark = await connection.read(() => readMark(connection))
  if (mark === undefined) return true
  if (!(await connection.read(() => writeAnew(connection)))) return false
  await connection.write(() =>
    connection.run('DELETE FROM setting WHERE name = ? AND value = ?', SCRUB_PENDING, mark),
  )
  return true
}

/** False while somebody else reads the old state, or there is no room: the file is then as it was. */
function writeAnew(connection: Connection): boolean {
  if (!truncateLog(connection)) return false
  try {
    connection.database.exec('VACUUM')
  } catch (error) {
    if (isFull(error)) return false
    throw error
  }
  return truncateLog(connection)
}

function truncateLog(connection: Connection): boolean {
  const result = connection.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
  return result?.busy !== 1
}
