// Erasing for real. Rows are deleted or blanked with `secure_delete` on, so that SQLite overwrites them;
// their words leave the index (word-index.ts); then the write-ahead log, which still holds the pages as
// they were, is emptied into the file and cut to nothing. A reader elsewhere that still looks at the old
// state keeps that last step from happening: it is noted in the file, and done at the next opening or
// erasing, or when somebody asks.

import type { ConversationId, MessageId, WorkspaceId } from '../../domain/ids.ts'
import { conversationId } from '../../domain/ids.ts'
import { MemoryError } from '../../errors.ts'
import type { ConversationKey, Erased } from '../store.ts'
import type { Connection } from './connection.ts'
import { changeRow, findWorkspace, needRow } from './conversations.ts'
import { findMessageRow } from './messages.ts'
import type { ConversationRow, MessageRow } from './rows.ts'
import {
  conversationEntry,
  dropLeftovers,
  type IndexEntry,
  type IndexName,
  messageEntry,
  removeEntry,
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

/** The row stays, so that positions have no gap and a retry with the same id does not bring the words back. */
function blank(
  connection: Connection,
  message: ErasedCopy,
  { removed, now }: { removed: RemovedWords; now: Date },
): void {
  removed.take('message_words', messageEntry(message.number, message))
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
  if (conversation.is_title_given === 0 && conversation.title !== null) {
    removed.note(conversationEntry(conversation.number, conversation))
    changeRow(connection, conversation, { title: null })
  }
}

export async function eraseConversation(connection: Connection, key: ConversationKey): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const conversation = needRow(connection, key)
    const copiesIn = findOtherCopies(connection, conversation)
    return { messages: deleteConversation(connection, conversation, removed), conversations: 1, copiesIn }
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
    return {
      messages: counts.reduce((sum, count) => sum + count, 0),
      conversations: conversations.length,
      copiesIn: [],
    }
  })
}

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
      if (message.erased_at === null) removed.take('message_words', messageEntry(message.number, message))
    }
    const last = messages.at(-1)
    if (last === undefined) break
    after = last.position
  }
  removed.take('conversation_words', conversationEntry(row.number, row))
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

/** The words that an erase takes out of the indexes. */
class RemovedWords {
  readonly #connection: Connection
  readonly #words: Record<IndexName, Set<string>> = {
    message_words: new Set(),
    conversation_words: new Set(),
  }

  constructor(connection: Connection) {
    this.#connection = connection
  }

  take(index: IndexName, entry: IndexEntry): void {
    removeEntry(this.#connection, index, entry)
    for (const word of entry.words.split(' ')) this.#words[index].add(word)
  }

  /** Somebody else takes this entry of conversation words out. */
  note(entry: IndexEntry): void {
    for (const word of entry.words.split(' ')) this.#words.conversation_words.add(word)
  }

  dropLeftovers(): void {
    for (const [index, words] of Object.entries(this.#words)) {
      if (words.size > 0) dropLeftovers(this.#connection, index as IndexName, words)
    }
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
    connection.run("INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'yes')", SCRUB_PENDING)
    return done
  })
  return { ...erasure, isScrubbed: await scrub(connection) }
}

export function isScrubPending(connection: Connection): boolean {
  return connection.get('SELECT 1 FROM setting WHERE name = ?', SCRUB_PENDING) !== undefined
}

/** True when nothing of what was erased is left in the log. */
export async function scrub(connection: Connection): Promise<boolean> {
  if (!(await connection.read(() => isScrubPending(connection)))) return true
  const isDone = await connection.read(() => truncateLog(connection))
  if (isDone)
    await connection.write(() => connection.run('DELETE FROM setting WHERE name = ?', SCRUB_PENDING))
  return isDone
}

function truncateLog(connection: Connection): boolean {
  const result = connection.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
  return result?.busy !== 1
}
