import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { ModelCalls, Models } from '../model/models.ts'

/** A model that is not built in. */
export interface ModelInUse {
  readonly name: string
  /** It failed repeatedly and is not called for a while; built-in methods are used meanwhile. */
  readonly isResting: boolean
}

/** The configured models; for a missing one, built-in methods are used. */
export interface ModelsInUse {
  readonly chat?: ModelInUse
  readonly embeddings?: { readonly isResting: boolean }
  readonly rerank?: ModelInUse
  readonly webSearch?: ModelInUse
}

/** The result of checking a model. */
export interface ModelCheck {
  readonly model: 'chat' | 'embeddings'
  /** The name of an embedder is only known if it answered. */
  readonly name?: string
  readonly ms: number
  readonly problem?: string
  readonly remedy?: string
}

/**
 * The models that a memory uses: `memory.models`.
 *
 * @example
 * const { chat, embeddings } = memory.models.inUse() // both undefined without models
 * for (const { model, ms, problem } of await memory.models.check()) console.log(model, ms, problem)
 */
export interface ConfiguredModels {
  inUse(): ModelsInUse
  /** Sends each model a small request; empty if all are built in. */
  check(): Promise<readonly ModelCheck[]>
  /** Calls and failures of each model since the memory was opened; built-in models are not counted. */
  calls(): readonly ModelCalls[]
}

export function createModels(models: Models): ConfiguredModels {
  const { languageModel, isEmbedderBuiltIn } = models
  return {
    inUse: () => modelsInUse(models),
    calls: () => models.calls(),
    check: async () => [
      ...(languageModel === undefined ? [] : [await measure('chat', () => askChat(models))]),
      ...(isEmbedderBuiltIn ? [] : [await measure('embeddings', () => askEmbedder(models))]),
    ],
  }
}

function modelsInUse({
  languageModel,
  reranker,
  webSearch,
  isEmbedderBuiltIn,
  isResting,
}: Models): ModelsInUse {
  const use = (model: ModelCalls['model'], one: { readonly name: string } | undefined) =>
    one && { name: one.name, isResting: isResting(model) }
  return definedFields({
    chat: use('chat', languageModel),
    embeddings: isEmbedderBuiltIn ? undefined : { isResting: isResting('embeddings') },
    rerank: use('rerank', reranker),
    webSearch: use('web-search', webSearch),
  })
}

/** A reasoning model needs some tokens before its answer. */
const ANSWER_TOKENS = 500

async function askChat({ languageModel }: Models): Promise<string | undefined> {
  await languageModel?.complete({
    messages: [{ role: 'user', content: 'Say the word "ready" and nothing else.' }],
    maxTokens: ANSWER_TOKENS,
  })
  return languageModel?.name
}

async function askEmbedder({ loadEmbedder }: Models): Promise<string> {
  const embedder = await loadEmbedder()
  await embedder.embed(['ready'])
  return embedder.name
}

async function measure(
  model: ModelCheck['model'],
  ask: () => Promise<string | undefined>,
): Promise<ModelCheck> {
  const started = performance.now()
  const ms = () => Math.round(performance.now() - started)
  try {
    const name = await ask()
    return { model, ms: ms(), ...definedFields({ name }) }
  } catch (error) {
    if (!isMemoryError(error)) throw error
    return { model, ms: ms(), problem: error.message, remedy: error.hint ?? 'see docs/guide/models.md' }
  }
}
