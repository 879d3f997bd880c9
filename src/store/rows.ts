// One row type and one conversion per domain object, in both directions. Rows do not leave the store.

import type { Conversation } from '../domain/conversation.ts'
import { conversationId, messageId } from '../domain/ids.ts'
import { toLocator } from '../domain/locator.ts'
import { type Content, type Message, type Role, withCurrentPartNames } from '../domain/message.ts'
import type { Block, PlacedWords } from './pack-messages.ts'
import type { LocatedContent } from './recall-store.ts'

/** How a backend represents booleans. */
export type Flag = number | boolean

export interface BlockRow extends Block {
  readonly number: number
  readonly conversation: number
  readonly messages: number
}

/** A row of a message whose content may be in a block. */
export interface PackedRow extends PlacedWords {
  readonly block: number | null
  /** Its block is missing or damaged; content is then an empty text. */
  readonly is_damaged?: true
}

export interface ConversationRow {
  readonly number: number
  readonly workspace: number
  readonly id: string
  readonly title: string | null
  readonly is_title_given: Flag
  readonly tags: string
  readonly is_pinned: Flag
  readonly archived_at: number | null
  readonly is_memory_on: Flag
  readonly documents: string
  readonly metadata: string
  readonly forked_from: string | null
  readonly message_count: number
  readonly token_count: number
  readonly created_at: number
  readonly last_used_at: number
  readonly first_said_at: number | null
  readonly last_message: number | null
}

export interface MessageRow extends PackedRow {
  readonly number: number
  readonly conversation: number
  readonly conversation_id: string
  readonly id: string
  readonly role: string
  readonly name: string | null
  readonly importance: number | null
  readonly tokens: number
  readonly tokenizer: string
  readonly tokens_before: number
  readonly append_key: string | null
  readonly copy_of: string | null
  readonly created_at: number
  readonly recorded_at: number
  readonly erased_at: number | null
}

/** Every reader of messages selects these columns and passes the rows to `withWords`. */
export const MESSAGE_COLUMNS =
  'm.number, m.conversation, c.id AS conversation_id, m.position, m.id, m.role, m.name, m.content, m.metadata, m.importance, m.tokens, m.tokenizer, m.tokens_before, m.append_key, m.copy_of, m.created_at, m.recorded_at, m.erased_at, m.block'

/** A message's content without its other fields. */
export interface PlacedRow extends PackedRow {
  readonly conversation: number
}

export const PLACED_COLUMNS = 'm.conversation, m.position, m.content, m.metadata, m.block'

/** Rows written by version 0.1 use the old names of tool parts. */
export const parseContent = (json: string): Content => withCurrentPartNames(JSON.parse(json))

export function toPlacedMessage({ conversation, position, content, metadata }: PlacedRow): LocatedContent {
  return {
    locator: toLocator(conversation, position),
    content: parseContent(content),
    ...(metadata !== null && { metadata: JSON.parse(metadata) }),
  }
}

export function toConversation(row: ConversationRow): Conversation {
  return {
    id: conversationId(row.id),
    ...(row.title !== null && { title: row.title }),
    isTitleGiven: Boolean(row.is_title_given),
    tags: JSON.parse(row.tags),
    isPinned: Boolean(row.is_pinned),
    ...(row.archived_at !== null && { archivedAt: new Date(row.archived_at) }),
    isMemoryOn: Boolean(row.is_memory_on),
    documents: JSON.parse(row.documents),
    metadata: JSON.parse(row.metadata),
    ...(row.forked_from !== null && { forkedFrom: JSON.parse(row.forked_from) }),
    messageCount: row.message_count,
    tokenCount: row.token_count,
    createdAt: new Date(row.created_at),
    lastUsedAt: new Date(row.last_used_at),
  }
}

export function toMessage(row: MessageRow): Message {
  return {
    id: messageId(row.id),
    conversationId: conversationId(row.conversation_id),
    position: row.position,
    role: row.role as Role,
    content: parseContent(row.content),
    ...(row.name !== null && { name: row.name }),
    createdAt: new Date(row.created_at),
    recordedAt: new Date(row.recorded_at),
    ...(row.importance !== null && { importance: row.importance }),
    ...(row.metadata !== null && { metadata: JSON.parse(row.metadata) }),
    tokens: row.tokens,
    tokenizer: row.tokenizer,
    tokensBefore: row.tokens_before,
    ...(row.append_key !== null && { appendKey: row.append_key }),
    ...(row.copy_of !== null && { copyOf: messageId(row.copy_of) }),
    ...(row.erased_at !== null && { erasedAt: new Date(row.erased_at) }),
    ...(row.is_damaged && { isDamaged: row.is_damaged }),
  }
}

/** Anything but printable ASCII without quotes and backslashes. */
const NEEDS_ESCAPES = /[^ !#-[\]-~]/

/** Content as JSON. Most texts only need quotes, and JSON.stringify takes four times as long. */
export function fromContent(content: Content): string {
  if (typeof content !== 'string' || NEEDS_ESCAPES.test(content)) return JSON.stringify(content)
  return `"${content}"`
}

/** Whether a row has this content, possibly with the old names of tool parts. */
export function isSameContent(stored: string, content: Content): boolean {
  const json = fromContent(content)
  return stored === json || (stored.includes('"callId"') && fromContent(parseContent(stored)) === json)
}
