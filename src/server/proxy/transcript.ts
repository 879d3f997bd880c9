// Converts the messages of an OpenAI request to messages of the record. Clients resend everything with each
// request, so each message gets an id derived from the whole conversation up to it: a resent message has the
// same id and is recorded once, and a transcript is identified by its longest recorded prefix. System prompts
// are not recorded: they belong to the client, are part of every request, and change without anybody saying
// anything.

import { hash } from 'node:crypto'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Content, JsonValue, NewMessage, Part } from '../../index.ts'

/** A message of a request, as received. */
export type WireMessage = Readonly<Record<string, unknown>>

/** A message to record. */
export interface Entry {
  /** Its index in the request. */
  readonly index: number
  /** Derived from the messages up to and including this one. */
  readonly id: string
  /** The message is from a user or a tool, not from the model. */
  readonly isAsked: boolean
  /** Its text, normalized so that the same message compares equal. */
  readonly identity: string
  readonly message: NewMessage
}

export interface Transcript {
  readonly entries: readonly Entry[]
  /** All system prompts as one text. */
  readonly system?: string
}

/** `seed` makes ids of the same messages differ between two conversations. */
export function readTranscript(messages: readonly WireMessage[], seed: string): Transcript {
  const entries: Entry[] = []
  const system: string[] = []
  let id = seed
  for (const [index, wire] of messages.entries()) {
    const message = toMessage(wire)
    if (message === undefined) continue
    if (message.role === 'system') {
      system.push(textOf(message.content))
      continue
    }
    const identity = identify(message)
    id = followingId(id, identity)
    entries.push({ index, id, identity, message, isAsked: message.role !== 'assistant' })
  }
  return { entries, ...definedFields({ system: system.length === 0 ? undefined : system.join('\n\n') }) }
}

/** The id of a message with this identity that follows the message `id`. */
export function followingId(id: string, identity: string): string {
  return `proxy-${hash('sha256', `${id}\n${identity}`, 'base64url').slice(0, 32)}`
}

/** Ignores surrounding whitespace and reasoning: some clients drop them, others keep them. */
export function identify({ role, content, name }: Pick<NewMessage, 'role' | 'content' | 'name'>): string {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  const told = parts
    .filter(({ type }) => type !== 'reasoning')
    .map((part) => (part.type === 'text' ? withoutThoughts(part.text).trim() : part))
    .filter((part) => part !== '')
  return JSON.stringify([role, name ?? '', told])
}

const withoutThoughts = (text: string): string => text.replace(/^\s*<(think|thinking)>[\s\S]*?<\/\1>\s*/i, '')

export const textOf = (content: Content): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n')

/** Undefined for an invalid message: the upstream server will report it. */
function toMessage(wire: WireMessage): NewMessage | undefined {
  const { role, name } = wire
  if (role === 'tool' || role === 'function') return { role: 'tool', content: [toResult(wire)] }
  const parts = toParts(wire['content'])
  if (role === 'system' || role === 'developer') return { role: 'system', content: toContent(parts) }
  if (role === 'user') {
    return { role, content: toContent(parts), ...(typeof name === 'string' && name !== '' && { name }) }
  }
  if (role === 'assistant') return toAnswer(wire)
  return undefined
}

/** The model's answer, including reasoning and tool calls. */
export function toAnswer(wire: WireMessage): NewMessage {
  const thought = wire['reasoning_content'] ?? wire['reasoning']
  const parts: Part[] = [
    ...(typeof thought === 'string' && thought !== '' ? [{ type: 'reasoning' as const, text: thought }] : []),
    ...toParts(wire['content'] ?? wire['refusal']),
    ...listOf(wire['tool_calls']).map(toCall),
  ]
  return { role: 'assistant', content: toContent(parts) }
}

function toContent(parts: readonly Part[]): Content {
  const [first] = parts
  if (first === undefined) return ''
  return parts.length === 1 && first.type === 'text' ? first.text : parts
}

function toParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOf(content).flatMap(toPart)
}

function toPart(part: WireMessage): readonly Part[] {
  const text = part['text'] ?? part['refusal']
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }]
  const { url, detail } = fieldsOf(part['image_url'])
  if (typeof url === 'string') {
    return [
      { type: 'image', ...toReference(url), ...((detail === 'low' || detail === 'high') && { detail }) },
    ]
  }
  const file = fieldsOf(part['file'])
  const address = file['file_id'] ?? file['file_data']
  if (typeof address !== 'string') return []
  const { filename } = file
  return [{ type: 'file', ...toReference(address), ...(typeof filename === 'string' && { name: filename }) }]
}

/** URLs are recorded as they are. Inline data is replaced by a digest that identifies it. */
function toReference(url: string): { readonly url: string; readonly mediaType?: string } {
  if (!url.startsWith('data:')) return { url }
  const mediaType = /^data:([^;,]+)/.exec(url)?.[1]
  return { url: `urn:sha256:${hash('sha256', url, 'hex')}`, ...definedFields({ mediaType }) }
}

function toCall(call: WireMessage, i: number): Part {
  const { name, arguments: written } = fieldsOf(call['function'])
  return {
    type: 'tool-call',
    toolCallId: typeof call['id'] === 'string' && call['id'] !== '' ? call['id'] : `call-${i + 1}`,
    toolName: typeof name === 'string' && name !== '' ? name : 'tool',
    input: (written ?? '') as JsonValue,
  }
}

function toResult(wire: WireMessage): Part {
  const { content, tool_call_id: callId, name } = wire
  const texts = listOf(content).map(({ text }) => (typeof text === 'string' ? text : ''))
  return {
    type: 'tool-result',
    toolCallId: typeof callId === 'string' && callId !== '' ? callId : String(name ?? 'call-1'),
    output: Array.isArray(content) ? texts.join('\n') : ((content ?? '') as JsonValue),
  }
}

const isObject = (value: unknown): value is WireMessage =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: unknown): WireMessage => (isObject(value) ? value : {})

const listOf = (value: unknown): readonly WireMessage[] =>
  Array.isArray(value) ? value.filter(isObject) : []
