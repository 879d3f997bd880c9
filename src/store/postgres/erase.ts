// Erasing: rows are deleted or blanked, and their words are removed from the index. An erased message keeps its row,
// and copies of a conversation elsewhere remain. Bytes left in the files are handled by scrub.ts.

import { MemoryError } from '../../domain/errors.ts'
import type { ConversationId, QueryId, WorkspaceId } from '../../domain/ids.ts'
import { conversationId, pageId } from '../../domain/ids.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { DocumentKey } from '../document-store.ts'
import type { PageRow } from '../page-rows.ts'
import type { PageKey } from '../page-store.ts'
import type { ConversationRow } from '../rows.ts'
import { lockRow, needLocked } from '../sql/conversations.ts'
import { needDocumentRow } from '../sql/document-reads.ts'
import { dropEditsOfConversation } from '../sql/edits.ts'
import { forgetDocument, lockPageRow, needPageRow } from '../sql/pages.ts'
import { needQuery } from '../sql/queries.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { ConversationKey, Erased } from '../store.ts'
import type { Connection } from './connection.ts'
import { deleteDocument, findAttachedOnlyTo, readDocumentRows } from './erase-documents.ts'
import { deletePage, deleteQuery } from './erase-pages.ts'
import { execute } from './execute.ts'
import { removeMessageWords } from './removed-words.ts'
import { isScrubPending, noteScrubPending } from './scrub.ts'
import type { Session } from './session.ts'
import { conversationEntry, removeEntries } from './word-index.ts'

export type Erasure = Omit<Erased, 'isScrubbed'>

export const NOTHING: Erasure = {
  messages: 0,
  conversations: 0,
  pages: 0,
  queries: 0,
  documents: 0,
  copiesIn: [],
}

export async function eraseConversations(
  connection: Connection,
  keys: readonly ConversationKey[],
): Promise<Erased> {
  return eraseWith(connection, async (session) => {
    const rows: ConversationRow[] = []
    const pages: PageRow[] = []
    // Sorted, so that concurrent erases lock in the same order and do not deadlock.
    for (const key of keys.toSorted((a, b) => (a.conversation < b.conversation ? -1 : 1))) {
      const page = await execute(session, lockPageRow(toPageKey(key)))
      const row =
        page === undefined ? await execute(session, needLocked(key)) : await execute(session, lockRow(key))
      if (page !== undefined) pages.push(page)
      if (row !== undefined) rows.push(row)
    }
    const copiesIn = await findOtherCopies(session, rows)
    const documents = await findAttachedOnlyTo(session, rows)
    return { ...(await deleteAll(session, { rows, pages, documents })), copiesIn }
  })
}

const toPageKey = ({ workspace, conversation }: ConversationKey): PageKey => ({
  workspace,
  page: pageId(conversation),
})

export async function erasePage(connection: Connection, key: PageKey): Promise<Erased> {
  return eraseWith(connection, async (session) => {
    const page = await execute(session, needPageRow(key))
    return deleteAll(session, { rows: [], pages: [page], documents: [] })
  })
}

export async function eraseQuery(
  connection: Connection,
  workspace: WorkspaceId,
  id: QueryId,
): Promise<Erased> {
  return eraseWith(connection, async (session) => {
    await deleteQuery(session, await execute(session, needQuery(workspace, id)))
    return { ...NOTHING, queries: 1 }
  })
}

export async function eraseDocument(connection: Connection, key: DocumentKey, now: Date): Promise<Erased> {
  return eraseWith(connection, async (session) => {
    const document = await execute(session, needDocumentRow(key))
    await execute(session, forgetDocument(key.workspace, { documentId: key.document, now }))
    return deleteAll(session, { rows: [], pages: [], documents: [document] })
  })
}

export async function eraseWorkspace(connection: Connection, workspace: WorkspaceId): Promise<Erased> {
  return eraseWith(connection, async (session) => {
    const number = await execute(session, findWorkspace(workspace))
    if (number === undefined) throw new MemoryError('not-found', `there is no workspace "${workspace}"`)
    await session.run('SELECT 1 FROM workspace WHERE number = $1 FOR NO KEY UPDATE', number)
    const rows = await session.all<ConversationRow>(
      'SELECT * FROM conversation WHERE workspace = $1 ORDER BY number FOR NO KEY UPDATE',
      number,
    )
    const pages = await session.all<PageRow>(
      'SELECT * FROM page WHERE workspace = $1 FOR NO KEY UPDATE',
      number,
    )
    const documents = await readDocumentRows(session, number)
    // Cascades to everything but the index; after that, no other transaction can add to the index.
    await session.run('DELETE FROM workspace WHERE number = $1', number)
    await session.run('DELETE FROM indexed_word WHERE workspace = $1', number)
    return count({ rows, pages, documents })
  })
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

async function deleteAll(session: Session, doomed: Doomed): Promise<Erasure> {
  for (const document of doomed.documents) await deleteDocument(session, document)
  for (const row of doomed.rows) await deleteConversation(session, row)
  for (const page of doomed.pages) await deletePage(session, page)
  return count(doomed)
}

async function deleteConversation(session: Session, row: ConversationRow): Promise<void> {
  await removeMessageWords(session, row)
  const key = { workspace: row.workspace, index: 'conversation' } as const
  await removeEntries(session, key, [conversationEntry(row)])
  await findHeirs(session, row)
  await execute(session, dropEditsOfConversation(row))
  // Cascades to messages, blocks, receipts and everything derived.
  await session.run(
    'DELETE FROM conversation WHERE workspace = $1 AND number = $2',
    row.workspace,
    row.number,
  )
}

async function findOtherCopies(
  session: Session,
  rows: readonly ConversationRow[],
): Promise<readonly ConversationId[]> {
  const [first] = rows
  if (first === undefined) return []
  const found = await session.all<{ id: string }>(
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

/** Copies remain when their original is erased: the first copy takes its place, so that the id becomes free. */
async function findHeirs(session: Session, row: ConversationRow): Promise<void> {
  await session.run(
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

/** Bytes left in the files are removed by a later `scrub`. */
export async function eraseWith(
  connection: Connection,
  erase: (session: Session) => Promise<Erasure>,
): Promise<Erased> {
  const erasure = await connection.write(async (session) => {
    const done = await erase(session)
    await noteScrubPending(session)
    return done
  }, 'endless')
  return { ...erasure, isScrubbed: !(await connection.read(isScrubPending)) }
}
