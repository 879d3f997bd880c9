import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inPieces } from '../../../../test/support/open-temporary.ts'
import { encodePieces, peek } from './detect-envelope.ts'
import { type ForeignRecord, readDocumentRecords, readLineRecords } from './read-records.ts'

const rules = { maxBytes: 200, isRecord: (value: unknown) => typeof value === 'object' && value !== null }

async function collect(records: AsyncIterable<ForeignRecord>): Promise<readonly unknown[]> {
  const collected: unknown[] = []
  for await (const { place, ...record } of records) {
    const what = 'value' in record ? record.value : record.problem
    collected.push([place.line ?? place.number, what])
  }
  return collected
}

const bytesOf = (text: string, size = 5) => encodePieces(inPieces(text, size))
const readLines = (text: string, size?: number) => collect(readLineRecords(bytesOf(text, size), rules))
const readDocument = (text: string, size?: number) => collect(readDocumentRecords(bytesOf(text, size), rules))

describe('records on lines', () => {
  test('are read line by line, whatever ends them', async () => {
    expect(await readLines('\ufeff{"a":1}\r\n\n  \n{"a":"ä😀"}\n{"a":3}')).toEqual([
      [1, { a: 1 }],
      [4, { a: 'ä😀' }],
      [5, { a: 3 }],
    ])
  })

  test('that are broken or longer than all bounds cost no other', async () => {
    const long = `{"a":"${'x'.repeat(300)}"}`
    expect(await readLines(`{"a":\n${long}\n{"a":2}\n${long}`)).toEqual([
      [1, expect.stringMatching(/^invalid JSON/)],
      [2, 'line longer than 200 bytes'],
      [3, { a: 2 }],
      [4, 'line longer than 200 bytes'],
    ])
  })

  test('come out the same however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        async (values, size) => {
          const text = values.map((value) => JSON.stringify({ value })).join('\n')
          const wide = { ...rules, maxBytes: 1e6 }
          const records = await collect(readLineRecords(bytesOf(text, size), wide))
          expect(records).toEqual(values.map((value, i) => [i + 1, JSON.parse(JSON.stringify({ value }))]))
        },
      ),
    )
  })
})

describe('records of a document', () => {
  test.each([
    ['a list', '[{"a":1},{"a":2}]', [{ a: 1 }, { a: 2 }]],
    ['a list under a key', '{"count":2,"results":[{"a":1},{"a":2}],"next":null}', [{ a: 1 }, { a: 2 }]],
    ['an object', '{"a":1,"messages":[{"b":2}]}', [{ a: 1, messages: [{ b: 2 }] }]],
    ['objects in a row', '{"a":1}\n\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['an empty list', '[]', []],
    ['an empty object', '{}', []],
  ])('stand in %s', async (_what, text, values) => {
    expect(await readDocument(text)).toEqual(values.map((value, i) => [i + 1, value]))
  })

  test('that are too large or damaged are reported, consecutive ones together', async () => {
    const large = `{"a":"${'x'.repeat(300)}"}`
    expect(await readDocument(`[{"a":1},${large},{"a":],{"a":4}]`)).toEqual([
      [1, { a: 1 }],
      [2, 'larger than 200 bytes'],
      [3, { a: 4 }],
    ])
    expect(await readDocument(`{"a":"${'x'.repeat(150)}","b":"${'x'.repeat(150)}"}`)).toEqual([
      [1, 'larger than 200 bytes'],
    ])
  })
})

test('looking at the beginning of a stream takes nothing away, and ends it when the reader stops', async () => {
  let isEnded = false
  async function* pieces() {
    try {
      for (const piece of ['one ', 'two ', 'three ', 'four']) yield piece
    } finally {
      isEnded = true
    }
  }
  const { head, bytes } = await peek(pieces(), { maxBytes: 6 })
  expect(new TextDecoder().decode(head)).toBe('one two ')
  let text = ''
  for await (const piece of bytes) {
    text += new TextDecoder().decode(piece)
    if (text.includes('three')) break
  }
  expect(text).toBe('one two three ')
  expect(isEnded).toBe(true)
})
