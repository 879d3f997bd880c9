import type { Part } from '../../../domain/message.ts'
import { type Fields, fieldsOf, listOf, readJsonText, textOf } from '../foreign/read-value.ts'
import { reasoningPart, textPart } from '../foreign/to-parts.ts'

const OPEN = '<details'
const CLOSE = '</details>'

/** Splits a text with embedded reasoning and tool calls into parts. */
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

/** JSON that may be encoded as a JSON string. */
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

/** The output items of an answer as parts: reasoning, calls, results and text. */
export function readOutput(items: readonly unknown[]): readonly Part[] {
  return items.flatMap((raw): readonly Part[] => {
    const item = fieldsOf(raw)
    switch (item['type']) {
      case 'reasoning':
        return reasoningPart(readTexts(item['content']) ?? readTexts(item['summary']))
      case 'message':
        return textPart(readTexts(item['content']))
      case 'function_call':
        return readOutputCall(item)
      case 'function_call_output':
        return readResult(item)
      default:
        return []
    }
  })
}

const findCallId = (item: Fields): string | undefined => textOf(item['call_id']) ?? textOf(item['id'])

function readOutputCall(item: Fields): readonly Part[] {
  const callId = findCallId(item)
  const tool = textOf(item['name']) ?? 'tool'
  const given = readJsonText(textOf(item['arguments']) ?? '{}')
  return callId === undefined ? [] : [{ type: 'tool-call', toolCallId: callId, toolName: tool, input: given }]
}

function readResult(item: Fields): readonly Part[] {
  const callId = findCallId(item)
  return callId === undefined
    ? []
    : [{ type: 'tool-result', toolCallId: callId, output: readTexts(item['output']) ?? '' }]
}

function readTexts(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const texts = listOf(value).flatMap((part) => textOf(fieldsOf(part)['text']) ?? [])
  return texts.length === 0 ? undefined : texts.join('\n')
}
