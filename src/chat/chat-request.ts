import type { ContextOptions } from '../context/accept-request.ts'
import { MemoryError } from '../domain/errors.ts'
import type { NewMessage } from '../domain/message.ts'

/** The user's message: text, or a message with an id, parts or a name. Sending an id again regenerates its answer. */
export type ChatMessage = string | Omit<NewMessage, 'role'>

export interface ChatOptions extends Omit<ContextOptions, 'query' | 'tools'> {
  /** Leave it out with `regenerate`. */
  readonly message?: ChatMessage
  /**
   * The id of an earlier user message that this one replaces, with everything after it. The same text again regenerates
   * the answer.
   */
  readonly edits?: string
  /**
   * Regenerates the last answer, or the answer with this id and everything after it. The earlier answer stays in the
   * record but is in no later context.
   */
  readonly regenerate?: true | string
  /** Set to false to skip web search. @default true if web search is configured */
  readonly webSearch?: boolean
  /** Maximum tokens of the answer. @default the option chat.maxAnswerTokens */
  readonly maxTokens?: number
  /** @default the model's own */
  readonly temperature?: number
  /** Stops the turn; the answer so far is recorded. */
  readonly signal?: AbortSignal
}

/** Validates a request before anything is recorded. */
export function acceptChat(request: ChatOptions): void {
  const { message, regenerate, edits } = request
  if (message === undefined && regenerate === undefined) {
    throw new MemoryError('invalid-input', 'chat needs a message or `regenerate`', {
      hint: 'use chat({ message: "…" }), or chat({ regenerate: true }) to regenerate the last answer',
    })
  }
  if (message !== undefined && regenerate !== undefined) {
    throw new MemoryError('invalid-input', '`message` and `regenerate` cannot be used together', {
      hint: 'send a new message, or regenerate an answer',
    })
  }
  if (edits !== undefined && message === undefined)
    throw new MemoryError('invalid-input', '`edits` needs a message to replace the earlier one')
  if (typeof message === 'string' && message.trim() === '')
    throw new MemoryError('invalid-input', 'the message is empty')
  acceptNumbers(request)
}

function acceptNumbers({ maxTokens, temperature }: ChatOptions): void {
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && maxTokens > 0))
    throw new MemoryError('invalid-input', 'maxTokens must be a positive integer')
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0))
    throw new MemoryError('invalid-input', 'temperature must be a non-negative number')
}
