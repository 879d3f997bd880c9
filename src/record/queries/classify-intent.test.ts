import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FOLLOW_UPS, SEEN, UNSEEN } from '../../../test/support/intent-samples.ts'
import { processorMs } from '../../../test/support/processor-ms.ts'
import { INTENTS, type Intent } from '../../domain/page.ts'
import { classifyIntent } from './classify-intent.ts'

const intentOf = (query: string, previous?: Intent) => classifyIntent({ query, sql: null }, previous)

describe.each(INTENTS)('%s', (intent) => {
  test.each(SEEN[intent])('%s', (query) => {
    expect(intentOf(query)).toBe(intent)
  })
})

test('nine in ten queries that were not used for development are classified correctly', () => {
  const samples = INTENTS.flatMap((intent) => UNSEEN[intent].map((query) => ({ query, intent })))
  const right = samples.filter(({ query, intent }) => intentOf(query) === intent)
  expect(right.length / samples.length).toBeGreaterThan(0.9)
})

test.each(FOLLOW_UPS)('"%s" after %s is %s', (query, previous, intent) => {
  expect(intentOf(query, previous)).toBe(intent)
})

test('where SQL was made for it, a query asks for data', () => {
  const sql = 'SELECT count(*) FROM customer'
  expect(classifyIntent({ query: 'and in Lisbon?', sql }, 'general_chat')).toBe('data_query')
  expect(classifyIntent({ query: 'Explain that to me', sql }, undefined)).toBe('hybrid')
})

test('any words get one of the three, always the same', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(), fc.lorem())
  fc.assert(
    fc.property(text, fc.constantFrom(...INTENTS, undefined), (query, previous) => {
      const intent = intentOf(query, previous)
      expect(INTENTS).toContain(intent)
      expect(intentOf(query, previous)).toBe(intent)
    }),
  )
})

test('the longest query allowed is classified in milliseconds, whatever its text', () => {
  for (const piece of ['select ', 'a_', 'how ', 'x'.repeat(50), '漢', ' ']) {
    expect(processorMs(() => intentOf(piece.repeat(20_000 / piece.length)))).toBeLessThan(300)
  }
})
