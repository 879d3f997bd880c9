// A summary of a whole conversation, made when somebody asks for it: what people and the assistant said,
// not what tools returned, system prompts ordered or a model thought.

import type { Message } from '../../domain/message.ts'
import { partsOf } from '../../domain/message.ts'
import { MemoryError } from '../../errors.ts'
import { given } from '../../given.ts'
import { extractSummary } from './extract-summary.ts'
import type { Summary, Turn } from './summary.ts'
import { SUMMARY_DEFAULTS } from './when-to-summarize.ts'

export interface SummaryRequest {
  /** The longest that it may be. @default 400 */
  readonly maxTokens?: number
}

interface Source {
  readonly messages: AsyncIterable<Message>
  readonly countTokens: (text: string) => number
}

export async function summarizeConversation(source: Source, request: SummaryRequest): Promise<Summary> {
  const maxTokens = request.maxTokens ?? SUMMARY_DEFAULTS.maxTokens
  if (!Number.isSafeInteger(maxTokens) || maxTokens <= 0) {
    throw new MemoryError(
      'invalid-input',
      `maxTokens must be a whole number above 0, not ${String(maxTokens)}`,
    )
  }
  const turns: Turn[] = []
  for await (const message of source.messages) {
    const turn = toTurn(message)
    if (turn !== undefined) turns.push(turn)
  }
  return extractSummary({ turns, countTokens: source.countTokens, maxTokens })
}

function toTurn({ id, role, name, content, createdAt, position, erasedAt }: Message): Turn | undefined {
  if (erasedAt !== undefined || role === 'system' || role === 'tool') return undefined
  const text = partsOf(content)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n\n')
  return text.trim() === '' ? undefined : { id, role, text, createdAt, position, ...given({ name }) }
}
