import type { DocumentRow } from '../document-rows.ts'
import type { ConversationRow } from '../rows.ts'
import { changeRow } from '../sql/conversations.ts'
import { removeChunkWords } from './chunks.ts'
import { execute } from './execute.ts'
import type { Session } from './session.ts'

export async function readDocumentRows(session: Session, workspace: number): Promise<readonly DocumentRow[]> {
  return session.all<DocumentRow>('SELECT * FROM document WHERE workspace = $1 FOR NO KEY UPDATE', workspace)
}

/** Documents that only these conversations can see. */
export async function findAttachedOnlyTo(
  session: Session,
  conversations: readonly ConversationRow[],
): Promise<readonly DocumentRow[]> {
  const [first] = conversations
  if (first === undefined) return []
  return session.all<DocumentRow>(
    `SELECT d.* FROM document d WHERE d.workspace = $1 AND NOT d.is_workspace_wide
       AND d.id IN (SELECT document_id FROM attachment WHERE workspace = $1 AND conversation = ANY($2::bigint[]))
       AND NOT EXISTS (SELECT 1 FROM attachment other WHERE other.workspace = $1 AND other.document_id = d.id
         AND NOT other.conversation = ANY($2::bigint[])) FOR NO KEY UPDATE OF d`,
    first.workspace,
    conversations.map(({ number }) => number),
  )
}

/** Deletes the document, its chunks with their index entries, and every reference to it. */
export async function deleteDocument(session: Session, row: DocumentRow): Promise<void> {
  const { workspace, number, id } = row
  await removeChunkWords(session, row)
  await session.run(
    'UPDATE page SET active_file = NULL, active_file_name = NULL WHERE workspace = $1 AND active_file = $2',
    workspace,
    id,
  )
  const attached = await session.all<ConversationRow>(
    `SELECT * FROM conversation WHERE workspace = $1 AND number IN (SELECT conversation FROM attachment
       WHERE workspace = $1 AND document_id = $2) ORDER BY number FOR NO KEY UPDATE`,
    workspace,
    id,
  )
  for (const conversation of attached) {
    const documents: string[] = JSON.parse(conversation.documents)
    await execute(session, changeRow(conversation, { documents: documents.filter((one) => one !== id) }))
  }
  // Deletes its text and chunks too, by cascade.
  await session.run('DELETE FROM document WHERE workspace = $1 AND number = $2', workspace, number)
}
