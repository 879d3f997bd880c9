// Selects the models: those passed in by the application, else those named in the options, else built-in
// ones. Every model that is not built in gets its own guard. No server is called here, and packages are
// loaded with the first call.

import { definedFields as fieldsOf } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { builtInEmbedder } from './built-in/built-in-embedder.ts'
import { CallCounter, Guard } from './guard/guard.ts'
import {
  guardEmbedder,
  guardLanguageModel,
  guardReranker,
  guardWebSearch,
  openNeuralEmbedder,
  type VectorSource,
} from './guard/guard-models.ts'
import { withVectorCache } from './guard/vector-cache.ts'
import type { ResolvedModels } from './model-options.ts'
import type { Embedder, LanguageModel, ModelCalls, Models, Reranker, WebSearch } from './models.ts'
import type { GuardedModel } from './network/call-failure.ts'
import { toEndpoint } from './network/endpoint.ts'
import { memoizeAsync } from './network/load-once.ts'
import type { AiSdkEmbeddingModel, AiSdkLanguageModel } from './openai-compatible/ai-sdk.ts'
import { aiSdkVectors } from './openai-compatible/ai-sdk.ts'
import { aiSdkLanguageModel } from './openai-compatible/ai-sdk-language-model.ts'
import {
  connectLanguageModel,
  connectReranker,
  connectVectors,
  type ServerModel,
} from './openai-compatible/connect.ts'
import { connectSearxng } from './searxng/searxng-client.ts'
import { transformersVectors } from './transformers/transformers-vectors.ts'

/** Models passed in by the application. They take precedence over models named in the options. */
export interface CustomModels {
  /** Your own implementation, or any AI SDK language model. */
  readonly languageModel?: LanguageModel | AiSdkLanguageModel
  /** Your own implementation, or any AI SDK embedding model. */
  readonly embedder?: Embedder | AiSdkEmbeddingModel
  readonly reranker?: Reranker
  readonly webSearch?: WebSearch
}

/** Throws on settings that cannot work. */
export function connectModels(options: ResolvedModels, given: CustomModels): Models {
  for (const [name, model] of Object.entries(given)) checkGiven(name as keyof CustomModels, model)
  const tallies = new Map<ModelCalls['model'], CallCounter>()
  const counted = (model: ModelCalls['model']): CountedOptions => {
    const tally = new CallCounter()
    tallies.set(model, tally)
    return { ...options, tally }
  }
  const isEmbedderBuiltIn = given.embedder === undefined && options.embeddings.model === ''
  const load = chooseEmbedder(counted('embeddings'), given.embedder)
  return {
    loadEmbedder: memoizeAsync(isEmbedderBuiltIn ? load : async () => withVectorCache(await load())),
    isEmbedderBuiltIn,
    ...fieldsOf({
      languageModel: chooseLanguageModel(counted('chat'), given.languageModel),
      reranker: chooseReranker(counted('rerank'), given.reranker),
      webSearch: chooseWebSearch(counted('web-search'), given.webSearch),
    }),
    calls: () => [...tallies].map(([model, { isResting: _, ...tally }]) => ({ model, ...tally })),
    isResting: (model) => tallies.get(model)?.isResting ?? false,
  }
}

interface CountedOptions extends ResolvedModels {
  readonly tally: CallCounter
}

/** The methods that identify a model; one of them must exist. */
const METHODS: Readonly<Record<keyof CustomModels, readonly string[]>> = {
  languageModel: ['complete', 'doGenerate'],
  embedder: ['embed', 'doEmbed'],
  reranker: ['rerank'],
  webSearch: ['search'],
}

function checkGiven(name: keyof CustomModels, model: unknown): void {
  const isObject = typeof model === 'object' && model !== null
  if (isObject && METHODS[name].some((method) => method in model)) return
  throw new MemoryError('invalid-input', `the option "${name}" is not a model`, {
    hint: `an object with the method ${METHODS[name].join(' or ')}; names and addresses go into the options "models"`,
  })
}

function chooseLanguageModel(
  options: CountedOptions,
  given: CustomModels['languageModel'],
): LanguageModel | undefined {
  const { requestCharacters } = options.chat
  if (given !== undefined) {
    const model = 'doGenerate' in given ? aiSdkLanguageModel(given.modelId, async () => given) : given
    return guardLanguageModel(model, new Guard({ what: model.name }, options), requestCharacters)
  }
  const server = toServer(options, 'chat')
  if (server === undefined) return undefined
  const guard = new Guard(describe('the chat model', server, 'models.chat'), options)
  return guardLanguageModel(connectLanguageModel(server), guard, requestCharacters)
}

