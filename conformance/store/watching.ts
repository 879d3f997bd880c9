// Live updates: writes are reported, rejected ones are not, and no watcher sees changes of another workspace.

import assert from 'node:assert/strict'
import { type Change, type Commit, messageId, type Store, type WorkspaceId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aKey, aMessage, append, at, ELSEWHERE, HERE, rejectsWith } from './samples.ts'

const LONGEST_WAIT_MS = 10_000

interface Watching {
  readonly told: readonly Change[]
  /** Resolves when a change of this kind and id was reported. */
  until(kind: Change['kind'], id?: string): Promise<void>
  readonly end: () => void
}

async function watch(store: Store, workspace: WorkspaceId = HERE): Promise<Watching> {
  const told: Change[] = []
  const end = await store.watch({ workspace, onChange: (change) => told.push(change) })
  return {
    told,
    end,
    async until(kind, id) {
      const isMeant = (change: Change) => change.kind === kind && (id === undefined || change.id === id)
      for (const deadline = Date.now() + LONGEST_WAIT_MS; !told.some(isMeant); ) {
        assert.ok(Date.now() < deadline, `nobody told of ${kind} ${id ?? ''}`)
        await new Promise((wake) => setTimeout(wake, 5))
      }
    },
  }
}

export const watching: readonly ConformanceCase[] = [
  {
    name: 'watchers are notified which conversation changed, after the change can be read',
    async run(store) {
      const watching = await watch(store)
      await append(store, aKey('trip'), { messages: [aMessage('a')] })
      await watching.until('conversation', 'trip')
      await store.changeConversation(aKey('trip'), { title: 'Lisbon' })
      await store.eraseConversations([aKey('trip')])
      await watching.until('everything')
      assert.ok(watching.told.every(({ workspace }) => workspace === HERE))
    },
  },
  {
    name: 'watchers are not notified of refused writes or of other workspaces',
    async run(store) {
      await append(store, aKey('trip'), { messages: [aMessage('a', 'one')] })
      const [here, elsewhere] = [await watch(store), await watch(store, ELSEWHERE)]
      await rejectsWith('conflict', append(store, aKey('trip'), { messages: [aMessage('a', 'two')] }))
      await append(store, aKey('work', ELSEWHERE), { messages: [aMessage('b')] })
      await elsewhere.until('conversation', 'work')
      assert.deepEqual(here.told, [])
      assert.deepEqual(
        elsewhere.told.filter(({ id }) => id !== 'work'),
        [],
      )
    },
  },
  {
    name: 'a watcher that stopped is not notified any more; the others are',
    async run(store) {
      const [left, stays] = [await watch(store), await watch(store)]
      left.end()
      await append(store, aKey('trip'), { messages: [aMessage('a')] })
      await stays.until('conversation', 'trip')
      assert.deepEqual(left.told, [])
    },
  },
  {
    name: 'a commit listener is called once for each committed write, before the call resolves',
    async run(store) {
      const commits: Commit[] = []
      const remove = store.onCommit((commit) => void commits.push(commit))
      await append(store, aKey('trip'), { messages: [aMessage('a', 'one')] })
      assert.deepEqual(commits, [
        { method: 'append', changes: [{ workspace: HERE, kind: 'conversation', id: 'trip' }] },
      ])
      await rejectsWith('conflict', append(store, aKey('trip'), { messages: [aMessage('a', 'two')] }))
      assert.equal(commits.length, 1)
      remove()
      await store.changeConversation(aKey('trip'), { title: 'Lisbon' })
      assert.equal(commits.length, 1)
    },
  },
  {
    name: 'an erase waits for its commit listeners, and is scrubbed only if they have released the text',
    async run(store) {
      await append(store, aKey('trip'), { messages: [aMessage('a', 'one'), aMessage('b', 'two')] })
      let isWaitedFor = false
      const remove = store.onCommit(async ({ method }) => {
        await new Promise((wake) => setTimeout(wake, 20))
        isWaitedFor = method === 'eraseMessage'
        return false
      })
      const { isScrubbed } = await store.eraseMessage(HERE, messageId('a'), at(9))
      assert.deepEqual({ isWaitedFor, isScrubbed }, { isWaitedFor: true, isScrubbed: false })
      remove()
    },
  },
]
