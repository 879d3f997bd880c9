import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTopicTitle } from './topic-title.ts'

test('a short first message is the title, on one line', () => {
  expect(makeTopicTitle('  Where should\n we eat? ')).toBe('Where should we eat?')
})

test('a long first message is cut at a word', () => {
  const title = makeTopicTitle('We would like to eat somewhere near the river, '.repeat(5))
  expect(title).toBe('We would like to eat somewhere near the river, We would like to eat somewhere…')
})

test('no title is longer than 80 characters or contains half a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const title = makeTopicTitle(text)
      expect(title.length).toBeLessThanOrEqual(80)
      expect(title.isWellFormed()).toBe(true)
    }),
  )
})
