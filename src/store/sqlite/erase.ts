// Erases data for good: rows are deleted or blanked, their words are removed from the index, and then scrub.ts
// removes what is left in the files. An erased message keeps its row, and copies of a conversation's messages
// elsewhere are kept.

import { MemoryError } from '../../domain/errors.ts'
import type { ConversationId, MessageId, QueryId, WorkspaceId } from '../../domain/ids.ts'
import { conversationId, pageId } from '../../domain/ids.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { DocumentKey } from '../document-store.ts'
import type { PageRow } from '../page-rows.ts'
import type { PageKey } from '../page-store.ts'
import { type ConversationRow, type MessageRow, parseContent } from '../rows.ts'
import { changeRow, findRow, needRow } from '../sql/conversations.ts'
import { dropAllDerivations } from '../sql/derivations.ts'
import { needDocumentRow } from '../sql/document-reads.ts'
import { dropEditsOfConversation, dropEditsOfMessage } from '../sql/edits.ts'
import { findPageRow, forgetDocument, needPageRow } from '../sql/pages.ts'
import { needQuery } from '../sql/queries.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { ConversationKey, Erased } from '../store.ts'
import { withWords } from './blocks.ts'
import { takeOut } from './compress.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { deleteDocument, findAttachedOnlyTo, readDocumentRows } from './erase-documents.ts'
import { deletePage, deleteQuery } from './erase-pages.ts'
import { findMessageRow } from './messages.ts'
import { RemovedWords } from './removed-words.ts'
import { noteScrubPending, scrub } from './scrub.ts'
import { conversationEntry, messageEntry, removeEntry } from './word-index.ts'

type Erasure = Omit<Erased, 'isScrubbed'>

const NOTHING: Erasure = { messages: 0, conversations: 0, pages: 0, queries: 0, documents: 0, copiesIn: [] }

export async function eraseMessage(
  connection: Connection,
  workspace: WorkspaceId,
  { id, now }: { id: MessageId; now: Date },
): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const number = execute(connection, findWorkspace(workspace))
    const message = number === undefined ? undefined : findMessageRow(connection, number, id)
    if (number === undefined || message === undefined) {
      throw new MemoryError('not-found', `there is no message "${id}"`)
    }
    const copies = findCopies(connection, number, message.copy_of ?? message.id)
    const standing = copies.filter((copy) => copy.erased_at === null)
    for (const copy of standing) {
      blank(connection, copy, { removed, now })
      execute(connection, dropAllDerivations(copy))
      execute(connection, dropEditsOfMessage(number, copy.id))
    }
    return { ...NOTHING, messages: standing.length }
  })
}

interface ErasedCopy extends MessageRow {
  readonly workspace: number
}

function findCopies(connection: Connection, workspace: number, original: string): ErasedCopy[] {
  const copies = connection.all<ErasedCopy>(
    `SELECT * FROM message WHERE workspace = ?1 AND id = ?2
     UNION ALL SELECT * FROM message WHERE workspace = ?1 AND copy_of = ?2`,
    workspace,
    original,
  )
  return withWords(connection, copies)
}

function takeWordsOf(message: ErasedCopy, removed: RemovedWords): void {
  if (message.is_damaged) removed.messages.makeAnew()
  else removed.messages.take(messageEntry({ ...message, content: parseContent(message.content) }))
}

/** Keeps the row, so that positions have no gap and a retry with the same id does not restore the text. */
function blank(
  connection: Connection,
  message: ErasedCopy,
  { removed, now }: { removed: RemovedWords; now: Date },
): void {
  takeWordsOf(message, removed)
  takeOut(connection, message.number)
  connection.run(
    `UPDATE message SET content = '""', name = NULL, metadata = NULL, tokens = 0, erased_at = ?, block = NULL
     WHERE number = ?`,
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
  // A generated title may contain the text.
  if (conversation.is_title_given === 0) execute(connection, changeRow(conversation, { title: null }))
}

export async function eraseConversations(
  connection: Connection,
  keys: readonly ConversationKey[],
): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const found = keys.map((key) => {
      const page = execute(connection, findPageRow(toPageKey(key)))
      return {
        page,
        row: page === undefined ? execute(connection, needRow(key)) : execute(connection, findRow(key)),
      }
    })
    const rows = found.flatMap(({ row }) => row ?? [])
    const pages = found.flatMap(({ page }) => page ?? [])
    const copiesIn = new Set(rows.flatMap((row) => findOtherCopies(connection, row)))
    for (const { conversation } of keys) copiesIn.delete(conversation)
    const documents = findAttachedOnlyTo(connection, rows)
    return { ...deleteAll(connection, { rows, pages, documents }, removed), copiesIn: [...copiesIn] }
  })
}

