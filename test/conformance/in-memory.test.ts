// The store of examples/in-memory-store, as a third party would write one.

import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import type { Store } from '../../src/store/store.ts'
import { checkStore } from '../support/check-store.ts'

const path: string = '../../examples/in-memory-store/store.mjs'
const { openInMemoryStore } = (await import(path)) as { openInMemoryStore: () => Store }

checkStore('the store of the example', async () => openInMemoryStore())

test('a memory in it records, derives, recalls and builds contexts; parts that it lacks read as empty', async () => {
  const memory = await openMemory({ store: openInMemoryStore() })
  const trip = memory.conversation('trip')
  await trip.record({ role: 'user', content: 'I am vegetarian, and we are in Lisbon in May.' })
  const { items } = await memory.recall('Who is vegetarian?')
  expect(items.length).toBeGreaterThan(0)
  const { messages } = await trip.context('Where should we eat?')
  expect(JSON.stringify(messages)).toContain('vegetarian')
  expect((await memory.documents.list()).items).toEqual([])
  await expect(memory.documents.add({ name: 'a.txt', content: 'text' } as never)).rejects.toMatchObject({
    message: 'this store has no documents',
  })
  await memory.close()
})
