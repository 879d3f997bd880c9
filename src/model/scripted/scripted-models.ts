import type { JsonValue } from '../../domain/json.ts'
import { findWords } from '../../domain/words.ts'
import type { CompletionRequest, Embedder, EmbedOptions, LanguageModel } from '../models.ts'

/** The model's answer: a text, an error to throw, or a function of the request. */
export type ScriptedAnswer = string | Error | ((request: CompletionRequest) => string | Promise<string>)

export interface ScriptedModel extends LanguageModel {
  /** All requests, in order. */
  readonly requests: readonly CompletionRequest[]
}

/** A language model with scripted answers, one for each call; the last one is repeated. */
export function scriptedModel(answers: readonly ScriptedAnswer[], name = 'scripted'): ScriptedModel {
  const requests: CompletionRequest[] = []
  const answer = async (request: CompletionRequest): Promise<string> => {
    const line = answers[Math.min(requests.length, answers.length - 1)] ?? new Error('the script is empty')
    requests.push(request)
    request.signal?.throwIfAborted()
    if (line instanceof Error) throw line
    return typeof line === 'string' ? line : line(request)
  }
  return {
    name,
    requests,
    complete: answer,
    async *stream(request) {
      yield* (await answer(request)).match(/\s*\S+/g) ?? []
    },
  }
}

/** A request as received by the server. */
export interface ScriptedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The body as JSON, or as text if it is not JSON; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client sent
  readonly body: any
  /** Milliseconds since 1970. */
  readonly at: number
}

/**
 * How the server responds to one request. Without `text`, `json` or `body`, it generates a plausible
 * response.
 */
export interface ScriptedReply {
  /** The chat model's answer; an array is streamed in these chunks, if the client requests a stream. */
  readonly text?: string | readonly string[]
  /** Tools that the chat model calls. */
  readonly toolCalls?: readonly {
    readonly id?: string
    readonly name: string
    readonly arguments: string
  }[]
  /** Why the chat model stops. @default "stop", or "tool_calls" */
  readonly finishReason?: string
  /** The body, as JSON. */
  readonly json?: JsonValue
  /** The raw body: empty, truncated, or not JSON at all. */
  readonly body?: string
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Delay before the first byte. */
  readonly delayMs?: number
  /** Delay between the chunks of a stream. */
  readonly pieceDelayMs?: number
  /** Closes the connection after this many characters of the body; for a stream, after this many chunks. */
  readonly cutAfter?: number
}

/** A reply, or a function that creates one from the request. */
export type ScriptedStep = ScriptedReply | ((request: ScriptedRequest) => ScriptedReply)

export interface ScriptedEmbedder extends Embedder {
  /** All embedding requests, in order. */
  readonly requests: readonly { readonly texts: readonly string[]; readonly options: EmbedOptions }[]
}

interface EmbedderScript {
  /** @default "scripted/<dimensions>" */
  readonly name?: string
  /** @default 64 */
  readonly dimensions?: number
  /** Vectors of certain texts, normalized to unit length; all others get a vector based on their words. */
  readonly vectors?: Readonly<Record<string, readonly number[]>>
  /** Thrown instead of returning vectors. */
  readonly error?: Error
}

/**
 * An embedder without a model: texts that share words have similar vectors, and chosen texts have the given
 * ones.
 */
export function scriptedEmbedder(script: EmbedderScript = {}): ScriptedEmbedder {
  const { dimensions = 64, vectors = {}, error } = script
  const requests: { texts: readonly string[]; options: EmbedOptions }[] = []
  return {
    name: script.name ?? `scripted/${dimensions}`,
    dimensions,
    sameTopicSimilarity: 0.5,
    unrelatedSimilarity: 0,
    requests,
    async embed(texts, options = {}) {
      requests.push({ texts, options })
      options.signal?.throwIfAborted()
      if (error !== undefined) throw error
      return texts.map((text) => toUnit(vectors[text] ?? wordVector(text, dimensions), dimensions))
    },
  }
}

function toUnit(values: readonly number[], dimensions: number): Float32Array {
  if (values.length > dimensions) throw new TypeError(`${values.length} numbers for ${dimensions} dimensions`)
  const length = Math.hypot(...values)
  const vector = new Float32Array(dimensions)
  vector.set(values.map((value) => (length === 0 ? 0 : value / length)))
  return vector
}

/** A unit-length vector in which texts that share words are similar: crude, but deterministic. */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const { word } of findWords(text)) {
    const place = hash(word) % dimensions
    vector[place] = (vector[place] as number) + 1
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** The share of the question's words that occur in the text, 0 to 1. */
export function wordOverlap(question: string, text: string): number {
  const asked = new Set(findWords(question).map(({ word }) => word))
  const there = new Set(findWords(text).map(({ word }) => word))
  const shared = [...asked].filter((word) => there.has(word)).length
  return asked.size === 0 ? 0 : shared / asked.size
}

function hash(word: string): number {
  let sum = 0
  for (let i = 0; i < word.length; i++) sum = (Math.imul(sum, 31) + word.charCodeAt(i)) >>> 0
  return sum
}
