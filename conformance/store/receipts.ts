import assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.ts'
import { aKey, append, aReceipt, HERE, many, readAll, rejectsWith, upTo } from './samples.ts'

const trip = aKey('trip')
const other = aKey('other')

export const receipts: readonly ConformanceCase[] = [
  {
    name: 'a receipt is returned unchanged, with its time as a date',
    async run(store) {
      await append(store, trip, { messages: many('m', 4) })
      const receipt = aReceipt('r1', trip.conversation)
      await store.saveReceipt(HERE, receipt, 10)
      const found = await store.receipts(trip, 10)
      assert.deepEqual(found, [receipt])
      assert.ok(found[0]?.createdAt instanceof Date)
    },
  },
  {
    name: 'receipts are listed newest first, up to the limit',
    async run(store) {
      await append(store, trip, { messages: many('m', 4) })
      for (const i of upTo(5)) await store.saveReceipt(HERE, aReceipt(`r${i}`, trip.conversation), 100)
      const ids = async (limit: number) => (await store.receipts(trip, limit)).map(({ id }) => id)
      assert.deepEqual(await ids(100), ['r4', 'r3', 'r2', 'r1', 'r0'])
      assert.deepEqual(await ids(2), ['r4', 'r3'])
    },
  },
  {
    name: 'only the newest receipts of a conversation are kept, and those of others stay',
    async run(store) {
      await append(store, trip, { messages: many('m', 4) })
      await append(store, other, { messages: many('n', 4) })
      for (const i of upTo(3)) await store.saveReceipt(HERE, aReceipt(`other${i}`, other.conversation), 100)
      for (const i of upTo(7)) await store.saveReceipt(HERE, aReceipt(`r${i}`, trip.conversation), 3)
      assert.deepEqual(
        (await store.receipts(trip, 100)).map(({ id }) => id),
        ['r6', 'r5', 'r4'],
      )
      assert.equal((await store.receipts(other, 100)).length, 3)
      assert.equal((await store.statistics(HERE)).receipts, 6)
    },
  },
  {
    name: 'a receipt of a missing conversation is rejected and creates none',
    async run(store) {
      await rejectsWith('not-found', store.saveReceipt(HERE, aReceipt('r', trip.conversation), 10))
      assert.equal(await store.findConversation(trip), undefined)
    },
  },
  {
    name: 'receipts are erased with their conversation and do not change it',
    async run(store) {
      await append(store, trip, { messages: many('m', 2) })
      const before = [await readAll(store, trip), await store.findConversation(trip)]
      await store.saveReceipt(HERE, aReceipt('r', trip.conversation), 10)
      assert.deepEqual([await readAll(store, trip), await store.findConversation(trip)], before)
      await store.eraseConversations([trip])
      await append(store, trip, { messages: many('m', 2) })
      assert.deepEqual(await store.receipts(trip, 10), [])
    },
  },
]
