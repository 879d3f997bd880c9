import type { WorkspaceId } from '../../domain/ids.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { findRow, needRow } from '../sql/conversations.ts'
import type { ConversationKey } from '../store.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'

export function saveReceipt(
  connection: Connection,
  workspace: WorkspaceId,
  { receipt, keep }: { receipt: StoredReceipt; keep: number },
): void {
  const { number } = execute(connection, needRow({ workspace, conversation: receipt.conversationId }))
  connection.run(
    'INSERT INTO receipt (conversation, id, body) VALUES (?, ?, ?)',
    number,
    receipt.id,
    JSON.stringify(receipt),
  )
  connection.run(
    `DELETE FROM receipt WHERE conversation = ?1 AND number <= (
       SELECT number FROM receipt WHERE conversation = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)`,
    number,
    keep,
  )
}

export function readReceipts(
  connection: Connection,
  key: ConversationKey,
  limit: number,
): readonly StoredReceipt[] {
  const conversation = execute(connection, findRow(key))
  if (conversation === undefined) return []
  const rows = connection.all<{ body: string }>(
    'SELECT body FROM receipt WHERE conversation = ? ORDER BY number DESC LIMIT ?',
    conversation.number,
    limit,
  )
  return rows.map(({ body }) => {
    const receipt = JSON.parse(body) as StoredReceipt
    return { ...receipt, createdAt: new Date(receipt.createdAt) }
  })
}
