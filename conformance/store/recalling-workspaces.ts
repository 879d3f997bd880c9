// Recall, promise 3: a workspace sees only its own data, also in counts. Two workspaces with conversations of the
// same names are filled with random messages, and each must find exactly its own.

import assert from 'node:assert/strict'
import {
  type ConversationKey,
  type MessageLocator,
  messageId,
  type Store,
  type WorkspaceId,
} from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { mustCommit } from './derived-samples.ts'
import { findNearIds, findTimeIds, findWordIds, findWords, idsAt } from './recall-samples.ts'
import { aKey, aMessage, append, at, ELSEWHERE, HERE, upTo } from './samples.ts'

const WORDS = ['tram', 'bus', 'ferry', 'train']

interface Said {
  readonly id: string
  readonly key: ConversationKey
  readonly words: readonly string[]
  readonly minute: number
}

/** Pseudorandom numbers from 0, the same in every run. */
function chance(): (below: number) => number {
  let state = 7
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

async function fillBoth(store: Store): Promise<readonly Said[]> {
  const random = chance()
  const said: Said[] = []
  for (const batch of upTo(120)) {
    const key = aKey(`c${random(50)}`, random(3) === 0 ? ELSEWHERE : HERE)
    const some = upTo(1 + random(4)).map((i): Said => {
      const words = WORDS.filter(() => random(3) === 0)
      return { id: `${key.workspace}${batch}-${i}`, key, words, minute: random(1000) }
    })
    const messages = some.map(({ id, words, minute }) =>
      aMessage(id, words.join(' '), { createdAt: at(minute) }),
    )
    await append(store, key, { messages })
    said.push(...some)
  }
  return said
}

const idsOf = (said: readonly Said[]): readonly string[] => said.map(({ id }) => id).sort()

async function expectOwn(store: Store, workspace: WorkspaceId, said: readonly Said[]): Promise<void> {
  const own = said.filter(({ key }) => key.workspace === workspace)
  const find = async (word: string, more: object) =>
    [...(await findWordIds(store, word, { workspace, limit: 1000, ...more }))].sort()
  for (const word of WORDS) {
    const having = own.filter(({ words }) => words.includes(word))
    assert.deepEqual(await find(word, {}), idsOf(having))
    const conversations = ['c3', 'c7', 'c11'].map((id) => aKey(id).conversation)
    const inThree = having.filter(({ key }) => conversations.includes(key.conversation))
    assert.deepEqual(await find(word, { conversations }), idsOf(inThree))
    const { count } = await findWords(store, word, { workspace, limit: 3 })
    assert.ok(count > 3 && count <= own.length, `${count} of ${own.length}`)
  }
  const span = { from: at(200), to: at(700) }
  const inSpan = own.filter(({ minute }) => minute >= 200 && minute < 700)
  assert.deepEqual([...(await findTimeIds(store, { workspace, limit: 1000, ...span }))].sort(), idsOf(inSpan))
  const { messages, conversations } = await store.scopeSize({ workspace })
  assert.equal(messages, own.length)
  assert.equal(conversations, new Set(own.map(({ key }) => key.conversation)).size)
}

export const recallingWorkspaces: readonly ConformanceCase[] = [
  {
    name: 'a workspace finds exactly its own, whatever another one says in conversations of the same names',
    async run(store) {
      const said = await fillBoth(store)
      await expectOwn(store, HERE, said)
      await expectOwn(store, ELSEWHERE, said)
      await store.eraseWorkspace(ELSEWHERE)
      const left = said.filter(({ key }) => key.workspace === HERE)
      await expectOwn(store, HERE, left)
      assert.deepEqual(await findWordIds(store, 'tram', { workspace: ELSEWHERE }), [])
    },
  },
  {
    name: 'nothing of another workspace is found by locator, id or vector',
    async run(store) {
      for (const workspace of [HERE, ELSEWHERE]) {
        const key = aKey('trip', workspace)
        await append(store, key, { messages: [aMessage(workspace), aMessage('both')] })
        const readings = [{ position: 0, topic: 0, vector: Float32Array.from([1, 0]) }]
        await mustCommit(store, { ...key, deriver: 'reader' }, { cursor: 2, readings })
      }
      const ids = [HERE, ELSEWHERE, 'both'].map(messageId)
      const ours = await store.locate(HERE, ids)
      const theirs = await store.locate(ELSEWHERE, ids)
      assert.equal(new Set([...ours, ...theirs]).size, 4)
      const all: readonly MessageLocator[] = [...ours, ...theirs]
      assert.deepEqual(await idsAt(store, all), [HERE, 'both'])
      assert.deepEqual(await idsAt(store, all, ELSEWHERE), [ELSEWHERE, 'both'])
      const messages = await store.getContents(ELSEWHERE, all)
      assert.deepEqual(
        messages.map(({ locator }) => locator),
        theirs,
      )
      assert.deepEqual(await findNearIds(store, [1, 0]), [HERE])
      assert.deepEqual(await findNearIds(store, [1, 0], { workspace: ELSEWHERE }), [ELSEWHERE])
      const nobody = aKey('x', aKey('trip').conversation as never).workspace
      assert.deepEqual(await store.getMessageMeta(nobody, all), [])
      assert.deepEqual(await findNearIds(store, [1, 0], { workspace: nobody }), [])
    },
  },
]
