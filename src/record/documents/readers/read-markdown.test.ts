import fc from 'fast-check'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { aMarkdown, aWildText } from '../../../../test/support/document.arbitrary.ts'
import { effort } from '../../../../test/support/effort.ts'
import { processorMs } from '../../../../test/support/processor-ms.ts'
import type { Block } from '../../../domain/document.ts'
import { readMarkdown } from './read-markdown.ts'

const find = (text: string) => readMarkdown({ text }).blocks
const titles = (text: string) =>
  find(text).flatMap(({ kind, level, title }) => (kind === 'heading' ? [[level, title]] : []))
const show = (text: string) => find(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])

test('headings are recognized by # marks and by underlines', () => {
  const text = '# One\n\n### Three ###\n\nUnder\nlined\n=====\n\nTwo\n---\n\n#no\n\n    # code'
  expect(titles(text)).toEqual([
    [1, 'One'],
    [3, 'Three'],
    [1, 'Under lined'],
    [2, 'Two'],
  ])
})

test('lines that look like headings in code, comments, quotes and front matter are not headings', () => {
  const text =
    '---\n# no: 1\n---\n\n```sh\n# no\n```\n\n~~~~\n# no\n~~~\n# no\n~~~~\n\n<!--\n# no\n-->\n\n<pre>\n\n# no\n</pre>\n\n> # no\n\n# Yes'
  expect(titles(text)).toEqual([[1, 'Yes']])
})

test('titles have no marks', () => {
  expect(
    titles('# **Bold** and *slanted* `code` in [a link](http://x.y) \\* _done_ snake_case_name'),
  ).toEqual([[1, 'Bold and slanted code in a link * done snake_case_name']])
})

test('lists are items, with what belongs to them', () => {
  const text = 'Buy:\n- tea\n  for two\n- milk\n  1. fresh\n  2. cold\n\nThen go.'
  expect(show(text)).toEqual([
    ['paragraph', 'Buy:'],
    ['item', '- tea\n  for two'],
    ['item', '- milk'],
    ['item', '  1. fresh'],
    ['item', '  2. cold'],
    ['paragraph', 'Then go.'],
  ])
})

test('code in a list is code', () => {
  const text = '- first\n\n      ```\n      # no\n      ```\n\n- second'
  expect(find(text).map(({ kind }) => kind)).toEqual(['item', 'code', 'item'])
})

test('tables have a head and rows; lines with bars alone are none', () => {
  const text = 'a | b\n--- | ---\n1 | 2\n3 | 4\n\nno | table\n\n| x |\n| - |\n'
  expect(show(text)).toEqual([
    ['header', 'a | b\n--- | ---'],
    ['row', '1 | 2'],
    ['row', '3 | 4'],
    ['paragraph', 'no | table'],
    ['header', '| x |\n| - |'],
  ])
})

test('line ends of any system are the same', () => {
  const text = '# One\n\ntext\nmore\n\n- a\n- b\n'
  for (const lineEnd of ['\r\n', '\r']) {
    expect(titles(text.replaceAll('\n', lineEnd))).toEqual([[1, 'One']])
    expect(find(text.replaceAll('\n', lineEnd)).map(({ kind }) => kind)).toEqual(
      find(text).map(({ kind }) => kind),
    )
  }
})

/** What a parser makes of it. */
function parse(text: string): readonly Pick<Block, 'kind' | 'level'>[] {
  return marked.lexer(text).flatMap((token): Pick<Block, 'kind' | 'level'>[] => {
    if (token.type === 'heading') return [{ kind: 'heading', level: token['depth'] }]
    if (token.type === 'code') return [{ kind: 'code' }]
    if (token.type === 'table') return [{ kind: 'header' }, ...token['rows'].map(() => ({ kind: 'row' }))]
    return []
  })
}

test('headings, code and tables are those that a parser finds', () => {
  fc.assert(
    fc.property(aMarkdown, (text) => {
      const found = find(text)
        .filter(({ kind }) => kind !== 'paragraph' && kind !== 'item')
        .map(({ kind, level }) => ({ kind, ...(level !== undefined && { level }) }))
      expect(found).toEqual(parse(text))
    }),
    { numRuns: effort({ short: 50, long: 200 }) },
  )
})

test('blocks are in order, with only white space between them', () => {
  fc.assert(
    fc.property(aWildText, (text) => {
      let last = 0
      for (const { start, end } of find(text)) {
        expect(text.slice(last, start).trim()).toBe('')
        expect(end).toBeGreaterThanOrEqual(start)
        last = end
      }
      expect(text.slice(last).trim()).toBe('')
    }),
    { numRuns: effort({ short: 60, long: 300 }) },
  )
})

test('any depth and any length take time in proportion', () => {
  const texts = [
    '> '.repeat(50_000),
    '- '.repeat(50_000),
    '#'.repeat(200_000),
    `# ${'*'.repeat(200_000)}`,
    '`'.repeat(200_000),
    `# a${' '.repeat(200_000)}b`,
    '|-'.repeat(100_000),
    '[('.repeat(100_000),
  ]
  expect(processorMs(() => texts.map((text) => find(text)))).toBeLessThan(2000)
})
