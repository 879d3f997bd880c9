// ChatGPT's conversations.json: a list of conversations, each with a tree of nodes in `mapping` and the end of the
// current branch in `current_node`. Nodes may be empty. A message to a tool has a `recipient`; the tool's output has the
// role `tool` and the tool's name.
//
// Not messages: the user's custom instructions, and ChatGPT's own memories. Both are repeated as hidden nodes in every
// conversation, so they are kept as its metadata, and those of the latest conversation as facts. What ChatGPT saved to
// its memory during a conversation is a message to the tool `bio`. Hidden system prompts of ChatGPT are skipped.

import { definedFields } from '../../../domain/defined-fields.ts'
import { Digest } from '../../../domain/digest.ts'
import { MemoryError } from '../../../domain/errors.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { Part } from '../../../domain/message.ts'
import { isPlainObject } from '../../../schemas/values.ts'
import {
  type Fields,
  type ForeignConversation,
  type ForeignFact,
  type ForeignFormat,
  type ForeignMessage,
  type ForeignProblem,
  fieldsOf,
  idOf,
  keep,
  keepAny,
  listOf,
  type RepeatedFacts,
  readJsonText,
  readTime,
  splitStatements,
  textOf,
} from '../foreign/foreign.ts'
import { type TreeNode, unfoldTree } from '../foreign/unfold-tree.ts'
import {
  isKnownType,
  readAttachments,
  readCitations,
  readParts,
  readText,
  readToolResult,
  typeOf,
} from './chatgpt-content.ts'

export const chatgpt: ForeignFormat = {
  name: 'chatgpt',
  noun: 'conversation',
  recognizes: (value) => isPlainObject(fieldsOf(value)['mapping']),
  read: (value) => new Conversation(fieldsOf(value)).read(),
}

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool']
/** How many nodes back a result looks for its call. */
const MAX_NODES_TO_CALL = 50

class Conversation {
  readonly #fields: Fields
  readonly #mapping: Fields
  readonly #problems: ForeignProblem[] = []
  #instructions: JsonObject = {}
  readonly #saved: ForeignFact[] = []

  constructor(fields: Fields) {
    this.#fields = fields
    this.#mapping = fieldsOf(fields['mapping'])
    if (!isPlainObject(fields['mapping']))
      throw new MemoryError('invalid-input', 'missing "mapping" with messages')
  }

