// Which conversations see a document. The conversations' lists are authoritative; the table `attachment` follows
// them.

import type { Document } from '../../domain/document.ts'
import type { ConversationId } from '../../domain/ids.ts'
import { type DocumentRow, toDocument } from '../document-rows.ts'
import type { DocumentKey } from '../document-store.ts'
import { changeRow, createRow, findRow } from '../sql/conversations.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { needDocumentRow } from './document-reads.ts'

interface Attaching {
  readonly key: DocumentKey
  readonly conversation: ConversationId | undefined
  readonly now: Date
}

export function attach(
  connection: Connection,
  row: DocumentRow,
  { key, conversation, now }: Attaching,
): void {
  if (conversation === undefined) {
    setWorkspaceWide(connection, row, true)
    return
  }
  const { workspace, document } = key
  const target = execute(connection, createRow({ workspace, conversation, fields: {}, createdAt: now }))
  const documents: string[] = JSON.parse(target.documents)
  if (!documents.includes(document))
    execute(connection, changeRow(target, { documents: [...documents, document] }))
}

function setWorkspaceWide(connection: Connection, { number }: DocumentRow, isWide: boolean): void {
  connection.run('UPDATE document SET is_workspace_wide = ? WHERE number = ?', Number(isWide), number)
}

export function attachDocument(connection: Connection, attaching: Attaching): Document {
  attach(connection, needDocumentRow(connection, attaching.key), attaching)
  return toDocument(needDocumentRow(connection, attaching.key))
}

export function detachDocument(
  connection: Connection,
  key: DocumentKey,
  conversation: ConversationId | undefined,
): Document {
  const row = needDocumentRow(connection, key)
  if (conversation === undefined) setWorkspaceWide(connection, row, false)
  else takeOffList(connection, key, conversation)
  return toDocument(needDocumentRow(connection, key))
}

function takeOffList(
  connection: Connection,
  { workspace, document }: DocumentKey,
  conversation: ConversationId,
): void {
  const target = execute(connection, findRow({ workspace, conversation }))
  const documents: string[] = JSON.parse(target?.documents ?? '[]')
  if (target === undefined || !documents.includes(document)) return
  execute(connection, changeRow(target, { documents: documents.filter((id) => id !== document) }))
}
