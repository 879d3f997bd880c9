import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_CACHED_WORD_BYTES, WordCache } from './count-tokens.ts'

function costIn(recent: WordCache, word: string): number {
  // The bytes around a word must not matter.
  const bytes = Buffer.from(`xyz${word}${'?'.repeat(MAX_CACHED_WORD_BYTES)}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return recent.costOf(view, 3, 3 + word.length)
}

test('a word is found with its own cost or not at all', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'd')
  const words = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: MAX_CACHED_WORD_BYTES + 2 }))
  fc.assert(
    fc.property(words, (given) => {
      const recent = new WordCache()
      const costs = new Map<string, number>()
      for (const [i, word] of given.entries()) {
        const cost = costIn(recent, word)
        if (cost !== 0) expect(cost).toBe(costs.get(word))
        costs.set(word, (i % 16) + 1)
        expect(recent.keep((i % 16) + 1)).toBe((i % 16) + 1)
        expect(costIn(recent, word)).toBe(word.length > MAX_CACHED_WORD_BYTES ? 0 : (i % 16) + 1)
      }
    }),
  )
})

test('of two words with the same slot, the last one is found', () => {
  const recent = new WordCache()
  const words = Array.from({ length: 100_000 }, (_, i) => `w${i}`)
  for (const word of words) {
    costIn(recent, word)
    recent.keep(word.length)
  }
  const known = words.filter((word) => costIn(recent, word) !== 0)
  expect(known.length).toBeGreaterThan(5000)
  expect(known.length).toBeLessThan(words.length)
  expect(known.every((word) => costIn(recent, word) === word.length)).toBe(true)
})
