// Which conversations see a document. The conversations' lists are authoritative; the table `attachment` follows
// them.

import type { Document } from '../../domain/document.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { DocumentRow } from '../document-rows.ts'
import type { DocumentKey } from '../document-store.ts'
import { changeRow, createRow, lockRow } from './conversations.ts'
import { needDocument, needDocumentRow } from './document-reads.ts'
import { type Db, run } from './statement.ts'

interface Attaching {
  readonly key: DocumentKey
  readonly conversation: ConversationId | undefined
  readonly now: Date
}

export function* attach(row: DocumentRow, { key, conversation, now }: Attaching): Db<void> {
  if (conversation === undefined) return yield* setWorkspaceWide(row, true)
  const { workspace, document } = key
  const target = yield* createRow({ workspace, conversation, fields: {}, createdAt: now })
  const documents: string[] = JSON.parse(target.documents)
  if (!documents.includes(document)) yield* changeRow(target, { documents: [...documents, document] })
}

function* setWorkspaceWide({ workspace, number }: DocumentRow, isWide: boolean): Db<void> {
  yield* run(
    'UPDATE document SET is_workspace_wide = $3 WHERE workspace = $1 AND number = $2',
    workspace,
    number,
    isWide,
  )
}

export function* attachDocument(attaching: Attaching): Db<Document> {
  yield* attach(yield* needDocumentRow(attaching.key), attaching)
  return yield* needDocument(attaching.key)
}

export function* detachDocument(key: DocumentKey, conversation: ConversationId | undefined): Db<Document> {
  const row = yield* needDocumentRow(key)
  if (conversation === undefined) yield* setWorkspaceWide(row, false)
  else yield* takeOffList(key, conversation)
  return yield* needDocument(key)
}

function* takeOffList({ workspace, document }: DocumentKey, conversation: ConversationId): Db<void> {
  const target = yield* lockRow({ workspace, conversation })
  const documents: string[] = JSON.parse(target?.documents ?? '[]')
  if (target === undefined || !documents.includes(document)) return
  yield* changeRow(target, { documents: documents.filter((id) => id !== document) })
}
