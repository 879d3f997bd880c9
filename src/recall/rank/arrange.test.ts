import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seatInstructions, spreadOut } from './arrange.ts'

describe('standing instructions', () => {
  test('get the third place and every fourth after it', () => {
    const others = Array.from({ length: 12 }, (_, i) => `m${i + 1}`)
    const seated = seatInstructions(others, ['always', 'never', 'only'])
    expect([seated[2], seated[6], seated[10]]).toEqual(['always', 'never', 'only'])
    expect(seated).toHaveLength(15)
  })

  test('fill up where there is nothing else', () => {
    expect(seatInstructions(['m1'], ['always', 'never'])).toEqual(['m1', 'always', 'never'])
    expect(seatInstructions([], ['always'])).toEqual(['always'])
  })

  test('lose nothing, double nothing, and leave both orders as they are', () => {
    const list = fc.uniqueArray(fc.integer(), { maxLength: 30 })
    fc.assert(
      fc.property(list, list, (one, two) => {
        const others = one.map((value) => ({ value }))
        const instructions = two.map((value) => ({ value }))
        const seated = seatInstructions(others, instructions)
        expect(seated).toHaveLength(others.length + instructions.length)
        expect(seated.filter((item) => others.includes(item))).toEqual(others)
        expect(seated.filter((item) => instructions.includes(item))).toEqual(instructions)
        for (const [i, item] of seated.entries()) {
          const hasOthersLeft = seated.slice(i + 1).some((later) => others.includes(later))
          if (instructions.includes(item) && hasOthersLeft) expect((i - 2) % 4).toBe(0)
        }
      }),
    )
  })
})

describe('where the whole of a matter is asked for', () => {
  const spread = (list: readonly { score: number; group: string }[], crowding: number) =>
    spreadOut(list, { groupOf: ({ group }) => group, crowding })

  test('the sittings take turns', () => {
    const list = [
      { score: 0.9, group: 'Monday' },
      { score: 0.85, group: 'Monday' },
      { score: 0.8, group: 'Monday' },
      { score: 0.7, group: 'Friday' },
      { score: 0.6, group: 'Sunday' },
    ]
    expect(spread(list, 0.3).map(({ group }) => group)).toEqual([
      'Monday',
      'Friday',
      'Sunday',
      'Monday',
      'Monday',
    ])
    expect(spread(list, 0)).toEqual(list)
  })

  test('nothing is lost or doubled, the first stays first, and each sitting keeps its order', () => {
    const item = fc.record({
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      group: fc.constantFrom('a', 'b', 'c'),
    })
    fc.assert(
      fc.property(fc.array(item, { maxLength: 30 }), fc.constantFrom(0, 0.1, 1), (given, crowding) => {
        const list = [...given].sort((one, other) => other.score - one.score)
        const all = spread(list, crowding)
        expect(new Set(all)).toEqual(new Set(list))
        expect(all).toHaveLength(list.length)
        expect(all[0]).toBe(list[0])
        for (const name of ['a', 'b', 'c'])
          expect(all.filter(({ group }) => group === name)).toEqual(
            list.filter(({ group }) => group === name),
          )
      }),
    )
  })
})
