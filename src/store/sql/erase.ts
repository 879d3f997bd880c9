// Erases data for good: rows are deleted or blanked, and their words are removed from the full-text indexes. An
// erased message keeps its row, and copies of a conversation's messages elsewhere are kept. What is left in the files
// is removed by each engine in scrub.ts.

import { MemoryError } from '../../domain/errors.ts'
import {
  type ConversationId,
  conversationId,
  type MessageId,
  pageId,
  type QueryId,
  type WorkspaceId,
} from '../../domain/ids.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { DocumentKey } from '../document-store.ts'
import type { PageRow } from '../page-rows.ts'
import type { PageKey } from '../page-store.ts'
import type { ConversationRow, MessageRow } from '../rows.ts'
import type { ConversationKey, Erased } from '../store.ts'
import { changeRow, lockRow, needLocked } from './conversations.ts'
import { dropAllDerivations } from './derivations.ts'
import { needDocumentRow } from './document-reads.ts'
import { dropEditsOfConversation, dropEditsOfMessage } from './edits.ts'
import type { ErasedCopy } from './engine.ts'
import { forgetDocument, lockPageRow, needPageRow } from './pages.ts'
import { needQuery } from './queries.ts'
import { all, callEngine, type Db, get, lock, run } from './statement.ts'
import { findWorkspace } from './workspaces.ts'

export type Erasure = Omit<Erased, 'isScrubbed'>

const NOTHING_ERASED: Erasure = {
  messages: 0,
  conversations: 0,
  pages: 0,
  queries: 0,
  documents: 0,
  copiesIn: [],
}

/** Erases the message and all its copies in forks. */
export function* eraseMessage(workspace: WorkspaceId, id: MessageId, now: Date): Db<Erasure> {
  const number = yield* findWorkspace(workspace)
  const message =
    number === undefined
      ? undefined
      : yield* get<Pick<MessageRow, 'id' | 'copy_of'>>(
          'SELECT id, copy_of FROM message WHERE workspace = $1 AND id = $2',
          number,
          id,
        )
  if (number === undefined || message === undefined)
    throw new MemoryError('not-found', `there is no message "${id}"`)
  const copies = yield* lockCopies(number, message.copy_of ?? message.id)
  const present = copies.filter((copy) => copy.erased_at === null)
  for (const copy of present) {
    yield* blank(copy, now)
    yield* dropAllDerivations(copy)
    yield* dropEditsOfMessage(number, copy.id)
  }
  return { ...NOTHING_ERASED, messages: present.length }
}

/** Locks the conversations of all copies. Repeats if a concurrent fork has added another copy. */
function* lockCopies(workspace: number, original: string): Db<readonly ErasedCopy[]> {
  for (let locked = ''; ; ) {
    const rows = yield* all<ErasedCopy>(
      `SELECT * FROM message WHERE workspace = $1 AND id = $2
       UNION ALL SELECT * FROM message WHERE workspace = $1 AND copy_of = $2`,
      workspace,
      original,
    )
    const conversations = [...new Set(rows.map(({ conversation }) => conversation))].sort((a, b) => a - b)
    if (locked === conversations.join()) return yield* callEngine('withContents', workspace, rows)
    yield* lock(
      'SELECT 1 FROM conversation WHERE workspace = $1 AND number = ANY($2::bigint[]) ORDER BY number FOR NO KEY UPDATE',
      workspace,
      conversations,
    )
    locked = conversations.join()
  }
}

/** Keeps the row, so that positions have no gap and a retry with the same id does not restore the text. */
function* blank(message: ErasedCopy, now: Date): Db<void> {
  const { workspace, conversation, position, tokens } = message
  yield* callEngine('removeMessageWords', message)
  yield* callEngine('takeOutOfBlock', message)
  yield* run(
    `UPDATE message SET content = '""', name = NULL, metadata = NULL, tokens = 0, erased_at = $4, block = NULL
     WHERE workspace = $1 AND conversation = $2 AND position = $3`,
    workspace,
    conversation,
    position,
    now.getTime(),
  )
  yield* run(
    `UPDATE message SET tokens_before = tokens_before - $4
     WHERE workspace = $1 AND conversation = $2 AND position > $3`,
    workspace,
    conversation,
    position,
    tokens,
  )
  const row = yield* get<ConversationRow>(
    'UPDATE conversation SET token_count = token_count - $3 WHERE workspace = $1 AND number = $2 RETURNING *',
    workspace,
    conversation,
    tokens,
  )
  // A generated title may contain the text.
  if (row !== undefined && !row.is_title_given) yield* changeRow(row, { title: null })
}

