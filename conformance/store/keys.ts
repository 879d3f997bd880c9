// API keys are stored exactly, found by id in any workspace, visible and deletable only in their own workspace, and
// deleted with it.

import assert from 'node:assert/strict'
import type { Store, StoredKey, WorkspaceId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aKey, aMessage, append, at, ELSEWHERE, HERE, rejectsWith } from './samples.ts'

export function anAccessKey(id: string, more: Partial<StoredKey> = {}): StoredKey {
  const name = `the key ${id}`
  return { id, workspace: HERE, name, scope: 'read', digest: `digest of ${id}`, createdAt: at(0), ...more }
}

async function listIds(store: Store, workspace?: WorkspaceId): Promise<readonly string[]> {
  return (await store.listKeys(workspace)).map(({ id }) => id)
}

export const keys: readonly ConformanceCase[] = [
  {
    name: 'a key comes back as it was added, by its id and in the list',
    async run(store) {
      const key = anAccessKey('k1', { name: 'für 里斯本', scope: 'admin', createdAt: at(3) })
      await store.addKey(key)
      assert.deepEqual(await store.findKey('k1'), key)
      assert.deepEqual(await store.listKeys(HERE), [key])
    },
  },
  {
    name: 'a key that was never added, or is gone, is not found',
    async run(store) {
      assert.equal(await store.findKey('k1'), undefined)
      assert.deepEqual(await store.listKeys(), [])
      await store.addKey(anAccessKey('k1'))
      assert.equal(await store.deleteKey(HERE, 'k1'), true)
      assert.equal(await store.findKey('k1'), undefined)
      assert.equal(await store.deleteKey(HERE, 'k1'), false)
      assert.deepEqual(await store.listKeys(), [])
    },
  },
  {
    name: 'adding a key creates its workspace if it is missing',
    async run(store) {
      await store.addKey(anAccessKey('k1'))
      assert.deepEqual(await store.listWorkspaces(), [HERE])
    },
  },
  {
    name: 'a key id is taken once, in whatever workspace',
    async run(store) {
      await store.addKey(anAccessKey('k1'))
      await rejectsWith('conflict', store.addKey(anAccessKey('k1', { digest: 'another' })))
      await rejectsWith('conflict', store.addKey(anAccessKey('k1', { workspace: ELSEWHERE })))
      assert.deepEqual(await store.findKey('k1'), anAccessKey('k1'))
      assert.deepEqual(await listIds(store), ['k1'])
    },
  },
  {
    name: 'keys are listed oldest first, of one workspace or of all',
    async run(store) {
      await store.addKey(anAccessKey('b'))
      await store.addKey(anAccessKey('theirs', { workspace: ELSEWHERE }))
      await store.addKey(anAccessKey('a'))
      assert.deepEqual(await listIds(store, HERE), ['b', 'a'])
      assert.deepEqual(await listIds(store, ELSEWHERE), ['theirs'])
      assert.deepEqual(await listIds(store), ['b', 'theirs', 'a'])
    },
  },
  {
    name: 'the last use of a key is noted, and nothing else of it changes',
    async run(store) {
      await store.addKey(anAccessKey('k1'))
      await store.addKey(anAccessKey('k2'))
      await store.noteKeyUse('k1', at(5))
      await store.noteKeyUse('k1', at(7))
      await store.noteKeyUse('nobody', at(7))
      assert.deepEqual(await store.listKeys(), [anAccessKey('k1', { lastUsedAt: at(7) }), anAccessKey('k2')])
    },
  },
  {
    name: 'a key of another workspace cannot be deleted',
    async run(store) {
      await store.addKey(anAccessKey('theirs', { workspace: ELSEWHERE }))
      await store.addKey(anAccessKey('ours'))
      assert.equal(await store.deleteKey(HERE, 'theirs'), false)
      assert.deepEqual(await listIds(store), ['theirs', 'ours'])
    },
  },
  {
    name: 'keys go with their workspace, and with nothing less',
    async run(store) {
      await append(store, aKey('trip'), { messages: [aMessage('m')] })
      await store.addKey(anAccessKey('ours'))
      await store.addKey(anAccessKey('theirs', { workspace: ELSEWHERE }))
      await store.eraseConversations([aKey('trip')])
      assert.deepEqual(await listIds(store), ['ours', 'theirs'])
      await store.eraseWorkspace(HERE)
      assert.equal(await store.findKey('ours'), undefined)
      assert.deepEqual(await listIds(store), ['theirs'])
    },
  },
]
