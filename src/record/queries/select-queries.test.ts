import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageId, queryId } from '../../domain/ids.ts'
import type { Query } from '../../domain/page.ts'
import { rankPositions, selectQueries } from './read-history.ts'

const query = (position: number): Query => ({
  id: queryId(`q${position}`),
  pageId: pageId('home'),
  position,
  query: `question ${position}`,
  intent: 'data_query',
  sql: null,
  results: null,
  response: null,
  important: false,
  createdAt: new Date(0),
})

const at = (...positions: number[]) => positions.map(query)
const positionsOf = (queries: readonly Query[]) => queries.map(({ position }) => position)

describe('a selection', () => {
  test('has the ends, the flagged and the relevant, each once and in order', () => {
    const selected = selectQueries({
      first: at(0, 1),
      last: at(95, 96, 97, 98, 99),
      flagged: at(1, 40, 96),
      relevant: at(50, 40, 7, 99),
    })
    expect(positionsOf(selected)).toEqual([0, 1, 7, 40, 50, 95, 96, 97, 98, 99])
  })

  test('with less room keeps the end before the beginning, the flagged before the relevant', () => {
    const candidates = { first: at(0, 1), last: at(8, 9), flagged: at(4, 5), relevant: at(6, 3) }
    const select = (most: number) => positionsOf(selectQueries(candidates, most))
    expect(select(1)).toEqual([9])
    expect(select(2)).toEqual([8, 9])
    expect(select(3)).toEqual([0, 8, 9])
    expect(select(5)).toEqual([0, 1, 5, 8, 9])
    expect(select(7)).toEqual([0, 1, 4, 5, 6, 8, 9])
  })

  test('of anything is without doubles, in order, and has all that it was given and nothing else', () => {
    const some = fc.array(fc.nat(30)).map((positions) => [...new Set(positions)].map(query))
    const candidates = fc.record({ first: some, last: some, flagged: some, relevant: some })
    fc.assert(
      fc.property(candidates, (given) => {
        const selected = positionsOf(selectQueries(given))
        expect(selected).toEqual([...new Set(selected)].sort((a, b) => a - b))
        const all = [...given.first, ...given.last, ...given.flagged, ...given.relevant]
        expect(new Set(selected)).toEqual(new Set(positionsOf(all)))
      }),
    )
  })

  test('with a limit is never larger, and a part of what it is without', () => {
    const some = fc.array(fc.nat(30)).map((positions) => [...new Set(positions)].map(query))
    const candidates = fc.record({ first: some, last: some, flagged: some, relevant: some })
    fc.assert(
      fc.property(candidates, fc.nat(40), (given, most) => {
        const whole = positionsOf(selectQueries(given))
        const limited = positionsOf(selectQueries(given, most))
        expect(limited.length).toBe(Math.min(most, whole.length))
        expect(whole).toEqual(expect.arrayContaining(limited))
      }),
    )
  })
})

describe('what belongs to a question', () => {
  test('has its rare words before its common ones, and more words before fewer', () => {
    const common = { positions: [90, 80, 70, 60, 50, 40, 30, 20, 10], count: 9 }
    const rare = { positions: [20, 5], count: 2 }
    expect(rankPositions([common, rare], 100).slice(0, 3)).toEqual([20, 5, 90])
  })

  test('is the newer of two that share the same words', () => {
    expect(rankPositions([{ positions: [1, 3, 2], count: 3 }], 10)).toEqual([3, 2, 1])
  })

  test('shares more than a word that is nearly everywhere', () => {
    const everywhere = { positions: [9, 8, 7, 6, 5, 4, 3], count: 900 }
    const rare = [{ positions: [1], count: 1 }]
    expect(rankPositions([everywhere, ...rare], 1000)).toEqual([1])
  })

  test('is what has one word of many, where nothing has more', () => {
    const scattered = [0, 1, 2, 3, 4].map((position) => ({ positions: [position], count: 1 }))
    expect(rankPositions(scattered, 51)).toEqual([4, 3, 2, 1, 0])
  })

  test('is nothing where no word is found', () => {
    expect(rankPositions([], 10)).toEqual([])
    expect(rankPositions([{ positions: [], count: 0 }], 10)).toEqual([])
  })

  test('is never invented, and each position comes once', () => {
    const word = fc.array(fc.nat(50), { maxLength: 60 }).map((positions) => ({
      positions,
      count: Math.max(1, new Set(positions).size),
    }))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (hits) => {
        const ranked = rankPositions(hits, 51)
        expect(new Set(ranked).size).toBe(ranked.length)
        const known = new Set(hits.flatMap(({ positions }) => positions))
        for (const position of ranked) expect(known.has(position)).toBe(true)
        if (known.size > 0) expect(ranked.length).toBeGreaterThan(0)
      }),
    )
  })
})