export function* eraseConversations(keys: readonly ConversationKey[]): Db<Erasure> {
  const rows: ConversationRow[] = []
  const pages: PageRow[] = []
  // Sorted, so that concurrent erases lock in the same order and do not deadlock.
  for (const key of keys.toSorted((a, b) => (a.conversation < b.conversation ? -1 : 1))) {
    const page = yield* lockPageRow({ workspace: key.workspace, page: pageId(key.conversation) })
    const row = page === undefined ? yield* needLocked(key) : yield* lockRow(key)
    if (page !== undefined) pages.push(page)
    if (row !== undefined) rows.push(row)
  }
  const copiesIn = yield* findOtherCopies(rows)
  const documents = yield* findAttachedOnlyTo(rows)
  return { ...(yield* deleteAll({ rows, pages, documents })), copiesIn }
}

export function* erasePage(key: PageKey): Db<Erasure> {
  return yield* deleteAll({ rows: [], pages: [yield* needPageRow(key)], documents: [] })
}

export function* eraseQuery(workspace: WorkspaceId, id: QueryId): Db<Erasure> {
  const { row, page } = yield* needQuery(workspace, id)
  yield* callEngine('removeQueryWords', row)
  yield* run(
    'DELETE FROM query WHERE workspace = $1 AND page = $2 AND position = $3',
    row.workspace,
    row.page,
    row.position,
  )
  yield* run(
    `UPDATE page AS p SET query_count = query_count - 1, last_used_at = greatest(updated_at, coalesce(
       (SELECT max(created_at) FROM query WHERE workspace = $1 AND page = $2), updated_at))
     WHERE p.workspace = $1 AND p.number = $2`,
    row.workspace,
    page.number,
  )
  return { ...NOTHING_ERASED, queries: 1 }
}

export function* eraseDocument(key: DocumentKey, now: Date): Db<Erasure> {
  const document = yield* needDocumentRow(key)
  yield* forgetDocument(key.workspace, { documentId: key.document, now })
  return yield* deleteAll({ rows: [], pages: [], documents: [document] })
}

export function* eraseWorkspace(workspace: WorkspaceId): Db<Erasure> {
  const number = yield* findWorkspace(workspace)
  if (number === undefined) throw new MemoryError('not-found', `there is no workspace "${workspace}"`)
  yield* lock('SELECT 1 FROM workspace WHERE number = $1 FOR NO KEY UPDATE', number)
  const everything = {
    rows: yield* all<ConversationRow>(
      'SELECT * FROM conversation WHERE workspace = $1 ORDER BY number FOR NO KEY UPDATE',
      number,
    ),
    pages: yield* all<PageRow>('SELECT * FROM page WHERE workspace = $1 FOR NO KEY UPDATE', number),
    documents: yield* all<DocumentRow>(
      'SELECT * FROM document WHERE workspace = $1 FOR NO KEY UPDATE',
      number,
    ),
  }
  const isDeleted = yield* callEngine('deleteWorkspace', number)
  if (isDeleted) return count(everything)
  const erasure = yield* deleteAll(everything)
  yield* run('DELETE FROM workspace WHERE number = $1', number)
  return erasure
}

interface Doomed {
  readonly rows: readonly ConversationRow[]
  readonly pages: readonly PageRow[]
  readonly documents: readonly DocumentRow[]
}

const count = ({ rows, pages, documents }: Doomed): Erasure => ({
  messages: sum(rows.map((row) => row.message_count)),
  conversations: rows.length,
  pages: pages.length,
  queries: sum(pages.map((page) => page.query_count)),
  documents: documents.length,
  copiesIn: [],
})

const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0)

function* deleteAll(doomed: Doomed): Db<Erasure> {
  const { messages, queries, ...erasure } = count(doomed)
  const chunks = sum(doomed.documents.map((document) => document.chunk_count))
  yield* callEngine('expectRemovals', { messages, queries, chunks })
  for (const document of doomed.documents) yield* deleteDocument(document)
  for (const row of doomed.rows) yield* deleteConversation(row)
  for (const page of doomed.pages) {
    yield* callEngine('removePageWords', page)
    yield* run('DELETE FROM page WHERE workspace = $1 AND number = $2', page.workspace, page.number)
  }
  return { ...erasure, messages, queries }
}

