// Writes messages. Everything happens inside one transaction that holds the file's write lock, which keeps
// positions gapless and ids unique with any number of processes.

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
import { changeRow, createRow, findRow, needRow } from '../sql/conversations.ts'
import { copyEdits } from '../sql/edits.ts'
import type { AcceptedMessage, AppendRequest, AppendResult, ForkRequest } from '../store.ts'
import { markLost, withWords } from './blocks.ts'
import type { Connection } from './connection.ts'
import { execute } from './dialect.ts'
import { findMessageRow } from './messages.ts'
import { addEntry, messageEntry } from './word-index.ts'

export function append(connection: Connection, request: AppendRequest): AppendResult {
  return beginAppend(connection, request)()
}

/** Writes the messages, and returns a function that updates their conversation. */
export function beginAppend(connection: Connection, request: AppendRequest): () => AppendResult {
  const conversation = execute(
    connection,
    createRow({
      workspace: request.workspace,
      conversation: request.conversation,
      fields: {},
      createdAt: earliest(request),
    }),
  )
  const repeated = findRepeated(connection, conversation, request)
  if (repeated !== undefined) {
    return () => ({ messages: repeated, conversation: toConversation(conversation), added: 0 })
  }
  const writer = new Writer(connection, conversation)
  const messages = withKey(request).map((message) => writer.add(message))
  return () => {
    const changed = writer.finish(() => request.suggestTitle(request.messages))
    return { messages, conversation: toConversation(changed), added: writer.added }
  }
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

function findRepeated(
  connection: Connection,
  conversation: ConversationRow,
  { appendKey, messages }: AppendRequest,
): readonly Message[] | undefined {
  if (appendKey === undefined) return undefined
  const written = connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM message m JOIN conversation c ON c.number = m.conversation
     WHERE m.conversation = ? AND m.append_key = ? ORDER BY m.position`,
    conversation.number,
    appendKey,
  )
  const rows = withWords(connection, written)
  if (rows.length === 0) return undefined
  // Some messages may have existed under their ids; the others were written by the first call, in this order.
  const found = messages.map((message) => {
    const known = findMessageRow(connection, conversation.workspace, message.id)
    const row = known?.conversation === conversation.number ? known : rows[0]
    if (row?.number === rows[0]?.number) rows.shift()
    return row !== undefined && saysTheSame(row, message) ? row : undefined
  })
  if (rows.length === 0 && found.every((row) => row !== undefined)) return found.map(toMessage)
  throw new MemoryError('conflict', `the key "${appendKey}" was used before for other messages`, {
    hint: 'use a new key for new messages, and the old key only to repeat an append unchanged',
  })
}

function saysTheSame(row: MessageRow, message: AcceptedMessage | undefined): boolean {
  if (message === undefined) return false
  if (row.erased_at !== null) return true
  const isSameSpeaker = row.role === message.role && row.name === (message.name ?? null)
  // Lost content cannot be compared, and a retry must not fail because of it.
  const isDamaged = row.is_damaged === true || message.isDamaged === true
  return isSameSpeaker && (isDamaged || isSameContent(row.content, message.content))
}

/** Appends messages to a conversation and updates its counts. */
class Writer {
  added = 0
  readonly #connection: Connection
  readonly #row: ConversationRow
  #tokens: number
  #lastUsedAt: number
  #firstSaidAt: number
  #lastMessage: number | null

  constructor(connection: Connection, row: ConversationRow) {
    this.#connection = connection
    this.#row = row
    this.#tokens = row.token_count
    this.#lastUsedAt = row.message_count === 0 ? Number.NEGATIVE_INFINITY : row.last_used_at
    this.#firstSaidAt = row.first_said_at ?? Number.POSITIVE_INFINITY
    this.#lastMessage = row.last_message
  }

  add(message: AcceptedMessage): Message {
    const position = this.#row.message_count + this.added
    if (position >= POSITIONS_PER_CONVERSATION) throw tooLong(this.#row.id)
    const content = fromContent(message.content)
    const { changes, rowid } = this.#insert(message, position, content)
    if (changes === 0) return this.#existing(message)
    if (message.erasedAt === undefined) {
      const { workspace, number: conversation } = this.#row
      const entry = messageEntry({ workspace, conversation, position, content: message.content })
      addEntry(this.#connection, 'message_words', entry)
    }
    if (message.isDamaged) markLost(this.#connection, rowid)
    // Fields in this order: adding fields to a copy takes ten times as long as copying into an object that has
    // them.
    const stored: Message = {
      conversationId: conversationId(this.#row.id),
      position,
      tokensBefore: this.#tokens,
      ...message,
    }
    this.added += 1
    this.#tokens += message.tokens
    this.#lastUsedAt = Math.max(this.#lastUsedAt, message.createdAt.getTime())
    this.#firstSaidAt = Math.min(this.#firstSaidAt, message.createdAt.getTime())
    this.#lastMessage = rowid
    return stored
  }

  /** Returns the updated conversation. */
  finish(suggestTitle: () => string | undefined): ConversationRow {
    if (this.added === 0) return this.#row
    const counts = {
      message_count: this.#row.message_count + this.added,
      token_count: this.#tokens,
      last_used_at: this.#lastUsedAt,
      first_said_at: this.#firstSaidAt,
      last_message: this.#lastMessage,
    }
    this.#connection.run(
      `UPDATE conversation SET message_count = ?, token_count = ?, last_used_at = ?, first_said_at = ?, last_message = ?
       WHERE number = ?`,
      ...Object.values(counts),
      this.#row.number,
    )
    const row = { ...this.#row, ...counts }
    const title = row.title === null ? suggestTitle() : undefined
    return title === undefined ? row : execute(this.#connection, changeRow(row, { title }))
  }

  #insert(message: AcceptedMessage, position: number, content: string) {
    return this.#connection.run(
      `INSERT INTO message (workspace, conversation, position, id, role, name, content, metadata, importance, tokens,
         tokenizer, tokens_before, append_key, copy_of, created_at, recorded_at, erased_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace, id) DO NOTHING`,
      this.#row.workspace,
      this.#row.number,
      position,
      message.id,
      message.role,
      message.name ?? null,
      content,
      message.metadata === undefined ? null : JSON.stringify(message.metadata),
      message.importance ?? null,
      message.tokens,
      message.tokenizer,
      this.#tokens,
      message.appendKey ?? null,
      message.copyOf ?? null,
      message.createdAt.getTime(),
      message.recordedAt.getTime(),
      message.erasedAt?.getTime() ?? null,
    )
  }

  #existing(message: AcceptedMessage): Message {
    const row = findMessageRow(this.#connection, this.#row.workspace, message.id)
    if (row?.conversation === this.#row.number && saysTheSame(row, message)) return toMessage(row)
    throw new MemoryError('conflict', `there is another message with the id "${message.id}"`, {
      hint: 'messages never change; leave out the id to record this as a new message',
    })
  }
}

/** The next locator would belong to another conversation. */
function tooLong(conversation: string): MemoryError {
  const most = POSITIONS_PER_CONVERSATION.toLocaleString('en')
  return new MemoryError('too-large', `"${conversation}" has ${most} messages, the most that there can be`, {
    hint: 'go on in another conversation',
  })
}

const COPIED_AT_ONCE = 500

/** Copies a conversation up to a message into a new one. */
export function fork(connection: Connection, request: ForkRequest): ConversationRow {
  const source = execute(connection, needRow(request))
  const key = { workspace: request.workspace, conversation: request.into }
  if (execute(connection, findRow(key)) !== undefined) {
    throw new MemoryError('conflict', `there is a conversation "${request.into}" already`, {
      hint: 'choose another id for the fork, or leave it out',
    })
  }
  const last = connection.get<{ id: string }>(
    'SELECT id FROM message WHERE conversation = ? AND position = ?',
    source.number,
    request.at,
  )
  if (last === undefined) {
    throw new MemoryError('not-found', `"${request.conversation}" has no message at position ${request.at}`)
  }
  const target = execute(
    connection,
    createRow({
      ...key,
      fields: request.fields,
      forkedFrom: { conversationId: request.conversation, messageId: last.id as never, position: request.at },
      createdAt: request.now,
    }),
  )
  const writer = new Writer(connection, target)
  for (let from = 0; from <= request.at; from += COPIED_AT_ONCE) {
    const to = Math.min(from + COPIED_AT_ONCE - 1, request.at)
    for (const message of readCopies(connection, source.number, [from, to])) {
      writer.add({ ...toCopy(message), id: request.newId(), copyOf: message.copyOf ?? message.id })
    }
  }
  execute(connection, copyEdits(source, { into: target.number, upTo: request.at + 1 }))
  return writer.finish(() => undefined)
}

function readCopies(connection: Connection, conversation: number, [from, to]: readonly [number, number]) {
  const rows = connection.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM message m JOIN conversation c ON c.number = m.conversation
     WHERE m.conversation = ? AND m.position BETWEEN ? AND ? ORDER BY m.position`,
    conversation,
    from,
    to,
  )
  return withWords(connection, rows).map(toMessage)
}

/** What a copy keeps of a message: everything except its position and the key of its append. */
function toCopy(message: Message): AcceptedMessage {
  const {
    conversationId: _,
    position: _position,
    tokensBefore: _tokens,
    appendKey: _key,
    ...copied
  } = message
  return copied
}
