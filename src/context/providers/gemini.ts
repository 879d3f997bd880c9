// The contents of Google's Gemini API, and its rules about them.

import type { ContextMessage } from '../../domain/context-message.ts'
import { definedFields } from '../../domain/defined-fields.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { type FilePart, type ImagePart, type Part, partsOf } from '../../domain/message.ts'
import { toArgumentObject } from './tool-arguments.ts'

export interface GeminiRequest {
  readonly systemInstruction?: { readonly parts: readonly GeminiPart[] }
  readonly contents: readonly GeminiContent[]
}

export interface GeminiContent {
  readonly role: 'user' | 'model'
  readonly parts: readonly GeminiPart[]
}

export type GeminiPart =
  | { readonly text: string }
  | { readonly fileData: { readonly fileUri: string; readonly mimeType?: string } }
  | { readonly inlineData: { readonly data: string; readonly mimeType: string } }
  | { readonly functionCall: { readonly name: string; readonly args: JsonObject } }
  | {
      readonly functionResponse: {
        readonly name: string
        readonly response: { readonly [key: string]: JsonValue }
      }
    }

/** A context for `models.generateContent({ contents, config: { systemInstruction } })`. */
export function toGemini(messages: readonly ContextMessage[]): GeminiRequest {
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => ({ text: content as string }))
  const contents: { role: 'user' | 'model'; parts: GeminiPart[] }[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'model' : 'user'
    const parts = partsOf(message.content).flatMap((part) => toPart(part, message.name))
    const previous = contents.at(-1)
    if (previous?.role === role) previous.parts.push(...parts)
    else contents.push({ role, parts })
  }
  return { ...(system.length > 0 && { systemInstruction: { parts: system } }), contents }
}

function toPart(part: Part, name: string | undefined): GeminiPart[] {
  switch (part.type) {
    case 'text':
      return [{ text: name === undefined ? part.text : `${name}: ${part.text}` }]
    case 'reasoning':
      return []
    case 'image':
    case 'file':
      return [toReference(part)]
    case 'tool-call':
      return [{ functionCall: { name: part.toolName, args: toArgumentObject(part.input) } }]
    case 'tool-result': {
      const response = part.isError ? { error: part.output } : { result: part.output }
      return [{ functionResponse: { name: part.toolName ?? part.toolCallId, response } }]
    }
  }
}

function toReference(part: ImagePart | FilePart): GeminiPart {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(part.url)
  if (inline) return { inlineData: { mimeType: inline[1] as string, data: inline[2] as string } }
  return {
    fileData: { fileUri: part.url, ...definedFields({ mimeType: part.mediaType }) },
  }
}

/** What Gemini would refuse, in words; empty when it is valid. */
export function checkGemini({ contents }: GeminiRequest): readonly string[] {
  const problems: string[] = []
  if (contents[0] !== undefined && contents[0].role !== 'user')
    problems.push('the first content is not the user\u2019s')
  for (const [i, { role, parts }] of contents.entries()) {
    if (contents[i - 1]?.role === role) problems.push(`content ${i}: ${role} speaks twice in a row`)
    if (parts.length === 0) problems.push(`content ${i}: nothing in it`)
    const calls = countOf(contents[i - 1], 'functionCall')
    const responses = countOf(contents[i], 'functionResponse')
    if (calls !== responses)
      problems.push(`content ${i}: ${responses} function responses to ${calls} function calls`)
  }
  if (countOf(contents.at(-1), 'functionCall') > 0)
    problems.push('function calls at the end have no responses')
  return problems
}

function countOf(content: GeminiContent | undefined, kind: 'functionCall' | 'functionResponse'): number {
  return (content?.parts ?? []).filter((part) => kind in part).length
}
