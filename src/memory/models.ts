import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { ModelCalls, Models } from '../model/models.ts'

/** A model that is not built in. */
export interface ModelInUse {
  readonly name: string
  /** It failed repeatedly and is left alone for a while; built-in means answer meanwhile. */
  readonly isResting: boolean
}

/** Which models there are; what is missing is done by built-in means. */
export interface ModelsInUse {
  readonly chat?: ModelInUse
  readonly embeddings?: { readonly isResting: boolean }
  readonly rerank?: ModelInUse
  readonly webSearch?: ModelInUse
}

/** How a model answered when it was tried. */
export interface ModelCheck {
  readonly model: 'chat' | 'embeddings'
  /** Of the embedder only known when it answered. */
  readonly name?: string
  readonly ms: number
  readonly problem?: string
  readonly remedy?: string
}

export interface ModelsHandle {
  models(): ModelsInUse
  /** Asks each model for something small, and tells how that went; none where all are built in. */
  checkModels(): Promise<readonly ModelCheck[]>
}

export function openModels(models: Models): ModelsHandle {
  const { languageModel, isEmbedderBuiltIn } = models
  return {
    models: () => modelsInUse(models),
    checkModels: async () => [
      ...(languageModel === undefined ? [] : [await tryOut('chat', () => askChat(models))]),
      ...(isEmbedderBuiltIn ? [] : [await tryOut('embeddings', () => askEmbedder(models))]),
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

/** A model that thinks first needs some room before it says a word. */
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

async function tryOut(
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
