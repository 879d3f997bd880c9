// Google's Gemini API: the shape of a request, recording an answer, and the rules a request must obey.
//
// Gemini signs parts with a thought signature, and Gemini 3 refuses the function calls of the current turn without
// it: the first call of each answer must carry the one that it came with. It is kept as
// `{ google: { thoughtSignature } }`, as by the AI SDK's provider, and parts that have one are never merged.

import { definedFields } from '../../domain/defined-fields.ts'
import { newId } from '../../domain/ids.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { ContextMessage } from '../../domain/message.ts'
import {
  type FilePart,
  type ImagePart,
  type Part,
  partsOf,
  type ToolResultPart,
} from '../../domain/message.ts'
import type { NewMessage } from '../../schemas/message.ts'
import { currentLoop, metadataOf, readDataUrl, textOf, toArgumentObject } from './part-values.ts'

/** Spread it into `models.generateContent({ model, ...request })`; options of your own go into `config` beside it. */
export interface GeminiRequest {
  readonly contents: GeminiContent[]
  readonly config?: { readonly systemInstruction: { readonly parts: GeminiPart[] } }
}

export interface GeminiContent {
  readonly role: 'user' | 'model'
  readonly parts: GeminiPart[]
}

export interface GeminiPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly fileData?: { readonly fileUri: string; readonly mimeType?: string }
  readonly inlineData?: { readonly data: string; readonly mimeType: string }
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: JsonObject }
  readonly functionResponse?: {
    readonly id?: string
    readonly name: string
    readonly response: { readonly [key: string]: JsonValue }
  }
}

/** A context for `models.generateContent({ model, ...toGemini(messages) })`. */
export function toGemini(messages: readonly ContextMessage[]): GeminiRequest {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => ({ text: content as string }))
  const contents: GeminiContent[] = []
  let functionIds: ReadonlyMap<string, string> = new Map()
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'model' : 'user'
    const given = partsOf(message.content)
    if (role === 'model') functionIds = functionIdsOf(given)
    const parts = given.flatMap((part) => toParts(part, { name: message.name, functionIds }))
    const previous = contents.at(-1)
    if (previous?.role === role) previous.parts.push(...parts)
    else contents.push({ role, parts })
  }
  return { contents, ...(system.length > 0 && { config: { systemInstruction: { parts: system } } }) }
}

/** Ids that Gemini itself gave to its calls, by toolCallId; a response must repeat them. */
function functionIdsOf(parts: readonly Part[]): ReadonlyMap<string, string> {
  return new Map(
    parts.flatMap((part) => {
      const id = part.type === 'tool-call' ? textOf(googleOf(part), 'functionCallId') : undefined
      return part.type === 'tool-call' && id !== undefined ? [[part.toolCallId, id]] : []
    }),
  )
}

const googleOf = (part: Part): JsonObject | undefined => metadataOf(part, 'google', 'vertex')

interface PartPlace {
  readonly name: string | undefined
  readonly functionIds: ReadonlyMap<string, string>
}

function toParts(part: Part, { name, functionIds }: PartPlace): GeminiPart[] {
  const metadata = googleOf(part)
  const signature = definedFields({ thoughtSignature: textOf(metadata, 'thoughtSignature') })
  switch (part.type) {
    case 'text':
      if (part.text.trim() === '' && signature.thoughtSignature === undefined) return []
      return [{ text: name === undefined ? part.text : `${name}: ${part.text}`, ...signature }]
    case 'reasoning':
      return metadata === undefined ? [] : [{ text: part.text, thought: true, ...signature }]
    case 'image':
    case 'file':
      return [{ ...toReference(part), ...signature }]
    case 'tool-call': {
      const id = textOf(metadata, 'functionCallId')
      const call = { name: part.toolName, args: toArgumentObject(part.input) }
      return [{ functionCall: { ...definedFields({ id }), ...call }, ...signature }]
    }
    case 'tool-result':
      return [{ functionResponse: toResponse(part, functionIds.get(part.toolCallId)) }]
  }
}

function toResponse(
  part: ToolResultPart,
  id: string | undefined,
): NonNullable<GeminiPart['functionResponse']> {
  const response = part.isError ? { error: part.output } : { output: part.output }
  return { ...definedFields({ id }), name: part.toolName ?? part.toolCallId, response }
}

