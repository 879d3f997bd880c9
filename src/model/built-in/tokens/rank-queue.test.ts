import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RankQueue, TAKEN } from './merge-tokens.ts'
import { NO_RANK } from './token-table.ts'

const PLACES = 12

test('the places with the lowest rank are returned together, from left to right', () => {
  const rank = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant(NO_RANK))
  const moves = fc.array(fc.tuple(fc.nat(PLACES - 1), rank), { maxLength: 60 })
  fc.assert(
    fc.property(moves, (given) => {
      const queue = new RankQueue(PLACES)
      const waiting = new Map<number, number>()
      for (const [place, rank] of given) {
        queue.move(place, rank)
        waiting.set(place, rank)
      }
      for (let places = queue.takeLowest(); places.length > 0; places = queue.takeLowest()) {
        const lowest = Math.min(...waiting.values())
        const expected = [...waiting.keys()].filter((place) => waiting.get(place) === lowest)
        expect([...places]).toEqual(expected.sort((a, b) => a - b))
        for (const place of places) {
          expect(queue.ranks[place]).toBe(TAKEN)
          waiting.delete(place)
        }
      }
      expect([...waiting.values()].every((rank) => rank === NO_RANK)).toBe(true)
    }),
  )
})
