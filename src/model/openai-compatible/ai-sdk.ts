// The parts of the AI SDK's model types that are used here: what versions 5, 6 and 7 (specifications v2, v3
// and v4) have in common. Models are called directly, not through the package `ai`: that would reject models
// made for the next version, retry by itself, write warnings to the console, and send a model given only by
// name to a gateway.

import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { VectorSource } from '../guard/guard-models.ts'

type ProviderOptions = Record<string, Record<string, JsonValue>>

export interface AiSdkText {
  type: 'text'
  text: string
  providerOptions?: ProviderOptions
}

export interface AiSdkFile {
  type: 'file'
  mediaType: string
  /** A URL; specification v4 requires it to be tagged. */
  data: URL | { type: 'url'; url: URL }
}

export interface AiSdkToolCall {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: unknown
}

export interface AiSdkToolResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text' | 'error-text'; value: string }
}

export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: (AiSdkText | AiSdkFile)[]; providerOptions?: ProviderOptions }
  | { role: 'assistant'; content: (AiSdkText | AiSdkToolCall)[] }
  | { role: 'tool'; content: AiSdkToolResult[] }

export interface AiSdkCall {
  prompt: AiSdkMessage[]
  maxOutputTokens?: number
  temperature?: number
  responseFormat?: { type: 'json'; schema: JsonObject; name: string }
  abortSignal?: AbortSignal
  providerOptions?: ProviderOptions
}

/** A part of an answer, or of a stream. */
export interface AiSdkPart {
  readonly type: string
  readonly text?: string
  readonly delta?: string
  readonly error?: unknown
}

/** A language model of the AI SDK, from any provider; versions differ only in what is not used here. */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(
    call: never,
  ): PromiseLike<{ readonly content: readonly object[]; readonly finishReason: unknown }>
  doStream(call: never): PromiseLike<{ readonly stream: ReadableStream<object> }>
}

/** An embedding model of the AI SDK. */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined
  doEmbed(call: never): PromiseLike<{
    readonly embeddings: readonly (readonly number[])[]
    readonly response?: { readonly body?: unknown }
  }>
}

/** Any embedding model of the AI SDK. `dimensions` 0: the model's default. */
export function aiSdkVectors(
  name: string,
  load: () => Promise<AiSdkEmbeddingModel>,
  dimensions: number,
): VectorSource {
  return {
    model: name,
    async vectorsOf(texts, signal) {
      const model = await load()
      const { embeddings, response } = await model.doEmbed({
        values: [...texts],
        abortSignal: signal,
        ...(dimensions > 0 && { providerOptions: { openaiCompatible: { dimensions } } }),
      } as never)
      return inOrder(embeddings, response?.body)
    },
  }
}

/** The SDK ignores the order; if the server numbers the vectors, sort by those numbers. */
function inOrder(embeddings: readonly (readonly number[])[], body: unknown): readonly (readonly number[])[] {
  const data = (body as { data?: readonly { index?: unknown }[] } | undefined)?.data
  if (!Array.isArray(data) || data.length !== embeddings.length) return embeddings
  const places = data.map((item) => item?.index)
  const isNumbered = new Set(places).size === places.length && places.every((place) => place in embeddings)
  if (!isNumbered) return embeddings
  const ordered = [...embeddings]
  for (const [i, place] of places.entries()) ordered[place] = embeddings[i] as readonly number[]
  return ordered
}
