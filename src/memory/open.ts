import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import type { CustomModels } from '../model/connect-models.ts'
import type { Tokenizer } from '../model/models.ts'
import type { MemoryConfig, ResolvedConfig } from '../options/options.ts'
import { resolveConfig } from '../options/resolve-options.ts'
import type { Store } from '../store/store.ts'
import type { VectorStore } from '../store/vector-store.ts'
import type { Memory } from './memory.ts'
import type { VectorStoreInUse, VectorStoreParts } from './vector-mirror.ts'

/** Options that can only be set in code: models as objects, and options for tests and unusual programs. */
export interface OpenOptions extends MemoryConfig, CustomModels {
  /** The clock of the memory. @default the machine's clock */
  readonly clock?: () => Date
  /** A custom vector store: `recollect/store/vector-conformance` checks whether it meets the contract. */
  readonly vectorStore?: VectorStore
}

/**
 * Cache size for vectors of texts that recall compares: standing instructions and current topics recur often.
 */
const COMPARED_BYTES = 1024 * 1024

/**
 * Opens the memory in an SQLite file, which is created if it is missing (`:memory:` stores nothing), or in a
 * PostgreSQL database: `postgres://user@host/database`.
 *
 * @example
 * const memory = await openMemory(':memory:') // or 'memory.db', or 'postgres://user@host/database'
 * await memory.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
 * await memory.close()
 */
export async function openMemory(location: string, options?: OpenOptions): Promise<Memory>
/** Opens the memory with a custom store; see `recollect/store`. Closing the memory closes the store. */
export async function openMemory(options: OpenOptions & { readonly store: Store }): Promise<Memory>
export async function openMemory(
  location: string | (OpenOptions & { readonly store: Store }),
  given: OpenOptions = {},
): Promise<Memory> {
  const { store: ownStore, ...open } = hasStore(location) ? location : { ...given, store: undefined }
  const { clock, languageModel, embedder, reranker, webSearch, vectorStore: givenVectors, ...rest } = open
  const options = resolveConfig(rest)
  const { createDeriver, createMemory, loadModels, ...builtIn } = await loadEngine()
  const models = await loadModels(
    options.models,
    definedFields({ languageModel, embedder, reranker, webSearch }),
  )
  const now = clock ?? (() => new Date())
  const joinVectors = await prepareVectors({ options, models, now }, givenVectors)
  const store = ownStore ?? (await openStore(location as string, options))
  const vectorStore = joinVectors?.(store)
  let tokenizer: Promise<Tokenizer> | undefined
  const loadOnce = () => {
    tokenizer ??= loadTokenizer(options)
    return tokenizer
  }
  const deriver = createDeriver({
    store,
    options,
    embedder: builtIn.builtInEmbedder,
    models,
    makesVectors: !models.isEmbedderBuiltIn || vectorStore !== undefined,
    loadTokenizer: loadOnce,
    now,
  })
  deriver.wake()
  vectorStore?.wake()
  return createMemory({
    store,
    ...definedFields({ vectorStore }),
    options,
    models,
    builtInEmbedder: builtIn.withVectorCache(builtIn.wordEmbedder, COMPARED_BYTES),
    loadRelatedWords: builtIn.loadRelatedWords,
    deriver,
    now,
    loadTokenizer: loadOnce,
    whenIdle: async () => {
      await deriver.stop()
      await vectorStore?.close()
      await tokenizer
    },
  })
}

/** Loaded with the first memory that is opened: a program that only converts messages or prints its help starts faster. */
async function loadEngine() {
  const parts = await Promise.all([
    import('../derive/create-deriver.ts'),
    import('./memory.ts'),
    import('../model/load-models.ts'),
    import('../model/built-in/built-in-embedder.ts'),
    import('../model/built-in/words/related-words.ts'),
    import('../model/built-in/words/word-embedder.ts'),
    import('../model/guard/vector-cache.ts'),
  ])
  const [derive, memory, models, embedder, related, words, cache] = parts
  return { ...derive, ...memory, ...models, ...embedder, ...related, ...words, ...cache }
}

const hasStore = (location: unknown): location is OpenOptions & { readonly store: Store } =>
  typeof location === 'object' && location !== null && 'store' in location

async function openStore(location: string, options: ResolvedConfig): Promise<Store> {
  if (typeof location !== 'string' || location === '') {
    throw new MemoryError('invalid-input', 'openMemory needs the path of a file or an address', {
      hint: 'openMemory("memory.db")',
    })
  }
  const isPersistent = options.chat.persist === 'on'
  if (/^postgres(?:ql)?:\/\//i.test(location)) {
    if (isPersistent) return openPostgres(location, options)
    throw new MemoryError('invalid-input', 'the option "chat.persist" can only be "off" for SQLite', {
      hint: 'openMemory(":memory:") stores nothing',
    })
  }
  if (/^[a-z][a-z0-9+-]+:\/\//i.test(location)) {
    throw new MemoryError('invalid-input', `there is no store for "${location.split(':')[0]}:" addresses`, {
      hint: 'give the path of a file, such as memory.db, or postgres://user@host/database',
    })
  }
  const { openSqliteStore } = await import('../store/sqlite/sqlite-store.ts')
  return openSqliteStore({
    path: isPersistent ? location : ':memory:',
    durability: options.durability,
    busyTimeoutMs: options.busyTimeoutMs,
  })
}

/** Reports all configuration errors of a vector store before the store is opened. */
async function prepareVectors(
  parts: Omit<VectorStoreParts, 'store' | 'vectors'>,
  own: VectorStore | undefined,
): Promise<((store: Store) => VectorStoreInUse) | undefined> {
  const { chroma, ...settings } = parts.options.vectors
  if (own === undefined && chroma.url === '') return undefined
  const { useVectorStore } = await import('./vector-mirror.ts')
  const { guardVectors } = await import('../store/guard-vectors.ts')
  const vectors = guardVectors(own ?? (await openChroma(chroma)), settings)
  return (store) => useVectorStore({ ...parts, store, vectors })
}

async function openChroma(settings: ResolvedConfig['vectors']['chroma']): Promise<VectorStore> {
  return (await import('../store/chroma/chroma-vectors.ts')).openChromaVectors(settings)
}

async function openPostgres(url: string, options: ResolvedConfig): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/postgres-store.ts')
  const { durability, busyTimeoutMs, postgres } = options
  return openPostgresStore({ ...postgres, url, durability, busyTimeoutMs })
}

async function loadTokenizer({ tokenizer }: ResolvedConfig): Promise<Tokenizer> {
  return (await import('../model/built-in/load-tokenizer.ts')).loadTokenizer(tokenizer)
}
