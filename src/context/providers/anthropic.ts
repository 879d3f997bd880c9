// Anthropic's Messages API: the shape of a request, recording an answer, and the rules a request must obey.
//
// With thinking enabled, the assistant messages of the current tool loop must carry their thinking blocks, first and
// unchanged. A thinking block is a reasoning part with `{ anthropic: { signature } }`, a redacted one has
// `{ anthropic: { redactedData } }`: the same metadata that the AI SDK's provider writes.

import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ContextMessage } from '../../domain/message.ts'
import {
  asText,
  type FilePart,
  type ImagePart,
  type Part,
  partsOf,
  type ReasoningPart,
  type ToolCallPart,
} from '../../domain/message.ts'
import type { NewMessage } from '../../schemas/message.ts'
import {
  currentLoop,
  describeReference,
  isJsonObject,
  metadataOf,
  readDataUrl,
  textOf,
  toArgumentObject,
} from './part-values.ts'

/** Spread it into `anthropic.messages.create({ model, max_tokens, ...request })`. */
export interface AnthropicRequest {
  readonly system?: string
  readonly messages: AnthropicMessage[]
}

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant'
  readonly content: AnthropicBlock[]
}

export type AnthropicBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: AnthropicUrl | AnthropicInline<AnthropicImageType> }
  | { readonly type: 'document'; readonly source: AnthropicUrl | AnthropicInline<'application/pdf'> }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | AnthropicToolUse
  | {
      readonly type: 'tool_result'
      readonly tool_use_id: string
      readonly content: string
      readonly is_error?: boolean
    }

interface AnthropicToolUse {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** Who called the tool: the model itself, or code that it ran on Anthropic's servers. */
  readonly caller?:
    | { readonly type: 'direct' }
    | {
        readonly type: 'code_execution_20250825' | 'code_execution_20260120'
        readonly tool_id: string
      }
}

interface AnthropicUrl {
  readonly type: 'url'
  readonly url: string
}

interface AnthropicInline<MediaType extends string> {
  readonly type: 'base64'
  readonly media_type: MediaType
  readonly data: string
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
type AnthropicImageType = (typeof IMAGE_TYPES)[number]

/** A context for `anthropic.messages.create({ model, max_tokens, ...toAnthropic(messages) })`. */
export function toAnthropic(messages: readonly ContextMessage[]): AnthropicRequest {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content as string)
  const turns: AnthropicMessage[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = partsOf(message.content).flatMap((part) => toBlocks(part, message))
    const previous = turns.at(-1)
    // Tool results belong to the user, and so does what the user says after them: one message for both.
    if (previous?.role === role) previous.content.push(...content)
    else turns.push({ role, content })
  }
  return { ...(system.length > 0 && { system: system.join('\n\n') }), messages: turns }
}

function toBlocks(part: Part, { name, role }: ContextMessage): AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      if (part.text.trim() === '') return []
      return [{ type: 'text', text: name === undefined ? part.text : `${name}: ${part.text}` }]
    case 'reasoning':
      return toThinking(part)
    case 'image':
    case 'file':
      return [toReference(part, role)]
    case 'tool-call':
      return [toToolUse(part)]
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

/** Reasoning without a signature, or with another provider's, would be refused. */
function toThinking(part: ReasoningPart): AnthropicBlock[] {
  const metadata = metadataOf(part, 'anthropic')
  const signature = textOf(metadata, 'signature')
  if (signature !== undefined) return [{ type: 'thinking', thinking: part.text, signature }]
  const data = textOf(metadata, 'redactedData')
  if (data !== undefined) return [{ type: 'redacted_thinking', data }]
  const block = metadata?.['block']
  return isJsonObject(block) ? [block as unknown as AnthropicBlock] : []
}

function toToolUse(part: ToolCallPart): AnthropicToolUse {
  const caller = metadataOf(part, 'anthropic')?.['caller']
  return {
    type: 'tool_use',
    id: toId(part.toolCallId),
    name: part.toolName,
    input: toArgumentObject(part.input),
    ...(isJsonObject(caller) && { caller: caller as unknown as NonNullable<AnthropicToolUse['caller']> }),
  }
}

/** Anthropic accepts only these characters; a code in place of any other keeps different ids different. */
function toId(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/gu, (other) => `_${other.codePointAt(0)?.toString(36)}_`) || '_'
}

function toReference(part: ImagePart | FilePart, role: ContextMessage['role']): AnthropicBlock {
  const text: AnthropicBlock = { type: 'text', text: describeReference(part) }
  if (role !== 'user') return text
  const inline = readDataUrl(part.url)
  if (inline === undefined) {
    const source: AnthropicUrl = { type: 'url', url: part.url }
    return part.type === 'image' ? { type: 'image', source } : { type: 'document', source }
  }
  const { mediaType, data } = inline
  const imageType = IMAGE_TYPES.find((type) => type === mediaType)
  if (imageType !== undefined)
    return { type: 'image', source: { type: 'base64', media_type: imageType, data } }
  if (mediaType !== 'application/pdf') return text
  return { type: 'document', source: { type: 'base64', media_type: mediaType, data } }
}

