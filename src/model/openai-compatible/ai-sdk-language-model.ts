import type { JsonValue } from '../../domain/json.ts'
import type { ContextMessage } from '../../domain/message.ts'
import { asText, type Part, partsOf, type ToolCallPart, type ToolResultPart } from '../../domain/message.ts'
import type { CompletionRequest, LanguageModel } from '../models.ts'
import { CallFailure } from '../network/call-failure.ts'
import type {
  AiSdkCall,
  AiSdkFile,
  AiSdkLanguageModel,
  AiSdkMessage,
  AiSdkPart,
  AiSdkText,
  AiSdkToolCall,
  AiSdkToolResult,
} from './ai-sdk.ts'

/** Any language model of the AI SDK. Not guarded: see `guard/`. */
export function aiSdkLanguageModel(name: string, load: () => Promise<AiSdkLanguageModel>): LanguageModel {
  return {
    name,
    async complete(request) {
      const model = await load()
      const { content, finishReason } = await model.doGenerate(toCall(request, model) as never)
      const texts = (content as AiSdkPart[])
        .filter(({ type }) => type === 'text')
        .map(({ text = '' }) => text)
      return withoutThinking(texts.join('')) || failEmpty(finishReason)
    },
    async *stream(request) {
      const model = await load()
      const { stream } = await model.doStream(toCall(request, model) as never)
      let hasText = false
      for await (const piece of streamWithoutThinking(textPieces(stream as ReadableStream<AiSdkPart>))) {
        hasText ||= piece !== ''
        yield piece
      }
      if (!hasText) failEmpty(undefined)
    },
  }
}

function toCall(request: CompletionRequest, { specificationVersion }: AiSdkLanguageModel): AiSdkCall {
  const { messages, maxTokens, temperature, jsonSchema, signal } = request
  return {
    prompt: toPrompt(messages, specificationVersion),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(signal !== undefined && { abortSignal: signal }),
    ...(jsonSchema !== undefined && {
      responseFormat: { type: 'json' as const, schema: jsonSchema, name: 'answer' },
      // In strict mode, OpenAI rejects every schema with an optional field; the answer is validated here
      // anyway.
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    }),
  }
}

/** The text of a stream, and an empty chunk for every chunk of reasoning. */
async function* textPieces(stream: ReadableStream<AiSdkPart>): AsyncGenerator<string> {
  let isFinished = false
  for await (const { type, delta = '', error } of stream) {
    if (type === 'text-delta') yield delta
    else if (type === 'reasoning-delta') yield ''
    else if (type === 'error') throw toError(error)
    else if (type === 'finish') isFinished = true
  }
  if (!isFinished) throw new CallFailure('unreachable', 'the stream ended before the answer did')
}

/** Servers put errors into the stream as objects. */
function toError(error: unknown): unknown {
  if (error instanceof Error) return error
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return new CallFailure('garbled', `the server broke off: ${String(message).slice(0, 300)}`)
}

/** The reason for an empty answer: specification v2 has a string, later ones an object. */
function failEmpty(finishReason: unknown): never {
  const wrapped = finishReason as { unified?: unknown } | undefined
  const reason = typeof finishReason === 'string' ? finishReason : wrapped?.unified
  if (reason === 'length')
    throw new CallFailure('thrown', 'all tokens went before the answer began', { hint: 'raise maxTokens' })
  if (reason === 'content-filter') throw new CallFailure('thrown', 'the provider filtered the answer out')
  throw new CallFailure('garbled', 'empty response')
}

interface PromptShape {
  readonly specificationVersion: string
  /** The tool name by call id: a result need not name the tool. */
  readonly tools: ReadonlyMap<string, string>
}

/** Converts the messages of a context to an AI SDK prompt. */
function toPrompt(messages: readonly ContextMessage[], specificationVersion: string): AiSdkMessage[] {
  const shape = { specificationVersion, tools: toolNames(messages) }
  return messages.map((message) => toMessage(message, shape))
}

function toMessage({ role, content, name }: ContextMessage, shape: PromptShape): AiSdkMessage {
  const parts = partsOf(content)
  switch (role) {
    case 'system':
      return { role, content: parts.map((part) => toText(part).text).join('\n\n') }
    case 'user':
      return toUserMessage(parts, name, shape)
    case 'assistant':
      return { role, content: parts.flatMap(toAssistantPart) }
    case 'tool':
      return { role, content: parts.flatMap((part) => toResult(part, shape)) }
  }
}

