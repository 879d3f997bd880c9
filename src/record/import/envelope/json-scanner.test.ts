import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effort } from '../../../../test/support/effort.ts'
import { JsonScanner, type Path, type Scanned } from './json-scanner.ts'

const encoder = new TextEncoder()
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && 'title' in value

interface Scan {
  readonly size?: number
  readonly maxBytes?: number
  readonly isOpened?: (path: Path, isList: boolean) => boolean
}

function scan(
  document: string | Uint8Array,
  { size = 7, maxBytes = 100_000, isOpened }: Scan = {},
): Scanned[] {
  const bytes = typeof document === 'string' ? encoder.encode(document) : document
  const scanner = new JsonScanner({
    maxBytes,
    isOpened: isOpened ?? ((path, isList) => path.length === 1 && isList),
    isSound: (value, path) => path.length === 2 && isRecord(value),
  })
  const scanned: Scanned[] = []
  for (let at = 0; at < bytes.length; at += size)
    scanned.push(...scanner.write(bytes.subarray(at, at + size)))
  return [...scanned, ...scanner.end()]
}

const valuesOf = (scanned: readonly Scanned[]) =>
  scanned.flatMap((item) => (item.kind === 'value' ? [item.value] : []))
const problemsOf = (scanned: readonly Scanned[]) =>
  scanned.flatMap((item) => (item.kind === 'broken' ? [item.reason] : []))

const record = fc
  .record({ title: fc.string({ unit: 'binary' }), rest: fc.jsonValue(), parts: fc.array(fc.object()) })
  .map((value) => JSON.parse(JSON.stringify(value)))

test('the elements of a list come out as they are, however the bytes are cut and spaced', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(record, fc.jsonValue()), { maxLength: 6 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 3 }),
      (elements, size, spaces) => {
        const document = JSON.stringify(elements, null, spaces)
        const scanned = scan(document, { size })
        expect(valuesOf(scanned)).toEqual(JSON.parse(document))
        expect(problemsOf(scanned)).toEqual([])
        const bytes = encoder.encode(document)
        for (const item of scanned) {
          if (item.kind !== 'value') continue
          const { offset, text } = item
          const there = new TextDecoder().decode(bytes.subarray(offset, offset + encoder.encode(text).length))
          expect(there).toBe(text)
        }
      },
    ),
  )
})

test('if the bytes of one record are damaged, all others are read and the damage is reported', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 2, maxLength: 6 }),
      fc.nat(),
      fc.nat(),
      fc.array(fc.integer({ min: 0x20, max: 0x7e }), { maxLength: 3 }),
      (records, which, where, bytes) => {
        const texts = records.map((value) => JSON.stringify(value))
        const broken = which % texts.length
        const text = encoder.encode(texts[broken])
        const at = 1 + (where % (text.length - 2))
        const mangled = Uint8Array.from([...text.subarray(0, at), ...bytes, ...text.subarray(at + 1)])
        const document = Uint8Array.from([
          ...encoder.encode(
            `[${texts
              .slice(0, broken)
              .map((one) => `${one},`)
              .join('')}`,
          ),
          ...mangled,
          ...encoder.encode(
            `${texts
              .slice(broken + 1)
              .map((one) => `,${one}`)
              .join('')}]`,
          ),
        ])
        const found = valuesOf(scan(document)).map((value) => JSON.stringify(value))
        for (const [i, expected] of texts.entries()) if (i !== broken) expect(found).toContain(expected)
      },
    ),
    { numRuns: effort({ short: 50, long: 200 }) },
  )
})

