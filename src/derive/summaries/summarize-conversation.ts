// A summary of a whole conversation, made when somebody asks for it: what people and the assistant said,
// not what tools returned, system prompts ordered or a model thought.

import type { Message } from '../../domain/message.ts'
import { MemoryError } from '../../errors.ts'
import { extractSummary } from './extract-summary.ts'
import type { Summary, Turn } from './summary.ts'
import { toTurn } from './to-turn.ts'

export interface SummaryRequest {
  /** The longest that it may be. @default 400 */
  readonly maxTokens?: number
}

interface Source {
  readonly messages: AsyncIterable<Message>
  readonly countTokens: (text: string) => number
  /** The limit where none is asked for. */
  readonly maxTokens: number
}

export async function summarizeConversation(source: Source, request: SummaryRequest): Promise<Summary> {
  const maxTokens = request.maxTokens ?? source.maxTokens
  if (!Number.isSafeInteger(maxTokens) || maxTokens <= 0) {
    throw new MemoryError(
      'invalid-input',
      `maxTokens must be a whole number above 0, not ${String(maxTokens)}`,
    )
  }
  const turns: Turn[] = []
  for await (const message of source.messages) {
    turns.push(...toTurn(message))
  }
  return extractSummary({ turns, countTokens: source.countTokens, maxTokens })
}
