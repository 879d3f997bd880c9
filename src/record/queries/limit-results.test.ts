import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../domain/json.ts'
import { limitResults } from './update-page.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const json = fc.jsonValue().map((value): JsonValue => JSON.parse(JSON.stringify(value)))

describe('results that are too large', () => {
  test('keep their first rows and the original number of rows', () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ city: 'Łódź', i }))
    const { results, resultsTruncated } = limitResults(rows, 200)
    expect(results).toEqual(rows.slice(0, (results as JsonValue[]).length))
    expect((results as JsonValue[]).length).toBeGreaterThan(5)
    expect(resultsTruncated).toEqual({ rows: 100, bytes: bytesOf(rows) })
  })

  test('as an object with rows in it keep everything else of it', () => {
    const rows = Array.from({ length: 100 }, (_, i) => [i, 'x'])
    const { results, resultsTruncated } = limitResults({ columns: ['i', 'name'], rows, took: 5 }, 200)
    expect(results).toMatchObject({ columns: ['i', 'name'], took: 5 })
    expect((results as { rows: unknown[] }).rows).toEqual(rows.slice(0, 18))
    expect(resultsTruncated).toMatchObject({ rows: 100 })
  })

  test('as a text keep its beginning, and no half characters', () => {
    const { results, resultsTruncated } = limitResults('😀'.repeat(50), 45)
    expect(results).toBe('😀'.repeat(10))
    expect(resultsTruncated).toEqual({ bytes: 202 })
  })

  test('of which nothing can be kept leave the note', () => {
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key${i}`, i]))
    expect(limitResults(wide, 100)).toEqual({ results: null, resultsTruncated: { bytes: bytesOf(wide) } })
    expect(limitResults([wide, wide], 100)).toMatchObject({ results: [], resultsTruncated: { rows: 2 } })
    expect(limitResults({ ...wide, rows: [1, 2] }, 100)).toMatchObject({ results: null })
  })
})

test('any results fit after truncation, and truncated ones say so', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 4, max: 300 }), (given, maxBytes) => {
      const { results, resultsTruncated } = limitResults(given, maxBytes)
      expect(bytesOf(results)).toBeLessThanOrEqual(maxBytes)
      if (resultsTruncated === undefined) expect(results).toEqual(given)
      else expect(resultsTruncated.bytes).toBe(bytesOf(given))
      if (resultsTruncated === undefined) return
      expect(resultsTruncated.bytes).toBeGreaterThan(maxBytes)
      if (Array.isArray(given)) expect(results).toEqual(given.slice(0, (results as JsonValue[]).length))
    }),
    { numRuns: 1000 },
  )
})

test('as many rows are kept as fit', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 1 }), fc.integer({ min: 4, max: 300 }), (rows, maxBytes) => {
      const { results } = limitResults(rows, maxBytes)
      const kept = (results as JsonValue[]).length
      if (kept < rows.length) expect(bytesOf(rows.slice(0, kept + 1))).toBeGreaterThan(maxBytes)
    }),
  )
})
