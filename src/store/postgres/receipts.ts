import type { WorkspaceId } from '../../domain/ids.ts'
import type { StoredReceipt } from '../../domain/receipt.ts'
import { needRow } from '../sql/conversations.ts'
import type { ConversationKey } from '../store.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export async function saveReceipt(
  session: Session,
  workspace: WorkspaceId,
  { receipt, keep }: { receipt: StoredReceipt; keep: number },
): Promise<void> {
  const row = await execute(session, needRow({ workspace, conversation: receipt.conversationId }))
  await session.run(
    'INSERT INTO receipt (workspace, conversation, id, body) VALUES ($1, $2, $3, $4)',
    row.workspace,
    row.number,
    receipt.id,
    JSON.stringify(receipt),
  )
  await session.run(
    `DELETE FROM receipt WHERE workspace = $1 AND conversation = $2 AND number <= (SELECT number FROM receipt
       WHERE workspace = $1 AND conversation = $2 ORDER BY number DESC LIMIT 1 OFFSET $3)`,
    row.workspace,
    row.number,
    keep,
  )
}

export async function readReceipts(
  session: Session,
  key: ConversationKey,
  limit: number,
): Promise<readonly StoredReceipt[]> {
  const rows = await session.all<{ body: string }>(
    `SELECT r.body FROM workspace w JOIN conversation c ON c.workspace = w.number
     JOIN receipt r ON r.workspace = c.workspace AND r.conversation = c.number
     WHERE w.id = $1 AND c.id = $2 ORDER BY r.number DESC LIMIT $3`,
    key.workspace,
    key.conversation,
    limit,
  )
  return rows.map(({ body }) => {
    const receipt = JSON.parse(body) as StoredReceipt
    return { ...receipt, createdAt: new Date(receipt.createdAt) }
  })
}
