// The content of one ChatGPT message. There are many content types, and new ones appear without notice; of an unknown
// type, the text is kept if there is any.

import type { JsonObject, JsonValue } from '../../../domain/json.ts'
import type { FilePart, ImagePart, Part } from '../../../domain/message.ts'
import { type Fields, fieldsOf, idOf, keep, listOf, textOf } from '../foreign/foreign.ts'

/** Types with parts, text, or reasoning; of all others only the text is read. */
const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'text',
  'multimodal_text',
  'code',
  'execution_output',
  'tether_quote',
  'tether_browsing_display',
  'sonic_webpage',
  'system_error',
  'thoughts',
  'reasoning_recap',
])

export const isKnownType = (type: string): boolean => KNOWN_TYPES.has(type)

export function typeOf(content: Fields): string {
  return textOf(content['content_type']) ?? 'text'
}

/** Text, images and reasoning of the user or the assistant. */
export function readParts(content: Fields): readonly Part[] {
  const type = typeOf(content)
  if (type === 'thoughts' || type === 'reasoning_recap') return toParts('reasoning', readThoughts(content))
  if (type === 'tether_quote' || type === 'sonic_webpage') return toParts('text', describePage(content))
  const parts = listOf(content['parts']).flatMap(readPart)
  return parts.length > 0 ? joinTexts(parts) : toParts('text', readText(content))
}

function toParts(type: 'text' | 'reasoning', text: string): readonly Part[] {
  return text.trim() === '' ? [] : [{ type, text }]
}

/** All text of a content, whatever its type. */
export function readText(content: Fields): string {
  const parts = listOf(content['parts']).flatMap((part) => readPart(part))
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length > 0) return texts.join('\n')
  const fields = ['text', 'summary', 'result', 'content', 'code', 'output'] as const
  return cleanMarkup(fields.map((field) => textOf(content[field])).find((text) => text !== undefined) ?? '')
}

function readThoughts(content: Fields): string {
  const { thoughts } = content
  if (typeof thoughts === 'string') return thoughts
  const texts = listOf(thoughts).map((raw) => {
    const thought = fieldsOf(raw)
    return [textOf(thought['summary']), textOf(thought['content'])].filter(Boolean).join('\n')
  })
  return texts.length > 0 ? texts.filter(Boolean).join('\n\n') : readText(content)
}

function describePage(content: Fields): string {
  const head = [textOf(content['title']), textOf(content['url'])].filter(Boolean).join('\n')
  return [head, textOf(content['text']) ?? ''].filter(Boolean).join('\n\n')
}

function readPart(part: unknown): readonly Part[] {
  if (typeof part === 'string') return toParts('text', cleanMarkup(part))
  const fields = fieldsOf(part)
  const type = textOf(fields['content_type']) ?? ''
  if (type === 'image_asset_pointer') return readImage(fields)
  if (type === 'real_time_user_audio_video_asset_pointer') {
    const sound = readFile(fieldsOf(fields['audio_asset_pointer']), 'audio')
    return [...sound, ...listOf(fields['frames_asset_pointers']).flatMap(readPart)]
  }
  if (textOf(fields['asset_pointer']) !== undefined)
    return readFile(fields, type.includes('video') ? 'video' : 'audio')
  return toParts('text', cleanMarkup(textOf(fields['text']) ?? ''))
}

function readImage(fields: Fields): readonly ImagePart[] {
  const url = textOf(fields['asset_pointer'])
  return url === undefined ? [] : [{ type: 'image', url, ...sizeOf(fields) }]
}

function readFile(fields: Fields, kind: 'audio' | 'video'): readonly FilePart[] {
  const url = textOf(fields['asset_pointer'])
  if (url === undefined) return []
  const format = textOf(fields['format'])
  return [{ type: 'file', url, ...(format !== undefined && { mediaType: `${kind}/${format}` }) }]
}

function sizeOf(fields: Fields): { width?: number; height?: number } {
  const { width, height } = fields
  return {
    ...(typeof width === 'number' && width > 0 && { width }),
    ...(typeof height === 'number' && height > 0 && { height }),
  }
}

/** Joins adjacent texts. */
function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      joined.splice(-1, 1, { type: 'text', text: `${last.text}\n${part.text}` })
    else joined.push(part)
  }
  return joined
}

/** Attached files that are not part of the content. */
export function readAttachments(metadata: Fields, parts: readonly Part[]): readonly Part[] {
  const urls = parts.flatMap((part) => ('url' in part ? [part.url] : []))
  return listOf(metadata['attachments']).flatMap((raw): readonly Part[] => {
    const fields = fieldsOf(raw)
    const id = idOf(fields['id'])
    if (id === undefined || urls.some((url) => url.endsWith(id))) return []
    const name = textOf(fields['name'])
    const mediaType = textOf(fields['mime_type']) ?? textOf(fields['mimeType'])
    return [
      {
        type: 'file',
        url: `file-service://${id}`,
        ...(name !== undefined && { name }),
        ...(mediaType !== undefined && { mediaType }),
      },
    ]
  })
}

/** The output of a tool; undefined if there is none. */
export function readToolResult(content: Fields, metadata: Fields): JsonValue | undefined {
  const type = typeOf(content)
  if (type === 'tether_quote' || type === 'sonic_webpage') {
    const { url, title, text } = content
    return keep({ url: textOf(url), title: textOf(title), text: textOf(text) })
  }
  if (type === 'system_error') return keep({ error: textOf(content['name']), text: textOf(content['text']) })
  const text = readText(content)
  const images = [...readParts(content).filter((part) => part.type === 'image'), ...readPlots(metadata)]
  if (images.length > 0) return keep({ text, images: images.map(({ type: _, ...image }) => image) })
  return text === '' ? undefined : text
}

/** Images generated by code. */
function readPlots(metadata: Fields): readonly ImagePart[] {
  return listOf(fieldsOf(metadata['aggregate_result'])['messages']).flatMap((raw) => {
    const url = textOf(fieldsOf(raw)['image_url'])
    return url === undefined ? [] : [{ type: 'image' as const, url }]
  })
}

const MAX_CITATIONS = 20

/** The web pages cited in an answer. */
export function readCitations(metadata: Fields): readonly JsonObject[] {
  const cited = [
    ...listOf(metadata['citations']).map((raw) => fieldsOf(fieldsOf(raw)['metadata'])),
    ...listOf(metadata['content_references']).flatMap((raw) => {
      const reference = fieldsOf(raw)
      return [reference, ...listOf(reference['items']).map(fieldsOf)]
    }),
  ]
  const pages = new Map<string, JsonObject>()
  for (const { url, title } of cited) {
    const address = textOf(url)
    if (address !== undefined && pages.size < MAX_CITATIONS)
      pages.set(address, keep({ url: address, title: textOf(title) }))
  }
  return [...pages.values()]
}

/**
 * Markers for footnotes and images are enclosed in private-use characters. Their targets are in the citations; only
 * links have a text.
 */
function cleanMarkup(text: string): string {
  if (!text.includes('\ue200')) return text
  return text.replaceAll(/( ?)\ue200([^\ue200\ue201]*)\ue201/g, (_, space: string, inside: string) => {
    const [kind, title, url] = inside.split('\ue202')
    if (kind !== 'url' || title === undefined) return ''
    return url === undefined ? space + title : `${space}${title} (${url})`
  })
}
