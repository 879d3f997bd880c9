import { MemoryError } from '../../domain/errors.ts'
import type { MessageId, WorkspaceId } from '../../domain/ids.ts'
import type { ConversationRow, MessageRow } from '../rows.ts'
import { changeRow } from '../sql/conversations.ts'
import { dropAllDerivations } from '../sql/derivations.ts'
import { dropEditsOfMessage } from '../sql/edits.ts'
import { findWorkspace } from '../sql/workspaces.ts'
import type { Erased } from '../store.ts'
import { withWords } from './blocks.ts'
import { takeOut } from './compress.ts'
import type { Connection } from './connection.ts'
import { eraseWith, NOTHING } from './erase.ts'
import { execute } from './execute.ts'
import { findMessageRows } from './messages.ts'
import { removeWordsOf } from './removed-words.ts'
import type { Session } from './session.ts'

interface ErasedCopy extends MessageRow {
  readonly workspace: number
}

/** Erases the message and all its copies in forks. */
export async function eraseMessage(
  connection: Connection,
  workspace: WorkspaceId,
  { id, now }: { id: MessageId; now: Date },
): Promise<Erased> {
  return eraseWith(connection, async (session) => {
    const number = await execute(session, findWorkspace(workspace))
    const [message] = number === undefined ? [] : await findMessageRows(session, number, [id])
    if (number === undefined || message === undefined)
      throw new MemoryError('not-found', `there is no message "${id}"`)
    const copies = await lockCopies(session, number, message.copy_of ?? message.id)
    const standing = copies.filter((copy) => copy.erased_at === null)
    for (const copy of standing) {
      await blank(session, copy, now)
      await execute(session, dropAllDerivations(copy))
      await execute(session, dropEditsOfMessage(number, copy.id))
    }
    return { ...NOTHING, messages: standing.length }
  })
}

/** Locks the conversations of all copies. Repeats if a concurrent fork has added another copy. */
async function lockCopies(session: Session, workspace: number, original: string): Promise<ErasedCopy[]> {
  for (let locked = ''; ; ) {
    const rows = await session.all<ErasedCopy>(
      `SELECT * FROM message WHERE workspace = $1 AND id = $2
       UNION ALL SELECT * FROM message WHERE workspace = $1 AND copy_of = $2`,
      workspace,
      original,
    )
    const conversations = [...new Set(rows.map(({ conversation }) => conversation))].sort((a, b) => a - b)
    if (locked === conversations.join()) return withWords(session, workspace, rows)
    await session.run(
      'SELECT 1 FROM conversation WHERE workspace = $1 AND number = ANY($2::bigint[]) ORDER BY number FOR NO KEY UPDATE',
      workspace,
      conversations,
    )
    locked = conversations.join()
  }
}

/** Keeps the row, so that positions have no gap and a retry with the same id does not restore the text. */
async function blank(session: Session, message: ErasedCopy, now: Date): Promise<void> {
  const { workspace, conversation, position, tokens } = message
  await removeWordsOf(session, workspace, message)
  // Reads the current block: erasing the previous copy may have rewritten it.
  const kept = await session.get<{ block: number | null }>(
    'SELECT block FROM message WHERE workspace = $1 AND conversation = $2 AND position = $3',
    workspace,
    conversation,
    position,
  )
  await takeOut(session, { workspace, conversation }, { block: kept?.block ?? null, position })
  await session.run(
    `UPDATE message SET content = '""', name = NULL, metadata = NULL, tokens = 0, erased_at = $4, block = NULL
     WHERE workspace = $1 AND conversation = $2 AND position = $3`,
    workspace,
    conversation,
    position,
    now.getTime(),
  )
  await session.run(
    `UPDATE message SET tokens_before = tokens_before - $4 WHERE workspace = $1 AND conversation = $2 AND position > $3`,
    workspace,
    conversation,
    position,
    tokens,
  )
  const row = await session.get<ConversationRow>(
    'UPDATE conversation SET token_count = token_count - $3 WHERE workspace = $1 AND number = $2 RETURNING *',
    workspace,
    conversation,
    tokens,
  )
  // A generated title may contain the text.
  if (row !== undefined && !row.is_title_given) await execute(session, changeRow(row, { title: null }))
}
