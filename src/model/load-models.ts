import type { Embedder } from './embedder.ts'
import type { LanguageModel } from './language-model.ts'
import { loadOnce } from './load-once.ts'
import type { ResolvedModelOptions } from './model-options.ts'
import type { Models } from './models.ts'
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

/** The models of a memory. Waits for no server; who uses none loads nothing. */
export async function loadModels(options: ResolvedModelOptions, given: GivenModels = {}): Promise<Models> {
  const { chat, embeddings, rerank, webSearch } = options
  const isNamed = [chat, embeddings, rerank].some(({ url, model }) => url !== '' || model !== '')
  if (isNamed || webSearch.url !== '' || Object.keys(given).length > 0)
    return (await import('./connect-models.ts')).connectModels(options, given)
  return { loadEmbedder: loadOnce(loadBuiltInEmbedder) }
}

async function loadBuiltInEmbedder(): Promise<Embedder> {
  return (await import('./built-in/built-in-embedder.ts')).builtInEmbedder
}
