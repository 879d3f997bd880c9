import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scriptedEmbedder } from '../scripted/testing.ts'
import { withVectorCache } from './vector-cache.ts'

const sentTexts = (embedder: ReturnType<typeof scriptedEmbedder>) =>
  embedder.requests.flatMap(({ texts }) => texts)

describe('an embedder with a vector cache', () => {
  test('sends no text twice', async () => {
    const model = scriptedEmbedder()
    const embedder = withVectorCache(model)
    const first = await embedder.embed(['red', 'green', 'red'])
    expect(await embedder.embed(['green', 'blue', 'red'])).toEqual([
      first[1],
      (await model.embed(['blue']))[0],
      first[0],
    ])
    expect(sentTexts(model)).toEqual(['red', 'green', 'blue', 'blue'])
    expect(model.requests).toHaveLength(3)
  })

  test('distinguishes questions from passages, which some models embed differently', async () => {
    const model = scriptedEmbedder()
    const embedder = withVectorCache(model)
    await embedder.embed(['red'])
    await embedder.embed(['red'], { use: 'question' })
    await embedder.embed(['red'], { use: 'passage' })
    expect(model.requests.map(({ options }) => options.use)).toEqual([undefined, 'question'])
  })

  test('evicts the least recently used vectors', async () => {
    const model = scriptedEmbedder({ dimensions: 4 })
    const embedder = withVectorCache(model, 2 * 4 * 4)
    await embedder.embed(['red', 'green'])
    await embedder.embed(['red'])
    await embedder.embed(['blue'])
    await embedder.embed(['red', 'blue', 'green'])
    expect(sentTexts(model)).toEqual(['red', 'green', 'blue', 'green'])
  })

  test('caches nothing on failure', async () => {
    const failing = scriptedEmbedder({ error: new Error('gone') })
    const embedder = withVectorCache(failing)
    await expect(embedder.embed(['red'])).rejects.toThrow('gone')
    await expect(embedder.embed(['red'])).rejects.toThrow('gone')
    expect(failing.requests).toHaveLength(2)
  })

  test("respects the caller's abort, cached or not", async () => {
    const embedder = withVectorCache(scriptedEmbedder())
    await embedder.embed(['red'])
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(embedder.embed(['red'], { signal })).rejects.toThrow('enough')
  })

  test('returns the same vectors for any sequence of calls and any cache size', async () => {
    const someTexts = fc.array(
      fc.array(fc.constantFrom('red', 'green', 'blue', 'red green', ''), { maxLength: 6 }),
    )
    await fc.assert(
      fc.asyncProperty(someTexts, fc.integer({ min: 0, max: 3 }), async (calls, kept) => {
        const embedder = withVectorCache(scriptedEmbedder({ dimensions: 8 }), kept * 8 * 4)
        const plain = scriptedEmbedder({ dimensions: 8 })
        for (const texts of calls) expect(await embedder.embed(texts)).toEqual(await plain.embed(texts))
      }),
    )
  })
})