function* deleteConversation(row: ConversationRow): Db<void> {
  yield* callEngine('removeConversationWords', row)
  yield* callEngine('indexConversation', { before: row })
  yield* findHeirs(row)
  yield* dropEditsOfConversation(row)
  // Cascades to messages, blocks, receipts and everything derived.
  yield* run('DELETE FROM conversation WHERE workspace = $1 AND number = $2', row.workspace, row.number)
}

/** Deletes the document, its chunks with their index entries, and every reference to it. */
function* deleteDocument(row: DocumentRow): Db<void> {
  const { workspace, number, id } = row
  yield* callEngine('removeChunkWords', row)
  yield* run(
    'UPDATE page SET active_file = NULL, active_file_name = NULL, active_file_metadata = NULL WHERE workspace = $1 AND active_file = $2',
    workspace,
    id,
  )
  const attached = yield* all<ConversationRow>(
    `SELECT * FROM conversation WHERE workspace = $1 AND number IN (SELECT conversation FROM attachment
       WHERE workspace = $1 AND document_id = $2) ORDER BY number FOR NO KEY UPDATE`,
    workspace,
    id,
  )
  for (const conversation of attached) {
    const documents: string[] = JSON.parse(conversation.documents)
    yield* changeRow(conversation, { documents: documents.filter((one) => one !== id) })
  }
  // Deletes its text and chunks too.
  yield* run('DELETE FROM document WHERE workspace = $1 AND number = $2', workspace, number)
}

/** Documents that only these conversations can see. */
function* findAttachedOnlyTo(conversations: readonly ConversationRow[]): Db<readonly DocumentRow[]> {
  const [first] = conversations
  if (first === undefined) return []
  return yield* all<DocumentRow>(
    `SELECT d.* FROM document d WHERE d.workspace = $1 AND d.is_workspace_wide = FALSE
       AND d.id IN (SELECT document_id FROM attachment WHERE workspace = $1 AND conversation = ANY($2::bigint[]))
       AND NOT EXISTS (SELECT 1 FROM attachment other WHERE other.workspace = $1 AND other.document_id = d.id
         AND NOT other.conversation = ANY($2::bigint[])) FOR NO KEY UPDATE OF d`,
    first.workspace,
    conversations.map(({ number }) => number),
  )
}

function* findOtherCopies(rows: readonly ConversationRow[]): Db<readonly ConversationId[]> {
  const [first] = rows
  if (first === undefined) return []
  const found = yield* all<{ id: string }>(
    `WITH going AS (SELECT id, copy_of FROM message WHERE workspace = $1 AND conversation = ANY($2::bigint[]))
     SELECT DISTINCT c.id FROM conversation c WHERE c.workspace = $1 AND NOT c.number = ANY($2::bigint[]) AND c.number IN (
       SELECT o.conversation FROM going g JOIN message o ON o.workspace = $1 AND o.copy_of = g.id
       UNION SELECT o.conversation FROM going g JOIN message o ON o.workspace = $1 AND o.id = g.copy_of
       UNION SELECT o.conversation FROM going g JOIN message o ON o.workspace = $1 AND o.copy_of = g.copy_of)`,
    first.workspace,
    rows.map(({ number }) => number),
  )
  return found.map(({ id }) => conversationId(id))
}

/** Copies outlive their original: the first copy becomes the original, so that the id is free for another message. */
function* findHeirs(row: ConversationRow): Db<void> {
  yield* run(
    `WITH heir AS (
       SELECT o.copy_of AS gone, min(o.number) AS number FROM message m
       JOIN message o ON o.workspace = m.workspace AND o.copy_of = m.id
       WHERE m.workspace = $1 AND m.conversation = $2 AND o.conversation <> $2 GROUP BY o.copy_of),
     named AS (SELECT h.gone, h.number, f.id FROM heir h
       JOIN message f ON f.workspace = $1 AND f.copy_of = h.gone AND f.number = h.number)
     UPDATE message SET copy_of = CASE WHEN message.number = named.number THEN NULL ELSE named.id END
     FROM named WHERE message.workspace = $1 AND message.copy_of = named.gone AND message.conversation <> $2`,
    row.workspace,
    row.number,
  )
}
