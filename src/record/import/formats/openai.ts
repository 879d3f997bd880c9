// OpenAI chat messages, usually as JSON lines: one conversation per line, as for fine-tuning or batches, or one message
// per line. A conversation without an id is identified by a digest of its content.

import { definedFields } from '../../../domain/defined-fields.ts'
import { Digest } from '../../../domain/digest.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Part, Role } from '../../../domain/message.ts'
import {
  type Fields,
  type ForeignConversation,
  type ForeignFormat,
  type ForeignMessage,
  type ForeignProblem,
  fieldsOf,
  idOf,
  keep,
  keepAny,
  listOf,
  readTime,
  reasoningPart,
  textOf,
  textPart,
  toContent,
  toReference,
} from '../foreign/foreign.ts'

export const openai: ForeignFormat = {
  name: 'openai',
  noun: 'conversation',
  recognizes: (value) => {
    const fields = fieldsOf(value)
    const [first] = findMessages(fields) ?? []
    return isMessage(fieldsOf(first)) || isMessage(fields)
  },
  read: (value, text) => {
    const fields = fieldsOf(value)
    const messages = findMessages(fields)
    if (messages !== undefined) return readConversation(fields, messages, text)
    if (!isMessage(fields)) throw new MemoryError('invalid-input', 'missing "messages" or "role"')
    const message = readMessage(fields, { callId: undefined })
    const conversationId = findConversationId(fields)
    return { kind: 'message', message, ...definedFields({ conversationId }) }
  },
}

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
}

const isMessage = (fields: Fields): boolean => typeof fields['role'] === 'string' && !('messages' in fields)

/** In batch files the request is in `body`. */
function findMessages(fields: Fields): readonly unknown[] | undefined {
  const { messages } = Array.isArray(fields['messages']) ? fields : fieldsOf(fields['body'])
  return Array.isArray(messages) ? messages : undefined
}

const CONVERSATION_IDS = [
  'conversation_id',
  'conversationId',
  'thread_id',
  'session_id',
  'sessionId',
] as const

function findConversationId(fields: Fields): string | undefined {
  return CONVERSATION_IDS.map((name) => idOf(fields[name])).find((id) => id !== undefined)
}

function readConversation(fields: Fields, list: readonly unknown[], text: string): ForeignConversation {
  const problems: ForeignProblem[] = []
  const named = findConversationId(fields)
  const digest = new Digest()
  const messages: ForeignMessage[] = []
  const state: ReadState = { callId: undefined }
  for (const [i, raw] of list.entries()) {
    // A conversation with an id may be repeated with different messages at the same positions.
    const id = named === undefined ? String(i) : digest.add(identify(fieldsOf(raw))).toString()
    try {
      messages.push({ id, ...readMessage(fieldsOf(raw), state) })
    } catch (error) {
      problems.push({ place: `message ${i + 1}`, reason: describe(error), isSkipped: true })
    }
  }
  const body = Array.isArray(fields['messages']) ? fields : fieldsOf(fields['body'])
  return {
    kind: 'conversation',
    id: named ?? new Digest().add(text).toString(),
    ...definedFields({ title: textOf(fields['title']), createdAt: findTime(fields) }),
    metadata: keep({ model: textOf(body['model']), customId: textOf(fields['custom_id']) }),
    messages: messages.filter(({ content }) => content.length > 0),
    branches: [],
    problems,
  }
}

/** The content that identifies a message at its position. */
function identify(fields: Fields): string {
  const { role, content } = fields
  const texts = listOf(content).map((part) => textOf(fieldsOf(part)['text']))
  const calls = listOf(fields['tool_calls']).map((call) => textOf(fieldsOf(call)['id']))
  return JSON.stringify([textOf(role), textOf(content), texts, calls, textOf(fields['tool_call_id'])])
}

function describe(error: unknown): string {
  if (error instanceof MemoryError) return error.message
  throw error
}

