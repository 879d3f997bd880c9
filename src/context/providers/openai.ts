// OpenAI's chat completions: the shape of a request, recording an answer, and the rules a request must obey.
//
// OpenAI's own models keep their reasoning out of this API. Many servers that speak it do not: they send a text as
// `reasoning_content` or `reasoning`, signed or encrypted reasoning as `reasoning_details`, and data for a tool call as
// its `extra_content`. Each comes back in the tool loop under the name that it had.

import { definedFields } from '../../domain/defined-fields.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ContextMessage } from '../../domain/message.ts'
import {
  asText,
  type Part,
  partsOf,
  plainText,
  type ReasoningPart,
  type ToolCallPart,
  type ToolResultPart,
} from '../../domain/message.ts'
import type { NewMessage } from '../../schemas/message.ts'
import { describeReference, metadataOf } from './part-values.ts'

export type OpenAiMessage =
  | { readonly role: 'system'; readonly content: string; readonly name?: string }
  | { readonly role: 'user'; readonly content: string | OpenAiPart[]; readonly name?: string }
  | OpenAiAssistantMessage
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string }

export interface OpenAiAssistantMessage extends OpenAiReasoning {
  readonly role: 'assistant'
  readonly content: string | null | OpenAiAssistantPart[]
  readonly name?: string
  readonly tool_calls?: OpenAiToolCall[]
}

/** Fields of servers other than OpenAI's. */
interface OpenAiReasoning {
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly reasoning_details?: readonly JsonValue[]
}

interface OpenAiText {
  readonly type: 'text'
  readonly text: string
}

export type OpenAiAssistantPart = OpenAiText | { readonly type: 'refusal'; readonly refusal: string }

export type OpenAiPart =
  | OpenAiText
  | {
      readonly type: 'image_url'
      readonly image_url: { readonly url: string; readonly detail?: 'low' | 'high' }
    }
  | { readonly type: 'file'; readonly file: { readonly file_data: string; readonly filename: string } }

export type OpenAiToolCall =
  | {
      readonly id: string
      readonly type: 'function'
      readonly function: { readonly name: string; readonly arguments: string }
      readonly extra_content?: JsonValue
    }
  | {
      readonly id: string
      readonly type: 'custom'
      readonly custom: { readonly name: string; readonly input: string }
    }

/** A context for `openai.chat.completions.create({ model, messages: toOpenAi(messages) })` and compatible servers. */
export function toOpenAi(messages: readonly ContextMessage[]): OpenAiMessage[] {
  return messages.flatMap(({ role, content, name: speaker }): OpenAiMessage[] => {
    const parts = partsOf(content)
    const name = speaker === undefined ? {} : { name: toName(speaker) }
    if (role === 'tool') return parts.filter((part) => part.type === 'tool-result').map(toToolMessage)
    if (role === 'assistant') return [{ ...toAssistant(parts), ...name }]
    const text = plainText(parts)
    if (role === 'system') return [{ role, content: text ?? '', ...name }]
    return [{ role, content: text ?? parts.flatMap(toUserPart), ...name }]
  })
}

/** OpenAI accepts no spaces and only ASCII letters in a name. */
const toName = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64)

function toUserPart(part: Part): OpenAiPart[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }]
  if (part.type === 'image') {
    return [{ type: 'image_url', image_url: { url: part.url, ...(part.detail && { detail: part.detail }) } }]
  }
  if (part.type === 'file' && part.url.startsWith('data:')) {
    return [{ type: 'file', file: { file_data: part.url, filename: part.name ?? 'file' } }]
  }
  return part.type === 'file' ? [{ type: 'text', text: describeReference(part) }] : []
}

