// Recall: finding messages by the similarity of their vectors.

import assert from 'node:assert/strict'
import { messageId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { mustCommit } from './derived-samples.ts'
import { findNearIds, placeOfId, sayVectors } from './recall-samples.ts'
import { aKey, at, HERE, upTo } from './samples.ts'

const trip = aKey('trip')
const named = (...ids: readonly string[]) => ({ conversations: ids.map((id) => aKey(id).conversation) })
const NORTH = [0, 1, 0, 0]

/** A unit vector, the given number of degrees east of north. */
const east = (degrees: number): readonly number[] => [
  Math.sin((degrees * Math.PI) / 180),
  Math.cos((degrees * Math.PI) / 180),
  0,
  0,
]

export const recallingMeaning: readonly ConformanceCase[] = [
  {
    name: 'the nearest in meaning come first, with their similarity, and none that is farther than asked',
    async run(store) {
      await sayVectors(store, { far: east(90), near: east(10), opposite: east(180), middle: east(40) })
      assert.deepEqual(await findNearIds(store, NORTH), ['near', 'middle', 'far', 'opposite'])
      assert.deepEqual(await findNearIds(store, NORTH, { limit: 2 }), ['near', 'middle'])
      assert.deepEqual(await findNearIds(store, NORTH, { leastSimilarity: 0.5 }), ['near', 'middle'])
      assert.deepEqual(await findNearIds(store, NORTH, { leastSimilarity: 0.99 }), [])
      const lookup = { workspace: HERE, deriver: 'reader', limit: 1, leastSimilarity: 0 }
      const [best] = await store.findNearest({ ...lookup, vector: Float32Array.from([0, 3, 0, 0]) })
      assert.equal(best?.place, await placeOfId(store, 'near'))
      assert.ok(Math.abs((best?.similarity ?? 0) - Math.cos(Math.PI / 18)) < 0.02, `${best?.similarity}`)
    },
  },
  {
    name: 'vectors are those that readers see, of the deriver that is asked for, and of the same length',
    async run(store) {
      await sayVectors(store, { a: east(0), b: [], c: [0, 1], d: [0, 0, 0, 0] })
      const first = async (deriver: string) =>
        (await findNearIds(store, NORTH, { deriver, leastSimilarity: 0.1 })).join()
      assert.equal(await first('reader'), 'a')
      assert.equal(await first('another'), '')
      const readings = [{ position: 1, topic: 0, vector: Float32Array.from(NORTH) }]
      await mustCommit(store, { ...trip, deriver: 'another' }, { cursor: 4, readings })
      assert.equal(await first('another'), 'b')
      const reader = { ...trip, deriver: 'reader' }
      await mustCommit(store, reader, { generation: 2, isActive: false, cursor: 4, readings })
      assert.equal(await first('reader'), 'a')
      await mustCommit(store, reader, { generation: 2, revision: 1, cursor: 4 })
      assert.equal(await first('reader'), 'b')
      const more = [{ position: 2, topic: 0, vector: Float32Array.from(NORTH) }]
      await mustCommit(store, reader, { generation: 2, revision: 2, cursor: 4, readings: more })
      assert.equal((await findNearIds(store, NORTH, { leastSimilarity: 0.1 })).length, 2)
    },
  },
  {
    name: 'vectors of another deriver version are left out if a version is given',
    async run(store) {
      await sayVectors(store, { a: east(0) })
      await sayVectors(store, { b: east(1) }, aKey('other'))
      const readings = [{ position: 0, topic: 0, vector: Float32Array.from(NORTH) }]
      const other = { ...aKey('other'), deriver: 'reader' }
      await mustCommit(store, other, { generation: 2, version: 'new', cursor: 1, readings })
      assert.deepEqual([...(await findNearIds(store, NORTH))].sort(), ['a', 'b'])
      assert.deepEqual(await findNearIds(store, NORTH, { version: 'new' }), ['b'])
      assert.deepEqual(await findNearIds(store, NORTH, { version: 'unknown' }), [])
    },
  },
  {
    name: 'the nearest are looked for in many conversations, in those that are named, and not where memory is off',
    async run(store) {
      for (const i of upTo(90)) await sayVectors(store, { [`m${i}`]: east(i) }, aKey(`c${i}`))
      assert.deepEqual(await findNearIds(store, NORTH, { limit: 3 }), ['m0', 'm1', 'm2'])
      assert.deepEqual(await findNearIds(store, NORTH, named('c7', 'c5', 'c5', 'x')), ['m5', 'm7'])
      await store.changeConversation(aKey('c1'), { isMemoryOn: false })
      assert.deepEqual(await findNearIds(store, NORTH, { limit: 2 }), ['m0', 'm2'])
      assert.deepEqual(await findNearIds(store, NORTH, named()), [])
    },
  },
  {
    name: 'what was erased is near nothing',
    async run(store) {
      await sayVectors(store, { a: east(0), b: east(5) })
      await sayVectors(store, { c: east(9) }, aKey('other'))
      assert.deepEqual(await findNearIds(store, NORTH), ['a', 'b', 'c'])
      await store.eraseMessage(HERE, messageId('a'), at(9))
      assert.ok(!(await findNearIds(store, NORTH)).includes('a'))
      await store.eraseConversations([aKey('other')])
      assert.ok(!(await findNearIds(store, NORTH)).includes('c'))
    },
  },
]
