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
import { withWords } from './blocks.ts'
import { execute } from './execute.ts'
import { insertMessages } from './insert-messages.ts'
import { FROM_MESSAGE, findMessageRows } from './messages.ts'
import type { Session } from './session.ts'

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
