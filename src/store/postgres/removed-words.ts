// Removes the words of erased texts from the index. The same texts are tokenized again; if one can no longer be read,
// all entries of its locator are removed, whatever their word.

import { toLocator } from '../../domain/locator.ts'
import type { PageRow, QueryRow } from '../page-rows.ts'
import { type ConversationRow, type PackedRow, parseContent } from '../rows.ts'
import type { ErasedCopy } from '../sql/engine.ts'
import { withWords } from './blocks.ts'
import { queryEntry } from './query-words.ts'
import type { Session } from './session.ts'
import { clearEntry, clearRange, messageEntry, removeEntries } from './word-index.ts'

interface ErasedRow extends PackedRow {
  readonly erased_at: number | null
}

const READ_AT_ONCE = 500

/** Removes the words of all messages of a conversation. */
export async function removeConversationWords(session: Session, row: ConversationRow): Promise<void> {
  const key = { workspace: row.workspace, index: 'message' } as const
  let isDamaged = false
  for (let after = -1; ; ) {
    const rows = await session.all<ErasedRow>(
      `SELECT position, content, metadata, block, erased_at FROM message
       WHERE workspace = $1 AND conversation = $2 AND position > $3 ORDER BY position LIMIT ${READ_AT_ONCE}`,
      row.workspace,
      row.number,
      after,
    )
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.position
    const whole = await withWords(session, row.workspace, rows)
    isDamaged ||= whole.some((message) => message.is_damaged)
    const standing = whole.filter((message) => message.erased_at === null && !message.is_damaged)
    await removeEntries(
      session,
      key,
      standing.map((message) => entryOf(row.number, message)),
    )
  }
  if (isDamaged) await clearRange(session, key, [toLocator(row.number, 0), toLocator(row.number + 1, 0)])
}

const entryOf = (conversation: number, { position, content }: PackedRow) =>
  messageEntry(conversation, { position, content: parseContent(content) })

/** Removes the words of one message. */
export async function removeMessageWords(session: Session, message: ErasedCopy): Promise<void> {
  const key = { workspace: message.workspace, index: 'message' } as const
  if (message.is_damaged) await clearEntry(session, key, toLocator(message.conversation, message.position))
  else await removeEntries(session, key, [entryOf(message.conversation, message)])
}

export async function removePageWords(session: Session, { workspace, number }: PageRow): Promise<void> {
  for (let after = -1; ; ) {
    const rows = await session.all<QueryRow>(
      `SELECT * FROM query WHERE workspace = $1 AND page = $2 AND position > $3
       ORDER BY position LIMIT ${READ_AT_ONCE}`,
      workspace,
      number,
      after,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    await removeEntries(session, { workspace, index: 'query' }, rows.map(queryEntry))
    after = last.position
  }
}

export async function removeQueryWords(session: Session, row: QueryRow): Promise<void> {
  await removeEntries(session, { workspace: row.workspace, index: 'query' }, [queryEntry(row)])
}
