// Stores that break one promise about keys: exactly the cases that name it must fail.

import { expect, test } from 'vitest'
import { keys } from '../../conformance/store/keys.ts'
import { HERE } from '../../conformance/store/samples.ts'
import { runCase } from '../../conformance/store/store-conformance.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

interface BrokenStore {
  readonly flaw: string
  readonly noticedBy: readonly string[]
  readonly breakStore: (store: Store) => Partial<Store>
}

const BROKEN: readonly BrokenStore[] = [
  {
    flaw: 'gives every key the scope to read',
    noticedBy: ['a key comes back as it was added, by its id and in the list'],
    breakStore: (store) => ({ addKey: (key) => store.addKey({ ...key, scope: 'read' }) }),
  },
  {
    flaw: 'lists keys of all workspaces to each',
    noticedBy: ['keys are listed oldest first, of one workspace or of all'],
    breakStore: (store) => ({ listKeys: () => store.listKeys() }),
  },
  {
    flaw: 'deletes keys of any workspace',
    noticedBy: ['a key of another workspace cannot be deleted'],
    breakStore: (store) => ({
      deleteKey: async (workspace, id) =>
        store.deleteKey((await store.findKey(id))?.workspace ?? workspace, id),
    }),
  },
  {
    flaw: 'still finds a key that was deleted',
    noticedBy: ['a key that was never added, or is gone, is not found'],
    breakStore: (store) => {
      const gone = new Map<string, Awaited<ReturnType<Store['findKey']>>>()
      return {
        deleteKey: async (workspace, id) => {
          if (workspace === HERE) gone.set(id, await store.findKey(id))
          return store.deleteKey(workspace, id)
        },
        findKey: async (id) => (await store.findKey(id)) ?? gone.get(id),
      }
    },
  },
  {
    flaw: 'puts a key in the place of another of its id',
    noticedBy: ['a key id is taken once, in whatever workspace'],
    breakStore: (store) => ({
      addKey: async (key) => {
        const taken = await store.findKey(key.id)
        if (taken !== undefined) await store.deleteKey(taken.workspace, taken.id)
        await store.addKey(key)
      },
    }),
  },
  {
    flaw: 'notes every use as a use of all',
    noticedBy: ['the last use of a key is noted, and nothing else of it changes'],
    breakStore: (store) => ({
      noteKeyUse: async (_id, now) => {
        for (const { id } of await store.listKeys()) await store.noteKeyUse(id, now)
      },
    }),
  },
  {
    flaw: 'keeps the keys of a workspace that was erased',
    noticedBy: ['keys go with their workspace, and with nothing less'],
    breakStore: (store) => ({
      eraseWorkspace: async (workspace) => {
        const kept = await store.listKeys(workspace)
        const erased = await store.eraseWorkspace(workspace)
        for (const key of kept) await store.addKey(key)
        return erased
      },
    }),
  },
]

const openInMemory = () => openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })

test.each(BROKEN.map((broken) => [broken.flaw, broken] as const))(
  'a store that %s is detected',
  async (_flaw, { noticedBy, breakStore }) => {
    const noticed: string[] = []
    for (const one of keys) {
      const { outcome } = await runCase(one, async () => {
        const store = await openInMemory()
        return { ...store, ...breakStore(store) }
      })
      if (outcome === 'failed') noticed.push(one.name)
    }
    expect(noticed).toEqual(noticedBy)
  },
)
