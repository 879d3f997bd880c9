import type { ContextMessage } from '../domain/context-message.ts'
import type { JsonObject } from '../domain/json.ts'

/** What a language model is asked. */
export interface CompletionRequest {
  /** As `context` returns them: the system prompt, if any, is the first. */
  readonly messages: readonly ContextMessage[]
  /** The longest answer. @default what the model allows */
  readonly maxTokens?: number
  /** @default the model's own */
  readonly temperature?: number
  /** The shape of the answer, for models that can be held to one; others do not look at it. */
  readonly jsonSchema?: JsonObject
  readonly signal?: AbortSignal
}

/**
 * A model that writes. What it writes is text and nothing more: no tool runs, no address is opened, and whoever
 * asked decides what of it counts. Failures are a `MemoryError` with the code `model-failed`.
 */
export interface LanguageModel {
  /** Stands with everything that the model made. */
  readonly name: string
  /** The whole answer, never empty, without what the model thought before it. */
  complete(request: CompletionRequest): Promise<string>
  /** The answer in pieces, as they come. An empty piece says that the model is at work, and is not handed on. */
  stream(request: CompletionRequest): AsyncIterable<string>
}

/** What an answer must be: told to the model as a JSON schema, and checked when it comes back. */
export interface AnswerSchema<Answer> {
  readonly jsonSchema: JsonObject
  /** The value, checked. Throws an error whose message tells what is wrong, for the model to read. */
  parse(value: unknown): Answer
}
