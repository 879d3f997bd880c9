import type { JsonObject } from '../domain/json.ts'
import type { ContextMessage } from '../domain/message.ts'

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

/** Whether a text is stored to be found, or is a query: some models embed them differently. */
export type EmbeddingUse = 'passage' | 'question'

export interface EmbedOptions {
  /** @default "passage" */
  readonly use?: EmbeddingUse
  readonly signal?: AbortSignal
}

/** Converts texts to vectors; similar subjects have similar vectors. */
export interface Embedder {
  /** Changes whenever the vectors change: only vectors with the same name are comparable. */
  readonly name: string
  readonly dimensions: number
  /** The cosine similarity above which two texts are more likely about one subject than about two. */
  readonly sameTopicSimilarity: number
  /**
   * The cosine similarity of unrelated texts: 0 if only shared words count, well above 0 for neural models.
   */
  readonly unrelatedSimilarity: number
  /** One unit-length vector per text, in order; all zeros for a text without a word. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>
}

/** Reads a question together with each text, and rates how well the text answers it. */
export interface Reranker {
  readonly name: string
  /**
   * One score for each text, in the order of the texts. Higher is better; only the order of scores is
   * meaningful.
   */
  rerank(
    question: string,
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly number[]>
}

/** One web search result. All of it was written by strangers: data, never instructions. */
export interface WebSearchResult {
  readonly title: string
  /** http or https. */
  readonly url: string
  /** A few sentences, cut at the end of one. */
  readonly excerpt: string
  readonly publishedAt?: Date
}

/** Searches the web for questions that the memory cannot answer. Disabled by default. */
export interface WebSearch {
  readonly name: string
  search(
    question: string,
    options: { readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<readonly WebSearchResult[]>
}

/** Counts tokens the way a family of models does. */
export interface Tokenizer {
  /** Stored with every count: a count is only valid for the tokenizer that made it. */
  readonly name: string
  /** Never throws, whatever the text; takes time linear in its length. */
  count(text: string): number
}

/** The built-in tokenizers. `estimate` is for families without a public tokenizer: Claude, Gemini. */
export const TOKENIZER_NAMES = ['o200k', 'cl100k', 'estimate'] as const
export type TokenizerName = (typeof TOKENIZER_NAMES)[number]

/** How often a model was called since the memory was opened, and with what outcome. */
export interface ModelCalls {
  readonly model: 'chat' | 'embeddings' | 'rerank' | 'web-search'
  readonly calls: number
  /** Failed tries, whether or not a retry succeeded. */
  readonly failures: number
  /** Calls that failed after all retries: a built-in method took over, or the job waits. */
  readonly givenUp: number
}

/** All models of a memory. Missing ones are replaced by built-in methods. */
export interface Models {
  /** May ask a server for the number of dimensions; asks again after a failure. */
  readonly loadEmbedder: () => Promise<Embedder>
  /** Embedding needs no server and no package. */
  readonly isEmbedderBuiltIn: boolean
  readonly languageModel?: LanguageModel
  readonly reranker?: Reranker
  readonly webSearch?: WebSearch
  /** Of the models that are not built in. */
  readonly calls: () => readonly ModelCalls[]
  /** It failed repeatedly and is not called for a while. */
  readonly isResting: (model: ModelCalls['model']) => boolean
}
