import { expect, test } from 'vitest'
import { openModels, scriptedServer, type TunedModels } from '../../../test/support/scripted-models.ts'
import type { Embedder } from '../models.ts'
import { type ScriptedServer, scriptedEmbedder } from '../scripted/testing.ts'

const loaderAt = (
  server: ScriptedServer,
  embeddings: TunedModels['embeddings'] = {},
  more: TunedModels = {},
) =>
  openModels({ ...more, embeddings: { url: server.url, model: 'embed-1', key: 'sk-1', ...embeddings } })
    .loadEmbedder

const lengthOf = (vector: Float32Array | undefined): number => Math.hypot(...(vector ?? []))

function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  return [...(one ?? [])].reduce((sum, value, i) => sum + value * (other?.[i] ?? 0), 0)
}

test('an embedder reads its dimensions from the server, and is named after model and dimensions', async () => {
  const server = await scriptedServer()
  const embedder = await loaderAt(server)()
  expect(embedder).toMatchObject({ name: 'embed-1/64', dimensions: 64, sameTopicSimilarity: 0.7 })
  expect(server.requests).toHaveLength(1)
  const [trains, train, tea] = await embedder.embed(['trains to Lisbon', 'Lisbon by trains', 'green tea'])
  expect(lengthOf(trains)).toBeCloseTo(1, 5)
  expect(cosine(trains, train)).toBeGreaterThan(cosine(trains, tea))
  expect(server.requests[1]).toMatchObject({
    path: '/v1/embeddings',
    headers: { authorization: 'Bearer sk-1' },
    body: {
      model: 'embed-1',
      encoding_format: 'float',
      input: ['trains to Lisbon', 'Lisbon by trains', 'green tea'],
    },
  })
})

test('configured dimensions are requested, without a call on opening', async () => {
  const server = await scriptedServer()
  const embedder = await loaderAt(server, { dimensions: 8 })()
  expect(embedder.name).toBe('embed-1/8')
  expect(server.requests).toHaveLength(0)
  const [vector] = await embedder.embed(['tea'])
  expect(vector).toHaveLength(8)
  expect(server.requests[0]?.body).toMatchObject({ dimensions: 8 })
})

test('a server that is down when the memory opens is tried again later', async () => {
  const server = await scriptedServer({ status: 401 })
  const load = loaderAt(server)
  await expect(load()).rejects.toMatchObject({
    code: 'model-failed',
    hint: 'is the key in models.embeddings.key right?',
  })
  const embedder = await load()
  expect(embedder.dimensions).toBe(64)
  expect(await load()).toBe(embedder)
})

test('texts are sent in batches, and vectors returned in their order', async () => {
  const server = await scriptedServer()
  const embedder = await loaderAt(server, { batchTexts: 3, dimensions: 64 })()
  const texts = Array.from({ length: 8 }, (_, i) => `word${i}`)
  const together = await embedder.embed(texts)
  expect(server.requests.map(({ body }) => body.input.length)).toEqual([3, 3, 2])
  for (const [i, text] of texts.entries()) expect((await embedder.embed([text]))[0]).toEqual(together[i])
})

test('vectors that the server numbers are sorted by their numbers', async () => {
  const data = [
    { index: 1, embedding: [0, 1] },
    { index: 0, embedding: [1, 0] },
  ]
  const server = await scriptedServer({ json: { data } })
  const embedder = await loaderAt(server, { dimensions: 2 })()
  expect((await embedder.embed(['a', 'b'])).map((vector) => [...vector])).toEqual([
    [1, 0],
    [0, 1],
  ])
})

test('vectors are normalized to unit length', async () => {
  const server = await scriptedServer({ json: { data: [{ embedding: [3, 4] }, { embedding: [0, 0] }] } })
  const embedder = await loaderAt(server, { dimensions: 2 })()
  expect((await embedder.embed(['a', 'b'])).map((vector) => [...vector])).toEqual([
    [Math.fround(0.6), Math.fround(0.8)],
    [0, 0],
  ])
})

test('texts without a word are not sent; their vectors are zero', async () => {
  const server = await scriptedServer()
  const embedder = await loaderAt(server, { dimensions: 64 })()
  const vectors = await embedder.embed(['', 'tea', ' …!? '])
  expect(server.requests.map(({ body }) => body.input)).toEqual([['tea']])
  expect(vectors.map((vector) => Math.round(lengthOf(vector)))).toEqual([0, 1, 0])
  expect(await embedder.embed(['', '?'])).toHaveLength(2)
  expect(server.requests).toHaveLength(1)
})

