import type { CustomModels } from './connect-models.ts'
import type { ResolvedModels } from './model-options.ts'
import type { Embedder, Models } from './models.ts'
import { memoizeAsync } from './network/load-once.ts'

/** The models of a memory. Does not wait for a server; unused models load nothing. */
export async function loadModels(options: ResolvedModels, given: CustomModels = {}): Promise<Models> {
  const { chat, embeddings, rerank, webSearch } = options
  const isNamed = [chat, embeddings, rerank].some(({ url, model }) => url !== '' || model !== '')
  if (isNamed || webSearch.url !== '' || Object.keys(given).length > 0)
    return (await import('./connect-models.ts')).connectModels(options, given)
  return {
    loadEmbedder: memoizeAsync(loadBuiltInEmbedder),
    isEmbedderBuiltIn: true,
    calls: () => [],
    isResting: () => false,
  }
}

async function loadBuiltInEmbedder(): Promise<Embedder> {
  return (await import('./built-in/built-in-embedder.ts')).builtInEmbedder
}
