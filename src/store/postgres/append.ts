// Writing messages. A writer locks the row of the conversation until the commit, so positions have no gaps with any
// number of processes. A unique key prevents duplicate message ids.

import { MemoryError } from '../../domain/errors.ts'
import { conversationId } from '../../domain/ids.ts'
import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { Message } from '../../domain/message.ts'
import {
  type ConversationRow,
  fromContent,
  isSameContent,
  MESSAGE_COLUMNS,
  type MessageRow,
  toConversation,
  toMessage,
} from '../rows.ts'
import { changeRow, createRow } from '../sql/conversations.ts'
import type { AcceptedMessage, AppendRequest, AppendResult } from '../store.ts'
import { LOST, withWords } from './blocks.ts'
import type { SqlValue } from './driver.ts'
import { execute } from './execute.ts'
import { FROM_MESSAGE, findMessageRows } from './messages.ts'
import type { Session } from './session.ts'
import { addEntries, messageEntry } from './word-index.ts'

export async function append(session: Session, request: AppendRequest): Promise<AppendResult> {
  const { workspace, conversation } = request
  const createdAt = earliest(request)
  const row = await execute(session, createRow({ workspace, conversation, fields: {}, createdAt }))
  const repeated = await findRepeated(session, row, request)
  if (repeated !== undefined) return { messages: repeated, conversation: toConversation(row), added: 0 }
  const written = await write(session, row, withKey(request))
  const title = written.added > 0 && row.title === null ? request.suggestTitle(request.messages) : undefined
  const changed =
    title === undefined ? written.row : await execute(session, changeRow(written.row, { title }))
  return { messages: written.messages, conversation: toConversation(changed), added: written.added }
}

function withKey({ messages, appendKey }: AppendRequest): readonly AcceptedMessage[] {
  return appendKey === undefined ? messages : messages.map((message) => ({ appendKey, ...message }))
}

/** An imported conversation is as old as its first message. */
function earliest({ messages, now }: AppendRequest): Date {
  return new Date(
    messages.reduce((oldest, { createdAt }) => Math.min(oldest, createdAt.getTime()), now.getTime()),
  )
}

async function findRepeated(
  session: Session,
  conversation: ConversationRow,
  { appendKey, messages }: AppendRequest,
): Promise<readonly Message[] | undefined> {
  if (appendKey === undefined || conversation.message_count === 0) return undefined
  const { workspace, number } = conversation
  const written = await session.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} ${FROM_MESSAGE}
     WHERE m.workspace = $1 AND m.conversation = $2 AND m.append_key = $3 ORDER BY m.position`,
    workspace,
    number,
    appendKey,
  )
  const rows = await withWords(session, workspace, written)
  if (rows.length === 0) return undefined
  // Some messages may have been recorded earlier under their ids; the others were written by this append, in this
  // order.
  const known = await findKnown(session, workspace, messages)
  const found = messages.map((message) => {
    const own = known.get(message.id)
    const row = own?.conversation === number ? own : rows[0]
    if (row?.number === rows[0]?.number) rows.shift()
    return row !== undefined && saysTheSame(row, message) ? row : undefined
  })
  if (rows.length === 0 && found.every((row) => row !== undefined)) return found.map(toMessage)
  throw new MemoryError('conflict', `the key "${appendKey}" was used before for other messages`, {
    hint: 'use a new key for new messages, and the old key only to repeat an append unchanged',
  })
}

async function findKnown(
  session: Session,
  workspace: number,
  messages: readonly AcceptedMessage[],
): Promise<ReadonlyMap<string, MessageRow>> {
  const rows = await findMessageRows(
    session,
    workspace,
    messages.map(({ id }) => id),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

function saysTheSame(row: MessageRow, message: AcceptedMessage): boolean {
  if (row.erased_at !== null) return true
  const isSameSpeaker = row.role === message.role && row.name === (message.name ?? null)
  // If the text of either one is lost, they cannot be compared, and a retry must not fail because of that.
  const isDamaged = row.is_damaged === true || message.isDamaged === true
  return isSameSpeaker && (isDamaged || isSameContent(row.content, message.content))
}

export interface Written {
  /** In the order of the request. Messages that already existed are returned as they were first written. */
  readonly messages: readonly Message[]
  readonly added: number
  /** The conversation after the write. */
  readonly row: ConversationRow
}

/** Appends messages to a conversation whose row is locked, and updates its counts. */
export async function write(
  session: Session,
  row: ConversationRow,
  messages: readonly AcceptedMessage[],
): Promise<Written> {
  const known = await findKnown(session, row.workspace, messages)
  const added = new Map<string, Message>()
  let last: Message | undefined
  const all = messages.map((message) => {
    const there = known.get(message.id)
    const twin = added.get(message.id)
    if (there !== undefined) return existing(row, there, message)
    if (twin !== undefined) return sameTwice(twin, message)
    last = place(row, message, last)
    added.set(message.id, last)
    return last
  })
  const changed = await insertMessages(session, row, [...added.values()])
  return { messages: all, added: added.size, row: changed }
}

function place(row: ConversationRow, message: AcceptedMessage, before: Message | undefined): Message {
  const position = before === undefined ? row.message_count : before.position + 1
  if (position >= POSITIONS_PER_CONVERSATION) throw tooLong(row.id)
  return {
    conversationId: conversationId(row.id),
    position,
    tokensBefore: before === undefined ? row.token_count : before.tokensBefore + before.tokens,
    ...message,
  }
}

function existing(conversation: ConversationRow, row: MessageRow, message: AcceptedMessage): Message {
  if (row.conversation === conversation.number && saysTheSame(row, message)) return toMessage(row)
  throw isAnother(message)
}

/** Handles the same message id twice in one batch. */
function sameTwice(first: Message, second: AcceptedMessage): Message {
  const isSame =
    first.role === second.role &&
    first.name === second.name &&
    fromContent(first.content) === fromContent(second.content)
  if (isSame) return first
  throw isAnother(second)
}

const isAnother = ({ id }: AcceptedMessage): MemoryError =>
  new MemoryError('conflict', `there is another message with the id "${id}"`, {
    hint: 'messages never change; leave out the id to record this as a new message',
  })

/** The next locator would belong to another conversation. */
function tooLong(conversation: string): MemoryError {
  const most = POSITIONS_PER_CONVERSATION.toLocaleString('en')
  return new MemoryError('too-large', `"${conversation}" has ${most} messages, the most that there can be`, {
    hint: 'go on in another conversation',
  })
}

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
