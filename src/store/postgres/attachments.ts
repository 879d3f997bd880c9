// Which conversations can see a document. Each conversation stores its list of documents; the table `attachment`
// mirrors these lists.

import type { Document } from '../../domain/document.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { DocumentKey } from '../document-store.ts'
import { changeRow, createRow, lockRow } from '../sql/conversations.ts'
import { needDocumentRow, toDocument } from './document-reads.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

interface Attaching {
  readonly key: DocumentKey
  readonly conversation: ConversationId | undefined
  readonly now: Date
}

export async function attach(
  session: Session,
  row: DocumentRow,
  { key, conversation, now }: Attaching,
): Promise<void> {
  if (conversation === undefined) {
    await setWorkspaceWide(session, row, true)
    return
  }
  const { workspace, document } = key
  const target = await execute(session, createRow({ workspace, conversation, fields: {}, createdAt: now }))
  const documents: string[] = JSON.parse(target.documents)
  if (!documents.includes(document))
    await execute(session, changeRow(target, { documents: [...documents, document] }))
}

async function setWorkspaceWide(
  session: Session,
  { workspace, number }: DocumentRow,
  isWide: boolean,
): Promise<void> {
  await session.run(
    'UPDATE document SET is_workspace_wide = $3 WHERE workspace = $1 AND number = $2',
    workspace,
    number,
    isWide,
  )
}

export async function attachDocument(session: Session, attaching: Attaching): Promise<Document> {
  await attach(session, await needDocumentRow(session, attaching.key), attaching)
  return toDocument(await needDocumentRow(session, attaching.key))
}

export async function detachDocument(
  session: Session,
  key: DocumentKey,
  conversation: ConversationId | undefined,
): Promise<Document> {
  const row = await needDocumentRow(session, key)
  if (conversation === undefined) await setWorkspaceWide(session, row, false)
  else await takeOffList(session, key, conversation)
  return toDocument(await needDocumentRow(session, key))
}

async function takeOffList(
  session: Session,
  { workspace, document }: DocumentKey,
  conversation: ConversationId,
): Promise<void> {
  const target = await execute(session, lockRow({ workspace, conversation }))
  const documents: string[] = JSON.parse(target?.documents ?? '[]')
  if (target === undefined || !documents.includes(document)) return
  await execute(session, changeRow(target, { documents: documents.filter((id) => id !== document) }))
}
