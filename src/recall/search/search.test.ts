import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeSnippet, parseSearch } from './search.ts'

describe('what a person types', () => {
  test.each([
    [
      'vegetarian lisbon ',
      [
        [['vegetarian'], false],
        [['lisbon'], false],
      ],
    ],
    ['lis', [[['lis'], true]]],
    [
      'lis* may',
      [
        [['lis'], true],
        [['may'], true],
      ],
    ],
    [
      '"table for two" may ',
      [
        [['table', 'for', 'two'], false],
        [['may'], false],
      ],
    ],
    ['"unfinished phrase', [[['unfinished', 'phrase'], true]]],
    ['Café-Bar', [[['cafe', 'bar'], true]]],
    ['東京', [[['東', '京'], true]]],
    [
      'AND OR NOT NEAR( "" * : ^ - + \' ; --',
      [
        [['and'], false],
        [['or'], false],
        [['not'], false],
        [['near'], false],
      ],
    ],
    ['!!! ???', []],
  ])('%s', (text, terms) => {
    expect(parseSearch(text).map(({ words, isPrefix }) => [words, isPrefix])).toEqual(terms)
  })
})

describe('snippets', () => {
  const cut = (text: string, search: string) => {
    const { text: snippet, highlights } = makeSnippet(text, parseSearch(search))
    return { snippet, hits: highlights.map(([start, end]) => snippet.slice(start, end)) }
  }

  test('a short text is shown whole, with its hits', () => {
    expect(cut('We eat in Lisbon in May', 'lis* may')).toEqual({
      snippet: 'We eat in Lisbon in May',
      hits: ['Lisbon', 'May'],
    })
  })

  test('of a long text, the stretch with the most hits is shown, cut at words', () => {
    const { snippet, hits } = cut(
      `tea ${'filler '.repeat(60)}green tea and black tea ${'filler '.repeat(60)}`,
      'tea ',
    )
    expect(hits).toEqual(['tea', 'tea'])
    expect(snippet).toMatch(/^…filler .*green tea and black tea.* filler…$/)
  })

  test('a phrase is one hit', () => {
    expect(cut('a table for two, not a table for one', '"table for two"').hits).toEqual(['table for two'])
  })

  test('hits of any text and any search lie inside the snippet, which is one short line', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 500 }),
        fc.string({ maxLength: 20 }),
        (text, search) => {
          const { text: snippet, highlights } = makeSnippet(text, parseSearch(search))
          expect(snippet).not.toMatch(/\p{Cc}/u)
          expect(snippet.length).toBeLessThanOrEqual(162)
          for (const [start, end] of highlights)
            expect(0 <= start && start < end && end <= snippet.length).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