function toUserMessage(
  parts: readonly Part[],
  name: string | undefined,
  { specificationVersion }: PromptShape,
): AiSdkMessage {
  const content = parts.map((part) =>
    part.type === 'image' ? toImage(part, specificationVersion) : toText(part),
  )
  if (name === undefined) return { role: 'user', content }
  // OpenAI allows no spaces and no non-ASCII letters in a name. The SDK has no other place for it: for a
  // message with one part, it takes the options from the part.
  const speaker = { openaiCompatible: { name: name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) } }
  const [only] = content
  return content.length === 1 && only?.type === 'text'
    ? { role: 'user', content: [{ ...only, providerOptions: speaker }] }
    : { role: 'user', content, providerOptions: speaker }
}

function toText(part: Part): AiSdkText {
  if (part.type === 'text') return { type: 'text', text: part.text.toWellFormed() }
  // A reference that the model cannot open is still worth naming.
  const text = part.type === 'image' || part.type === 'file' ? `[${part.type}: ${part.url}]` : ''
  return { type: 'text', text }
}

function toImage(
  { url, mediaType = 'image/*' }: Part & { type: 'image' },
  version: string,
): AiSdkText | AiSdkFile {
  if (!URL.canParse(url)) return { type: 'text', text: `[image: ${url}]` }
  const address = new URL(url)
  return { type: 'file', mediaType, data: version === 'v4' ? { type: 'url', url: address } : address }
}

/** Reasoning is never sent back to the model. */
function toAssistantPart(part: Part): (AiSdkText | AiSdkToolCall)[] {
  if (part.type === 'tool-call') return [toToolCall(part)]
  return part.type === 'reasoning' || part.type === 'tool-result' ? [] : [toText(part)]
}

function toToolCall({ toolCallId, toolName, input: given }: ToolCallPart): AiSdkToolCall {
  return { type: 'tool-call', toolCallId, toolName, input: parseArguments(given) }
}

/** A string is JSON as the model wrote it, valid or not. */
function parseArguments(given: JsonValue): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch (error) {
    if (error instanceof SyntaxError) return given
    throw error
  }
}

function toResult(part: Part, { tools }: PromptShape): AiSdkToolResult[] {
  if (part.type !== 'tool-result') return []
  const {
    toolCallId,
    toolName = tools.get(toolCallId) ?? 'tool',
    isError,
    output: given,
  }: ToolResultPart = part
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value: asText(given) }
  return [{ type: 'tool-result', toolCallId, toolName, output }]
}

function toolNames(messages: readonly ContextMessage[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap(({ content }) =>
    partsOf(content).filter((part): part is ToolCallPart => part.type === 'tool-call'),
  )
  return new Map(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]))
}

// Some servers return the model's reasoning as part of its answer, between tags at the beginning. It is not
// part of the answer, and must not end up in a summary.

const OPENING = /^\s*<(think|thinking)>/i
/** If the prompt ends with the opening tag, the answer has only the closing one. */
const CLOSING = /<\/(?:think|thinking)>\s*/i
const LONGEST_OPENING = '<thinking>'.length

/** An answer without the reasoning before it; empty if there is nothing else. */
function withoutThinking(text: string): string {
  const closing = CLOSING.exec(text)
  const isUnopened = closing !== null && !/<think(?:ing)?>/i.test(text.slice(0, closing.index))
  if (!OPENING.test(text) && !isUnopened) return text
  return closing === null ? '' : text.slice(closing.index + closing[0].length)
}

/** The same for a streamed answer; here an opening tag is required. During reasoning, chunks are empty. */
async function* streamWithoutThinking(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let held: string | undefined = ''
  for await (const piece of pieces) {
    if (held === undefined) {
      yield piece
      continue
    }
    held += piece
    const isOpen = mayBeThinking(held) && !CLOSING.test(held)
    const answer = OPENING.test(held) ? withoutThinking(held) : held
    // There may be more white space after the closing tag.
    if (isOpen || answer === '') yield ''
    else {
      held = undefined
      yield answer
    }
  }
  if (held !== undefined && !OPENING.test(held) && held !== '') yield held
}

function mayBeThinking(text: string): boolean {
  if (OPENING.test(text)) return true
  const start = text.trimStart().toLowerCase()
  return start.length < LONGEST_OPENING && ('<think>'.startsWith(start) || '<thinking>'.startsWith(start))
}