function findTime(fields: Fields): Date | undefined {
  const names = ['created_at', 'createdAt', 'create_time', 'created', 'timestamp', 'time', 'date']
  return names.map((name) => readTime(fields[name])).find((time) => time !== undefined)
}

interface ReadState {
  /** The last call without an id: results in old requests have only the function name. */
  callId: string | undefined
}

function readMessage(fields: Fields, state: ReadState): Omit<ForeignMessage, 'id'> {
  const role = ROLES[textOf(fields['role']) ?? '']
  if (role === undefined)
    throw new MemoryError('invalid-input', `unknown role ${JSON.stringify(fields['role'])}`)
  const createdAt = findTime(fields)
  const name = role === 'tool' ? undefined : textOf(fields['name'])
  const { weight } = fields
  const metadata = keepAny({
    model: textOf(fields['model']),
    weight: typeof weight === 'number' ? weight : undefined,
  })
  const parts = role === 'tool' ? [readResult(fields, state)] : readSaid(fields, role, state)
  return {
    role,
    content: parts.length === 0 ? '' : toContent(parts),
    ...definedFields({ createdAt, name }),
    ...metadata,
  }
}

function readSaid(fields: Fields, role: Role, state: ReadState): readonly Part[] {
  const { content } = fields
  const spoken = Array.isArray(content)
    ? content.flatMap((part) => readPart(fieldsOf(part)))
    : textPart(textOf(content) ?? textOf(fields['refusal']))
  if (role !== 'assistant') return role === 'system' ? spoken.filter(({ type }) => type === 'text') : spoken
  const thoughts = reasoningPart(textOf(fields['reasoning_content']) ?? textOf(fields['reasoning']))
  return [...thoughts, ...spoken, ...readCalls(fields, state)]
}

function readPart(part: Fields): readonly Part[] {
  const image = fieldsOf(part['image_url'])
  const url = textOf(image['url']) ?? textOf(part['image_url'])
  if (url !== undefined) return [toReference({ url, mediaType: 'image/*' })]
  const file = fieldsOf(part['file'])
  const address = textOf(file['file_id']) ?? textOf(file['file_data'])
  if (address !== undefined) return [toReference({ url: address, name: textOf(file['filename']) })]
  const sound = fieldsOf(part['input_audio'])
  if (typeof sound['data'] === 'string')
    return [toReference({ url: `data:audio/${textOf(sound['format']) ?? 'wav'};base64,${sound['data']}` })]
  return textPart(textOf(part['text']) ?? textOf(part['refusal']))
}

function readCalls(fields: Fields, state: ReadState): readonly Part[] {
  const calls = listOf(fields['tool_calls']).map(fieldsOf)
  const old = fieldsOf(fields['function_call'])
  const name = textOf(old['name'])
  if (name !== undefined) {
    state.callId = `${name}-call`
    calls.push({ id: state.callId, function: old })
  }
  return calls.map((call, i): Part => {
    const detail = fieldsOf(call['function'])
    const given = (detail['arguments'] ?? {}) as JsonValue
    const tool = textOf(detail['name']) ?? textOf(call['name']) ?? 'tool'
    return {
      type: 'tool-call',
      toolCallId: textOf(call['id']) ?? `call-${i + 1}`,
      toolName: tool,
      input: given,
    }
  })
}

function readResult(fields: Fields, state: ReadState): Part {
  const { content } = fields
  const texts = Array.isArray(content)
    ? content.flatMap((part) => textOf(fieldsOf(part)['text']) ?? [])
    : undefined
  const tool = textOf(fields['name'])
  return {
    type: 'tool-result',
    toolCallId: textOf(fields['tool_call_id']) ?? state.callId ?? tool ?? 'call-1',
    output: texts === undefined ? ((content ?? '') as JsonValue) : texts.join('\n'),
    ...definedFields({ toolName: tool }),
  }
}
