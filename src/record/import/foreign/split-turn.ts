// Other programs keep what the assistant said, the calls it made and what came back as one message. Here results
// are messages of their own, of the role tool, after the message with the calls.

import type { Content, Part, Role, ToolResultPart } from '../../../domain/message.ts'
import type { ForeignMessage } from './foreign.ts'

interface Stretch {
  readonly role: Role
  readonly parts: Part[]
}

/** What one message says, in its order. */
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

/** Two results of one call cannot stand in one message. */
function hasResult({ parts }: Stretch, { toolCallId }: ToolResultPart): boolean {
  return parts.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId)
}

/** Plain text where there is nothing but one text. */
export function toContent(parts: readonly Part[]): Content {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' ? first.text : parts
}

/** No part for a text that is blank. */
export function textPart(text: string | undefined): readonly Part[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'text', text }]
}

export function reasoningPart(text: string | undefined): readonly Part[] {
  return text === undefined || text.trim() === '' ? [] : [{ type: 'reasoning', text }]
}
