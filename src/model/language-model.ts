import type { ContextMessage } from '../domain/context-message.ts'
import type { JsonObject } from '../domain/json.ts'

/** A request to a language model. */
export interface CompletionRequest {
  /** As `context` returns them: the system prompt, if any, is the first. */
  readonly messages: readonly ContextMessage[]
  /** Maximum length of the answer. @default the model's limit */
  readonly maxTokens?: number
  /** @default the model's own */
  readonly temperature?: number
  /** The schema of the answer, for models that can enforce one; others ignore it. */
  readonly jsonSchema?: JsonObject
  readonly signal?: AbortSignal
}

/**
 * A model that writes text. Its output is text and nothing more: no tool runs, no URL is opened, and the
 * caller decides what to use. Failures are a `MemoryError` with the code `model-failed`.
 */
export interface LanguageModel {
  /** Stored with everything that the model generated. */
  readonly name: string
  /** The whole answer, never empty, without the model's reasoning. */
  complete(request: CompletionRequest): Promise<string>
  /** The answer in chunks. An empty chunk means that the model is busy, and is not passed on. */
  stream(request: CompletionRequest): AsyncIterable<string>
}

/** The shape of an answer: given to the model as a JSON schema, and used to validate the response. */
export interface AnswerSchema<Answer> {
  readonly jsonSchema: JsonObject
  /** Returns the validated value. Throws an error whose message explains the problem to the model. */
  parse(value: unknown): Answer
}