const toPageKey = ({ workspace, conversation }: ConversationKey): PageKey => ({
  workspace,
  page: pageId(conversation),
})

export async function erasePage(connection: Connection, key: PageKey): Promise<Erased> {
  return eraseAndScrub(connection, (removed) =>
    deleteAll(
      connection,
      { rows: [], pages: [execute(connection, needPageRow(key))], documents: [] },
      removed,
    ),
  )
}

export async function eraseQuery(
  connection: Connection,
  workspace: WorkspaceId,
  id: QueryId,
): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    deleteQuery(connection, execute(connection, needQuery(workspace, id)), removed)
    return { ...NOTHING, queries: 1 }
  })
}

export async function eraseDocument(connection: Connection, key: DocumentKey, now: Date): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const document = execute(connection, needDocumentRow(key))
    execute(connection, forgetDocument(key.workspace, { documentId: key.document, now }))
    return deleteAll(connection, { rows: [], pages: [], documents: [document] }, removed)
  })
}

export async function eraseWorkspace(connection: Connection, workspace: WorkspaceId): Promise<Erased> {
  return eraseAndScrub(connection, (removed) => {
    const number = execute(connection, findWorkspace(workspace))
    if (number === undefined) throw new MemoryError('not-found', `there is no workspace "${workspace}"`)
    const rows = connection.all<ConversationRow>('SELECT * FROM conversation WHERE workspace = ?', number)
    const pages = connection.all<PageRow>('SELECT * FROM page WHERE workspace = ?', number)
    const documents = readDocumentRows(connection, number)
    const erasure = deleteAll(connection, { rows, pages, documents }, removed)
    connection.run('DELETE FROM workspace WHERE number = ?', number)
    return erasure
  })
}

interface Doomed {
  readonly rows: readonly ConversationRow[]
  readonly pages: readonly PageRow[]
  readonly documents: readonly DocumentRow[]
}

function deleteAll(
  connection: Connection,
  { rows, pages, documents }: Doomed,
  removed: RemovedWords,
): Erasure {
  const messages = sum(rows.map((row) => row.message_count))
  const queries = sum(pages.map((page) => page.query_count))
  removed.messages.expect(messages)
  removed.queries.expect(queries)
  removed.expectChunks(sum(documents.map((document) => document.chunk_count)))
  for (const document of documents) deleteDocument(connection, document, removed)
  for (const row of rows) deleteConversation(connection, row, removed)
  for (const page of pages) deletePage(connection, page, removed)
  return {
    messages,
    conversations: rows.length,
    pages: pages.length,
    queries,
    documents: documents.length,
    copiesIn: [],
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

const ERASED_AT_ONCE = 500

function deleteConversation(connection: Connection, row: ConversationRow, removed: RemovedWords): void {
  if (!removed.messages.isMadeAnew) takeWords(connection, row, removed)
  removeEntry(connection, 'conversation_words', conversationEntry(row))
  findHeirs(connection, row)
  execute(connection, dropEditsOfConversation(row))
  // Cascades to messages, blocks, receipts and all derived data.
  connection.run('DELETE FROM conversation WHERE number = ?', row.number)
}

function takeWords(connection: Connection, row: ConversationRow, removed: RemovedWords): void {
  for (let after = -1; ; ) {
    const rows = connection.all<ErasedCopy>(
      'SELECT * FROM message WHERE conversation = ? AND position > ? ORDER BY position LIMIT ?',
      row.number,
      after,
      ERASED_AT_ONCE,
    )
    for (const message of withWords(connection, rows)) {
      if (message.erased_at === null) takeWordsOf(message, removed)
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.position
  }
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

/** Copies outlive their original: the first copy becomes the original, so that the id is free for another message. */
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

async function eraseAndScrub(
  connection: Connection,
  erase: (removed: RemovedWords) => Erasure,
): Promise<Erased> {
  const erasure = await connection.write(() => {
    const removed = new RemovedWords(connection)
    const done = erase(removed)
    removed.finish()
    noteScrubPending(connection)
    return done
  })
  return { ...erasure, isScrubbed: await scrub(connection) }
}
