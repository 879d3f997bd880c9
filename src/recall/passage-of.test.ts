import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findWords } from '../domain/words.ts'
import { passageOf } from './passage-of.ts'
import { readQuestion } from './question/read-question.ts'
import { lookupOf } from './rank/own-words.ts'

function passage(text: string, question: string, weights: readonly number[] = []): string {
  const { terms } = readQuestion(question, { now: new Date('2026-06-15') })
  const matches = terms.map((term) => ({ term }))
  const found = passageOf(text, lookupOf(matches, 0.5), (term) => weights[term] ?? 1)
  return found === undefined ? text : text.slice(found.start, found.end)
}

const filler = (count: number, name = 'filler'): string =>
  Array.from({ length: count }, (_, i) => `This is ${name} sentence number ${i} of many.`).join(' ')
const countWords = (text: string): number => findWords(text).length

describe('a passage', () => {
  test('of a short text is all of it', () => {
    expect(passage(filler(10), 'orchid')).toBe(filler(10))
    expect(passage('', 'orchid')).toBe('')
  })

  test('is where the words are, in whole sentences', () => {
    const text = `${filler(40)} The orchid needs water twice a week! ${filler(40, 'later')}`
    const found = passage(text, 'How often does the orchid need water?')
    expect(found).toContain('The orchid needs water twice a week!')
    expect(countWords(found)).toBeLessThanOrEqual(80)
    expect(found).toMatch(/^(This|The) /)
    expect(found).toMatch(/[.!]$/)
  })

  test('is the one with the rarest word, where not all fit', () => {
    const text = `The plant is green. ${filler(40)} The orchid is white. ${filler(40)}`
    expect(passage(text, 'plant orchid', [0.2, 3])).toContain('The orchid is white.')
    expect(passage(text, 'plant orchid', [3, 0.2])).toContain('The plant is green.')
  })

  test('goes by lines as well', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `- item ${i} of the list`)
    const text = [...lines.slice(0, 30), '- orchid food', ...lines.slice(30)].join('\n')
    const found = passage(text, 'orchid')
    expect(found).toContain('- orchid food'.slice(2))
    expect(countWords(found)).toBeLessThanOrEqual(80)
  })

  test('of one endless sentence is a part of it', () => {
    const text = `${'very '.repeat(500)}white orchid ${'much '.repeat(500)}`
    const found = passage(text, 'orchid')
    expect(found).toContain('orchid')
    expect(countWords(found)).toBeLessThanOrEqual(80)
  })

  test('is found in Chinese, Japanese and Thai, where no space ends a sentence', () => {
    const chinese = `${'今天天气很好我们去公园散步。'.repeat(20)}兰花每周浇水两次。${'明天可能会下雨请带伞。'.repeat(20)}`
    const found = passage(chinese, '兰花多久浇水一次？')
    expect(found).toContain('兰花每周浇水两次。')
    expect(found.length).toBeLessThanOrEqual(120)
    expect(found).toMatch(/。$/)
  })

  test('is a slice of the text that has the best word, whatever the text', () => {
    const sentence = fc.array(fc.constantFrom('red', 'green', 'blue', 'orchid', 'Ana', '5', 'ßü', '日本'), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 1, maxLength: 30 }),
        fc.constantFrom('. ', '! ', '\n', ', ', ' '),
        (sentences, stop) => {
          const text = sentences.map((words) => words.join(' ')).join(stop)
          const found = passage(text, 'orchid')
          expect(text).toContain(found)
          expect(countWords(found)).toBeLessThanOrEqual(120)
          if (countWords(text) > 120) expect(countWords(found)).toBeLessThanOrEqual(80)
          if (text.includes('orchid')) expect(found).toContain('orchid')
        },
      ),
    )
  })

  test('is cut between characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 300, maxLength: 900 }), (text) => {
        expect(passage(text, 'orchid').isWellFormed()).toBe(true)
      }),
    )
  })
})
