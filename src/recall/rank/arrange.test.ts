import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seatInstructions, spreadOut } from './arrange.ts'

const ranked = (name: string, score: number) => ({ name, score })
const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

describe('standing instructions', () => {
  test('get the third place and every fourth after it', () => {
    const others = Array.from({ length: 12 }, (_, i) => ranked(`m${i + 1}`, 1 - i / 100))
    const orders = ['always', 'never', 'only'].map((name) => ranked(name, 0.1))
    const seated = namesOf(seatInstructions(others, orders))
    expect([seated[2], seated[6], seated[10]]).toEqual(['always', 'never', 'only'])
    expect(seated).toHaveLength(15)
  })

  test('come before it where they are the better answer', () => {
    const others = [ranked('m1', 0.5), ranked('m2', 0.4), ranked('m3', 0.3)]
    const orders = [ranked('always', 0.9), ranked('never', 0.1)]
    expect(namesOf(seatInstructions(others, orders))).toEqual(['always', 'm1', 'never', 'm2', 'm3'])
  })

  test('fill up where there is nothing else', () => {
    const orders = [ranked('always', 0.2), ranked('never', 0.1)]
    expect(namesOf(seatInstructions([ranked('m1', 0.3)], orders))).toEqual(['m1', 'always', 'never'])
    expect(namesOf(seatInstructions([], orders))).toEqual(['always', 'never'])
  })

  test('lose nothing, double nothing, and leave both orders as they are', () => {
    const list = fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })
      .map((scores) => [...scores].sort((one, other) => other - one).map((score) => ({ score })))
    fc.assert(
      fc.property(list, list, (others, instructions) => {
        const seated = seatInstructions(others, instructions)
        expect(seated).toHaveLength(others.length + instructions.length)
        expect(seated.filter((item) => others.includes(item))).toEqual(others)
        expect(seated.filter((item) => instructions.includes(item))).toEqual(instructions)
        for (const [i, item] of seated.entries()) {
          if (!instructions.includes(item) || (i - 2) % 4 === 0) continue
          const rest = seated.slice(i + 1).filter((later) => others.includes(later))
          for (const { score } of rest) expect(score).toBeLessThan(item.score)
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
