import fc from 'fast-check'
import { expect, test } from 'vitest'
import { effort } from '../../test/support/effort.ts'
import { makeTitle } from './make-title.ts'

const titleOf = (content: string) => makeTitle([{ role: 'user', content }])

test.each([
  ['I am vegetarian, and we are in Lisbon in May.', 'Lisbon in May'],
  ['How do I fix a flaky integration test in GitHub Actions?', 'Flaky integration test in GitHub Actions'],
  ['Can you show me the revenue by region for last quarter?', 'Revenue by region for last quarter'],
  ['hey, what should I cook for dinner tonight with leftover rice', 'Dinner tonight with leftover rice'],
  ['Explain the difference between TCP and UDP', 'Difference between TCP and UDP'],
  [
    'I need help planning a birthday party for my 7 year old daughter',
    'Birthday party for my 7 year old daughter',
  ],
  ['Please summarize the attached Q3 report', 'Q3 report'],
  ['Ich suche ein gutes Rezept für Apfelkuchen', 'Gutes Rezept für Apfelkuchen'],
  ['我想去北京旅游', '我想去北京旅游'],
  ['Why does `npm ci` fail?\n```\nnpm ERR! lots of lines\n```', 'Npm ci fail'],
])('%s → %s', (text, title) => {
  expect(titleOf(text)).toBe(title)
})

test('a greeting gives no title, and the next message is asked', () => {
  expect(titleOf('hi there')).toBeUndefined()
  expect(
    makeTitle([
      { role: 'user', content: 'Hello!' },
      { role: 'assistant', content: 'Hi!' },
      { role: 'user', content: 'Rust lifetimes' },
    ]),
  ).toBe('Rust lifetimes')
})

test('what the assistant or a tool says gives no title', () => {
  expect(makeTitle([{ role: 'assistant', content: 'Welcome to the support chat of Acme' }])).toBeUndefined()
})

test('a title of any text fits on a line', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.lorem({ maxCount: 60 }), fc.string({ unit: 'binary', maxLength: 300 })),
      (text) => {
        const title = titleOf(text.toWellFormed()) ?? 'none'
        expect([...title].length).toBeLessThanOrEqual(60)
        expect(title).not.toMatch(/\p{Cc}/u)
        expect(title.isWellFormed()).toBe(true)
      },
    ),
    { numRuns: effort({ short: 200, long: 1000 }) },
  )
})
