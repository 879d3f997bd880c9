import type { Part } from '../../../domain/message.ts'
import { readJsonText } from '../foreign/read-value.ts'
import { reasoningPart, textPart } from '../foreign/split-turn.ts'

const OPEN = '<details'
const CLOSE = '</details>'

/** A text with thoughts and calls of tools in it, as parts in their order. */
export function readDetails(text: string): readonly Part[] {
  const parts: Part[] = []
  let done = 0
  let calls = 0
  for (const { start, end, attributes, inside } of findDetails(text)) {
    const type = attributes.get('type')
    if (type !== 'reasoning' && type !== 'tool_calls') continue
    parts.push(...textPart(text.slice(done, start).trim()))
    done = end
    if (type === 'reasoning') parts.push(...reasoningPart(readThought(inside)))
    else parts.push(...readCall(attributes, `call-${++calls}`))
  }
  return done === 0 ? textPart(text) : [...parts, ...textPart(text.slice(done).trim())]
}

interface Details {
  readonly start: number
  readonly end: number
  readonly attributes: ReadonlyMap<string, string>
  readonly inside: string
}

function* findDetails(text: string): Generator<Details> {
  for (let start = text.indexOf(OPEN); start >= 0; ) {
    const head = text.indexOf('>', start)
    const foot = head < 0 ? -1 : text.indexOf(CLOSE, head)
    if (foot < 0) return
    const end = foot + CLOSE.length
    const attributes = readAttributes(text.slice(start + OPEN.length, head))
    yield { start, end, attributes, inside: text.slice(head + 1, foot) }
    start = text.indexOf(OPEN, end)
  }
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, fromHtml(value)]),
  )
}

function readThought(inside: string): string {
  const words = inside.replace(/<summary>[\s\S]*?<\/summary>/, '')
  return fromHtml(words).replaceAll(/^> ?/gm, '').trim()
}

function readCall(attributes: ReadonlyMap<string, string>, fallback: string): readonly Part[] {
  const tool = attributes.get('name')
  if (tool === undefined) return []
  const callId = attributes.get('id') || fallback
  const call: Part = {
    type: 'tool-call',
    toolCallId: callId,
    toolName: tool,
    input: readTwice(attributes.get('arguments') ?? '{}'),
  }
  const result = attributes.get('result')
  if (result === undefined) return [call]
  return [call, { type: 'tool-result', toolCallId: callId, toolName: tool, output: readTwice(result) }]
}

/** JSON that may stand as a JSON text in quotes. */
function readTwice(text: string): ReturnType<typeof readJsonText> {
  const inner = /^"[\s\S]*"$/.test(text.trim()) ? readQuoted(text) : text
  return readJsonText(inner)
}

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
  '&amp;': '&',
}

function fromHtml(text: string): string {
  return text.replaceAll(/&(?:lt|gt|quot|#x27|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
}