test('a truncated file is read up to the cut, and the cut is reported once', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(), (records, where) => {
      const document = JSON.stringify(records)
      const bytes = encoder.encode(document)
      const cut = 1 + (where % (bytes.length - 1))
      const scanned = scan(bytes.subarray(0, cut))
      const ends = records.map((_, i) => encoder.encode(JSON.stringify(records.slice(0, i + 1))).length - 1)
      const whole = ends.filter((end) => end <= cut).length
      expect(valuesOf(scanned)).toEqual(records.slice(0, whole))
      expect(problemsOf(scanned)).toHaveLength(1)
      expect(problemsOf(scanned)[0]).toMatch(/^the file ends/)
    }),
  )
})

describe('a document', () => {
  const [one, two, three] = ['one', 'two', 'three'].map((title) =>
    JSON.stringify({ title, list: [{ a: 1 }] }),
  )

  test.each([
    ['a brace is missing', `[${one},${two?.slice(0, -1)},${three}]`, ['one', 'three']],
    ['a brace too many', `[${one},${two}},${three}]`, ['one', 'two', 'three']],
    ['a list ends too early', `[${one},${two}],${three}]`, ['one', 'two', 'three']],
    ['a quote was lost', `[${one},${two?.replace('"two"', '"two')},${three}]`, ['one', 'three']],
    ['a comma is missing', `[${one} ${two},,${three}]`, ['one', 'two', 'three']],
    ['the first is broken', `[{"title":"x","list":[},${two},${three}]`, ['two', 'three']],
    ['there is no JSON at all', `[${one}, nothing here, ${three}]`, ['one', 'three']],
    ['one has an escape that is none', `[${one},{"title":"\\x"},${three}]`, ['one', 'three']],
    ['there are NUL characters', `[${one},\u0000\u0000,${three}]`, ['one', 'three']],
  ])('in which %s keeps the others', (_what, document, titles) => {
    const found = valuesOf(scan(document)) as { title: string }[]
    expect(found.map(({ title }) => title)).toEqual(titles)
  })

  test('names the place of what is broken', () => {
    const document = `[${one},${two?.slice(0, -1)},${three}]`
    expect(scan(document).filter(({ kind }) => kind === 'broken')).toEqual([
      { kind: 'broken', path: [0, 1], offset: 34, reason: 'mismatched brackets' },
    ])
  })

  test('with a value larger than the bound goes on after it, and holds no more than the bound', () => {
    const large = JSON.stringify({ title: 'x'.repeat(5000) })
    const scanned = scan(`[${one},${large},${three}]`, { maxBytes: 1000, size: 100 })
    expect((valuesOf(scanned) as { title: string }[]).map(({ title }) => title)).toEqual(['one', 'three'])
    expect(problemsOf(scanned)).toEqual(['larger than 1000 bytes'])
  })

  test('opens nested objects and reports when they are complete', () => {
    const document = '\ufeff{"head":1,"list":[{"title":"a"},2],"tail":{"b":[]}} {"head":2}'
    const scanned = scan(document, {
      isOpened: (path, isList) => path.length === 1 || (path.length === 2 && isList),
    })
    expect(scanned.map(({ path, kind }) => [kind, ...path].join(' '))).toEqual([
      'value 0 head',
      'value 0 list 0',
      'value 0 list 1',
      'end 0 list',
      'value 0 tail',
      'end 0',
      'value 1 head',
      'end 1',
    ])
  })

  test('keeps keys that mean something to JavaScript as plain fields', () => {
    const [found] = valuesOf(scan('[{"__proto__":{"polluted":true},"title":"a"}]')) as object[]
    expect(Object.keys(found ?? {})).toEqual(['__proto__', 'title'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('nested a million deep, or torn a hundred thousand times, is done in a moment', () => {
    const deep = `[${'['.repeat(1e6)}${']'.repeat(1e6)},${one}]`
    expect(valuesOf(scan(deep, { size: 65_536, maxBytes: 1e7 }))).toHaveLength(2)
    const torn = `[${',{"title":'.repeat(1e5)},${one}]`
    expect(problemsOf(scan(torn, { size: 65_536, maxBytes: 1e7 }))).toHaveLength(1)
  }, 20_000)
})