function toAssistant(parts: readonly Part[]): OpenAiAssistantMessage {
  const calls = parts.filter((part) => part.type === 'tool-call').map(toCall)
  const spoken = parts.flatMap(toAssistantPart)
  const texts = spoken.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const said = texts.length < spoken.length ? spoken : texts.join('\n\n')
  return {
    role: 'assistant',
    content: spoken.length === 0 ? null : said,
    ...toReasoning(parts.filter((part) => part.type === 'reasoning')),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function toAssistantPart(part: Part): OpenAiAssistantPart[] {
  if (part.type === 'image' || part.type === 'file') return [{ type: 'text', text: describeReference(part) }]
  if (part.type !== 'text' || part.text.trim() === '') return []
  const isRefusal = metadataOf(part, 'openai')?.['refusal'] === true
  return [isRefusal ? { type: 'refusal', refusal: part.text } : { type: 'text', text: part.text }]
}

function toReasoning(parts: readonly ReasoningPart[]): OpenAiReasoning {
  const kept = parts.flatMap((part) => {
    const metadata = metadataOf(part, 'openai')
    return metadata === undefined ? [] : [{ text: part.text, metadata }]
  })
  const textIn = (field: string) => {
    const texts = kept.filter(({ metadata }) => metadata['field'] === field).map(({ text }) => text)
    return texts.length === 0 ? undefined : texts.join('\n\n')
  }
  const details = kept.flatMap(({ metadata: { reasoningDetails } }) =>
    Array.isArray(reasoningDetails) ? (reasoningDetails as readonly JsonValue[]) : [],
  )
  return definedFields({
    reasoning_content: textIn('reasoning_content'),
    reasoning: textIn('reasoning'),
    reasoning_details: details.length === 0 ? undefined : details,
  })
}

function toCall(call: ToolCallPart): OpenAiToolCall {
  const { type, extraContent } = metadataOf(call, 'openai') ?? {}
  const text = asText(call.input)
  if (type === 'custom') return { id: call.toolCallId, type, custom: { name: call.toolName, input: text } }
  return {
    id: call.toolCallId,
    type: 'function',
    function: { name: call.toolName, arguments: text },
    ...definedFields({ extra_content: extraContent }),
  }
}

const toToolMessage = (result: ToolResultPart): OpenAiMessage => ({
  role: 'tool',
  content: asText(result.output),
  tool_call_id: result.toolCallId,
})

/** What `openai.chat.completions.create` returns, or the message of one choice, as far as it is recorded. */
export type OpenAiAnswer =
  | { readonly choices: readonly { readonly message: OpenAiAnswerMessage }[] }
  | OpenAiAnswerMessage

interface OpenAiAnswerMessage {
  readonly content?: string | null
  readonly refusal?: string | null
  readonly tool_calls?: readonly OpenAiToolCall[]
}

/** An answer as a message to record: its text, reasoning and tool calls, so that `toOpenAi` gives them back. */
export function fromOpenAi(answer: OpenAiAnswer): NewMessage & { readonly content: readonly Part[] } {
  const message = 'choices' in answer ? (answer.choices[0]?.message ?? {}) : answer
  const { content, refusal, tool_calls: calls = [] } = message
  return {
    role: 'assistant',
    content: [
      ...fromReasoning(message as OpenAiReasoning),
      ...(content ? [{ type: 'text' as const, text: content }] : []),
      ...(refusal
        ? [{ type: 'text' as const, text: refusal, providerMetadata: { openai: { refusal: true } } }]
        : []),
      ...calls.map(fromCall),
    ],
  }
}

function fromReasoning({ reasoning_details: details, ...texts }: OpenAiReasoning): ReasoningPart[] {
  const field = texts.reasoning_content ? 'reasoning_content' : 'reasoning'
  const text = texts[field] ?? ''
  if (text === '' && details === undefined) return []
  const openai: JsonObject = {
    ...(text !== '' && { field }),
    ...definedFields({ reasoningDetails: details }),
  }
  return [{ type: 'reasoning', text, providerMetadata: { openai } }]
}

function fromCall(call: OpenAiToolCall): ToolCallPart {
  if (call.type === 'custom') {
    const { name, input } = call.custom
    const providerMetadata = { openai: { type: 'custom' } }
    return { type: 'tool-call', toolCallId: call.id, toolName: name, input, providerMetadata }
  }
  const { extra_content: extraContent } = call
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.function.name,
    input: call.function.arguments,
    ...(extraContent !== undefined && { providerMetadata: { openai: { extraContent } } }),
  }
}

/** What OpenAI would refuse, one sentence each; empty if the messages are valid. */
export function checkOpenAi(messages: readonly OpenAiMessage[]): readonly string[] {
  const problems: string[] = []
  let open = new Set<string>()
  for (const [i, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) problems.push(`message ${i}: result without its call`)
      continue
    }
    if (open.size > 0) problems.push(`message ${i}: preceding calls without results: ${[...open].join(', ')}`)
    problems.push(...checkOne(message, i))
    open = new Set(callIdsOf(message))
  }
  if (open.size > 0) problems.push(`calls without results at the end: ${[...open].join(', ')}`)
  return problems
}

const callIdsOf = (message: OpenAiMessage): readonly string[] =>
  message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []

function checkOne(message: OpenAiMessage, i: number): readonly string[] {
  const ids = callIdsOf(message)
  const isEmpty = ids.length === 0 && (message.content === null || message.content.length === 0)
  return [
    ...(message.role === 'system' && i > 0 ? [`message ${i}: a system message that is not the first`] : []),
    ...(new Set(ids).size < ids.length ? [`message ${i}: two calls with the same id`] : []),
    ...(isEmpty ? [`message ${i}: empty content`] : []),
  ]
}
