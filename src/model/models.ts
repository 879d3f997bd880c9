import type { Embedder } from './embedder.ts'
import type { LanguageModel } from './language-model.ts'
import type { Reranker } from './reranker.ts'
import type { WebSearch } from './web-search.ts'

/** All models of a memory. What is missing is done by built-in means. */
export interface Models {
  /** May ask a server how many dimensions its vectors have; asks again after it failed. */
  readonly loadEmbedder: () => Promise<Embedder>
  /** No server is asked, and no package loaded, for vectors. */
  readonly isEmbedderBuiltIn: boolean
  readonly languageModel?: LanguageModel
  readonly reranker?: Reranker
  readonly webSearch?: WebSearch
}
