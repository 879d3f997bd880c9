// Options of models, part of `MemoryConfig` (src/options/options.ts).

export interface ModelConfig {
  /** Timeout of one attempt; for a stream, of each piece. Node ends a request without any response after 300000. @default 60000 */
  readonly timeoutMs?: number
  /** Number of retries after a transient failure. @default 2 */
  readonly retries?: number
  /** Maximum concurrent calls to a model; further calls wait. @default 4 */
  readonly concurrency?: number
  readonly chat?: ChatModelConfig
  readonly embeddings?: EmbeddingConfig
  readonly rerank?: RerankConfig
  readonly webSearch?: WebSearchConfig
}

export interface ChatModelConfig {
  /** URL of an OpenAI-compatible server: Ollama, vLLM, llama.cpp, LM Studio, OpenAI. Empty: no language model. @default "" */
  readonly url?: string
  /** Model name. @default "" */
  readonly model?: string
  /** API key. @default "" */
  readonly key?: string
}

export interface EmbeddingConfig {
  /** URL of an OpenAI-compatible server. Empty: the named model runs in this process with Transformers.js, or, without a name, the built-in embedder is used. @default "" */
  readonly url?: string
  /** Model name. Changing it rebuilds all vectors. @default "" */
  readonly model?: string
  /** API key. @default "" */
  readonly key?: string
  /** Number of dimensions to request from models that offer several. 0: the model's default. @default 0 */
  readonly dimensions?: number
  /** Prefix the model expects before a stored text, such as "passage: ". @default "" */
  readonly passagePrefix?: string
  /** Prefix the model expects before a question, such as "query: ". @default "" */
  readonly questionPrefix?: string
  /** How Transformers.js pools token vectors: `mean` for most models, `cls` for BGE and similar, `last_token` for Qwen. @default "mean" */
  readonly pooling?: 'mean' | 'cls' | 'last_token'
  /** Where Transformers.js computes: `cpu`, `cuda`, `webgpu`, `dml` or another device it supports. Empty: its own choice. @default "" */
  readonly device?: string
  /** Cosine similarity above which two texts are about the same subject. @default 0.7 */
  readonly sameTopicSimilarity?: number
  /** Cosine similarity of unrelated texts with this model. @default 0.25 */
  readonly unrelatedSimilarity?: number
}

export interface RerankConfig {
  /** URL of a server with a `/rerank` endpoint: vLLM, llama.cpp, Jina, Cohere. Empty: the built-in re-ranker. @default "" */
  readonly url?: string
  /** Model name. @default "" */
  readonly model?: string
  /** API key. @default "" */
  readonly key?: string
}

export interface WebSearchConfig {
  /** URL of a SearXNG server with the JSON format enabled. Empty: no web search. @default "" */
  readonly url?: string
  /** API key. @default "" */
  readonly key?: string
}

/** Every public option filled in. */
export interface ModelDefaults extends Required<ModelConfig> {
  readonly chat: Required<ChatModelConfig>
  readonly embeddings: Required<EmbeddingConfig>
  readonly rerank: Required<RerankConfig>
  readonly webSearch: Required<WebSearchConfig>
}

/** Internal settings of the same groups. */
export interface ModelConstants {
  /** The wait before the first retry; it doubles with each further one. */
  readonly retryWaitMs: number
  /** A server that asks for a longer wait is not retried. */
  readonly longestWaitMs: number
  /** After this many consecutive failures a model is not called for a while. */
  readonly circuitFailures: number
  /** How long it is not called. */
  readonly circuitRestMs: number
  /** Maximum size of a response. */
  readonly responseBytes: number
  readonly chat: { readonly requestCharacters: number; readonly rewriteTimeoutMs: number }
  readonly embeddings: { readonly batchTexts: number; readonly textCharacters: number }
  readonly rerank: { readonly textCharacters: number }
  readonly webSearch: { readonly excerptCharacters: number; readonly results: number }
}

export type ResolvedModels = ModelDefaults & ModelConstants

export const MODEL_DEFAULTS: ModelDefaults = Object.freeze({
  timeoutMs: 60_000, // a small model on a slow processor writes a summary of 400 tokens in about that
  retries: 2, // a restart or a busy moment passes; jobs are retried later anyway
  concurrency: 4, // keeps a hosted model busy without overloading a local one
  chat: Object.freeze({
    url: '',
    model: '',
    key: '',
  }),
  embeddings: Object.freeze({
    url: '',
    model: '',
    key: '',
    dimensions: 0,
    passagePrefix: '',
    questionPrefix: '',
    pooling: 'mean',
    device: '',
    sameTopicSimilarity: 0.7, // typical for neural models; measure your own
    unrelatedSimilarity: 0.25, // below it, recall treats texts as unrelated
  }),
  rerank: Object.freeze({
    url: '',
    model: '',
    key: '',
  }),
  webSearch: Object.freeze({
    url: '',
    key: '',
  }),
})

export const MODEL_CONSTANTS: ModelConstants = Object.freeze({
  retryWaitMs: 500,
  longestWaitMs: 30_000, // rate limits are counted by the minute; jobs handle longer waits
  circuitFailures: 5, // two calls with their retries, nearly
  circuitRestMs: 30_000, // about what a server takes to start and load a model
  responseBytes: 32 * 1024 * 1024, // 64 vectors of 4,096 numbers as text are 6 MB
  chat: Object.freeze({
    requestCharacters: 1_200_000, // the largest window, 262k tokens, at 4.5 characters each
    rewriteTimeoutMs: 8000, // somebody waits; the built-in rewriting takes over
  }),
  embeddings: Object.freeze({
    batchTexts: 64, // hosted models take 100 and more; on a slow processor, still within the timeout
    textCharacters: 6000, // 1,500 tokens of English; many models read 2,048 or more
  }),
  rerank: Object.freeze({
    textCharacters: 6000, // cross-encoders read 512 to 8,192 tokens
  }),
  webSearch: Object.freeze({
    excerptCharacters: 300, // two or three sentences
    results: 3, // excerpts per note: 2 or 3 answer a question; more cost tokens
  }),
})
