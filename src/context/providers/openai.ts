// The messages of OpenAI's chat completions, and its rules about them.

import type { ContextMessage } from '../../domain/context-message.ts'
import {
  asText,
  type Part,
  partsOf,
  plainText,
  type ToolCallPart,
  type ToolResultPart,
} from '../../domain/message.ts'

export interface OpenAiMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null | readonly OpenAiPart[]
  readonly name?: string
  readonly tool_calls?: readonly OpenAiToolCall[]
  readonly tool_call_id?: string
}

export type OpenAiPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url'
      readonly image_url: { readonly url: string; readonly detail?: 'low' | 'high' }
    }
  | { readonly type: 'file'; readonly file: { readonly file_data: string; readonly filename: string } }

export interface OpenAiToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A context for `openai.chat.completions.create({ messages })` and everything that speaks its language. */
export function toOpenAi(messages: readonly ContextMessage[]): OpenAiMessage[] {
  return messages.flatMap((message): OpenAiMessage[] => {
    const parts = partsOf(message.content)
    if (message.role === 'tool') return parts.filter((part) => part.type === 'tool-result').map(toToolMessage)
    const calls = parts.filter((part) => part.type === 'tool-call').map(toCall)
    const name = message.name === undefined ? {} : { name: toName(message.name) }
    const content = plainText(parts) ?? toContent(parts, message.role)
    return [{ role: message.role, content, ...name, ...(calls.length > 0 && { tool_calls: calls }) }]
  })
}

/** OpenAI takes no spaces and no letters beyond ASCII in a name. */
const toName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)

function toContent(parts: readonly Part[], role: ContextMessage['role']): string | null | OpenAiPart[] {
  const content = parts.flatMap((part) => toPart(part, role))
  return content.length === 0 ? null : content
}

function toPart(part: Part, role: ContextMessage['role']): OpenAiPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'image' && role === 'user') {
    return [{ type: 'image_url', image_url: { url: part.url, ...(part.detail && { detail: part.detail }) } }]
  }
  if (part.type === 'file' && role === 'user' && part.url.startsWith('data:')) {
    return [{ type: 'file', file: { file_data: part.url, filename: part.name ?? 'file' } }]
  }
  // A reference that the provider cannot open is still worth naming.
  if (part.type === 'image' || part.type === 'file')
    return [{ type: 'text', text: `[${part.type}: ${part.url}]` }]
  return []
}

const toCall = (call: ToolCallPart): OpenAiToolCall => ({
  id: call.toolCallId,
  type: 'function',
  function: { name: call.toolName, arguments: asText(call.input) },
})

const toToolMessage = (result: ToolResultPart): OpenAiMessage => ({
  role: 'tool',
  content: asText(result.output),
  tool_call_id: result.toolCallId,
})

/** What OpenAI would refuse, in words; empty when it is valid. */
export function checkOpenAi(messages: readonly OpenAiMessage[]): readonly string[] {
  const problems: string[] = []
  let open = new Set<string>()
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) problems.push(`message ${i}: a result without its call`)
      continue
    }
    if (open.size > 0) problems.push(`message ${i}: calls without results before it: ${[...open].join(', ')}`)
    problems.push(...checkOne(message, i))
    open = new Set(message.tool_calls?.map(({ id }) => id))
  }
  if (open.size > 0) problems.push(`calls without results at the end: ${[...open].join(', ')}`)
  return problems
}

function checkOne(message: OpenAiMessage, i: number): readonly string[] {
  const ids = message.tool_calls?.map(({ id }) => id) ?? []
  return [
    ...(message.role === 'system' && i > 0 ? [`message ${i}: a system message after the first`] : []),
    ...(new Set(ids).size < ids.length ? [`message ${i}: two calls with the same id`] : []),
    ...(isEmpty(message) ? [`message ${i}: nothing in it`] : []),
  ]
}

function isEmpty({ content, tool_calls: calls }: OpenAiMessage): boolean {
  if (calls !== undefined && calls.length > 0) return false
  return content === null || content.length === 0
}
