import { expect, test } from 'vitest'
import { resolveConfig, withTuning } from '../../options/resolve-options.ts'
import type { NewQuery } from '../../schemas/page.ts'
import { acceptQuery } from './update-page.ts'

const now = new Date('2026-05-01T12:00:00Z')
const { limits } = resolveConfig(
  withTuning({}, { limits: { queryCharacters: 50, responseCharacters: 80, resultBytes: 40, depth: 3 } }),
)
const accept = (query: NewQuery) => acceptQuery(query, { limits, now })

test('what is left out is filled in', () => {
  expect(accept({ query: 'How many?' })).toEqual({
    id: expect.stringMatching(/^[0-9a-z]{26}$/),
    query: 'How many?',
    sql: null,
    results: null,
    response: null,
    important: false,
    createdAt: now,
  })
})

test('what is given is kept as it is, and out of the caller’s hands', () => {
  const results = [{ n: 1, gone: undefined }]
  const accepted = accept({
    id: 'q1',
    query: ' How\nmany?\u0000 ',
    intent: 'hybrid',
    sql: 'SELECT 1',
    results: results as never,
    response: 'One.',
    important: true,
    createdAt: '2026-04-01T00:00:00Z',
  })
  results.push({ n: 2, gone: undefined })
  expect(accepted).toEqual({
    id: 'q1',
    query: ' How\nmany?\u0000 ',
    intent: 'hybrid',
    sql: 'SELECT 1',
    results: [{ n: 1 }],
    response: 'One.',
    important: true,
    createdAt: new Date('2026-04-01T00:00:00Z'),
  })
})

test('null is as good as left out', () => {
  expect(accept({ query: 'x', sql: null, results: null, response: null })).toMatchObject({
    sql: null,
    results: null,
    response: null,
  })
})

test('results that are too large are kept in part, with a note', () => {
  expect(accept({ query: 'x', results: ['a'.repeat(20), 'b'.repeat(20)] })).toMatchObject({
    results: ['a'.repeat(20)],
    resultsTruncated: { rows: 2, bytes: 47 },
  })
})

test.each([
  ['no object', 'How many?', 'must be an object'],
  ['a field that there is not', { query: 'x', answer: 'y' }, 'unknown field "answer" in a query'],
  ['an empty query', { query: ' ' }, 'query must not be empty'],
  ['a query that is no text', { query: 5 }, 'query must be a string, not 5'],
  ['a query that is too long', { query: 'x'.repeat(51) }, '51 characters'],
  ['SQL that is too long', { query: 'x', sql: 'x'.repeat(51) }, 'sql has 51 characters'],
  ['a response that is too long', { query: 'x', response: 'x'.repeat(81) }, 'response has 81'],
  [
    'an intent that there is not',
    { query: 'x', intent: 'chat' },
    'intent must be one of general_chat, data_query, hybrid, not "chat"',
  ],
  ['a flag that is none', { query: 'x', important: 'yes' }, 'true or false'],
  ['results that JSON cannot hold', { query: 'x', results: [new Date()] }, 'Date'],
  ['results that are nested too deeply', { query: 'x', results: [[[[1]]]] }, 'too deeply'],
  ['half of a character', { query: '\ud800' }, 'unpaired surrogate'],
  ['a time that is none', { query: 'x', createdAt: 'soon' }, 'createdAt'],
  ['an id with a line end', { query: 'x', id: 'a\n' }, 'control characters'],
])('%s is refused', (_what, query, message) => {
  expect(() => accept(query as NewQuery)).toThrow(message)
})
