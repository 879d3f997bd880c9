import type { ContextMessage } from '../../domain/context-message.ts'
import type { JsonValue } from '../../domain/json.ts'
import { asText, type Part, partsOf, type ToolCallPart, type ToolResultPart } from '../../domain/message.ts'
import type { AiSdkFile, AiSdkMessage, AiSdkText, AiSdkToolCall, AiSdkToolResult } from './ai-sdk.ts'

interface PromptShape {
  readonly specificationVersion: string
  /** Which tool was called under an id: a result need not say. */
  readonly tools: ReadonlyMap<string, string>
}

/** Messages as a context has them, in the shape of the AI SDK. */
export function toPrompt(messages: readonly ContextMessage[], specificationVersion: string): AiSdkMessage[] {
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
  // OpenAI takes no spaces and no letters beyond ASCII in a name. The SDK has no place for it but this one: of a
  // message with one part it takes the options from the part.
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

/** What a model thought is never sent back to it. */
function toAssistantPart(part: Part): (AiSdkText | AiSdkToolCall)[] {
  if (part.type === 'tool-call') return [toCall(part)]
  return part.type === 'reasoning' || part.type === 'tool-result' ? [] : [toText(part)]
}

function toCall({ toolCallId, toolName, input: given }: ToolCallPart): AiSdkToolCall {
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
