import fc from 'fast-check'
import { expect, test } from 'vitest'
import { builtInEmbedder } from './built-in-embedder.ts'

async function similarity(one: string, other: string): Promise<number> {
  const [a = new Float32Array(), b = new Float32Array()] = await builtInEmbedder.embed([one, other])
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
}

test('vectors have unit length, or are zero for a text without significant words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const [vector = new Float32Array()] = await builtInEmbedder.embed([text])
      const length = Math.hypot(...vector)
      expect(vector).toHaveLength(builtInEmbedder.dimensions)
      expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true)
    }),
  )
})

test('a text has the same vector alone and in a batch', async () => {
  const [alone] = await builtInEmbedder.embed(['trains to Lisbon'])
  expect((await builtInEmbedder.embed(['tea', 'trains to Lisbon']))[1]).toEqual(alone)
})

test.each([
  ['when does the train leave?', 'trains to Porto are leaving at nine'],
  ['will it rain tomorrow?', 'the forecast says sunny'],
  ['Zugfahrt nach Wien buchen', 'zwei Fahrten mit dem Zug nach Wien'],
  ['東京の天気はどうですか', '今日の東京の天気'],
  ['нужен отель в Москве', 'отели в центре Москвы'],
])('"%s" and "%s" are about the same subject', async (one, other) => {
  expect(await similarity(one, other)).toBeGreaterThan(builtInEmbedder.sameTopicSimilarity)
})

test('texts that share only stop words are not similar', async () => {
  const distance = await similarity('can you tell me about the museum?', 'can you fix the database query?')
  expect(distance).toBeLessThan(builtInEmbedder.sameTopicSimilarity)
})

test('the vectors match version 1: a change needs a new name', async () => {
  const [vector = new Float32Array()] = await builtInEmbedder.embed(['A hotel in Lisbon, please. 漢字'])
  const filled = [...vector.entries()].filter(([, value]) => Math.abs(value) > 0.2)
  expect(filled.map(([i, value]) => [i, Number(value.toFixed(4))])).toMatchInlineSnapshot(`
    [
      [
        133,
        0.4298,
      ],
      [
        153,
        -0.4298,
      ],
      [
        155,
        -0.4875,
      ],
      [
        167,
        -0.4298,
      ],
      [
        198,
        0.4298,
      ],
    ]
  `)
})
