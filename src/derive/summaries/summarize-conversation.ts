// Summarizes a whole conversation on request: what people and the assistant said, without tool results, system
// prompts and reasoning.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import type { Message } from '../../domain/message.ts'
import { withoutReplaced } from '../../domain/recollect-metadata.ts'
import type { LanguageModel } from '../../model/models.ts'
import { extractSummary } from './extract-summary.ts'
import { writeSummary } from './model-summary.ts'
import { SUMMARIES_VERSION } from './rolled.ts'
import type { Summary } from './summary.ts'
import { toTurn } from './to-turn.ts'

export interface SummaryOptions {
  /** Maximum length of the summary. @default 400 */
  readonly maxTokens?: number
}

interface Source {
  readonly messages: AsyncIterable<Message>
  readonly countTokens: (text: string) => number
  /** The default limit. */
  readonly maxTokens: number
  readonly model: LanguageModel | undefined
}

/** A summary with the model or method that made it. */
export interface MadeSummary extends Summary {
  /** The model or built-in version that made it. */
  readonly madeBy: string
  /** Why the configured model was not used. */
  readonly fallback?: string
}

/** Uses the model if there is one and it answers; otherwise extracts sentences from the conversation. */
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
