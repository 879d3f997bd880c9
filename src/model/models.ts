import type { Embedder } from './embedder.ts'
import type { LanguageModel } from './language-model.ts'
import type { Reranker } from './reranker.ts'
import type { WebSearch } from './web-search.ts'

/** How often a model was asked since the memory was opened, and how it went. */
export interface ModelCalls {
  readonly model: 'chat' | 'embeddings' | 'rerank' | 'web-search'
  readonly calls: number
  /** Tries that failed, whether another one went well or not. */
  readonly failures: number
  /** Calls that failed for good: built-in means took over, or the work waits. */
  readonly givenUp: number
}

/** All models of a memory. What is missing is done by built-in means. */
export interface Models {
  /** May ask a server how many dimensions its vectors have; asks again after it failed. */
  readonly loadEmbedder: () => Promise<Embedder>
  /** No server is asked, and no package loaded, for vectors. */
  readonly isEmbedderBuiltIn: boolean
  readonly languageModel?: LanguageModel
  readonly reranker?: Reranker
  readonly webSearch?: WebSearch
  /** Of those that are not built in. */
  readonly calls: () => readonly ModelCalls[]
  /** It failed repeatedly and is left alone for a while. */
  readonly isResting: (model: ModelCalls['model']) => boolean
}
