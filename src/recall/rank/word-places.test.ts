import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MessageLocator } from '../../domain/locator.ts'
import { lowerBound, merge, presenceAt, toWordPlaces, without } from './word-places.ts'

const somePlaces = fc.uniqueArray(fc.nat(60), { maxLength: 30 })

test('the word itself counts in full, a synonym a share, each position once and in order', () => {
  fc.assert(
    fc.property(somePlaces, somePlaces, (own, others) => {
      const found = toWordPlaces(own, { places: others, share: 0.5 })
      const expected = new Map([
        ...others.map((place) => [place, 0.5] as const),
        ...own.map((place) => [place, 1] as const),
      ])
      const sorted = [...expected].sort(([one], [other]) => one - other)
      expect([...found.places]).toEqual(sorted.map(([place]) => place))
      expect([...found.presences]).toEqual(sorted.map(([, presence]) => presence))
      for (let place = 0; place <= 61; place++)
        expect(presenceAt(found, place as MessageLocator)).toBe(expected.get(place) ?? 0)
    }),
  )
})

test('of two lists, the first counts where a place is in both', () => {
  const merged = merge(toWordPlaces([3, 1]), {
    places: Float64Array.of(1, 2),
    presences: Float64Array.of(0.5, 0.5),
  })
  expect([...merged.places]).toEqual([1, 2, 3])
  expect([...merged.presences]).toEqual([1, 0.5, 1])
})

test('a place that is taken out is gone, and no other', () => {
  fc.assert(
    fc.property(somePlaces, fc.nat(60), (own, place) => {
      const left = without(toWordPlaces(own), place as MessageLocator)
      expect([...left.places]).toEqual(own.filter((other) => other !== place).sort((a, b) => a - b))
      expect(left.presences).toHaveLength(left.places.length)
    }),
  )
})

test('the first index of a value that is not below another', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(22), (list, value) => {
      const sorted = list.sort((a, b) => a - b)
      expect(lowerBound(sorted, value)).toBe(sorted.filter((one) => one < value).length)
    }),
  )
})
