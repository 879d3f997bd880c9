import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFrom, keepPacked, unpackNumbers } from './packed-rows.ts'
import { blockOf, ENTRIES } from './word-index.ts'

/** Packs the rows of a word as PostgreSQL does: highest block first, the entries of each in the order given. */
function pack(numbers: readonly number[]): Uint8Array {
  const blocks = [...new Set(numbers.map(blockOf))].sort((a, b) => b - a)
  return Buffer.concat(
    blocks.flatMap((block) => {
      const entries = numbers.filter((number) => blockOf(number) === block).map((number) => number % ENTRIES)
      const head = Buffer.alloc(10)
      head.writeBigInt64BE(BigInt(block))
      head.writeUInt16BE(entries.length, 8)
      return [head, Buffer.from(entries)]
    }),
  )
}

const inOrder = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => b - a)
/** Some close together, some far apart. */
const number = fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 2 ** 40, max: 2 ** 40 + 600 }))
const list = fc.oneof(
  fc.uniqueArray(number, { maxLength: 60 }),
  fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 3 }),
)
const lists = fc.array(list, { maxLength: 4 })

test('unpacked entries are in order, without duplicates, down to the given block', () => {
  fc.assert(
    fc.property(lists, fc.constantFrom(0, 1, 3, 2 ** 32), (words, leastBlock) => {
      const expected = inOrder(words.flat().filter((one) => blockOf(one) >= leastBlock))
      expect([...unpackNumbers(words.map(pack), leastBlock)]).toEqual(expected)
    }),
  )
})

test('numbers are kept if one of the words has them, whether its rows are in one list or several', () => {
  fc.assert(
    fc.property(list, lists, (numbers, words) => {
      const asked = Float64Array.from(inOrder(numbers))
      const expected = [...asked].filter((one) => words.some((word) => word.includes(one)))
      expect([...keepPacked(asked, words.map(pack))]).toEqual(expected)
      expect([...keepPacked(asked, [Buffer.concat(words.map(pack))])]).toEqual(expected)
    }),
  )
})

test('two words in the same block are both checked', () => {
  const rows = Buffer.concat([pack([7]), pack([6])])
  expect([...keepPacked(Float64Array.of(7, 6), [rows])]).toEqual([7, 6])
})

test('counts the numbers that are not below another', () => {
  fc.assert(
    fc.property(list, number, (numbers, least) => {
      const sorted = Float64Array.from(inOrder(numbers))
      expect(countFrom(sorted, least)).toBe(numbers.filter((one) => one >= least).length)
    }),
  )
})
