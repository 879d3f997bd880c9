import type { Embedder } from './embedder.ts'
import type { GivenModels } from './given-models.ts'
import type { ResolvedModels } from './model-options.ts'
import type { Models } from './models.ts'
import { loadOnce } from './network/load-once.ts'

/** The models of a memory. Waits for no server; who uses none loads nothing. */
export async function loadModels(options: ResolvedModels, given: GivenModels = {}): Promise<Models> {
  const { chat, embeddings, rerank, webSearch } = options
  const isNamed = [chat, embeddings, rerank].some(({ url, model }) => url !== '' || model !== '')
  if (isNamed || webSearch.url !== '' || Object.keys(given).length > 0)
    return (await import('./connect-models.ts')).connectModels(options, given)
  return {
    loadEmbedder: loadOnce(loadBuiltInEmbedder),
    isEmbedderBuiltIn: true,
    calls: () => [],
    isResting: () => false,
  }
}

async function loadBuiltInEmbedder(): Promise<Embedder> {
  return (await import('./built-in/built-in-embedder.ts')).builtInEmbedder
}
