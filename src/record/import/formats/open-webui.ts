// Open WebUI's export: a list of chats, or one chat. `chat.history` has the messages as a tree and the end of the current
// branch as `currentId`; `chat.messages` repeats the current branch as a list. Reasoning and tools are items of `output`
// in newer versions, and HTML <details> in the text in older ones.

import { definedFields } from '../../../domain/defined-fields.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { Part } from '../../../domain/message.ts'
import { isPlainObject } from '../../../schemas/values.ts'
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

export const openWebui: ForeignFormat = {
  name: 'open-webui',
  noun: 'conversation',
  recognizes: (value) => findChat(fieldsOf(value)) !== undefined,
  read: (value) => {
    const fields = fieldsOf(value)
    const chat = findChat(fields)
    if (chat === undefined) throw new MemoryError('invalid-input', 'missing "chat" with messages')
    return readChat(fields, chat)
  },
}

/** The chat with or without its wrapper. */
function findChat(fields: Fields): Fields | undefined {
  const chat = fieldsOf(fields['chat'])
  if (isPlainObject(chat['history']) || Array.isArray(chat['messages'])) return chat
  return isPlainObject(fieldsOf(fields['history'])['messages']) ? fields : undefined
}

function readChat(frame: Fields, chat: Fields): ForeignConversation {
  const history = fieldsOf(chat['history'])
  const problems: ForeignProblem[] = []
  const nodes = isPlainObject(history['messages'])
    ? Object.entries(history['messages']).map(([id, raw], i) =>
        toNode(fieldsOf(raw), { id, number: i + 1, problems }),
      )
    : inARow(listOf(chat['messages']), problems)
  const unfolded = unfoldTree(nodes, textOf(history['currentId']))
  const meta = fieldsOf(frame['meta'])
  const tags = [...listOf(meta['tags']), ...listOf(chat['tags'])]
  return {
    kind: 'conversation',
    id: idOf(frame['id']) ?? idOf(chat['id']) ?? nodes[0]?.id ?? 'empty',
    ...definedFields({
      title: textOf(frame['title']) ?? textOf(chat['title']),
      createdAt: readTime(frame['created_at']) ?? readTime(chat['timestamp']),
    }),
    tags: tags.flatMap((tag) => textOf(tag) ?? textOf(fieldsOf(tag)['name']) ?? []),
    ...(frame['archived'] === true && { isArchived: true }),
    ...(frame['pinned'] === true && { isPinned: true }),
    metadata: keep({
      model: textOf(listOf(chat['models'])[0]),
      folderId: textOf(frame['folder_id']),
      systemPrompt: textOf(fieldsOf(chat['params'])['system']) ?? textOf(chat['system']),
      updatedAt: readTime(frame['updated_at'])?.toISOString(),
    }),
    ...unfolded,
    problems: [...problems, ...unfolded.problems],
  }
}

/** Old exports have only the list. */
function inARow(messages: readonly unknown[], problems: ForeignProblem[]): readonly TreeNode[] {
  const nodes: TreeNode[] = []
  for (const [i, raw] of messages.entries()) {
    const message = fieldsOf(raw)
    const id = idOf(message['id']) ?? String(i)
    const node = toNode(message, { id, number: i + 1, problems })
    const before = nodes.at(-1)?.id
    nodes.push({ id, messages: node.messages, ...definedFields({ parentId: before }) })
  }
  return nodes
}

interface NodePlace {
  readonly id: string
  readonly number: number
  readonly problems: ForeignProblem[]
}

function toNode(message: Fields, place: NodePlace): TreeNode {
  const parentId = textOf(message['parentId'])
  return { id: place.id, ...definedFields({ parentId }), messages: readMessage(message, place) }
}

function readMessage(message: Fields, { id, number, problems }: NodePlace): readonly ForeignMessage[] {
  const role = textOf(message['role'])
  const createdAt = readTime(message['timestamp'])
  const metadata = keepAny({
    model: textOf(message['model']),
    error: textOf(fieldsOf(message['error'])['content']) ?? textOf(message['error']),
  })
  const frame = { id, ...definedFields({ createdAt }), ...metadata }
  if (role === 'system') {
    const text = textOf(message['content'])
    return text === undefined ? [] : [{ ...frame, role, content: text }]
  }
  if (role !== 'user' && role !== 'assistant') {
    const reason = `unknown role ${JSON.stringify(message['role'])}`
    problems.push({ place: `message ${number}`, reason, isSkipped: true })
    return []
  }
  const parts = [...readContent(message, role), ...listOf(message['files']).flatMap(readFile)]
  return splitTurn(frame, role, parts)
}

function readContent(message: Fields, role: 'user' | 'assistant'): readonly Part[] {
  const output = role === 'assistant' ? readOutput(listOf(message['output'])) : []
  if (output.length > 0) return output
  const { content } = message
  if (Array.isArray(content)) return content.flatMap((part) => readContentPart(fieldsOf(part)))
  const text = textOf(content)
  return role === 'assistant' && text !== undefined ? readDetails(text) : textPart(text)
}

