// A summary of a whole conversation, made when somebody asks for it: what people and the assistant said,
// not what tools returned, system prompts ordered or a model thought.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import type { Message } from '../../domain/message.ts'
import { withoutReplaced } from '../../domain/recollect-metadata.ts'
import type { LanguageModel } from '../../model/language-model.ts'
import { extractSummary } from './extract-summary.ts'
import { writeSummary } from './model-summary.ts'
import { SUMMARIES_VERSION } from './rolled.ts'
import type { Summary } from './summary.ts'
import { toTurn } from './to-turn.ts'

export interface SummaryOptions {
  /** The longest that it may be. @default 400 */
  readonly maxTokens?: number
}

interface Source {
  readonly messages: AsyncIterable<Message>
  readonly countTokens: (text: string) => number
  /** The limit where none is asked for. */
  readonly maxTokens: number
  readonly model: LanguageModel | undefined
}

/** A summary that says who made it. */
export interface MadeSummary extends Summary {
  /** Which model, or which built-in means. */
  readonly madeBy: string
  /** Why the model that there is did not make it. */
  readonly fallback?: string
}

/** By the model where there is one and it answers; otherwise in the conversation's own sentences. */
export async function summarizeConversation(source: Source, request: SummaryOptions): Promise<MadeSummary> {
  const maxTokens = request.maxTokens ?? source.maxTokens
  if (!Number.isSafeInteger(maxTokens) || maxTokens <= 0) {
    throw new MemoryError(
      'invalid-input',
      `maxTokens must be a whole number above 0, not ${String(maxTokens)}`,
    )
  }
  const messages: Message[] = []
  for await (const message of source.messages) messages.push(message)
  const turns = withoutReplaced(messages).flatMap(toTurn)
  const { countTokens, model } = source
  const extract = () => ({
    ...extractSummary({ turns, countTokens, maxTokens }),
    madeBy: SUMMARIES_VERSION,
  })
  if (model === undefined || turns.length === 0) return extract()
  try {
    const written = await writeSummary(model, { turns, maxTokens, countTokens })
    return { ...written, messageIds: turns.map(({ id }) => id), sentences: [], madeBy: model.name }
  } catch (error) {
    if (!isMemoryError(error)) throw error
    return { ...extract(), fallback: error.message }
  }
}
