import type { DocumentRow } from '../document-rows.ts'
import type { ConversationRow } from '../rows.ts'
import { chunkEntry, readChunkRows } from './chunk-index.ts'
import type { Connection } from './connection.ts'
import type { RemovedWords } from './removed-words.ts'

export function readDocumentRows(connection: Connection, workspace: number): readonly DocumentRow[] {
  return connection.all<DocumentRow>('SELECT * FROM document WHERE workspace = ?', workspace)
}

/** Documents that only these conversations can see. */
export function findAttachedOnlyTo(
  connection: Connection,
  conversations: readonly ConversationRow[],
): readonly DocumentRow[] {
  const going = JSON.stringify(conversations.map(({ number }) => number))
  return connection.all<DocumentRow>(
    `SELECT DISTINCT d.* FROM json_each(?1) gone
       CROSS JOIN attachment a ON a.conversation = gone.value
       CROSS JOIN document d ON d.workspace = a.workspace AND d.id = a.document_id
     WHERE d.is_workspace_wide = 0 AND NOT EXISTS (SELECT 1 FROM attachment other
       WHERE other.workspace = d.workspace AND other.document_id = d.id
         AND other.conversation NOT IN (SELECT value FROM json_each(?1)))`,
    going,
  )
}

/** Deletes the document, its chunks, their index entries, and every reference to it. */
export function deleteDocument(connection: Connection, row: DocumentRow, { chunks }: RemovedWords): void {
  if (!chunks.isMadeAnew) {
    for (const chunk of readChunkRows(connection, row.number)) chunks.take(chunkEntry(chunk, row.workspace))
  }
  connection.run(
    'UPDATE page SET active_file = NULL, active_file_name = NULL WHERE workspace = ? AND active_file = ?',
    row.workspace,
    row.id,
  )
  connection.run(
    `UPDATE conversation SET documents =
       (SELECT json_group_array(value) FROM json_each(conversation.documents) WHERE value <> ?2)
     WHERE number IN (SELECT conversation FROM attachment WHERE workspace = ?1 AND document_id = ?2)`,
    row.workspace,
    row.id,
  )
  // Deletes its text and chunks too.
  connection.run('DELETE FROM document WHERE number = ?', row.number)
}
