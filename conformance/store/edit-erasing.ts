// Promises of edits.ts: edits are erased with the text they contain, and with nothing else.

import assert from 'node:assert/strict'
import type { ConformanceCase } from './conformance-case.ts'
import { anEdit, editKeys, saveEdit, sourcesOf } from './derived-samples.ts'
import { erase, fill, inOther, inTrip, theirTrip, trip } from './edit-samples.ts'
import { aKey, ELSEWHERE, findProblems, fork, HERE, rejectsWith } from './samples.ts'

export const editErasing: readonly ConformanceCase[] = [
  {
    name: 'an edit that may hold words of a message that is not there, or was erased, is refused and changes nothing',
    async run(store) {
      await fill(store)
      await saveEdit(store, anEdit('a', inTrip))
      await erase(store, 'm1')
      for (const id of ['m1', 'nobody', 'm2']) {
        const workspace = id === 'm2' ? ELSEWHERE : HERE
        const edit = anEdit('a', { ...inTrip, ...sourcesOf('m0', id) })
        await rejectsWith('not-found', saveEdit(store, edit, { workspace, replace: true }))
      }
      assert.deepEqual(await editKeys(store), ['a'])
      assert.deepEqual(await editKeys(store, { workspace: ELSEWHERE }), [])
    },
  },
  {
    name: 'edits go with any message whose words they may hold, wherever they or its copies are',
    async run(store) {
      await fill(store)
      await fork(store, trip, { at: 2, into: 'branch' })
      const inBranch = { conversation: aKey('branch').conversation }
      await saveEdit(store, anEdit('original', { ...inTrip, ...sourcesOf('m0', 'm1') }))
      await saveEdit(store, anEdit('copy', { ...inBranch, ...sourcesOf('branch-1') }))
      await saveEdit(store, anEdit('of none', sourcesOf('m1')))
      await saveEdit(
        store,
        anEdit('elsewhere in the workspace', { ...inOther, ...sourcesOf('branch-1', 'o1') }),
      )
      await saveEdit(store, anEdit('another message', { ...inTrip, ...sourcesOf('m0', 'm2') }))
      await saveEdit(store, anEdit('no words', inTrip))
      await saveEdit(store, anEdit('theirs', sourcesOf('m1')), { workspace: ELSEWHERE })
      await erase(store, 'branch-1')
      assert.deepEqual(await editKeys(store), ['another message', 'no words'])
      assert.deepEqual(await editKeys(store, { workspace: ELSEWHERE }), ['theirs'])
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'edits go with their conversation, and with that of a message whose words they may hold',
    async run(store) {
      await fill(store)
      await saveEdit(store, anEdit('ours', inTrip))
      await saveEdit(store, anEdit('of none', sourcesOf('o0', 'm2')))
      await saveEdit(store, anEdit('other', { ...inOther, ...sourcesOf('m0') }))
      await saveEdit(store, anEdit('kept', { ...inOther, ...sourcesOf('o0') }))
      await saveEdit(store, anEdit('preference'))
      await saveEdit(store, anEdit('theirs', { conversation: theirTrip.conversation }), {
        workspace: ELSEWHERE,
      })
      await store.eraseConversations([trip])
      assert.deepEqual(await editKeys(store), ['kept', 'preference'])
      await store.eraseWorkspace(HERE)
      await fill(store)
      assert.deepEqual(await editKeys(store), [])
      assert.deepEqual(await editKeys(store, { workspace: ELSEWHERE }), ['theirs'])
    },
  },
  {
    name: 'edits of another workspace are neither seen nor touched',
    async run(store) {
      await fill(store)
      const theirs = await saveEdit(store, anEdit('a', { conversation: theirTrip.conversation }), {
        workspace: ELSEWHERE,
      })
      await saveEdit(store, anEdit('a'), { workspace: ELSEWHERE })
      const before = await store.edits({ workspace: ELSEWHERE })
      for (const list of [{}, inTrip, { conversation: null }, { key: 'a' }])
        assert.deepEqual(await editKeys(store, list), [])
      await saveEdit(store, anEdit('a', inTrip), { replace: true })
      await saveEdit(store, anEdit('a'), { replace: true })
      assert.equal(await store.deleteEdits(HERE, [theirs.id]), 0)
      await erase(store, 'm0')
      await store.eraseConversations([trip])
      assert.deepEqual(await store.edits({ workspace: ELSEWHERE }), before)
    },
  },
]
