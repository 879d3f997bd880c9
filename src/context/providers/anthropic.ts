// The messages of Anthropic's API, and its rules about them.

import type { ContextMessage } from '../../domain/context-message.ts'
import type { JsonObject } from '../../domain/json.ts'
import { asText, type FilePart, type ImagePart, type Part, partsOf } from '../../domain/message.ts'
import { toArgumentObject } from './tool-arguments.ts'

export interface AnthropicRequest {
  readonly system?: string
  readonly messages: readonly AnthropicMessage[]
}

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly AnthropicBlock[]
}

export type AnthropicBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'document'; readonly source: AnthropicSource }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content: string
      readonly is_error?: boolean
    }

type AnthropicSource =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }

/** A context for `anthropic.messages.create({ system, messages })`. */
export function toAnthropic(messages: readonly ContextMessage[]): AnthropicRequest {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content as string)
  const turns: { role: 'user' | 'assistant'; content: AnthropicBlock[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = partsOf(message.content).flatMap((part) => toBlock(part, message))
    const previous = turns.at(-1)
    // Results of tools are the user's, and what the user says after them belongs to the same turn.
    if (previous?.role === role) previous.content.push(...content)
    else turns.push({ role, content })
  }
  return { ...(system.length > 0 && { system: system.join('\n\n') }), messages: turns }
}

function toBlock(part: Part, { name, role }: ContextMessage): AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: name === undefined ? part.text : `${name}: ${part.text}` }]
    case 'reasoning':
      return []
    case 'image':
    case 'file':
      return [toReference(part, role)]
    case 'tool-call':
      return [
        {
          type: 'tool_use',
          id: toId(part.toolCallId),
          name: part.toolName,
          input: toArgumentObject(part.input),
        },
      ]
    case 'tool-result':
      return [
        {
          type: 'tool_result',
          tool_use_id: toId(part.toolCallId),
          content: asText(part.output),
          ...(part.isError && { is_error: true }),
        },
      ]
  }
}

/** Anthropic takes only these characters; a code for each other keeps ids apart. */
function toId(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/gu, (other) => `_${other.codePointAt(0)?.toString(36)}_`) || '_'
}

function toReference(part: ImagePart | FilePart, role: ContextMessage['role']): AnthropicBlock {
  if (role !== 'user') return { type: 'text', text: `[${part.type}: ${part.url}]` }
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(part.url)
  const source: AnthropicSource = inline
    ? { type: 'base64', media_type: inline[1] as string, data: inline[2] as string }
    : { type: 'url', url: part.url }
  return { type: part.type === 'image' ? 'image' : 'document', source }
}

/** What Anthropic would refuse, in words; empty when it is valid. */
export function checkAnthropic({ messages }: AnthropicRequest): readonly string[] {
  const problems: string[] = []
  if (messages[0] !== undefined && messages[0].role !== 'user')
    problems.push('the first message is not the user\u2019s')
  for (const [i, message] of messages.entries()) {
    if (messages[i - 1]?.role === message.role)
      problems.push(`message ${i}: ${message.role} speaks twice in a row`)
    if (message.content.length === 0) problems.push(`message ${i}: nothing in it`)
    if (message.content.some(isBlank)) problems.push(`message ${i}: a blank text`)
    problems.push(...checkResults(messages, i))
  }
  return problems
}

const isBlank = (block: AnthropicBlock): boolean => block.type === 'text' && block.text.trim() === ''

function checkResults(messages: readonly AnthropicMessage[], i: number): readonly string[] {
  const uses = idsOf(messages[i - 1], 'tool_use')
  const results = idsOf(messages[i], 'tool_result')
  const pending = i === messages.length - 1 ? idsOf(messages[i], 'tool_use') : []
  const problems = [
    ...uses
      .filter((id) => !results.includes(id))
      .map((id) => `message ${i}: no result for the call ${id} before it`),
    ...results
      .filter((id) => !uses.includes(id))
      .map((id) => `message ${i}: a result without its call: ${id}`),
    ...pending.map((id) => `the call ${id} at the end has no result`),
  ]
  const kinds = messages[i]?.content.map(({ type }) => type) ?? []
  if (kinds.lastIndexOf('tool_result') > results.length - 1)
    problems.push(`message ${i}: results must come first`)
  return problems
}

function idsOf(message: AnthropicMessage | undefined, type: 'tool_use' | 'tool_result'): readonly string[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type === 'tool_use' && type === 'tool_use') return [block.id]
    return block.type === 'tool_result' && type === 'tool_result' ? [block.tool_use_id] : []
  })
}