/** What `anthropic.messages.create` returns, as far as it is recorded. */
export interface AnthropicAnswer {
  readonly content: readonly { readonly type: string }[]
}

/** An answer as a message to record: its text, thinking and tool calls, so that `toAnthropic` gives them back. */
export function fromAnthropic({
  content,
}: AnthropicAnswer): NewMessage & { readonly content: readonly Part[] } {
  return { role: 'assistant', content: content.map((block) => fromBlock(block as AnswerBlock)) }
}

type AnswerBlock =
  | Extract<AnthropicBlock, { type: 'text' | 'thinking' | 'redacted_thinking' }>
  | (Omit<AnthropicToolUse, 'input'> & { readonly input: unknown })

function fromBlock(block: AnswerBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'thinking':
      return {
        type: 'reasoning',
        text: block.thinking,
        providerMetadata: { anthropic: { signature: block.signature } },
      }
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', providerMetadata: { anthropic: { redactedData: block.data } } }
    case 'tool_use':
      return {
        type: 'tool-call',
        toolCallId: block.id,
        toolName: block.name,
        input: block.input as JsonValue,
        ...(block.caller && { providerMetadata: { anthropic: { caller: { ...block.caller } } } }),
      }
    default:
      // A tool that ran on Anthropic's servers. It is part of how the model reached its answer, and goes back as it is.
      return { type: 'reasoning', text: '', providerMetadata: { anthropic: { block: block as JsonObject } } }
  }
}

/** What Anthropic would refuse, one sentence each; empty if the request is valid. */
export function checkAnthropic(
  { messages }: AnthropicRequest,
  { thinking = false }: { readonly thinking?: boolean } = {},
): readonly string[] {
  const problems: string[] = []
  if (messages[0] !== undefined && messages[0].role !== 'user')
    problems.push('the first message is not a user message')
  for (const [i, message] of messages.entries()) {
    if (messages[i - 1]?.role === message.role)
      problems.push(`message ${i}: two ${message.role} messages in a row`)
    if (message.content.length === 0) problems.push(`message ${i}: empty content`)
    if (message.content.some(isBlank)) problems.push(`message ${i}: blank text`)
    if (isThinking(message.content.at(-1))) problems.push(`message ${i}: ends with a thinking block`)
    problems.push(...checkResults(messages, i))
  }
  return thinking ? [...problems, ...checkThinking(messages)] : problems
}

const isBlank = (block: AnthropicBlock): boolean => block.type === 'text' && block.text.trim() === ''

const isThinking = (block: AnthropicBlock | undefined): boolean =>
  block?.type === 'thinking' || block?.type === 'redacted_thinking'

/**
 * The assistant turn that a tool loop belongs to must begin with a thinking block. Later messages of the loop need one
 * only if the model thought again.
 */
function checkThinking(messages: readonly AnthropicMessage[]): readonly string[] {
  const isResult = ({ type }: AnthropicBlock) => type === 'tool_result'
  const loop = currentLoop(messages, ({ content }) => content.map(isResult))
  const first = loop.find(({ role }) => role === 'assistant')
  const hasCalls = loop.some(({ content }) => content.some(({ type }) => type === 'tool_use'))
  if (!hasCalls || first === undefined || isThinking(first.content[0])) return []
  return [`message ${messages.indexOf(first)}: a tool loop must begin with its thinking block`]
}

function checkResults(messages: readonly AnthropicMessage[], i: number): readonly string[] {
  const uses = idsOf(messages[i - 1], 'tool_use')
  const results = idsOf(messages[i], 'tool_result')
  const pending = i === messages.length - 1 ? idsOf(messages[i], 'tool_use') : []
  const problems = [
    ...uses
      .filter((id) => !results.includes(id))
      .map((id) => `message ${i}: no result for the preceding tool call ${id}`),
    ...results.filter((id) => !uses.includes(id)).map((id) => `message ${i}: result without its call: ${id}`),
    ...pending.map((id) => `the last message has a tool call without a result: ${id}`),
  ]
  const kinds = messages[i]?.content.map(({ type }) => type) ?? []
  if (kinds.lastIndexOf('tool_result') > results.length - 1)
    problems.push(`message ${i}: tool results must come first`)
  return problems
}

function idsOf(message: AnthropicMessage | undefined, type: 'tool_use' | 'tool_result'): readonly string[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type === 'tool_use' && type === 'tool_use') return [block.id]
    return block.type === 'tool_result' && type === 'tool_result' ? [block.tool_use_id] : []
  })
}
