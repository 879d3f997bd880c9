import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SeededRandom } from '../../test/support/seeded-random.ts'
import { type Block, canPack, type PlacedWords, packMessages, unpackMessages } from './pack-messages.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map((wild) => wild.toWellFormed()),
  fc.constantFrom('', '\0', '\n', '\t', '\\n', '😀', 'שלום', '\u2028', '"', 'tab\tand\nline'),
  fc.integer({ min: 1, max: 4000 }).map((times) => 'the same again '.repeat(times)),
)
const metadata = fc.option(
  fc.dictionary(text, fc.jsonValue(), { maxKeys: 3 }).map((json) => JSON.stringify(json)),
)
const words = fc.record({
  content: fc.oneof(text, fc.jsonValue()).map((json) => JSON.stringify(json)),
  metadata,
})

/** Messages at arbitrary positions, in order. */
const messages = fc
  .tuple(
    fc.array(words, { minLength: 1, maxLength: 64 }),
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 64, maxLength: 64 }),
  )
  .map(([list, steps]): readonly PlacedWords[] => {
    let position = -1
    return list.map((each, i) => {
      position += steps[i] ?? 1
      return { position, ...each }
    })
  })

const toMap = (list: readonly PlacedWords[]) =>
  new Map(list.map(({ position, content, metadata: more }) => [position, { content, metadata: more }]))

test('any messages are unpacked byte for byte, in order', () => {
  fc.assert(
    fc.property(messages, (list) => {
      expect(list.every(canPack)).toBe(true)
      expect([...unpackMessages(packMessages(list))]).toEqual([...toMap(list)])
    }),
    { numRuns: 300 },
  )
})

/** Sixty different messages, from a few bytes to two pages. */
function aTalk(seed: number): readonly PlacedWords[] {
  const random = new SeededRandom(seed)
  const vocabulary = Array.from({ length: 400 }, () => random.letters(2 + random.below(8)))
  return Array.from({ length: 60 }, (_, i) => {
    const said = Array.from({ length: 1 + random.below(i % 9 === 0 ? 800 : 60) }, () =>
      random.pick(vocabulary),
    )
    return {
      position: i * 2,
      content: JSON.stringify(said.join(' ')),
      metadata: i % 5 === 0 ? JSON.stringify({ mood: random.pick(vocabulary) }) : null,
    }
  })
}

/** The readable positions of a damaged block, after checking that their content is exact. */
function saved(block: Block, original: readonly PlacedWords[]): readonly number[] {
  const expected = toMap(original)
  const found = unpackMessages(block)
  for (const [position, each] of found) expect(each).toEqual(expected.get(position))
  return [...found.keys()]
}

describe('a damaged block', () => {
  const talk = aTalk(1)
  const block = packMessages(talk)
  const withByte = (at: number, change: number): Block => {
    const body = Buffer.from(block.body)
    body[at] = (body[at] ?? 0) ^ change
    return { ...block, body }
  }

  test('returns only exact messages, whichever bit is flipped', () => {
    const random = new SeededRandom(2)
    const counts = Array.from({ length: 600 }, () => {
      return saved(withByte(random.below(block.body.length), 1 << random.below(8)), talk).length
    })
    expect(Math.max(...counts)).toBeLessThan(talk.length)
    const average = counts.reduce((sum, count) => sum + count, 0) / counts.length
    expect(average, 'about half of the messages stand before the damage').toBeGreaterThan(talk.length / 3)
  })

  test('returns its beginning if its end is missing', () => {
    const lengths = [0, 1, 2, 50, Math.floor(block.body.length / 2), block.body.length - 1]
    const counts = lengths.map(
      (length) => saved({ ...block, body: block.body.subarray(0, length) }, talk).length,
    )
    expect(counts).toEqual([...counts].sort((a, b) => a - b))
    expect(counts.slice(0, 3)).toEqual([0, 0, 0])
    expect(counts.at(-2)).toBeGreaterThan(10)
    expect(counts.at(-1)).toBeGreaterThan(40)
  })

  test('returns everything before a page that was overwritten', () => {
    const body = Buffer.from(block.body)
    body.fill(0xaa, Math.floor(body.length * 0.75))
    const kept = saved({ ...block, body }, talk)
    expect(kept.length).toBeGreaterThan(talk.length / 2)
    expect(kept).toEqual(talk.slice(0, kept.length).map(({ position }) => position))
  })

  test('returns nothing for a message of another block', () => {
    const moved = block.positions.replace(/^0,2,/, '0,3,')
    expect(saved({ ...block, positions: moved }, talk)).toEqual([])
    expect(saved({ ...block, positions: '' }, talk)).toEqual([])
  })

  test('with arbitrary bytes is read without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, hasFormat) => {
        const body = hasFormat ? Uint8Array.of(1 + (bytes.length % 2), 9, 1, ...bytes) : bytes
        expect(saved({ ...block, body }, talk)).toEqual([])
      }),
    )
  })

  test('never unpacks to more than was packed', () => {
    const large = packMessages([
      { position: 0, content: JSON.stringify('a'.repeat(5_000_000)), metadata: null },
    ])
    expect(large.body.length).toBeLessThan(1000)
    expect(unpackMessages({ ...large, bytes: 1000 }).size).toBe(0)
  })
})

test('a block is never larger than gzip of the same messages', () => {
  const talks = fc
    .tuple(fc.integer(), fc.integer({ min: 1, max: 60 }))
    .map(([seed, count]) => aTalk(seed).slice(0, count))
  fc.assert(
    fc.property(fc.oneof(messages, talks), (list) => {
      const lines = list.map(({ content, metadata: more }) =>
        more === null ? `${content}\n` : `${content}\t${more}\n`,
      )
      const gzip = gzipSync(lines.join(''), { level: 9 })
      expect(packMessages(list).body.length).toBeLessThanOrEqual(gzip.length)
    }),
    { numRuns: 300 },
  )
})

test('JSON that contains line breaks is detected as not packable', () => {
  expect(canPack({ content: '[\n]', metadata: null })).toBe(false)
  expect(canPack({ content: '""', metadata: '{\t}' })).toBe(false)
  expect(() => packMessages([{ position: 0, content: '[\n]', metadata: null }])).toThrow(TypeError)
})
