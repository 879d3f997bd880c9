// Claude's export: conversations.json has a list of conversations with `chat_messages`, memories.json has Claude's
// memories of the user. In newer exports every message has its parent, so edited messages form a tree; older exports
// are a list. `content` has the blocks of a message, `text` the same without tools and reasoning.

import { definedFields } from '../../../domain/defined-fields.ts'
import { Digest } from '../../../domain/digest.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { JsonValue } from '../../../domain/json.ts'
import type { Part } from '../../../domain/message.ts'
import { isPlainObject } from '../../../schemas/values.ts'
import {
  type Fields,
  type ForeignConversation,
  type ForeignFacts,
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
  splitStatements,
  splitTurn,
  textOf,
  textPart,
  toReference,
} from '../foreign/foreign.ts'
import { type TreeNode, unfoldTree } from '../foreign/unfold-tree.ts'

export const claude: ForeignFormat = {
  name: 'claude',
  noun: 'conversation',
  recognizes: (value) => Array.isArray(fieldsOf(value)['chat_messages']) || isMemory(fieldsOf(value)),
  read: (value) => {
    const fields = fieldsOf(value)
    if (isMemory(fields)) return readMemory(fields)
    if (Array.isArray(fields['chat_messages'])) return readConversation(fields)
    throw new MemoryError('invalid-input', 'missing "chat_messages"')
  },
}

const isMemory = (fields: Fields): boolean => typeof fields['conversations_memory'] === 'string'

/** The parent id of a first message. */
const NO_PARENT = /^0{8}-0{4}-[04]0{3}-[08]0{3}-0{12}$/

function readConversation(fields: Fields): ForeignConversation {
  const problems: ForeignProblem[] = []
  const list = listOf(fields['chat_messages'])
  const isTree = list.some((raw) => textOf(fieldsOf(raw)['parent_message_uuid']) !== undefined)
  const nodes: TreeNode[] = []
  for (const [i, raw] of list.entries()) {
    const message = fieldsOf(raw)
    const id = idOf(message['uuid']) ?? String(i)
    const parent = textOf(message['parent_message_uuid'])
    const parentId = isTree ? parent : nodes.at(-1)?.id
    const messages = readMessage(message, { id, number: i + 1, problems })
    const isRoot = parentId === undefined || NO_PARENT.test(parentId)
    nodes.push({ id, ...(!isRoot && { parentId }), messages })
  }
  const unfolded = unfoldTree(nodes, textOf(fields['current_leaf_message_uuid']))
  const project = fieldsOf(fields['project'])
  return {
    kind: 'conversation',
    id: idOf(fields['uuid']) ?? nodes[0]?.id ?? 'empty',
    ...definedFields({ title: textOf(fields['name']), createdAt: readTime(fields['created_at']) }),
    ...(fields['is_starred'] === true && { isPinned: true }),
    metadata: keep({
      model: textOf(fields['model']),
      summary: textOf(fields['summary']),
      project: textOf(project['name']),
      projectId: textOf(project['uuid']) ?? textOf(fields['project_uuid']),
      updatedAt: readTime(fields['updated_at'])?.toISOString(),
    }),
    ...unfolded,
    problems: [...problems, ...unfolded.problems],
  }
}

interface MessagePlace {
  readonly id: string
  readonly number: number
  readonly problems: ForeignProblem[]
}

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = {
  human: 'user',
  user: 'user',
  assistant: 'assistant',
}

function readMessage(message: Fields, { id, number, problems }: MessagePlace): readonly ForeignMessage[] {
  const place = `message ${number}`
  const role = ROLES[textOf(message['sender']) ?? '']
  if (role === undefined) {
    const reason = `it is said by ${JSON.stringify(message['sender'])}, which is nobody Recollect knows`
    problems.push({ place, reason, isSkipped: true })
    return []
  }
  const blocks = new Blocks(id, (type) =>
    problems.push({
      place,
      reason: `unknown block type "${type}"; only its text was kept`,
      isSkipped: false,
      isOnce: true,
    }),
  )
  const read = listOf(message['content']).flatMap((block) => blocks.read(fieldsOf(block)))
  const spoken = read.length > 0 ? read : textPart(textOf(message['text']))
  const parts = [...spoken, ...readFiles(message, id)]
  const allowed = role === 'user' ? parts.filter(isForUser) : parts
  const createdAt = readTime(message['created_at'])
  const model = textOf(message['model'])
  return splitTurn({ id, ...definedFields({ createdAt }), ...keepAny({ model }) }, role, allowed)
}

