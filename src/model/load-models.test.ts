import { expect, test } from 'vitest'
import { openModels } from '../../test/support/scripted-models.ts'
import { openMemory } from '../memory/open.ts'
import type { ModelConfig } from './model-options.ts'
import { scriptedEmbedder, scriptedModel } from './scripted/testing.ts'

test.each<[ModelConfig, string]>([
  [{ chat: { url: 'http://localhost' } }, '"models.chat.url" needs "models.chat.model" too'],
  [{ chat: { model: 'llama' } }, '"models.chat.model" needs "models.chat.url" too'],
  [{ rerank: { url: 'http://localhost' } }, '"models.rerank.url" needs "models.rerank.model" too'],
  [{ chat: { url: 'localhost', model: 'a' } }, '"models.chat.url" is not an http'],
  [{ webSearch: { url: 'searx' } }, '"models.webSearch.url" is not an http'],
  [{ embeddings: { model: 'a', unrelatedSimilarity: 0.8 } }, 'must be below'],
])('the invalid setting %o is rejected when the memory opens', async (models, message) => {
  expect(() => openModels(models)).toThrow(message)
  await expect(openMemory(':memory:', { models })).rejects.toMatchObject({ code: 'invalid-input' })
})

test('opening a memory does not wait for a server', async () => {
  const models = {
    chat: { url: 'http://127.0.0.1:9', model: 'a' },
    embeddings: { url: 'http://127.0.0.1:9', model: 'b' },
  }
  const memory = await openMemory(':memory:', { models })
  await memory.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
  expect((await memory.messages.search('vegetarian')).items).toHaveLength(1)
  await memory.close()
})

test('models passed in by the application take precedence over those named in options', async () => {
  const models = openModels(
    {
      chat: { url: 'http://127.0.0.1:9', model: 'far' },
      embeddings: { url: 'http://127.0.0.1:9', model: 'far' },
    },
    { languageModel: scriptedModel(['Hello'], 'near'), embedder: scriptedEmbedder() },
  )
  expect(models.languageModel?.name).toBe('near')
  expect((await models.loadEmbedder()).name).toBe('scripted/64')
})

test.each(['languageModel', 'embedder', 'reranker', 'webSearch'])('a name is not a %s', async (option) => {
  await expect(openMemory(':memory:', { [option]: 'gpt-4' })).rejects.toMatchObject({
    code: 'invalid-input',
    message: `the option "${option}" is not a model`,
  })
})

test('a custom language model is held to its contract', async () => {
  const model = scriptedModel(['   '])
  const guarded = openModels({ retries: 0 }, { languageModel: model }).languageModel
  await expect(guarded?.complete({ messages: [] })).rejects.toMatchObject({
    code: 'model-failed',
    message: 'scripted failed: empty response',
  })
})