function toReference(part: ImagePart | FilePart): GeminiPart {
  const inline = readDataUrl(part.url)
  if (inline !== undefined) return { inlineData: { mimeType: inline.mediaType, data: inline.data } }
  return { fileData: { fileUri: part.url, ...definedFields({ mimeType: part.mediaType }) } }
}

/** What `models.generateContent` returns, or one of its candidates' contents, as far as it is recorded. */
export type GeminiAnswer =
  | { readonly candidates?: readonly { readonly content?: GeminiAnswerContent }[] | undefined }
  | GeminiAnswerContent

interface GeminiAnswerContent {
  readonly parts?: readonly GeminiAnswerPart[] | undefined
}

interface GeminiAnswerPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: {
    readonly id?: string
    readonly name?: string
    readonly args?: Readonly<Record<string, unknown>>
  }
  readonly inlineData?: { readonly data?: string; readonly mimeType?: string }
}

/** An answer as a message to record: its text, thoughts, function calls and signatures, for `toGemini` to give back. */
export function fromGemini(answer: GeminiAnswer): NewMessage & { readonly content: readonly Part[] } {
  const content = 'candidates' in answer ? answer.candidates?.[0]?.content : (answer as GeminiAnswerContent)
  return { role: 'assistant', content: (content?.parts ?? []).flatMap(fromPart) }
}

function fromPart(part: GeminiAnswerPart): Part[] {
  const { text, thought, thoughtSignature, functionCall, inlineData } = part
  const google = definedFields({ thoughtSignature })
  const signed = thoughtSignature === undefined ? {} : { providerMetadata: { google } }
  if (functionCall !== undefined) return [fromCall(functionCall, google)]
  if (thought) return [{ type: 'reasoning', text: text ?? '', providerMetadata: { google } }]
  if (text !== undefined) return [{ type: 'text', text, ...signed }]
  if (inlineData?.data === undefined)
    return thoughtSignature === undefined ? [] : [{ type: 'text', text: '', ...signed }]
  const mediaType = inlineData.mimeType ?? 'application/octet-stream'
  const type = mediaType.startsWith('image/') ? 'image' : 'file'
  return [{ type, url: `data:${mediaType};base64,${inlineData.data}`, mediaType, ...signed }]
}

function fromCall(call: NonNullable<GeminiAnswerPart['functionCall']>, signature: JsonObject): Part {
  const google = { ...signature, ...definedFields({ functionCallId: call.id }) }
  return {
    type: 'tool-call',
    toolCallId: call.id ?? newId(new Date()),
    toolName: call.name ?? '',
    input: (call.args ?? {}) as JsonObject,
    ...(Object.keys(google).length > 0 && { providerMetadata: { google } }),
  }
}

/** What Gemini would refuse, one sentence each; empty if the request is valid. */
export function checkGemini(
  { contents }: GeminiRequest,
  { thinking = false }: { readonly thinking?: boolean } = {},
): readonly string[] {
  const problems: string[] = []
  if (contents[0] !== undefined && contents[0].role !== 'user')
    problems.push('the first content is not a user content')
  for (const [i, { role, parts }] of contents.entries()) {
    if (contents[i - 1]?.role === role) problems.push(`content ${i}: two ${role} contents in a row`)
    if (parts.length === 0) problems.push(`content ${i}: no parts`)
    const calls = countOf(contents[i - 1], 'functionCall')
    const responses = countOf(contents[i], 'functionResponse')
    if (calls !== responses)
      problems.push(`content ${i}: ${responses} function responses to ${calls} function calls`)
  }
  if (countOf(contents.at(-1), 'functionCall') > 0)
    problems.push('the function calls in the last content have no responses')
  return thinking ? [...problems, ...checkSignatures(contents)] : problems
}

function countOf(content: GeminiContent | undefined, kind: 'functionCall' | 'functionResponse'): number {
  return (content?.parts ?? []).filter((part) => kind in part).length
}

/** Of parallel calls only the first is signed. */
function checkSignatures(contents: readonly GeminiContent[]): readonly string[] {
  const loop = currentLoop(contents, ({ parts }) => parts.map((part) => 'functionResponse' in part))
  const isUnsigned = ({ parts }: GeminiContent) => {
    const first = parts.find((part) => 'functionCall' in part)
    return first !== undefined && first.thoughtSignature === undefined
  }
  return loop
    .filter(isUnsigned)
    .map(
      (content) => `content ${contents.indexOf(content)}: the first function call has no thought signature`,
    )
}