  read(): ForeignConversation {
    const fields = this.#fields
    const nodes = this.#readNodes()
    const { messages, branches, problems } = unfoldTree(nodes, textOf(fields['current_node']))
    return {
      kind: 'conversation',
      id: idOf(fields['conversation_id']) ?? idOf(fields['id']) ?? nodes[0]?.id ?? 'empty',
      ...definedFields({ title: textOf(fields['title']), createdAt: readTime(fields['create_time']) }),
      ...(fields['is_archived'] === true && { isArchived: true }),
      ...((fields['is_starred'] === true || typeof fields['pinned_time'] === 'number') && { isPinned: true }),
      ...(fields['is_do_not_remember'] === true && { isMemoryOn: false }),
      metadata: keep({
        model: textOf(fields['default_model_slug']) ?? textOf(fields['model_slug']),
        gizmoId: textOf(fields['gizmo_id']),
        projectId: textOf(fields['conversation_template_id']),
        updatedAt: readTime(fields['update_time'])?.toISOString(),
        ...this.#instructions,
      }),
      messages,
      branches,
      ...(fields['is_do_not_remember'] !== true && { facts: this.#saved, repeated: this.#readRepeated() }),
      problems: [...this.#problems, ...problems],
    }
  }

  #readRepeated(): readonly RepeatedFacts[] {
    const at = readTime(this.#fields['update_time']) ?? readTime(this.#fields['create_time']) ?? new Date(0)
    const { profile, instructions } = fieldsOf(this.#instructions['customInstructions'])
    const { text } = fieldsOf(this.#instructions['savedMemory'])
    return [
      { name: 'profile', at, facts: toFacts(profile, { createdAt: at }) },
      { name: 'instructions', at, facts: toFacts(instructions, { createdAt: at, kind: 'preference' }) },
      { name: SAVED, at, facts: toFacts(text, { createdAt: at }) },
    ].filter(({ facts }) => facts.length > 0) as readonly RepeatedFacts[]
  }

  #readNodes(): readonly TreeNode[] {
    const parents = this.#parentsByChildren()
    return Object.entries(this.#mapping).map(([id, raw], i) => {
      const node = fieldsOf(raw)
      const parentId = textOf(node['parent']) ?? parents.get(id)
      return { id, ...definedFields({ parentId }), messages: this.#readMessage(id, node, i + 1) }
    })
  }

  /** Links are stored in both directions; one is enough. */
  #parentsByChildren(): ReadonlyMap<string, string> {
    const parents = new Map<string, string>()
    for (const [id, raw] of Object.entries(this.#mapping)) {
      for (const child of listOf(fieldsOf(raw)['children'])) {
        if (typeof child === 'string') parents.set(child, id)
      }
    }
    return parents
  }

  #readMessage(id: string, node: Fields, number: number): readonly ForeignMessage[] {
    const raw = node['message']
    if (raw === null || raw === undefined) return []
    if (!isPlainObject(raw) || !isPlainObject(raw['content'])) {
      this.#problems.push({ place: `node ${number}`, reason: 'missing content', isSkipped: true })
      return []
    }
    const content = fieldsOf(raw['content'])
    if (this.#takeInstructions(content)) return []
    const said = this.#readSaid(id, raw, content)
    this.#tellRole(textOf(fieldsOf(raw['author'])['role']), number)
    if (!isKnownType(typeOf(content))) this.#tellUnknown(typeOf(content), number, said !== undefined)
    if (said === undefined) return []
    const createdAt = readTime(raw['create_time'])
    if (raw['recipient'] === 'bio')
      this.#saved.push(...toFacts(readText(content), definedFields({ createdAt })))
    return [{ id, ...definedFields({ createdAt }), ...said, ...readMetadata(raw) }]
  }

  #readSaid(id: string, raw: Fields, content: Fields): Pick<ForeignMessage, 'role' | 'content'> | undefined {
    const author = fieldsOf(raw['author'])
    const metadata = fieldsOf(raw['metadata'])
    const role = textOf(author['role'])
    if (role === 'tool') return this.#readResult(id, raw, content)
    if (role === 'system') {
      const text = metadata['is_visually_hidden_from_conversation'] === true ? '' : readText(content)
      return text.trim() === '' ? undefined : { role, content: text }
    }
    if (role !== 'user' && role !== 'assistant') return undefined
    const recipient = textOf(raw['recipient']) ?? 'all'
    if (role === 'assistant' && recipient !== 'all') return readCall(id, recipient, content)
    const parts = readParts(content).filter((part) => part.type !== 'reasoning' || role === 'assistant')
    return toSaid(role, [...parts, ...readAttachments(metadata, parts)])
  }

  #readResult(
    id: string,
    raw: Fields,
    content: Fields,
  ): Pick<ForeignMessage, 'role' | 'content'> | undefined {
    const tool = textOf(fieldsOf(raw['author'])['name'])
    const result = readToolResult(content, fieldsOf(raw['metadata']))
    if (result === undefined) return undefined
    const callId = this.#findCall(id, tool) ?? id
    const isError = typeOf(content) === 'system_error'
    const part: Part = {
      type: 'tool-result',
      toolCallId: callId,
      output: result,
      ...definedFields({ toolName: tool }),
      ...(isError && { isError }),
    }
    return { role: 'tool', content: [part] }
  }

  /** The last message of the assistant to that tool in this turn. */
  #findCall(id: string, tool: string | undefined): string | undefined {
    let at = textOf(fieldsOf(this.#mapping[id])['parent'])
    for (let step = 0; step < MAX_NODES_TO_CALL && at !== undefined; step++) {
      const node = fieldsOf(this.#mapping[at])
      const message = fieldsOf(node['message'])
      const role = fieldsOf(message['author'])['role']
      if (role === 'user') return undefined
      if (role === 'assistant' && isCallOf(textOf(message['recipient']), tool)) return at
      at = textOf(node['parent'])
    }
    return undefined
  }

  #takeInstructions(content: Fields): boolean {
    const type = typeOf(content)
    if (type === 'user_editable_context') {
      const { user_profile: profile, user_instructions: instructions } = content
      this.#keepInstructions(
        'customInstructions',
        keep({ profile: textOf(profile), instructions: textOf(instructions) }),
      )
    } else if (type === 'model_editable_context') {
      this.#keepInstructions('savedMemory', keep({ text: textOf(content['model_set_context']) }))
    } else return false
    return true
  }

  #keepInstructions(name: string, kept: JsonObject): void {
    if (Object.keys(kept).length > 0) this.#instructions = { ...this.#instructions, [name]: kept }
  }

  #tellRole(role: string | undefined, number: number): void {
    if (role !== undefined && ROLES.includes(role)) return
    const reason = `unknown role ${JSON.stringify(role ?? null)}`
    this.#problems.push({ place: `node ${number}`, reason, isSkipped: true })
  }

