import type { Embedder } from './embedder.ts'
import type { LanguageModel } from './language-model.ts'
import type { AiSdkEmbeddingModel, AiSdkLanguageModel } from './openai-compatible/ai-sdk.ts'
import type { Reranker } from './reranker.ts'
import type { WebSearch } from './web-search.ts'

/** Models that the application brings along; they go before those that options name. */
export interface GivenModels {
  /** An object of your own, or any language model of the AI SDK. */
  readonly languageModel?: LanguageModel | AiSdkLanguageModel
  /** An object of your own, or any embedding model of the AI SDK. */
  readonly embedder?: Embedder | AiSdkEmbeddingModel
  readonly reranker?: Reranker
  readonly webSearch?: WebSearch
}
