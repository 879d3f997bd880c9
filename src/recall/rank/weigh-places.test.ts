import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MessageLocator, toLocator } from '../../domain/locator.ts'
import { bestPlaces, nearnessAt } from './weigh-places.ts'
import type { TermMatches } from './word-matches.ts'

const sortedOf = (places: ReadonlyMap<MessageLocator, number>) => {
  const sorted = [...places].sort(([one], [other]) => one - other)
  return {
    places: Float64Array.from(sorted, ([place]) => place),
    presences: Float64Array.from(sorted, ([, presence]) => presence),
  }
}

const matchesOf = (places: readonly (readonly [MessageLocator, number])[], weight = 1): TermMatches =>
  ({
    term: { word: 'word', forms: ['word'], relatives: [], distant: [], weight: 1 },
    weight,
    ...sortedOf(new Map(places)),
    count: places.length,
  }) as TermMatches

const at = (position: number, presence = 1, conversation = 3) =>
  [toLocator(conversation, position), presence] as const
const aPlace = fc.tuple(
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(0.5, 1),
)
const somePlaces = fc
  .array(aPlace, { maxLength: 20 })
  .map((found) => found.map(([conversation, position, presence]) => at(position, presence, conversation)))

/** Every place that a word in somePlaces can be near to. */
const AROUND = [1, 2, 3, 4].flatMap((conversation) =>
  Array.from({ length: 50 }, (_, position) => toLocator(conversation, position)),
)

describe('nearness of a word', () => {
  const nearTo = (found: readonly (readonly [MessageLocator, number])[]) => {
    const near = matchesOf(found)
    return (place: MessageLocator) => nearnessAt(near, place)
  }

  test('is full in the message itself, and less with every message in between', () => {
    const near = nearTo([at(10)])
    const values = [0, 1, 2, 3, 4, 5].map((away) => near(toLocator(3, 10 + away)))
    expect(values[0]).toBe(1)
    expect(values).toEqual([...values].sort((one, other) => other - one))
    expect(new Set(values).size).toBe(values.length)
    for (const away of [1, 2, 3, 4, 5])
      expect(near(toLocator(3, 10 - away))).toBe(near(toLocator(3, 10 + away)))
    expect(near(toLocator(3, 16))).toBe(0)
  })

  test('does not reach over into another conversation', () => {
    const near = nearTo([at(1)])
    expect(near((toLocator(3, 0) - 1) as MessageLocator)).toBe(0)
    expect(near(toLocator(3, 0))).toBeGreaterThan(0)
  })

  test('of a synonym is half', () => {
    expect(nearTo([at(10, 0.5)])(toLocator(3, 10))).toBe(0.5)
  })

  test('is never above 1, and most where the word is', () => {
    fc.assert(
      fc.property(somePlaces, (places) => {
        const near = nearTo(places)
        for (const place of AROUND) {
          expect(near(place)).toBeGreaterThanOrEqual(0)
          expect(near(place)).toBeLessThanOrEqual(1)
        }
        for (const [place, presence] of new Map(places)) expect(near(place)).toBeGreaterThanOrEqual(presence)
      }),
    )
  })

  test('never falls when one more message has the word', () => {
    fc.assert(
      fc.property(somePlaces, aPlace, (places, [conversation, position, presence]) => {
        const added = at(position, presence, conversation)
        const after = new Map(places)
        after.set(added[0], Math.max(presence, after.get(added[0]) ?? 0))
        const [before, then] = [nearTo(places), nearTo([...after])]
        for (const place of AROUND) expect(then(place)).toBeGreaterThanOrEqual(before(place))
      }),
    )
  })
})

describe('the best places', () => {
  test('begin with the message that has all of the words', () => {
    const matches = [matchesOf([at(4), at(20)]), matchesOf([at(20), at(33)])]
    expect(bestPlaces(matches, 100)[0]).toBe(toLocator(3, 20))
  })

  test('put the message with the word before its neighbours, and the rarer word before the common one', () => {
    expect(bestPlaces([matchesOf([at(10)])], 100)[0]).toBe(toLocator(3, 10))
    expect(bestPlaces([matchesOf([at(10)], 1), matchesOf([at(30)], 2)], 1)).toEqual([toLocator(3, 30)])
  })

  test('put a message between two words before one that has neither near', () => {
    const places = bestPlaces([matchesOf([at(10)]), matchesOf([at(12)])], 100)
    expect(places.indexOf(toLocator(3, 11))).toBeLessThan(places.indexOf(toLocator(3, 8)))
  })

  test('beside a word that very many messages have are those with another word, or with it', () => {
    const often = matchesOf(Array.from({ length: 250 }, (_, i) => at(10 * i)))
    const places = bestPlaces([often, matchesOf([at(22)])], 1000)
    expect(places).toContain(toLocator(3, 21))
    expect(places).toContain(toLocator(3, 500))
    expect(places).not.toContain(toLocator(3, 501))
  })

  test('are near a word, none of them twice, and no more than the limit', () => {
    fc.assert(
      fc.property(somePlaces, somePlaces, fc.integer({ min: 1, max: 50 }), (one, other, limit) => {
        const matches = [matchesOf(one), matchesOf(other)]
        const places = bestPlaces(matches, limit)
        expect(places.length).toBeLessThanOrEqual(limit)
        expect(new Set(places).size).toBe(places.length)
        for (const place of places) expect(matches.some((of) => nearnessAt(of, place) > 0)).toBe(true)
        expect(bestPlaces(matches, limit + 10).slice(0, places.length)).toEqual(places)
      }),
    )
  })
})