const isForUser = ({ type }: Part): boolean => type !== 'reasoning' && type !== 'tool-call'

function readSummaries(block: Fields): string {
  return listOf(block['summaries'])
    .flatMap((raw) => textOf(fieldsOf(raw)['summary']) ?? [])
    .join('\n')
}

/** The blocks of one message; a result without an id belongs to the call before it. */
class Blocks {
  readonly #id: string
  readonly #onUnknown: (type: string) => void
  #calls = 0
  #lastCall = ''

  constructor(id: string, onUnknown: (type: string) => void) {
    this.#id = id
    this.#onUnknown = onUnknown
  }

  read(block: Fields): readonly Part[] {
    const type = textOf(block['type']) ?? 'text'
    switch (type) {
      case 'text':
        return textPart(textOf(block['text']))
      case 'thinking':
        return reasoningPart(textOf(block['thinking']) ?? readSummaries(block))
      case 'tool_use':
        return [this.#readCall(block)]
      case 'tool_result':
        return [this.#readResult(block)]
      case 'voice_note':
        return textPart(textOf(block['text']) ?? textOf(block['title']))
      case 'token_budget':
      case 'redacted_thinking':
        return []
      default:
        this.#onUnknown(type)
        return textPart(textOf(block['text']))
    }
  }

  #readCall(block: Fields): Part {
    this.#calls += 1
    this.#lastCall = textOf(block['id']) ?? `${this.#id}-${this.#calls}`
    const input = (block['input'] ?? {}) as JsonValue
    return {
      type: 'tool-call',
      toolCallId: this.#lastCall,
      toolName: textOf(block['name']) ?? 'tool',
      input: input,
    }
  }

  #readResult(block: Fields): Part {
    const tool = textOf(block['name'])
    return {
      type: 'tool-result',
      toolCallId: textOf(block['tool_use_id']) ?? (this.#lastCall || this.#id),
      output: readResult(block['content']),
      ...definedFields({ toolName: tool }),
      ...(block['is_error'] === true && { isError: true }),
    }
  }
}

/** The text of a result if there is nothing else in it; of search results, title and URL. */
function readResult(content: unknown): JsonValue {
  if (!Array.isArray(content)) return (content ?? '') as JsonValue
  const items = content.map(fieldsOf)
  if (items.every(({ type, text }) => type === 'text' && typeof text === 'string'))
    return items.map(({ text }) => text).join('\n')
  return content.map((item: JsonValue) => {
    const { type, title, url, text } = fieldsOf(item)
    return type === 'text' || type === 'knowledge' ? keep({ title, url, text }) : item
  })
}

/** A long paste is an attachment without a name; its text belongs to the message. */
function readFiles(message: Fields, id: string): readonly Part[] {
  const attachments = listOf(message['attachments']).flatMap((raw, i): readonly Part[] => {
    const file = fieldsOf(raw)
    const name = textOf(file['file_name'])
    const url = `claude-attachment:${textOf(file['id']) ?? `${id}/${i + 1}`}`
    const reference =
      name === undefined ? [] : [toReference({ url, name, mediaType: textOf(file['file_type']) })]
    return [...reference, ...textPart(textOf(file['extracted_content']))]
  })
  const files = [...listOf(message['files']), ...listOf(message['files_v2'])].flatMap(
    (raw): readonly Part[] => {
      const file = fieldsOf(raw)
      const name = textOf(file['file_name'])
      const key = textOf(file['file_uuid']) ?? name
      if (key === undefined) return []
      const mediaType = file['file_kind'] === 'image' ? 'image/*' : undefined
      return [toReference({ url: `claude-file:${key}`, name, mediaType })]
    },
  )
  return [...attachments, ...withoutDoubles(files)]
}

function withoutDoubles(parts: readonly Part[]): readonly Part[] {
  const byUrl = new Map(parts.map((part) => ['url' in part ? part.url : '', part]))
  return [...byUrl.values()]
}

/** Claude's memories of the user and of each project. */
function readMemory(fields: Fields): ForeignFacts {
  const projects = isPlainObject(fields['project_memories']) ? Object.values(fields['project_memories']) : []
  const texts = [fields['conversations_memory'], ...projects].flatMap((text) =>
    splitStatements(textOf(text) ?? ''),
  )
  const account = textOf(fields['account_uuid']) ?? ''
  const facts = texts.map((text) => ({ id: `claude-${new Digest().add(account).add(text)}`, text }))
  return { kind: 'facts', facts }
}
