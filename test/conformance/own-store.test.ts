// A program may bring its own store. This one is a class with its methods on the prototype, as most people write
// them.

import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

/** All methods of a store, as methods of a class that delegates to it. */
function asClass(inner: Store): Store {
  class OwnStore {
    readonly capabilities = inner.capabilities
    readonly location = 'a store of my own'
  }
  for (const [name, method] of Object.entries(inner)) {
    if (typeof method !== 'function') continue
    Object.defineProperty(OwnStore.prototype, name, {
      value(this: unknown, ...values: unknown[]) {
        if (!(this instanceof OwnStore)) throw new TypeError(`${name} was called without its store`)
        return Reflect.apply(method, inner, values)
      },
    })
  }
  return new OwnStore() as unknown as Store
}

const openOwn = async () =>
  asClass(await openSqliteStore({ path: ':memory:', durability: 'relaxed', busyTimeoutMs: 1000 }))

test('a memory opened with a custom store records, recalls and builds contexts', async () => {
  const memory = await openMemory({ store: await openOwn(), workspace: 'mine' })
  expect(memory.location).toBe('a store of my own')
  const trip = memory.conversation('trip')
  await trip.record({ role: 'user', content: 'I am vegetarian, and we are in Lisbon in May.' })
  const { items } = await memory.recall('Who is vegetarian?')
  expect(items.length).toBeGreaterThan(0)
  const { messages } = await trip.context('Where should we eat?')
  expect(JSON.stringify(messages)).toContain('vegetarian')
  await memory.close()
})

test('closing the memory closes the store', async () => {
  const store = await openOwn()
  const memory = await openMemory({ store })
  await memory.close()
  await expect(store.listWorkspaces()).rejects.toMatchObject({ code: 'store-closed' })
})

test('options without a store or a location are rejected, with an example', async () => {
  const open = openMemory as (options: unknown) => Promise<unknown>
  await expect(open({})).rejects.toMatchObject({ code: 'invalid-input', hint: 'openMemory("memory.db")' })
})
