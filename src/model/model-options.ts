// The options of models. They belong to `src/options/options.ts`, where they are filled in and checked.

export interface ModelConfig {
  /** How long one try may take; of a stream, each piece. Node ends a request that got no answer at all after 300000. @default 60000 */
  readonly timeoutMs?: number
  /** How often a call is tried again that failed in a way that may pass. @default 2 */
  readonly retries?: number
  /** The wait before the first retry; it doubles with each. @default 500 */
  readonly retryWaitMs?: number
  /** The longest wait before a retry. A server that asks for a longer one is not waited for. @default 30000 */
  readonly longestWaitMs?: number
  /** How many calls a model gets at once; the others wait. @default 4 */
  readonly concurrency?: number
  /** After so many failed tries in a row, a model is left alone for a while. @default 5 */
  readonly circuitFailures?: number
  /** For how long. @default 30000 */
  readonly circuitRestMs?: number
  /** The longest answer that is read. @default 33554432 */
  readonly responseBytes?: number
  readonly chat?: ChatModelConfig
  readonly embeddings?: EmbeddingConfig
  readonly rerank?: RerankConfig
  readonly webSearch?: WebSearchConfig
}

export interface ChatModelConfig {
  /** A server that speaks OpenAI's chat completions: Ollama, vLLM, llama.cpp, LM Studio, OpenAI. Empty: no language model. @default "" */
  readonly url?: string
  /** The model's name, as the server knows it. @default "" */
  readonly model?: string
  /** The server's key, if it wants one. @default "" */
  readonly key?: string
  /** The longest request, over all its messages. @default 1200000 */
  readonly requestCharacters?: number
}

export interface EmbeddingConfig {
  /** A server that speaks OpenAI's embeddings. Empty: a model that is named runs in this process by Transformers.js; without a name, the built-in embedder is used. @default "" */
  readonly url?: string
  /** The model's name. Changing it has all vectors made anew. @default "" */
  readonly model?: string
  /** The server's key, if it wants one. @default "" */
  readonly key?: string
  /** How many dimensions to ask for, where a model offers several sizes. 0: as many as it gives. @default 0 */
  readonly dimensions?: number
  /** How many texts are sent in one call. @default 64 */
  readonly batchTexts?: number
  /** How much of a text is sent: models read only so far. @default 6000 */
  readonly textCharacters?: number
  /** What the model wants in front of a text that is to be found, such as "passage: ". @default "" */
  readonly passagePrefix?: string
  /** What the model wants in front of a question, such as "query: ". @default "" */
  readonly questionPrefix?: string
  /** How Transformers.js makes one vector of a text's many: `mean` for most models, `cls` for BGE and its kin, `last_token` for Qwen. @default "mean" */
  readonly pooling?: 'mean' | 'cls' | 'last_token'
  /** The cosine from which on two texts are taken to be about one subject. @default 0.7 */
  readonly sameTopicSimilarity?: number
  /** The cosine that unrelated texts have with the model. @default 0.25 */
  readonly unrelatedSimilarity?: number
}

export interface RerankConfig {
  /** A server with a `/rerank` endpoint: vLLM, llama.cpp, Jina, Cohere. Empty: built-in means. @default "" */
  readonly url?: string
  /** The model's name. @default "" */
  readonly model?: string
  /** The server's key, if it wants one. @default "" */
  readonly key?: string
  /** How much of a text is sent. @default 6000 */
  readonly textCharacters?: number
}

export interface WebSearchConfig {
  /** A SearXNG server whose JSON format is switched on. Empty: no web search. @default "" */
  readonly url?: string
  /** The server's key, if one stands before it. @default "" */
  readonly key?: string
  /** How many excerpts go into a note. @default 3 */
  readonly results?: number
  /** The longest excerpt; it is cut at the end of a sentence. @default 300 */
  readonly excerptCharacters?: number
}

export interface ResolvedModels extends Required<ModelConfig> {
  readonly chat: Required<ChatModelConfig>
  readonly embeddings: Required<EmbeddingConfig>
  readonly rerank: Required<RerankConfig>
  readonly webSearch: Required<WebSearchConfig>
}

export const MODEL_DEFAULTS: ResolvedModels = Object.freeze({
  timeoutMs: 60_000, // a small model on a slow processor writes a summary of 400 tokens in about that
  retries: 2, // a restart or a busy moment passes; jobs come back later anyway
  retryWaitMs: 500,
  longestWaitMs: 30_000, // rate limits are counted by the minute; longer is the jobs' business
  concurrency: 4, // keeps a hosted model busy and does not bury one on this machine
  circuitFailures: 5, // two calls with their retries, nearly
  circuitRestMs: 30_000, // about what a server takes to start and load a model
  responseBytes: 32 * 1024 * 1024, // 64 vectors of 4,096 numbers as text are 6 MB
  chat: Object.freeze({
    url: '',
    model: '',
    key: '',
    requestCharacters: 1_200_000, // the largest window, 262k tokens, at 4.5 characters each
  }),
  embeddings: Object.freeze({
    url: '',
    model: '',
    key: '',
    dimensions: 0,
    batchTexts: 64, // hosted models take 100 and more; on a slow processor, still within the timeout
    textCharacters: 6000, // 1,500 tokens of English; many models read 2,048 or more
    passagePrefix: '',
    questionPrefix: '',
    pooling: 'mean',
    sameTopicSimilarity: 0.7, // usual for neural models; measure your own
    unrelatedSimilarity: 0.25, // below it, recall takes texts for unrelated
  }),
  rerank: Object.freeze({
    url: '',
    model: '',
    key: '',
    textCharacters: 6000, // cross-encoders read 512 to 8,192 tokens
  }),
  webSearch: Object.freeze({
    url: '',
    key: '',
    results: 3, // 2 or 3 answer a question; more cost tokens
    excerptCharacters: 300, // two or three sentences
  }),
})
