import type { Embedder } from './embedder.ts'
import type { LanguageModel } from './language-model.ts'
import type { Reranker } from './reranker.ts'
import type { WebSearch } from './web-search.ts'

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