test('long texts are cut between characters; prefixes mark what a text is for', async () => {
  const server = await scriptedServer()
  const prefixes = { passagePrefix: 'passage: ', questionPrefix: 'query: ' }
  const embedder = await loaderAt(server, { textCharacters: 5, dimensions: 64, ...prefixes })()
  await embedder.embed(['abcdefgh', 'abcd🙂'])
  await embedder.embed(['abcdefgh'], { use: 'question' })
  expect(server.requests.map(({ body }) => body.input)).toEqual([
    ['passage: abcde', 'passage: abcd'],
    ['query: abcde'],
  ])
  // The prefix of passages changes their vectors, and therefore the name.
  expect(embedder.name).toMatch(/^embed-1\/64\/[0-9a-f]{16}$/)
})

test.each([
  ['too few vectors', { data: [{ embedding: [1, 0] }] }, 'expected 2 vectors, received 1'],
  ['too many', { data: [1, 2, 3].map(() => ({ embedding: [1, 0] })) }, 'expected 2 vectors, received 3'],
  [
    'other dimensions',
    { data: [1, 2].map(() => ({ embedding: [1, 0, 0] })) },
    'expected 2 dimensions, received 3',
  ],
  [
    'values that are not numbers',
    { data: [1, 2].map(() => ({ embedding: ['a', null] })) },
    'Invalid JSON response',
  ],
  [
    'numbers beyond all bounds',
    { data: [1, 2].map(() => ({ embedding: [1e300, 0] })) },
    'values that are not numbers',
  ],
  ['no data', { object: 'list' }, 'Invalid JSON response'],
])('a server that responds with %s is retried, and then has failed', async (_, json, problem) => {
  const server = await scriptedServer()
  server.always({ json })
  const embedder = await loaderAt(server, { dimensions: 2 }, { retries: 1 })()
  await expect(embedder.embed(['a', 'b'])).rejects.toMatchObject({
    code: 'model-failed',
    message: expect.stringContaining(problem),
  })
  expect(server.requests).toHaveLength(2)
})

test.each([
  ['slow', { delayMs: 3000 }],
  ['cut off', { cutAfter: 30 }],
  ['too busy', { status: 429, headers: { 'retry-after-ms': '10' } }],
  ['broken', { status: 500 }],
  ['silent', { body: '' }],
  ['not what it seems', { body: '<html>' }],
])('an embedding server that is %s is retried', async (_, reply) => {
  const server = await scriptedServer(reply)
  const embedder = await loaderAt(server, { dimensions: 64 }, { timeoutMs: 1000 })()
  await expect(embedder.embed(['tea'])).resolves.toHaveLength(1)
  expect(server.requests).toHaveLength(2)
})

test('without options the built-in embedder is used, at once', async () => {
  const embedder = await openModels({}).loadEmbedder()
  expect(embedder).toMatchObject({ name: 'built-in/1', unrelatedSimilarity: 0 })
})

test('a custom embedder is guarded: invalid vectors are detected', async () => {
  const mine = scriptedEmbedder({ dimensions: 4, vectors: { up: [0, 3, 0, 4] } })
  const embedder = await openModels({}, { embedder: mine }).loadEmbedder()
  expect(embedder.name).toBe('scripted/4')
  expect([...((await embedder.embed(['up'], { use: 'question' }))[0] ?? [])]).toEqual(
    [0, 0.6, 0, 0.8].map(Math.fround),
  )
  expect(mine.requests[0]?.options.use).toBe('question')
  const wrong: Embedder = { ...mine, embed: async () => [new Float32Array(3)] }
  const guarded = await openModels({ retries: 0 }, { embedder: wrong }).loadEmbedder()
  await expect(guarded.embed(['up'])).rejects.toThrow('expected 4 dimensions, received 3')
})

test('any embedding model of the AI SDK can be used, in batches of its size', async () => {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const server = await scriptedServer()
  const model = createOpenAICompatible({ name: 'mine', baseURL: `${server.url}/v1` }).embeddingModel('e-2')
  const embedder = await openModels({}, { embedder: model }).loadEmbedder()
  expect(embedder.name).toBe('e-2/64')
  const narrow = {
    specificationVersion: 'v2',
    provider: 'made-up',
    modelId: 'one-by-one',
    maxEmbeddingsPerCall: 1,
    doEmbed: async ({ values }: { values: string[] }) => ({
      embeddings: values.map(({ length }) => [length, 1]),
    }),
  }
  const oneByOne = await openModels({}, { embedder: narrow }).loadEmbedder()
  expect(await oneByOne.embed(['a', 'bb', 'ccc'])).toHaveLength(3)
})
