import type { JsonValue } from '../../domain/json.ts'
import { findWords } from '../../domain/words.ts'
import type { Embedder, EmbedOptions } from '../embedder.ts'
import type { CompletionRequest, LanguageModel } from '../language-model.ts'

/** What the model says: a text, an error to throw, or what a function makes of the request. */
export type ScriptedAnswer = string | Error | ((request: CompletionRequest) => string | Promise<string>)

export interface ScriptedModel extends LanguageModel {
  /** Everything that was asked, in order. */
  readonly requests: readonly CompletionRequest[]
}

/** A language model that says its lines, one for each call; the last is said again when there are no more. */
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

/** A request as the server got it. */
export interface ScriptedRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** The body as JSON, or as text where it is none; undefined when there was none. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the client sent
  readonly body: any
  /** Milliseconds since 1970. */
  readonly at: number
}

/** How the server answers one request. Without a `text`, `json` or `body`, it answers as well as it can. */
export interface ScriptedReply {
  /** What the chat model says; pieces are streamed as they are, to those who stream. */
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
  /** The body, as it is: empty, half, or no JSON at all. */
  readonly body?: string
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** How long to wait before the first byte. */
  readonly delayMs?: number
  /** How long to wait between the pieces of a stream. */
  readonly pieceDelayMs?: number
  /** Cuts the connection after so many characters of the body; of a stream, after so many pieces. */
  readonly cutAfter?: number
}

/** A reply, or what makes one of the request. */
export type ScriptedStep = ScriptedReply | ((request: ScriptedRequest) => ScriptedReply)

export interface ScriptedEmbedder extends Embedder {
  /** Everything that was embedded, in order. */
  readonly requests: readonly { readonly texts: readonly string[]; readonly options: EmbedOptions }[]
}

interface EmbedderScript {
  /** @default "scripted/<dimensions>" */
  readonly name?: string
  /** @default 64 */
  readonly dimensions?: number
  /** Vectors of certain texts, brought to unit length; all others get one by their words. */
  readonly vectors?: Readonly<Record<string, readonly number[]>>
  /** Thrown instead of an answer. */
  readonly error?: Error
}

/** An embedder without a model: texts that share words lie near each other, and chosen texts where you want them. */
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

/** A vector of unit length in which texts that share words lie near each other: crude, and the same everywhere. */
export function wordVector(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0)
  for (const { word } of findWords(text)) {
    const place = hash(word) % dimensions
    vector[place] = (vector[place] as number) + 1
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** How many of the question's words stand in the text, 0 to 1. */
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
