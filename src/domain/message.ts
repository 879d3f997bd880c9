import type { ConversationId, MessageId } from './ids.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** Who speaks. A `tool` message carries the results of tool calls. */
export const ROLES = ['system', 'user', 'assistant', 'tool'] as const
export type Role = (typeof ROLES)[number]

interface PartOfAnyType {
  /**
   * Data that a provider wants back with this part, keyed by provider as in the AI SDK:
   * `{ anthropic: { signature } }`, `{ google: { thoughtSignature } }`. Stored and returned unchanged.
   */
  readonly providerMetadata?: JsonObject
}

export interface TextPart extends PartOfAnyType {
  readonly type: 'text'
  readonly text: string
}

/**
 * A model's reasoning before its answer. Sent back only within the tool loop it belongs to; providers with
 * signed reasoning reject the loop without it.
 */
export interface ReasoningPart extends PartOfAnyType {
  readonly type: 'reasoning'
  readonly text: string
}

/** A reference to an image: the record stores its URL, not the pixels. */
export interface ImagePart extends PartOfAnyType {
  readonly type: 'image'
  readonly url: string
  readonly mediaType?: string
  /** `low` costs a fixed small number of tokens with most providers. */
  readonly detail?: 'low' | 'high'
  readonly width?: number
  readonly height?: number
  /** The image's cost in tokens, if the application knows it. */
  readonly tokens?: number
}

/** A reference to a file. */
export interface FilePart extends PartOfAnyType {
  readonly type: 'file'
  readonly url: string
  readonly name?: string
  readonly mediaType?: string
  /** The file's cost in tokens, if the application knows it. */
  readonly tokens?: number
}

export interface ToolCallPart extends PartOfAnyType {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  /** A JSON value. A string is taken as the raw JSON text that the model wrote, valid or not. */
  readonly input: JsonValue
}

export interface ToolResultPart extends PartOfAnyType {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName?: string
  readonly output: JsonValue
  readonly isError?: boolean
}

export type Part = TextPart | ReasoningPart | ImagePart | FilePart | ToolCallPart | ToolResultPart
export type Content = string | readonly Part[]

/** A stored message. Immutable, except that it can be erased. */
export interface Message {
  readonly id: MessageId
  readonly conversationId: ConversationId
  /** 0, 1, 2 … without gaps. The order of a conversation, whatever the clocks say. */
  readonly position: number
  readonly role: Role
  readonly content: Content
  readonly name?: string
  readonly createdAt: Date
  readonly recordedAt: Date
  readonly importance?: number
  readonly metadata?: JsonObject
  /** The message's cost in a request, including what a provider adds around it. */
  readonly tokens: number
  /** Which tokenizer counted them. */
  readonly tokenizer: string
  /** The sum of the tokens of all messages before this one in the conversation. */
  readonly tokensBefore: number
  /** The idempotency key of the append that wrote it, if the client sent one. */
  readonly appendKey?: string
  /** In a fork: the message that this one is a copy of. */
  readonly copyOf?: MessageId
  /** Set once the content was erased; content is then empty. */
  readonly erasedAt?: Date
  /** Set if the database file is damaged and the content can no longer be read; content is then empty. */
  readonly isDamaged?: true
}

/**
 * Renames the fields of tool parts to those of this version. Files, exports and clients of version 0.1 use `callId`,
 * `tool`, `arguments` and `result`.
 */
export function withCurrentPartNames<C>(content: C): C {
  if (!Array.isArray(content) || !content.some(isOldPart)) return content
  return content.map((part) => (isOldPart(part) ? renamePart(part) : part)) as C
}

type OldPart = { readonly type: 'tool-call' | 'tool-result' } & Readonly<Record<string, unknown>>

function isOldPart(part: unknown): part is OldPart {
  if (typeof part !== 'object' || part === null || !('callId' in part) || !('type' in part)) return false
  return !('toolCallId' in part) && (part.type === 'tool-call' || part.type === 'tool-result')
}

const NEW_NAMES: Readonly<Record<string, string>> = {
  callId: 'toolCallId',
  tool: 'toolName',
  arguments: 'input',
  result: 'output',
}

/** Fields stay in their order, so that a message written under the old names is recognized when it is sent again. */
const renamePart = (part: OldPart): unknown =>
  Object.fromEntries(Object.entries(part).map(([name, value]) => [NEW_NAMES[name] ?? name, value]))

/** The parts of a message; plain text is one text part. */
export function partsOf(content: Content): readonly Part[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** Joins parts that are all text into one string, since many servers accept no parts; undefined if any is not text. */
export function plainText(parts: readonly Part[]): string | undefined {
  const isPlain = parts.every((part) => part.type === 'text')
  return isPlain ? parts.map(({ text }) => text).join('\n\n') : undefined
}

/** The text that a person would read or search for: text, reasoning, file names, tool calls and results. */
export function readableText(content: Content): string {
  if (typeof content === 'string') return content
  return content.map(readablePart).filter(Boolean).join('\n')
}

function readablePart(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'image':
      return ''
    case 'file':
      return part.name ?? ''
    case 'tool-call':
      return `${part.toolName} ${asText(part.input)}`
    case 'tool-result':
      return asText(part.output)
  }
}

/** A string unchanged, any other JSON value as JSON text. */
export function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A message for a model: a stored message without the fields that only the record needs. */
export interface ContextMessage {
  readonly role: Role
  readonly content: Content
  readonly name?: string
}
