// Other programs store text, tool calls and tool results of the assistant in one message. Here, results are separate
// messages with the role `tool`, after the message with the calls.

import { Digest } from '../../../domain/digest.ts'
import type { Content, FilePart, ImagePart, Part, Role, ToolResultPart } from '../../../domain/message.ts'
import type { ForeignMessage } from './foreign.ts'

interface Stretch {
  readonly role: Role
  readonly parts: Part[]
}

/** Splits one message into several, in order. */
export function splitTurn(
  message: Omit<ForeignMessage, 'content' | 'role'>,
  role: 'user' | 'assistant',
  parts: readonly Part[],
): readonly ForeignMessage[] {
  const stretches: Stretch[] = []
  for (const part of parts) {
    const spoken = part.type === 'tool-result' ? 'tool' : role
    const last = stretches.at(-1)
    const isFull = part.type === 'tool-result' && last !== undefined && hasResult(last, part)
    if (last?.role === spoken && !isFull) last.parts.push(part)
    else stretches.push({ role: spoken, parts: [part] })
  }
  return stretches.map((stretch, i) => ({
    ...message,
    id: i === 0 ? message.id : `${message.id}.${i + 1}`,
    role: stretch.role,
    content: toContent(stretch.parts),
  }))
}

/** One message cannot have two results for the same call. */
function hasResult({ parts }: Stretch, { toolCallId }: ToolResultPart): boolean {
  return parts.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)
}

/** A string if there is nothing but one text part. */
export function toContent(parts: readonly Part[]): Content {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

/** No part for blank text. */
export function textPart(text: string | undefined): readonly Part[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }]
}

export function reasoningPart(text: string | undefined): readonly Part[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'reasoning', text }]
}

interface ForeignFile {
  readonly url: string
  readonly name?: string | undefined
  readonly mediaType?: string | undefined
  readonly width?: unknown
  readonly height?: unknown
}

/** A file or image as a reference. */
export function toReference(file: ForeignFile): FilePart | ImagePart {
  const { address, mediaType = file.mediaType } = withoutBytes(file.url)
  const size = {
    ...(typeof file.width === 'number' && file.width > 0 && { width: file.width }),
    ...(typeof file.height === 'number' && file.height > 0 && { height: file.height }),
  }
  const media = mediaType === undefined ? {} : { mediaType }
  if (mediaType?.startsWith('image/') === true) return { type: 'image', url: address, ...media, ...size }
  return {
    type: 'file',
    url: address,
    ...(file.name !== undefined && file.name !== '' && { name: file.name }),
    ...media,
  }
}

/** File content is not stored: a data URL is replaced by its type and a digest. */
function withoutBytes(url: string): { readonly address: string; readonly mediaType?: string } {
  const [, mediaType] = /^data:([\w.+-]+\/[\w.+-]+)?[;,]/.exec(url.slice(0, 200)) ?? []
  if (!url.startsWith('data:')) return { address: url }
  const address = `omitted:${new Digest().add(url)}`
  return mediaType === undefined ? { address } : { address, mediaType }
}

/** See `limits.factCharacters`. */
const MAX_FACT_CHARACTERS = 500

/** One statement, or several if it is too long. */
export function toStatements(text: string): readonly string[] {
  return text.length <= MAX_FACT_CHARACTERS ? [text] : splitStatements(text)
}

/** Splits a text into statements: paragraphs and list items, long ones split after sentences. */
export function splitStatements(text: string): readonly string[] {
  const lines = text
    .split(/\n+/)
    .map((line) => line.replace(/^\s*(?:[-*•]|\d+\.)\s+/, '').trim())
    // Skip headings.
    .filter((line) => line !== '' && !/^#+\s/.test(line) && !/^\*\*[^*]+\*\*:?$/.test(line))
  return lines.flatMap((line) => (line.length <= MAX_FACT_CHARACTERS ? [line] : cut(line)))
}

function cut(line: string): readonly string[] {
  const pieces: string[] = []
  for (const sentence of line.split(/(?<=[.!?])\s+/)) {
    const last = pieces.at(-1)
    if (last !== undefined && last.length + sentence.length < MAX_FACT_CHARACTERS)
      pieces.splice(-1, 1, `${last} ${sentence}`)
    else
      for (let at = 0; at < sentence.length; at += MAX_FACT_CHARACTERS)
        pieces.push(sentence.slice(at, at + MAX_FACT_CHARACTERS))
  }
  return pieces
}
