// LibreChat's export of a conversation: one object with its messages, as a list in which each has its parent, or, in a
// recursive export, as a tree of `children`. The current branch is not marked; it is the one with the newest message.

import { definedFields } from '../../../domain/defined-fields.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Part } from '../../../domain/message.ts'
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
  readJsonText,
  readTime,
  reasoningPart,
  splitTurn,
  textOf,
  textPart,
  toReference,
} from '../foreign/foreign.ts'
import { type TreeNode, unfoldTree } from '../foreign/unfold-tree.ts'

export const librechat: ForeignFormat = {
  name: 'librechat',
  noun: 'conversation',
  recognizes: (value) => {
    const fields = fieldsOf(value)
    const messages = findMessages(fields)
    const isTheirs = messages?.every((message) => fieldsOf(message)['role'] === undefined) ?? false
    return isTheirs && textOf(fields['conversationId']) !== undefined
  },
  read: (value) => readConversation(fieldsOf(value)),
}

const NO_PARENT = /^[0-]+$/

function findMessages(fields: Fields): readonly unknown[] | undefined {
  const messages = fields['messagesTree'] ?? fields['messages']
  return Array.isArray(messages) ? messages : undefined
}

function readConversation(fields: Fields): ForeignConversation {
  const id = textOf(fields['conversationId'])
  const messages = findMessages(fields)
  if (id === undefined || messages === undefined)
    throw new MemoryError('invalid-input', 'missing "conversationId" or "messages"')
  const problems: ForeignProblem[] = []
  const nodes = flatten(messages).map(({ message, parent }, i) =>
    toNode(message, { parent, number: i + 1, problems }),
  )
  const unfolded = unfoldTree(nodes)
  const options = fieldsOf(fields['options'])
  return {
    kind: 'conversation',
    id,
    ...definedFields({ title: textOf(fields['title']), createdAt: readTime(fields['createdAt']) }),
    tags: listOf(fields['tags']).filter((tag) => typeof tag === 'string'),
    ...(fields['isArchived'] === true && { isArchived: true }),
    metadata: keep({
      endpoint: textOf(fields['endpoint']),
      model: textOf(options['model']) ?? textOf(fields['model']),
      systemPrompt: textOf(options['promptPrefix']) ?? textOf(options['system']),
    }),
    ...unfolded,
    problems: [...problems, ...unfolded.problems],
  }
}

interface FlatMessage {
  readonly message: Fields
  /** The parent in a tree of `children`. */
  readonly parent?: string
}

/** Not recursive: trees are as deep as conversations are long. */
function flatten(messages: readonly unknown[]): readonly FlatMessage[] {
  const found: FlatMessage[] = []
  const waiting: FlatMessage[] = messages.map((raw) => ({ message: fieldsOf(raw) })).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    const parent = textOf(next.message['messageId'])
    for (const child of listOf(next.message['children']).toReversed())
      waiting.push({ message: fieldsOf(child), ...definedFields({ parent }) })
  }
  return found
}

interface NodePlace {
  readonly parent: string | undefined
  readonly number: number
  readonly problems: ForeignProblem[]
}

function toNode(message: Fields, { parent, number, problems }: NodePlace): TreeNode {
  const id = textOf(message['messageId'])
  const named = parent ?? textOf(message['parentMessageId'])
  const parentId = named === undefined || NO_PARENT.test(named) ? undefined : named
  if (id === undefined) {
    problems.push({ place: `message ${number}`, reason: 'missing "messageId"', isSkipped: true })
    return { id: `message ${number}`, messages: [] }
  }
  return { id, ...definedFields({ parentId }), messages: readMessage(message, id) }
}

function readMessage(message: Fields, id: string): readonly ForeignMessage[] {
  const isUser = message['isCreatedByUser'] === true || textOf(message['sender'])?.toLowerCase() === 'user'
  const role = isUser ? 'user' : 'assistant'
  const content = listOf(message['content']).flatMap((part) => readPart(fieldsOf(part), id))
  const spoken = content.length > 0 ? content : textPart(textOf(message['text']))
  const files = [...listOf(message['files']), ...listOf(message['attachments'])].flatMap(readFile)
  const parts = [...spoken.filter((part) => isAllowed(part, role)), ...files]
  const createdAt = readTime(message['createdAt'])
  const metadata = keepAny({
    model: isUser ? undefined : textOf(message['model']),
    sender: isUser ? undefined : textOf(message['sender']),
    isError: message['error'] === true ? true : undefined,
    isUnfinished: message['unfinished'] === true ? true : undefined,
  })
  return splitTurn({ id, ...definedFields({ createdAt }), ...metadata }, role, parts)
}

function isAllowed({ type }: Part, role: 'user' | 'assistant'): boolean {
  return role === 'assistant' || (type !== 'reasoning' && type !== 'tool-call' && type !== 'tool-result')
}

function readPart(part: Fields, id: string): readonly Part[] {
  const type = textOf(part['type']) ?? ''
  if (type === 'think') return reasoningPart(readText(part['think']))
  if (type === 'tool_call') return readCall(fieldsOf(part['tool_call']), id)
  if (type === 'image_file') return readFile(part['image_file'])
  if (type === 'image_url') return readFile(part['image_url'])
  return textPart(readText(part['text']) ?? readText(part['error']))
}

/** A string, or an object with the string as `value`. */
function readText(value: unknown): string | undefined {
  return textOf(value) ?? textOf(fieldsOf(value)['value'])
}

function readCall(call: Fields, id: string): readonly Part[] {
  const detail = fieldsOf(call['function'])
  const tool = textOf(call['name']) ?? textOf(detail['name']) ?? textOf(call['type']) ?? 'tool'
  const callId = textOf(call['id']) ?? `${id}-${tool}`
  const given = (call['args'] ?? detail['arguments'] ?? {}) as JsonValue
  const made: Part = {
    type: 'tool-call',
    toolCallId: callId,
    toolName: tool,
    input: typeof given === 'string' ? readJsonText(given) : given,
  }
  const output = textOf(call['output']) ?? textOf(detail['output'])
  return output === undefined
    ? [made]
    : [made, { type: 'tool-result', toolCallId: callId, toolName: tool, output: output }]
}

function readFile(raw: unknown): readonly Part[] {
  const file = fieldsOf(raw)
  const url = textOf(file['filepath']) ?? textOf(file['url']) ?? idOf(file['file_id'])
  if (url === undefined) return []
  const { width, height } = file
  const name = textOf(file['filename'])
  return [toReference({ url, name, mediaType: textOf(file['type']), width, height })]
}
