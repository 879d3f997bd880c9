// Servers that speak OpenAI's language, through the AI SDK's provider for them, which is loaded with the first call.

import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { VectorSource } from '../guard/neural-embedder.ts'
import type { LanguageModel } from '../language-model.ts'
import { boundedFetch } from '../network/bounded-fetch.ts'
import type { Endpoint } from '../network/endpoint.ts'
import { loadOnce } from '../network/load-once.ts'
import { adaptingFetch } from './adapting-fetch.ts'
import { aiSdkLanguageModel } from './ai-sdk-language-model.ts'
import { aiSdkVectors } from './ai-sdk-vectors.ts'

export interface ServerModel {
  readonly endpoint: Endpoint
  readonly model: string
  readonly responseBytes: number
}

export function connectLanguageModel(server: ServerModel): LanguageModel {
  const provider = loadOnce(() => loadProvider(server, adaptingFetch(boundedFetch(server.responseBytes))))
  return aiSdkLanguageModel(server.model, async () => (await provider()).chatModel(server.model))
}

export function connectVectors(server: ServerModel, dimensions: number): VectorSource {
  const provider = loadOnce(() => loadProvider(server, boundedFetch(server.responseBytes)))
  return aiSdkVectors(server.model, async () => (await provider()).embeddingModel(server.model), dimensions)
}

async function loadProvider(
  { endpoint }: ServerModel,
  send: typeof fetch,
): Promise<OpenAICompatibleProvider> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'server',
    baseURL: endpoint.baseUrl,
    headers: endpoint.headers,
    queryParams: endpoint.query,
    supportsStructuredOutputs: true,
    fetch: send,
  })
}
