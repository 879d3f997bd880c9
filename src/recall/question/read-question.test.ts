import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findWords } from '../../domain/words.ts'
import { readQuestion } from './read-question.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const read = (text: string, carried: readonly string[] = []) => readQuestion(text, { now: NOW, carried })
const wordsOf = (text: string) => read(text).terms.map(({ word }) => word)

describe('a question is read', () => {
  test('without the words that only make it a question', () => {
    expect(wordsOf('What is the name of the dog that Ana adopted?')).toEqual([
      'name',
      'dog',
      'ana',
      'adopted',
    ])
    expect(wordsOf('Where did you go with them?')).toEqual([])
    expect(wordsOf('Wie heißt der Hund von Ana?')).toEqual(['heißt', 'hund', 'ana'])
    expect(wordsOf('???')).toEqual([])
  })

  test('with each word once, folded as the index has it', () => {
    expect(wordsOf('Café, café, CAFÉ: ﬁne')).toEqual(['cafe', 'fine'])
  })

  test('with other forms of its words, and with synonyms at half the weight', () => {
    const [term] = read('adopted pets').terms
    expect(term?.forms).toEqual(expect.arrayContaining(['adopted', 'adopt', 'adopting']))
    expect(read('pets').terms[0]?.relatives).toEqual(expect.arrayContaining(['kitten', 'dogs']))
    expect(read('purchased').terms[0]?.relatives).toEqual(expect.arrayContaining(['buy', 'bought']))
    for (const { forms, relatives } of read('adopted pets').terms)
      expect(relatives.filter((word) => forms.includes(word))).toEqual([])
  })

  test('weighing words that are frequent, or only ask, less', () => {
    const weights = new Map(read('Recommend a new telescope').terms.map(({ word, weight }) => [word, weight]))
    expect(weights.get('telescope')).toBe(1)
    expect(weights.get('new')).toBeLessThan(1)
    expect(weights.get('recommend')).toBeLessThan(weights.get('new') as number)
  })

  test('weighing what was carried over half', () => {
    const [asked, carried] = read('telescope (orchid)', ['orchid']).terms
    expect([asked?.weight, carried?.weight]).toEqual([1, 0.5])
  })

  test('by two characters in a row where words have no spaces', () => {
    expect(wordsOf('京都大学')).toEqual(['京 都', '都 大', '大 学'])
    expect(wordsOf('京')).toEqual(['京'])
    expect(wordsOf('京都 and 東京')).toEqual(['京 都', '東 京'])
    expect(wordsOf('iPhone手机')).toEqual(['iphone', '手 机'])
    expect(wordsOf('กรุงเทพ').length).toBeGreaterThan(1)
  })

  test('with the words that stand side by side in it', () => {
    const { terms, pairs } = read('Is the support group near the support desk?')
    const named = pairs.map(([one, other]) => [terms[one]?.word, terms[other]?.word])
    expect(named).toEqual([
      ['support', 'group'],
      ['group', 'near'],
      ['support', 'desk'],
    ])
  })

  test('with the days it names, in the past where it could be either', () => {
    const [span] = read('What did we do last May?').spans
    expect([span?.start.toISOString(), span?.end.toISOString()]).toEqual([
      '2026-05-01T00:00:00.000Z',
      '2026-06-01T00:00:00.000Z',
    ])
    expect(read('What did we do in July?').spans[0]?.start.toISOString()).toBe('2025-07-01T00:00:00.000Z')
    expect(read('What did we do?').spans).toEqual([])
  })

  test('with what it asks for', () => {
    expect(read('When did we go?').cues.asksWhen).toBe(true)
    expect(read('Summarize the trip').asksForAll).toBe(true)
  })

  test('by 32 words at most, those that say most, in their order', () => {
    const page = `${'today maybe people number '.repeat(20)} ${Array.from({ length: 60 }, (_, i) => `telling${i}`).join(' ')}`
    const words = wordsOf(page)
    expect(words).toHaveLength(32)
    expect(words.every((word) => word.startsWith('telling'))).toBe(true)
    expect(words).toEqual([...words].sort((one, other) => Number(one.slice(7)) - Number(other.slice(7))))
  })

  test('whatever it says: bounded, its own words, weights of 0 to 1, pairs of terms that are there', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 3000 }), fc.lorem({ maxCount: 300 })),
        (text) => {
          const { terms, pairs } = read(text)
          expect(terms.length).toBeLessThanOrEqual(32)
          const said = new Set(findWords(text).map(({ word }) => word))
          for (const { word, forms, weight } of terms) {
            for (const part of word.split(' ')) expect(said.has(part)).toBe(true)
            expect(forms[0]).toBe(word)
            expect(weight).toBeGreaterThan(0)
            expect(weight).toBeLessThanOrEqual(1)
          }
          expect(new Set(terms.map(({ word }) => word)).size).toBe(terms.length)
          for (const index of pairs.flat()) expect(terms[index]).toBeDefined()
        },
      ),
    )
  })
})