function readContentPart(part: Fields): readonly Part[] {
  const image = textOf(fieldsOf(part['image_url'])['url'])
  return image === undefined
    ? textPart(textOf(part['text']))
    : [toReference({ url: image, mediaType: 'image/*' })]
}

function readFile(raw: unknown): readonly Part[] {
  const file = fieldsOf(raw)
  const inner = fieldsOf(file['file'])
  const url = textOf(file['url']) ?? idOf(file['id']) ?? idOf(inner['id'])
  if (url === undefined) return []
  const name = textOf(file['name']) ?? textOf(inner['filename'])
  const type = textOf(file['content_type']) ?? textOf(fieldsOf(inner['meta'])['content_type'])
  return [toReference({ url, name, mediaType: file['type'] === 'image' ? 'image/*' : type })]
}

const OPEN = '<details'
const CLOSE = '</details>'

/** Splits a text with embedded reasoning and tool calls into parts. */
export function readDetails(text: string): readonly Part[] {
  const parts: Part[] = []
  let done = 0
  let calls = 0
  for (const { start, end, attributes, inside } of findDetails(text)) {
    const type = attributes.get('type')
    if (type !== 'reasoning' && type !== 'tool_calls') continue
    parts.push(...textPart(text.slice(done, start).trim()))
    done = end
    if (type === 'reasoning') parts.push(...reasoningPart(readThought(inside)))
    else parts.push(...readCall(attributes, `call-${++calls}`))
  }
  return done === 0 ? textPart(text) : [...parts, ...textPart(text.slice(done).trim())]
}

interface Details {
  readonly start: number
  readonly end: number
  readonly attributes: ReadonlyMap<string, string>
  readonly inside: string
}

function* findDetails(text: string): Generator<Details> {
  for (let start = text.indexOf(OPEN); start >= 0; ) {
    const head = text.indexOf('>', start)
    const foot = head < 0 ? -1 : text.indexOf(CLOSE, head)
    if (foot < 0) return
    const end = foot + CLOSE.length
    const attributes = readAttributes(text.slice(start + OPEN.length, head))
    yield { start, end, attributes, inside: text.slice(head + 1, foot) }
    start = text.indexOf(OPEN, end)
  }
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, fromHtml(value)]),
  )
}

function readThought(inside: string): string {
  const words = inside.replace(/<summary>[\s\S]*?<\/summary>/, '')
  return fromHtml(words).replaceAll(/^> ?/gm, '').trim()
}

function readCall(attributes: ReadonlyMap<string, string>, fallback: string): readonly Part[] {
  const tool = attributes.get('name')
  if (tool === undefined) return []
  const callId = attributes.get('id') || fallback
  const call: Part = {
    type: 'tool-call',
    toolCallId: callId,
    toolName: tool,
    input: readTwice(attributes.get('arguments') ?? '{}'),
  }
  const result = attributes.get('result')
  if (result === undefined) return [call]
  return [call, { type: 'tool-result', toolCallId: callId, toolName: tool, output: readTwice(result) }]
}

/** JSON that may be encoded as a JSON string. */
function readTwice(text: string): ReturnType<typeof readJsonText> {
  const inner = /^"[\s\S]*"$/.test(text.trim()) ? readQuoted(text) : text
  return readJsonText(inner)
}

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&amp;': '&',
}

function fromHtml(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#x27|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** The output items of an answer as parts: reasoning, calls, results and text. */
function readOutput(items: readonly unknown[]): readonly Part[] {
  return items.flatMap((raw): readonly Part[] => {
    const item = fieldsOf(raw)
    switch (item['type']) {
      case 'reasoning':
        return reasoningPart(readTexts(item['content']) ?? readTexts(item['summary']))
      case 'message':
        return textPart(readTexts(item['content']))
      case 'function_call':
        return readOutputCall(item)
      case 'function_call_output':
        return readResult(item)
      default:
        return []
    }
  })
}

const findCallId = (item: Fields): string | undefined => textOf(item['call_id']) ?? textOf(item['id'])

function readOutputCall(item: Fields): readonly Part[] {
  const callId = findCallId(item)
  const tool = textOf(item['name']) ?? 'tool'
  const given = readJsonText(textOf(item['arguments']) ?? '{}')
  return callId === undefined ? [] : [{ type: 'tool-call', toolCallId: callId, toolName: tool, input: given }]
}

function readResult(item: Fields): readonly Part[] {
  const callId = findCallId(item)
  return callId === undefined
    ? []
    : [{ type: 'tool-result', toolCallId: callId, output: readTexts(item['output']) ?? '' }]
}

function readTexts(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const texts = listOf(value).flatMap((part) => textOf(fieldsOf(part)['text']) ?? [])
  return texts.length === 0 ? undefined : texts.join('\n')
}
