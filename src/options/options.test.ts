import { expect, test, vi } from 'vitest'
import { isMemoryError } from '../domain/errors.ts'
import { configFromEnvironment, listOptions } from './from-environment.ts'
import type { MemoryConfig } from './options.ts'
import { resolveConfig, withTuning } from './resolve-options.ts'

test('what is left out is filled in', () => {
  const options = resolveConfig({ context: { maxReceipts: 5 } })
  expect(options.context).toMatchObject({ window: '128k', tailStep: 0.125, maxReceipts: 5, facts: 3 })
  expect(options.context.memoryTokens).toBe(800)
  expect(options.durability).toBe('full')
})

test('every option has an environment variable made by one rule', () => {
  const variables = Object.fromEntries(listOptions().map(({ path, variable }) => [path, variable]))
  expect(variables['limits.messageBytes']).toBe('RECOLLECT_LIMITS_MESSAGE_BYTES')
  expect(
    configFromEnvironment({
      RECOLLECT_LIMITS_MESSAGE_BYTES: '5',
      RECOLLECT_DURABILITY: 'relaxed',
      RECOLLECT_CONTEXT_WINDOW: '12k',
      HOME: '/',
    }),
  ).toEqual({
    limits: { messageBytes: 5 },
    durability: 'relaxed',
    context: { window: '12k' },
  })
})

test.each([
  [{ durabilty: 'full' }, 'durabilty'],
  [{ durability: 'off' }, 'full, relaxed'],
  [{ context: { window: '64k' } }, '12k, 128k, 262k'],
  [{ rag: { threshold: 2 } }, 'rag.threshold'],
  [{ limits: { messageBytes: -1 } }, 'limits.messageBytes'],
  [{ limits: { messageBytes: '5' } }, 'limits.messageBytes'],
  [{ limits: 5 }, 'limits'],
  [{ workspace: '' }, 'workspace'],
  [{ models: { concurrency: 0 } }, 'models.concurrency'],
  [{ models: { embeddings: { sameTopicSimilarity: 1.5 } } }, 'models.embeddings.sameTopicSimilarity'],
  [{ models: { embeddings: { pooling: 'max' } } }, 'mean, cls, last_token'],
  [{ models: { chat: { keys: 'sk' } } }, 'models.chat.keys'],
  [{ models: { chat: 'llama' } }, 'models.chat'],
])('%o is refused with a hint', (options, mentioned) => {
  try {
    resolveConfig(options as MemoryConfig)
    expect.unreachable()
  } catch (error) {
    expect(isMemoryError(error) && `${error.message} ${error.hint}`).toContain(mentioned)
  }
})

test('what is off unless given may be given as empty', () => {
  const { chat } = resolveConfig({ models: { chat: { url: '', model: 'llama3.2' } } }).models
  expect(chat).toMatchObject({ url: '', model: 'llama3.2', key: '' })
})

test('models can be named by the environment', () => {
  expect(
    configFromEnvironment({
      RECOLLECT_MODELS_CHAT_URL: 'http://localhost:11434/v1',
      RECOLLECT_MODELS_CHAT_KEY: 'sk-1',
      RECOLLECT_MODELS_EMBEDDINGS_SAME_TOPIC_SIMILARITY: '0.6',
      RECOLLECT_MODELS_WEB_SEARCH_URL: '',
    }),
  ).toEqual({
    models: {
      chat: { url: 'http://localhost:11434/v1', key: 'sk-1' },
      embeddings: { sameTopicSimilarity: 0.6 },
    },
  })
})

test('the address of Chroma has a short name, and its prefix none', () => {
  expect(
    configFromEnvironment({
      RECOLLECT_CHROMA_URL: 'http://localhost:8000',
      RECOLLECT_VECTORS_CHROMA_PREFIX: 'mine',
    }),
  ).toEqual({ vectors: { chroma: { url: 'http://localhost:8000', prefix: 'mine' } } })
})

test('the models have short names as well, and the long one counts', () => {
  expect(
    configFromEnvironment({
      RECOLLECT_MODEL: 'llama3.2',
      RECOLLECT_MODEL_URL: 'http://localhost:11434/v1',
      RECOLLECT_EMBEDDING_MODEL: 'short',
      RECOLLECT_MODELS_EMBEDDINGS_MODEL: 'long',
    }),
  ).toEqual({
    models: { chat: { url: 'http://localhost:11434/v1', model: 'llama3.2' }, embeddings: { model: 'long' } },
  })
})

test('no key and no address is shown when it is refused, and no key has a default', () => {
  for (const chat of [{ key: ['secret-1'] }, { url: { at: 'secret-1' } }]) {
    expect(() => resolveConfig({ models: { chat } } as unknown as MemoryConfig)).toThrow(
      /^invalid value for the option "models\.chat\.(?:key|url)": of type object$/,
    )
  }
  const keys = listOptions().filter(({ path }) => path.endsWith('.key'))
  expect(keys.map(({ fallback }) => fallback)).toEqual(['', '', '', '', ''])
})

const warnings = (run: () => void): readonly string[] => {
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  run()
  const messages = emit.mock.calls.map(([message]) => String(message))
  emit.mockRestore()
  return messages
}

