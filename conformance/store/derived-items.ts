// What is read back of a derivation is what was written: items exactly, readings approximately.

import assert from 'node:assert/strict'
import { messageId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  anItem,
  aVector,
  fillTwo,
  itemKeys,
  itemsOf,
  mustCommit,
  readingOf,
  readingPositions,
  readingsOf,
} from './derived-samples.ts'
import { aKey, at, upTo } from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')
const reader = readingOf(trip)

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

const bytesOf = (vector: Float32Array | undefined): readonly number[] | undefined =>
  vector && [...new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)]

export const derivedItems: readonly ConformanceCase[] = [
  {
    name: 'things come back as they were put, their vectors to the last bit',
    async run(store) {
      await fillTwo(store)
      // Not at the start of its buffer, like a slice of many vectors.
      const odd = new Float32Array([9, 9, 9, -0, 1e-45, 3.4e38, 1 / 3, Number.NaN, -1]).subarray(3)
      const rich = anItem('rich 😀', {
        kind: 'entity',
        body: { text: 'NUL \u0000, "quoted"', list: [1, { a: null }], '': -0.1 },
        vector: odd,
        sources: ['m0', 'm4'].map(messageId),
        madeBy: 'a model/2026-05',
        madeAt: new Date(at(3).getTime() + 7),
        tokens: 0,
      })
      const wide = anItem('wide', { kind: 'entity', vector: aVector(1, 1536), sources: [] })
      await mustCommit(store, reader, { put: [rich, wide, anItem('plain', { kind: 'entity' })] })
      const all = { kind: 'entity', withVectors: true } as const
      const items = await itemsOf(store, all)
      assert.deepEqual(
        items.map(({ vector }) => bytesOf(vector)),
        [bytesOf(odd), bytesOf(aVector(1, 1536)), undefined],
      )
      assert.deepEqual(await itemsOf(store, { ...all, conversation: reader.conversation }), items)
      const [named] = await itemsOf(store, { ...all, conversation: reader.conversation, key: 'rich 😀' })
      assert.deepEqual(named, items[0])
      const { vector: _, number, ...first } = items[0] ?? assert.fail('nothing was put')
      const { vector: __, ...expected } = rich
      assert.deepEqual(first, { ...expected, conversationId: 'trip' })
      assert.ok(number > 0)
      assert.ok(!('vector' in (items[2] ?? {})))
    },
  },
  {
    name: 'things come without their vectors, unless they are asked for',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { put: [anItem('a', { vector: aVector(1) })] })
      const { conversation } = reader
      for (const list of [{}, { conversation }, { conversation, key: 'a' }, { conversation, limit: 1 }]) {
        const [item] = await itemsOf(store, list)
        assert.equal(item?.key, 'a')
        assert.ok(!('vector' in item))
      }
    },
  },
  {
    name: 'a thing that is put again takes the place of the old one and comes last',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { put: [anItem('a', { vector: aVector(1) }), anItem('b')] })
      await mustCommit(store, reader, { revision: 1, put: [anItem('a', { body: { now: true } })] })
      const items = await itemsOf(store, { withVectors: true })
      assert.deepEqual(
        items.map(({ key }) => key),
        ['b', 'a'],
      )
      assert.deepEqual(items[1]?.body, { now: true })
      assert.ok(!('vector' in (items[1] ?? {})))
      await mustCommit(store, reader, { revision: 2, put: [anItem('a', { kind: 'topic' })] })
      assert.deepEqual(await itemKeys(store), ['b', 'a'], 'another kind, another thing')
    },
  },
  {
    name: 'a thing that is dropped is gone, and what is dropped and put at once is there',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { put: [anItem('a'), anItem('b'), anItem('c')] })
      await mustCommit(store, reader, {
        revision: 1,
        drop: [anItem('a'), anItem('b'), anItem('nobody'), anItem('c', { kind: 'topic' })],
        put: [anItem('b', { body: { now: true } })],
      })
      const items = await itemsOf(store)
      assert.deepEqual(
        items.map(({ key, body }) => [key, body]),
        [
          ['c', anItem('c').body],
          ['b', { now: true }],
        ],
      )
    },
  },
  {
    name: 'items are listed by workspace or conversation, by key, and after a number',
    async run(store) {
      await fillTwo(store)
      await mustCommit(store, reader, { put: [anItem('a'), anItem('b'), anItem('t', { kind: 'topic' })] })
      await mustCommit(store, readingOf(other), { put: [anItem('a'), anItem('c')] })
      await mustCommit(store, reader, { revision: 1, put: [anItem('d')] })
      const items = await itemsOf(store)
      assert.deepEqual(
        items.map(({ key, conversationId }) => `${conversationId} ${key}`),
        ['trip a', 'trip b', 'other a', 'other c', 'trip d'],
      )
      const numbers = items.map(({ number }) => number)
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      assert.deepEqual(await itemKeys(store, trip), ['a', 'b', 'd'])
      assert.deepEqual(await itemKeys(store, other), ['a', 'c'])
      assert.deepEqual(await itemKeys(store, { key: 'a' }), ['a', 'a'])
      assert.deepEqual(await itemKeys(store, { ...other, key: 'a' }), ['a'])
      assert.deepEqual(await itemKeys(store, { after: numbers[2] ?? 0 }), ['c', 'd'])
      assert.deepEqual(await itemKeys(store, { ...trip, after: numbers[1] ?? 0 }), ['d'])
      assert.deepEqual(await itemKeys(store, { after: numbers[1] ?? 0, limit: 2 }), ['a', 'c'])
      assert.deepEqual(await itemKeys(store, { ...trip, limit: 1 }), ['a'])
      assert.deepEqual(await itemKeys(store, { kind: 'topic' }), ['t'])
      assert.deepEqual(await itemKeys(store, { kind: 'summary' }), [])
      assert.deepEqual(await itemKeys(store, { deriver: 'nobody' }), [])
    },
  },
  {
    name: 'readings come back in order, their vectors within a hundredth of a cosine',
    async run(store) {
      await fillTwo(store)
      const vectors = [
        aVector(1, 3),
        aVector(2, 256),
        aVector(3, 1536),
        Float32Array.of(1e-8, 0, -2e-8, 0.4e-8),
        Float32Array.of(1000, -999, 0.5),
      ]
      const readings = vectors.map((vector, position) => ({ position, topic: 0, vector }))
      await mustCommit(store, reader, { cursor: 5, readings: readings.toReversed() })
      const found = await readingsOf(store, trip)
      assert.deepEqual(
        found.map(({ position }) => position),
        upTo(5),
      )
      for (const [i, vector] of vectors.entries()) {
        const kept = found[i]?.vector ?? assert.fail('a vector is missing')
        assert.equal(kept.length, vector.length)
        assert.ok(cosine(vector, kept) > 0.99, `vector ${i}: ${cosine(vector, kept)}`)
      }
    },
  },
  {
    name: 'a reading without a vector has none, and putting it again keeps an existing vector',
    async run(store) {
      await fillTwo(store)
      const zero = { position: 1, topic: 0, vector: new Float32Array(4) }
      await mustCommit(store, reader, { cursor: 2, readings: [{ position: 0, topic: 0 }, zero] })
      assert.deepEqual(await readingsOf(store, trip), [{ position: 0, topic: 0 }, zero])
      const again = [
        { position: 0, topic: 0, vector: Float32Array.of(1, 0) },
        { position: 1, topic: 1 },
      ]
      await mustCommit(store, reader, { revision: 1, cursor: 2, readings: again })
      const found = await readingsOf(store, trip)
      assert.deepEqual(
        found.map(({ topic, vector }) => [topic, vector?.length]),
        [
          [0, 2],
          [1, 4],
        ],
      )
    },
  },
  {
    name: 'readings can be filtered by range and topic, up to a limit',
    async run(store) {
      await fillTwo(store)
      const readings = upTo(5).map((position) => ({ position, topic: position % 2 }))
      await mustCommit(store, reader, { cursor: 5, readings })
      const positions = (list: object) => readingPositions(store, trip, list)
      assert.deepEqual(await positions({ after: 1 }), [2, 3, 4])
      assert.deepEqual(await positions({ before: 3 }), [0, 1, 2])
      assert.deepEqual(await positions({ after: 0, before: 4, limit: 2 }), [1, 2])
      assert.deepEqual(await positions({ topic: 0 }), [0, 2, 4])
      assert.deepEqual(await positions({ topic: 1, after: 1 }), [3])
      assert.deepEqual(await positions({ topic: 0, before: 4, limit: 1 }), [0])
      assert.deepEqual(await positions({ topic: 7 }), [])
    },
  },
]