  #tellUnknown(type: string, number: number, isKept: boolean): void {
    const kept = isKept ? 'its text was kept' : 'it has no text to keep'
    const reason = `unknown content type "${type}"; ${kept}`
    this.#problems.push({ place: `node ${number}`, reason, isSkipped: !isKept, isOnce: true })
  }
}

/** The name of the repeated facts that ChatGPT remembers. */
const SAVED = 'saved'
/** "[2025-04-30]. The user plays the cello." */
const SAVED_ON = /^\[(\d{4}-\d{2}-\d{2})\]\.?\s*/

function toFacts(text: unknown, more: Pick<ForeignFact, 'createdAt' | 'kind'>): readonly ForeignFact[] {
  return splitStatements(textOf(text) ?? '').map((line) => {
    const [prefix = '', day] = SAVED_ON.exec(line) ?? []
    const said = line.slice(prefix.length)
    const createdAt = readTime(day) ?? more.createdAt
    return { ...more, id: `chatgpt-${new Digest().add(said)}`, text: said, ...definedFields({ createdAt }) }
  })
}

function isCallOf(recipient: string | undefined, tool: string | undefined): boolean {
  if (recipient === undefined || recipient === 'all') return false
  return tool === undefined || recipient === tool || recipient.split('.')[0] === tool.split('.')[0]
}

function readCall(callId: string, tool: string, content: Fields): Pick<ForeignMessage, 'role' | 'content'> {
  const text = readText(content)
  const read = readJsonText(text)
  const language = textOf(content['language'])
  const spoken = typeOf(content) === 'code' ? { code: text } : { text }
  const given =
    typeof read === 'object' && read !== null
      ? read
      : keep({ ...spoken, language: language === 'unknown' ? undefined : language })
  return {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: callId, toolName: tool, input: given }],
  }
}

/** A string if there is nothing but text. */
function toSaid(
  role: 'user' | 'assistant',
  parts: readonly Part[],
): Pick<ForeignMessage, 'role' | 'content'> | undefined {
  const [first] = parts
  if (first === undefined) return undefined
  return { role, content: parts.length === 1 && first.type === 'text' ? first.text : parts }
}

function readMetadata(raw: Fields): Pick<ForeignMessage, 'metadata'> {
  const metadata = fieldsOf(raw['metadata'])
  const citations = readCitations(metadata)
  const status = textOf(raw['status'])
  return keepAny({
    model: textOf(metadata['model_slug']),
    status: status === 'finished_successfully' ? undefined : status,
    isHidden: metadata['is_visually_hidden_from_conversation'] === true ? true : undefined,
    citations: citations.length > 0 ? citations : undefined,
  })
}
