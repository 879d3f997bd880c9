import type { Part } from '../../../domain/message.ts'
import { type Fields, fieldsOf, listOf, readJsonText, textOf } from '../foreign/read-value.ts'
import { reasoningPart, textPart } from '../foreign/split-turn.ts'

/** The items of an answer: thoughts, calls, results and texts, in their order. */
export function readOutput(items: readonly unknown[]): readonly Part[] {
  return items.flatMap((raw): readonly Part[] => {
    const item = fieldsOf(raw)
    switch (item['type']) {
      case 'reasoning':
        return reasoningPart(readTexts(item['content']) ?? readTexts(item['summary']))
      case 'message':
        return textPart(readTexts(item['content']))
      case 'function_call':
        return readCall(item)
      case 'function_call_output':
        return readResult(item)
      default:
        return []
    }
  })
}

const findCallId = (item: Fields): string | undefined => textOf(item['call_id']) ?? textOf(item['id'])

function readCall(item: Fields): readonly Part[] {
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
