// Promises of edits.ts: edits are part of the record, in order.

import assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.ts'
import { anEdit, editKeys, saveEdit, sourcesOf, Versions } from './derived-samples.ts'
import { erase, fill, inOther, inTrip, theirTrip, trip } from './edit-samples.ts'
import { aKey, aMessage, append, at, ELSEWHERE, fork, HERE, listIds, rejectsWith } from './samples.ts'

export const edits: readonly ConformanceCase[] = [
  {
    name: 'an edit comes back as it was saved, with the place and time at which it was made',
    async run(store) {
      await fill(store)
      const body = { text: 'NUL \u0000, 😀', list: [1, null, { deep: -0.5 }], '': true }
      const rich = anEdit('topic 2', {
        kind: 'rename',
        body,
        ...inTrip,
        ...sourcesOf('m0', 'o1'),
        expiresAt: at(99),
      })
      const saved = await saveEdit(store, rich)
      assert.deepEqual(saved, { ...rich, id: saved.id, position: 3, createdAt: at(6) })
      const plain = await saveEdit(store, anEdit('plain'))
      assert.deepEqual(plain, {
        ...anEdit('plain'),
        id: plain.id,
        sources: [],
        position: 0,
        createdAt: at(6),
      })
      assert.deepEqual(await store.edits({ workspace: HERE }), [saved, plain])
      await append(store, trip, { messages: [aMessage('more')] })
      assert.equal((await saveEdit(store, anEdit('later', inTrip))).position, 4)
      assert.equal((await store.edits({ workspace: HERE }))[0]?.position, 3)
    },
  },
  {
    name: 'an edit that comes from elsewhere keeps its place',
    async run(store) {
      await fill(store)
      const saved = await saveEdit(store, anEdit('a', inTrip), { position: 1, now: at(-90) })
      assert.deepEqual([saved.position, saved.createdAt], [1, at(-90)])
      assert.deepEqual(await store.edits({ workspace: HERE }), [saved])
      assert.equal((await saveEdit(store, anEdit('b', inTrip), { position: 0 })).position, 0)
    },
  },
  {
    name: 'edits are listed in the order in which they were saved, filtered as requested',
    async run(store) {
      await fill(store)
      await saveEdit(store, anEdit('a', inTrip), { now: at(8) })
      const second = await saveEdit(store, anEdit('b'), { now: at(7) })
      await saveEdit(store, anEdit('a', { kind: 'rename', ...inOther }))
      await saveEdit(store, anEdit('c', inTrip))
      assert.deepEqual(await editKeys(store), ['a', 'b', 'a', 'c'])
      assert.deepEqual(await editKeys(store, inTrip), ['a', 'c'])
      assert.deepEqual(await editKeys(store, { conversation: null }), ['b'])
      assert.deepEqual(await editKeys(store, { kinds: ['note'] }), ['a', 'b', 'c'])
      assert.deepEqual(await editKeys(store, { kinds: ['rename', 'nothing'] }), ['a'])
      assert.deepEqual(await editKeys(store, { kinds: [] }), [])
      assert.deepEqual(await editKeys(store, { key: 'a' }), ['a', 'a'])
      assert.deepEqual(await editKeys(store, { key: 'a', kinds: ['note'], ...inOther }), [])
      assert.deepEqual(await editKeys(store, { after: second.id }), ['a', 'c'])
      assert.deepEqual(await editKeys(store, { after: second.id, limit: 1 }), ['a'])
      assert.deepEqual(await editKeys(store, aKey('nowhere')), [])
    },
  },
  {
    name: 'an edit that replaces takes the place of those of the same kind, key and conversation',
    async run(store) {
      await fill(store)
      for (const body of [{ old: 1 }, { old: 2 }]) await saveEdit(store, anEdit('a', { body, ...inTrip }))
      await saveEdit(store, anEdit('a'))
      await saveEdit(store, anEdit('a', inOther))
      await saveEdit(store, anEdit('a', { kind: 'rename', ...inTrip }))
      await saveEdit(store, anEdit('b', inTrip))
      await saveEdit(store, anEdit('a', { conversation: theirTrip.conversation }), { workspace: ELSEWHERE })
      await saveEdit(store, anEdit('a', { body: { new: true }, ...inTrip }), { replace: true })
      const found = await store.edits({ workspace: HERE, key: 'a', kinds: ['note'] })
      assert.deepEqual(
        found.map(({ conversation, body }) => [conversation, body]),
        [
          [undefined, anEdit('a').body],
          ['other', anEdit('a').body],
          ['trip', { new: true }],
        ],
      )
      assert.equal((await editKeys(store)).length, 5)
      await saveEdit(store, anEdit('a', { body: { everywhere: true } }), { replace: true })
      assert.equal((await editKeys(store)).length, 5)
      assert.deepEqual(await editKeys(store, { workspace: ELSEWHERE }), ['a'])
    },
  },
  {
    name: 'an edit that has expired is left out when a time is given',
    async run(store) {
      await fill(store)
      await saveEdit(store, anEdit('short', { expiresAt: at(10) }))
      await saveEdit(store, anEdit('long', { expiresAt: at(20) }))
      await saveEdit(store, anEdit('forever'))
      assert.deepEqual(await editKeys(store), ['short', 'long', 'forever'])
      assert.deepEqual(await editKeys(store, { now: at(9) }), ['short', 'long', 'forever'])
      assert.deepEqual(await editKeys(store, { now: at(10) }), ['long', 'forever'])
      assert.deepEqual(await editKeys(store, { now: at(30) }), ['forever'])
    },
  },
  {
    name: 'edits are deleted by their ids, which are never used again',
    async run(store) {
      await fill(store)
      const first = await saveEdit(store, anEdit('a'))
      const last = await saveEdit(store, anEdit('b'))
      const theirs = await saveEdit(store, anEdit('c'), { workspace: ELSEWHERE })
      assert.equal(await store.deleteEdits(HERE, [last.id, theirs.id, 9999]), 1)
      assert.equal(await store.deleteEdits(HERE, [last.id]), 0)
      assert.equal(await store.deleteEdits(HERE, []), 0)
      assert.deepEqual(await editKeys(store), ['a'])
      assert.deepEqual(await editKeys(store, { workspace: ELSEWHERE }), ['c'])
      await store.deleteEdits(ELSEWHERE, [theirs.id])
      const next = await saveEdit(store, anEdit('d'))
      assert.ok(next.id > theirs.id && next.id > last.id && next.id > first.id)
    },
  },
  {
    name: 'the version of edits changes whenever they do, and never comes back',
    async run(store) {
      const versions = new Versions()
      const look = async (after: string) => versions.add(await store.editsVersion(HERE), after)
      const some = async () => {
        await fill(store)
        await saveEdit(store, anEdit('a', inTrip))
        await look('saving')
      }
      await some()
      await saveEdit(store, anEdit('b', inOther))
      await look('saving another')
      const replaced = await saveEdit(store, anEdit('b', inOther), { replace: true })
      await look('replacing')
      await store.deleteEdits(HERE, [replaced.id])
      await look('deleting')
      await saveEdit(store, anEdit('c', sourcesOf('o1')))
      await look('saving after deleting')
      await erase(store, 'o1')
      await look('erasing a message')
      await store.eraseConversations([trip])
      await look('erasing a conversation')
      await store.eraseWorkspace(HERE)
      await append(store, aKey('in between', ELSEWHERE), { messages: [aMessage('e')] })
      await some()
    },
  },
  {
    name: 'the version of edits stays the same while they do not change',
    async run(store) {
      await fill(store)
      await saveEdit(store, anEdit('a', inTrip))
      const before = await store.editsVersion(HERE)
      await append(store, trip, { messages: [aMessage('more')] })
      await saveEdit(store, anEdit('theirs'), { workspace: ELSEWHERE })
      await store.deleteEdits(HERE, [9999])
      await erase(store, 'm1')
      await rejectsWith(
        'not-found',
        saveEdit(store, anEdit('b', { conversation: aKey('nowhere').conversation })),
      )
      assert.equal(await store.editsVersion(HERE), before)
    },
  },
  {
    name: 'an edit without a conversation creates its workspace if it is missing',
    async run(store) {
      await saveEdit(store, anEdit('a'))
      assert.deepEqual(await store.listWorkspaces(), [HERE])
      assert.deepEqual(await editKeys(store), ['a'])
      assert.deepEqual(await listIds(store), [])
    },
  },
  {
    name: 'an edit of a missing conversation is rejected as not found',
    async run(store) {
      await rejectsWith('not-found', saveEdit(store, anEdit('a', inTrip)))
      assert.deepEqual(await store.listWorkspaces(), [])
      await fill(store)
      await rejectsWith(
        'not-found',
        saveEdit(store, anEdit('a', inOther), { workspace: ELSEWHERE, replace: true }),
      )
      assert.deepEqual(await editKeys(store, { workspace: ELSEWHERE }), [])
    },
  },
  {
    name: 'a fork has no edits, and those of its origin stay unchanged',
    async run(store) {
      await fill(store)
      const saved = await saveEdit(store, anEdit('a', inTrip))
      await fork(store, trip, { at: 1, into: 'branch' })
      assert.deepEqual(await editKeys(store, aKey('branch')), [])
      assert.deepEqual(await store.edits({ workspace: HERE }), [saved])
    },
  },
]