test('a renamed option still works and prints a warning with the new name', () => {
  const old = {
    convo: { summaryMaxTokens: 200 },
    recall: { leastSimilarity: 0.3 },
    rag: { memoryBudget: 500, topK: 2 },
  }
  const printed = warnings(() => {
    const { summary, recall, context, rag } = resolveConfig(old as MemoryConfig)
    expect([summary.maxTokens, recall.minSimilarity, context.memoryTokens, rag.topK]).toEqual([
      200, 0.3, 500, 2,
    ])
  })
  expect(printed).toContain(
    'the option "recall.leastSimilarity" is now called the option "recall.minSimilarity"',
  )
  expect(printed).toHaveLength(3)
})

test('a present name wins over an old one', () => {
  const both = { context: { receiptsKept: 1, maxReceipts: 3 } } as MemoryConfig
  warnings(() => expect(resolveConfig(both).context.maxReceipts).toBe(3))
})

test('a removed option prints a warning and changes nothing', () => {
  const old = {
    recall: { timeWeight: 9, limit: 7 },
    topics: { live: 3 },
    limits: { depth: 9 },
  } as MemoryConfig
  const printed = warnings(() => {
    const { recall, topics, limits } = resolveConfig(old)
    expect([recall.timeWeight, recall.limit, topics.maxActive, limits.depth]).toEqual([4, 7, 20, 32])
  })
  expect(printed).toContain(
    'the option "recall.timeWeight" is no longer an option and is ignored: its value is fixed now',
  )
  expect(printed).toHaveLength(3)
})

test('environment variables of an earlier version work and print a warning', () => {
  const printed = warnings(() => {
    const config = configFromEnvironment({
      RECOLLECT_DERIVE_LEFTOVERS_MS: '100',
      RECOLLECT_CONVO_SUMMARY_EVERY_NMESSAGES: '6',
      RECOLLECT_RECALL_SPEAKER_WEIGHT: '1',
    })
    expect(config).toEqual({ derive: { rescanIntervalMs: 100 }, summary: { everyNMessages: 6 } })
  })
  expect(printed[0]).toBe('RECOLLECT_DERIVE_LEFTOVERS_MS is now called RECOLLECT_DERIVE_RESCAN_INTERVAL_MS')
  expect(printed).toHaveLength(3)
})

test('settings have the names that other chat stacks use, too', () => {
  const names = { RECOLLECT_RAG_TOP_K_MAX: '7', RECOLLECT_CHAT_MAX_TOKENS: '9000' }
  expect(configFromEnvironment(names)).toEqual({ rag: { topK: 7 }, context: { window: 9000 } })
  expect(configFromEnvironment({ RECOLLECT_CONVO_SUMMARY_EVERY_N_MESSAGES: '8' })).toEqual({
    summary: { everyNMessages: 8 },
  })
})

test('internal constants are overridden only on purpose', () => {
  expect(resolveConfig(withTuning({}, { recall: { timeWeight: 0 } })).recall).toMatchObject({
    timeWeight: 0,
    limit: 5,
  })
})

/** Settings that users of other chat stacks know; each works under this name, whatever the option is called. */
const SETTINGS = {
  RECOLLECT_CHAT_MAX_TOKENS: ['9000', { context: { window: 9000 } }],
  RECOLLECT_CHAT_PERSIST: ['false', { chat: { persist: 'off' } }],
  RECOLLECT_RAG_CHUNK_SIZE: ['200', { rag: { chunkSize: 200 } }],
  RECOLLECT_RAG_CHUNK_OVERLAP: ['20', { rag: { chunkOverlap: 20 } }],
  RECOLLECT_RAG_TOP_K_MAX: ['7', { rag: { topK: 7 } }],
  RECOLLECT_RAG_RE_RANK_TOP_N: ['30', { rag: { rerankTop: 30 } }],
  RECOLLECT_RAG_FINAL_TOP_K: ['2', { rag: { finalChunks: 2 } }],
  RECOLLECT_RAG_SIMILARITY_THRESHOLD: ['0.4', { rag: { threshold: 0.4 } }],
  RECOLLECT_RAG_PER_TURN_MEMORY_BUDGET_TOKENS: ['500', { context: { memoryTokens: 500 } }],
  RECOLLECT_CONVO_SUMMARY_EVERY_N_MESSAGES: ['8', { summary: { everyNMessages: 8 } }],
  RECOLLECT_CONVO_SUMMARY_MAX_TOKENS: ['300', { summary: { maxTokens: 300 } }],
  RECOLLECT_EMBEDDINGS_DEVICE: ['cuda', { models: { embeddings: { device: 'cuda' } } }],
} as const

test.each(Object.entries(SETTINGS))('%s works, without a warning', (variable, [value, config]) => {
  const printed = warnings(() => {
    const read = configFromEnvironment({ [variable]: value })
    expect(read).toEqual(config)
    resolveConfig(read)
  })
  expect(printed).toEqual([])
})

test('an unknown variable prints a warning with the closest known name', () => {
  const printed = warnings(() => {
    expect(
      configFromEnvironment({
        RECOLLECT_RAG_CHUNKSIZE: '1',
        RECOLLECT_SERVER_HSOT: 'a',
        RECOLLECT_DB: 'memory.db',
        RECOLLECT_MODEL: 'llama3.2',
        CHUNK_SIZE: '2',
      }),
    ).toEqual({ models: { chat: { model: 'llama3.2' } } })
  })
  expect(printed).toEqual([
    'unknown environment variable RECOLLECT_RAG_CHUNKSIZE; did you mean RECOLLECT_RAG_CHUNK_SIZE?',
    'unknown environment variable RECOLLECT_SERVER_HSOT; did you mean RECOLLECT_SERVER_HOST?',
  ])
})