function chooseEmbedder(options: CountedOptions, given: CustomModels['embedder']): () => Promise<Embedder> {
  const { embeddings } = options
  checkSimilarities(embeddings)
  const open = (source: VectorSource, guard: Guard) => () => openNeuralEmbedder(source, embeddings, guard)
  if (given !== undefined) {
    if ('doEmbed' in given) return openGiven(given, options)
    const guarded = guardEmbedder(given, new Guard({ what: given.name }, options))
    return async () => guarded
  }
  if (embeddings.url === '' && embeddings.model !== '') {
    const what = `the embedding model ${embeddings.model} in this process`
    // Work in this process cannot be cancelled: don't start it a second time while the first is still
    // running.
    const guard = new Guard({ what }, { ...options, retries: 0, concurrency: 1 })
    return open(transformersVectors(embeddings), guard)
  }
  const server = toServer(options, 'embeddings')
  if (server === undefined) return async () => builtInEmbedder
  const guard = new Guard(describe('the embedding model', server, 'models.embeddings'), options)
  return open(connectVectors(server, embeddings.dimensions), guard)
}

function checkSimilarities({ unrelatedSimilarity, sameTopicSimilarity }: ResolvedModels['embeddings']): void {
  if (unrelatedSimilarity < sameTopicSimilarity) return
  const [lower, higher] = ['unrelatedSimilarity', 'sameTopicSimilarity'].map(
    (name) => `models.embeddings.${name}`,
  )
  throw new MemoryError('invalid-input', `the option "${lower}" must be below "${higher}"`)
}

/** A provider's own limit takes precedence over the option. */
function openGiven(given: AiSdkEmbeddingModel, options: CountedOptions): () => Promise<Embedder> {
  const { embeddings } = options
  const guard = new Guard({ what: given.modelId }, options)
  const source = aiSdkVectors(given.modelId, async () => given, embeddings.dimensions)
  return async () => {
    const most = (await given.maxEmbeddingsPerCall) ?? embeddings.batchTexts
    const batchTexts = Math.min(most, embeddings.batchTexts)
    return openNeuralEmbedder(source, { ...embeddings, batchTexts }, guard)
  }
}

function chooseReranker(options: CountedOptions, given: Reranker | undefined): Reranker | undefined {
  if (given !== undefined) return guardReranker(given, new Guard({ what: given.name }, options))
  const server = toServer(options, 'rerank')
  if (server === undefined) return undefined
  const guard = new Guard(describe('the re-ranker', server, 'models.rerank'), options)
  return guardReranker(connectReranker(server, options.rerank.textCharacters), guard)
}

function chooseWebSearch(options: CountedOptions, given: WebSearch | undefined): WebSearch | undefined {
  if (given !== undefined) return guardWebSearch(given, new Guard({ what: given.name }, options))
  const { url, key, excerptCharacters } = options.webSearch
  if (url === '') return undefined
  const option = 'models.webSearch'
  const endpoint = toEndpoint({ url, key, option }, '')
  const { baseUrl, secrets } = endpoint
  const guard = new Guard({ what: `the web search at ${baseUrl}`, option, secrets }, options)
  const { responseBytes } = options
  return guardWebSearch(connectSearxng({ endpoint, excerptCharacters, responseBytes }), guard)
}

/** The server named in a group of options; undefined if it is disabled. */
function toServer(options: ResolvedModels, group: 'chat' | 'embeddings' | 'rerank'): ServerModel | undefined {
  const { url, key, model } = options[group]
  const option = `models.${group}`
  if (url === '' && model === '') return undefined
  if (url === '' || model === '') {
    const [there, missing] = url === '' ? ['model', 'url'] : ['url', 'model']
    throw new MemoryError(
      'invalid-input',
      `the option "${option}.${there}" needs "${option}.${missing}" too`,
      {
        hint: `such as ${missing === 'url' ? 'http://localhost:11434/v1' : 'llama3.2'}`,
      },
    )
  }
  return { endpoint: toEndpoint({ url, key, option }, '/v1'), model, responseBytes: options.responseBytes }
}

function describe(kind: string, { model, endpoint }: ServerModel, option: string): GuardedModel {
  return { what: `${kind} ${model} at ${endpoint.baseUrl}`, option, secrets: endpoint.secrets }
}
