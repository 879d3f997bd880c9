import type { ContextOptions } from '../context/accept-request.ts'
import { MemoryError } from '../domain/errors.ts'
import type { NewMessage } from '../domain/message.ts'

/** What the user says: a text, or a message with an id, parts, a name. The same id again asks for another answer. */
export type ChatMessage = string | Omit<NewMessage, 'role'>

/** One whole turn. */
export interface ChatOptions extends Omit<ContextOptions, 'query' | 'tools'> {
  /** Missing where another answer is asked for. */
  readonly message?: ChatMessage
  /**
   * The id of an earlier message of the user's whose place this one takes, with all that followed: it was put in
   * other words. In the same words, it asks for another answer.
   */
  readonly edits?: string
  /**
   * Another answer to the last question, or in the place of the answer of this id and all that followed. The earlier
   * one stays in the record and goes into no context any more.
   */
  readonly regenerate?: true | string
  /** False: the web is not asked, even if the question asks for something recent. @default true where it is switched on */
  readonly webSearch?: boolean
  /** The longest answer. @default the option chat.maxAnswerTokens */
  readonly maxTokens?: number
  /** @default the model's own */
  readonly temperature?: number
  /** Stops the turn: what was answered until then is kept. */
  readonly signal?: AbortSignal
}

/** Refuses what makes no sense, before anything is recorded. */
export function acceptChat(request: ChatOptions): void {
  const { message, regenerate, edits } = request
  if (message === undefined && regenerate === undefined) {
    throw new MemoryError('invalid-input', 'there is nothing to answer', {
      hint: 'chat({ message: "…" }), or chat({ regenerate: true }) for another answer to the last question',
    })
  }
  if (message !== undefined && regenerate !== undefined) {
    throw new MemoryError('invalid-input', 'a message and `regenerate` do not go together', {
      hint: 'say something new, or ask for another answer',
    })
  }
  if (edits !== undefined && message === undefined)
    throw new MemoryError('invalid-input', '`edits` needs a message that takes the place of the earlier one')
  if (typeof message === 'string' && message.trim() === '')
    throw new MemoryError('invalid-input', 'the message is empty')
  acceptNumbers(request)
}

function acceptNumbers({ maxTokens, temperature }: ChatOptions): void {
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && maxTokens > 0))
    throw new MemoryError('invalid-input', 'maxTokens must be a whole number above 0')
  if (temperature !== undefined && !(Number.isFinite(temperature) && temperature >= 0))
    throw new MemoryError('invalid-input', 'temperature must be a number from 0 on')
}
