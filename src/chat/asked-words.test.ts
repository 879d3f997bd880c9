import { describe, expect, test } from 'vitest'
import { askedWords, bestSentences, hasWord } from './asked-words.ts'

describe('words of a question', () => {
  test('function words of six languages are not among them', () => {
    expect(askedWords('Which ladder did we borrow from Ute in 2024?')).toEqual(['ladder', 'borrow', 'ute'])
    expect(askedWords('Wann kommt der Klempner?')).toEqual(['kommt', 'klempner'])
  })

  test.each([
    ['two ladders', 'ladder', true],
    ['wir renovieren das Bad', 'renoviert', true],
    ['a lad', 'ladder', false],
    ['the artichoke', 'art', false],
  ])('"%s" has "%s": %s', (text, word, expected) => {
    expect(hasWord(text, word)).toBe(expected)
  })

  test('a long text is cut to the sentences around the words', () => {
    const filler = 'Nothing of note happened on that day. '.repeat(20)
    const text = `${filler}The ladder is in the shed. ${filler}`
    const quoted = bestSentences(text, ['ladder'], 200)
    expect(quoted).toContain('The ladder is in the shed.')
    expect(quoted.length).toBeLessThanOrEqual(200)
  })
})
