import { describe, expect, test } from 'vitest'
import { wordEmbedder } from './word-embedder.ts'

async function similarity(one: string, other: string): Promise<number> {
  const [a, b] = (await wordEmbedder.embed([one, other])) as [Float32Array, Float32Array]
  return a.reduce((sum, value, i) => sum + value * (b[i] as number), 0)
}

describe('texts compared by meaning', () => {
  test.each([
    ['Which instrument does she play?', 'violin lessons on thursdays', 'the boiler was serviced in march'],
    ['What illness did he have?', 'two weeks in bed with pneumonia', 'the new sofa arrives on monday'],
    ['Which sport does he do?', 'tennis on saturdays', 'pancakes want more flour'],
    ['Which country did we fly to?', 'landed in Portugal at midnight', 'the tap in the bathroom drips'],
  ])('%s is nearer to "%s" than to "%s"', async (question, answer, other) => {
    expect(await similarity(question, answer)).toBeGreaterThan(await similarity(question, other))
  })

  test('a text is most similar to itself', async () => {
    const text = 'the cat sleeps on the stove'
    expect(await similarity(text, text)).toBeCloseTo(1.5, 5)
    expect(await similarity(text, 'the cat sleeps on the bed')).toBeLessThan(1.5)
  })

  test('words that are not in the table count by their spelling', async () => {
    expect(await similarity('Wohnungsbesichtigung', 'Wohnungsbesichtigungen')).toBeGreaterThan(0.02)
    expect(await similarity('Zzyzx', 'Qwrtl')).toBe(0)
  })

  test('an empty text is similar to nothing', async () => {
    expect(await similarity('', 'the cat sleeps')).toBe(0)
  })

  test('vectors have the dimensions that the embedder states', async () => {
    const [vector] = await wordEmbedder.embed(['a word'])
    expect(vector).toHaveLength(wordEmbedder.dimensions)
  })
})
