// Open WebUI's export: a list of chats, or one chat. `chat.history` has the messages as a tree and the end of the current
// branch as `currentId`; `chat.messages` repeats the current branch as a list. Reasoning and tools are items of `output`
// in newer versions, and HTML <details> in the text in older ones.

import { definedFields } from '../../../domain/defined-fields.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { Part } from '../../../domain/message.ts'
import { isPlainObject } from '../../../schemas/values.ts'
import type {
  ForeignConversation,
  ForeignFormat,
  ForeignMessage,
  ForeignProblem,
} from '../foreign/foreign.ts'
import {
  type Fields,
  fieldsOf,
  idOf,
  keep,
  keepAny,
  listOf,
  readTime,
  textOf,
} from '../foreign/read-value.ts'
import { splitTurn, textPart, toReference } from '../foreign/to-parts.ts'
import { type TreeNode, unfoldTree } from '../foreign/unfold-tree.ts'
import { readDetails, readOutput } from './open-webui-content.ts'

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
