import { expect, test } from 'vitest'
import { isMemoryError } from '../domain/errors.ts'
import { configFromEnvironment, listOptions } from './from-environment.ts'
import type { MemoryConfig } from './options.ts'
import { resolveConfig } from './resolve-options.ts'

test('what is left out is filled in', () => {
  const options = resolveConfig({ context: { tailStep: 0 } })
  expect(options.context).toMatchObject({ window: '128k', tailStep: 0, receiptsKept: 100 })
  expect(options.rag.memoryBudget).toBe(800)
  expect(options.durability).toBe('full')
})

test('every option has an environment variable made by one rule', () => {
  const variables = Object.fromEntries(listOptions().map(({ path, variable }) => [path, variable]))
  expect(variables['limits.messageBytes']).toBe('RECOLLECT_LIMITS_MESSAGE_BYTES')
  expect(
    configFromEnvironment({
      RECOLLECT_LIMITS_TAGS: '5',
      RECOLLECT_DURABILITY: 'relaxed',
      RECOLLECT_CONTEXT_WINDOW: '12k',
      HOME: '/',
    }),
  ).toEqual({
    limits: { tags: 5 },
    durability: 'relaxed',
    context: { window: '12k' },
  })
})

test.each([
  [{ durabilty: 'full' }, 'durabilty'],
  [{ durability: 'off' }, 'full, relaxed'],
  [{ context: { window: '64k' } }, '12k, 128k, 262k'],
  [{ context: { tailStep: 2 } }, 'tailStep'],
  [{ limits: { tags: -1 } }, 'limits.tags'],
  [{ limits: { tags: '5' } }, 'limits.tags'],
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
      /^the option "models\.chat\.(?:key|url)" cannot be of type object$/,
    )
  }
  const keys = listOptions().filter(({ path }) => path.endsWith('.key'))
  expect(keys.map(({ fallback }) => fallback)).toEqual(['', '', '', '', ''])
})
