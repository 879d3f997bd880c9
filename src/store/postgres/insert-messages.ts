import type { Message } from '../../domain/message.ts'
import { type ConversationRow, fromContent } from '../rows.ts'
import { LOST } from './blocks.ts'
import type { SqlValue } from './driver.ts'
import type { Session } from './session.ts'
import { addEntries, messageEntry } from './word-index.ts'

/** Each column as a list, with its type: one statement writes any number of rows. */
const COLUMNS: Readonly<Record<string, readonly [type: string, read: (message: Message) => Value]>> = {
  position: ['int', ({ position }) => position],
  id: ['text', ({ id }) => id],
  role: ['text', ({ role }) => role],
  name: ['text', ({ name }) => name ?? null],
  content: ['text', ({ content, isDamaged }) => (isDamaged ? '' : fromContent(content))],
  metadata: ['text', ({ metadata, isDamaged }) => (metadata && !isDamaged ? JSON.stringify(metadata) : null)],
  importance: ['float8', ({ importance }) => importance ?? null],
  tokens: ['int', ({ tokens }) => tokens],
  tokenizer: ['text', ({ tokenizer }) => tokenizer],
  tokens_before: ['bigint', ({ tokensBefore }) => tokensBefore],
  append_key: ['text', ({ appendKey }) => appendKey ?? null],
  copy_of: ['text', ({ copyOf }) => copyOf ?? null],
  created_at: ['bigint', ({ createdAt }) => createdAt.getTime()],
  recorded_at: ['bigint', ({ recordedAt }) => recordedAt.getTime()],
  erased_at: ['bigint', ({ erasedAt }) => erasedAt?.getTime() ?? null],
  block: ['bigint', ({ isDamaged }) => (isDamaged ? LOST : null)],
}

type Value = string | number | null

const NAMES = Object.keys(COLUMNS).join(', ')
const LISTS = Object.values(COLUMNS)
  .map(([type], i) => `$${i + 3}::${type}[]`)
  .join(', ')

const INSERT = `INSERT INTO message (workspace, conversation, ${NAMES}) SELECT $1, $2, * FROM unnest(${LISTS})
  RETURNING number`

/** At most a few megabytes, with messages of the usual size. */
const WRITTEN_AT_ONCE = 1000

/** Inserts messages that have their positions, with their words, and returns the updated conversation. */
export async function insertMessages(
  session: Session,
  row: ConversationRow,
  messages: readonly Message[],
): Promise<ConversationRow> {
  let last = row.last_message
  for (let first = 0; first < messages.length; first += WRITTEN_AT_ONCE) {
    const some = messages.slice(first, first + WRITTEN_AT_ONCE)
    const lists: SqlValue[] = Object.values(COLUMNS).map(([, read]) => some.map(read))
    const numbers = await session.all<{ number: number }>(INSERT, row.workspace, row.number, ...lists)
    last = numbers.reduce((highest, { number }) => Math.max(highest, number), last ?? 0)
    const standing = some.filter(({ erasedAt }) => erasedAt === undefined)
    await addEntries(
      session,
      { workspace: row.workspace, index: 'message' },
      standing.map((message) => messageEntry(row.number, message)),
    )
  }
  return messages.length === 0 ? row : count(session, row, { messages, last })
}

async function count(
  session: Session,
  row: ConversationRow,
  { messages, last }: { readonly messages: readonly Message[]; readonly last: number | null },
): Promise<ConversationRow> {
  const times = messages.map(({ createdAt }) => createdAt.getTime())
  const newest = times.reduce((a, b) => Math.max(a, b))
  const oldest = times.reduce((a, b) => Math.min(a, b))
  const counts = {
    message_count: row.message_count + messages.length,
    token_count: messages.reduce((sum, { tokens }) => sum + tokens, row.token_count),
    last_used_at: row.message_count === 0 ? newest : Math.max(row.last_used_at, newest),
    first_said_at: Math.min(row.first_said_at ?? oldest, oldest),
    last_message: last,
  }
  await session.run(
    `UPDATE conversation SET message_count = $3, token_count = $4, last_used_at = $5, first_said_at = $6, last_message = $7
     WHERE workspace = $1 AND number = $2`,
    row.workspace,
    row.number,
    ...Object.values(counts),
  )
  return { ...row, ...counts }
}
