// Promise 8: erased data is really gone. That no byte is left in any file can only be checked from outside, so each
// backend tests it itself.

import assert from 'node:assert/strict'
import { messageId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
  append,
  aReceipt,
  aTerm,
  at,
  create,
  ELSEWHERE,
  findIds,
  findProblems,
  fork,
  HERE,
  listIds,
  many,
  needConversation,
  needMessage,
  readAll,
  readWorkspace,
  rejectsWith,
  toPositions,
  upTo,
} from './samples.ts'

const trip = aKey('trip')
const branch = aKey('branch')
const erase = (store: Store, id: string) => store.eraseMessage(HERE, messageId(id), at(9))

/** "secret" in every field that can contain text. */
const SECRET = aMessage('s', [{ type: 'text', text: 'secret words' }], {
  name: 'secret speaker',
  metadata: { secret: true },
})

const NO_PAGES = { pages: 0, queries: 0, documents: 0 }

export const erasing: readonly ConformanceCase[] = [
  {
    name: 'an erased message is blank and keeps its place',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a'), SECRET, aMessage('c')] })
      assert.deepEqual(await erase(store, 's'), {
        messages: 1,
        conversations: 0,
        pages: 0,
        queries: 0,
        documents: 0,
        isScrubbed: store.capabilities.scrubsAtOnce,
        copiesIn: [],
      })
      const blank = await needMessage(store, 's')
      assert.equal(blank.content, '')
      assert.deepEqual(blank.erasedAt, at(9))
      assert.deepEqual([blank.position, blank.tokens, blank.role], [1, 0, 'user'])
      assert.ok(!('name' in blank) && !('metadata' in blank))
      assert.deepEqual(toPositions(await readAll(store, trip)), upTo(3))
      assert.deepEqual((await readAll(store, trip))[1], blank)
    },
  },
  {
    name: 'tokens of an erased message are subtracted from every total',
    async run(store) {
      await append(store, trip, { messages: many('m', 5) })
      const [before, erased] = [await needConversation(store, trip), await needMessage(store, 'm1')]
      await erase(store, 'm1')
      const after = await needConversation(store, trip)
      assert.equal(after.tokenCount, before.tokenCount - erased.tokens)
      assert.equal(after.messageCount, 5)
      let sum = 0
      for (const { tokens, tokensBefore } of await readAll(store, trip)) {
        assert.equal(tokensBefore, sum)
        sum += tokens
      }
      const { tokensBefore } = (await append(store, trip, { messages: [aMessage('next')] })).messages[0] ?? {}
      assert.equal(tokensBefore, sum)
    },
  },
  {
    name: 'an erased message is not found by its words, and the others still are',
    async run(store) {
      await append(store, trip, { messages: [SECRET, aMessage('b', 'secret garden')] })
      await erase(store, 's')
      assert.deepEqual(await findIds(store, 'secret'), ['b'])
      assert.deepEqual(await findIds(store, [aTerm('secr', true)]), ['b'])
      assert.deepEqual(await findIds(store, 'words'), [])
    },
  },
  {
    name: 'erasing a message also erases its copies in forks, in both directions',
    async run(store) {
      for (const victim of ['s', 'branch-0', 'twig-0']) {
        await append(store, trip, { messages: [SECRET, aMessage('b', 'kept')] })
        await fork(store, trip, { at: 1, into: 'branch' })
        await fork(store, branch, { at: 0, into: 'twig' })
        assert.equal((await erase(store, victim)).messages, 3)
        for (const id of ['s', 'branch-0', 'twig-0']) assert.equal((await needMessage(store, id)).content, '')
        assert.equal((await needConversation(store, aKey('twig'))).tokenCount, 0)
        assert.equal((await needMessage(store, 'branch-1')).tokensBefore, 0)
        assert.deepEqual(await findIds(store, 'secret'), [])
        assert.deepEqual(await findIds(store, 'kept'), ['branch-1', 'b'])
        await store.eraseWorkspace(HERE)
      }
    },
  },
  {
    name: 'copies are found even if their original was erased before',
    async run(store) {
      await append(store, trip, { messages: [SECRET] })
      for (const into of ['branch', 'twig']) await fork(store, trip, { at: 0, into })
      await store.eraseConversations([trip])
      assert.equal((await erase(store, 'branch-0')).messages, 2)
      assert.deepEqual(await findIds(store, 'secret'), [])
    },
  },
  {
    name: 'erasing a message removes a generated title, but keeps one that was set',
    async run(store) {
      await append(store, trip, { messages: [SECRET], suggestTitle: () => 'Secret words' })
      await fork(store, trip, {
        at: 0,
        into: 'branch',
        fields: { title: 'Secret words', isTitleGiven: false },
      })
      await fork(store, trip, { at: 0, into: 'given', fields: { title: 'Secret plan', isTitleGiven: true } })
      await erase(store, 's')
      for (const key of [trip, branch]) assert.ok(!('title' in (await needConversation(store, key))))
      assert.equal((await needConversation(store, aKey('given'))).title, 'Secret plan')
      assert.deepEqual(await listIds(store, { terms: [aTerm('secret')] }), ['given'])
    },
  },
  {
    name: 'erasing a message again changes nothing',
    async run(store) {
      await append(store, trip, { messages: [SECRET, aMessage('b')] })
      await erase(store, 's')
      const before = await readWorkspace(store)
      assert.equal((await store.eraseMessage(HERE, messageId('s'), at(20))).messages, 0)
      assert.deepEqual(await readWorkspace(store), before)
    },
  },
  {
    name: 'concurrent erases leave every total correct',
    async run(store) {
      await append(store, trip, { messages: upTo(40).map((i) => aMessage(`m${i}`, `secret number${i}`)) })
      const erased = await Promise.all(upTo(40).map((i) => erase(store, `m${i}`)))
      assert.ok(
        erased.every(
          ({ messages, isScrubbed }) => messages === 1 && isScrubbed === store.capabilities.scrubsAtOnce,
        ),
      )
      assert.equal((await needConversation(store, trip)).tokenCount, 0)
      assert.deepEqual(await findIds(store, 'secret'), [])
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'erasing a conversation removes its messages, receipts and index entries',
    async run(store) {
      await create(store, trip, { title: 'Secret trip', tags: ['hidden'] })
      await append(store, trip, { messages: [SECRET, aMessage('b')] })
      await append(store, aKey('other'), { messages: [aMessage('c', 'kept')] })
      await store.saveReceipt(HERE, aReceipt('r', trip.conversation), 10)
      const erased = await store.eraseConversations([trip])
      assert.deepEqual(erased, {
        ...NO_PAGES,
        messages: 2,
        conversations: 1,
        isScrubbed: store.capabilities.scrubsAtOnce,
        copiesIn: [],
      })
      assert.equal(await store.findConversation(trip), undefined)
      assert.equal(await store.findMessage(HERE, SECRET.id), undefined)
      assert.deepEqual(await readAll(store, trip), [])
      assert.deepEqual(await store.receipts(trip, 10), [])
      assert.deepEqual(await findIds(store, 'secret'), [])
      assert.deepEqual(await listIds(store), ['other'])
      for (const word of ['secret', 'hidden'])
        assert.deepEqual(await listIds(store, { terms: [aTerm(word)] }), [])
      assert.deepEqual(await findIds(store, 'kept'), ['c'])
    },
  },
  {
    name: 'erasing a conversation returns which others still contain copies of its messages',
    async run(store) {
      await append(store, trip, { messages: many('m', 3) })
      await append(store, aKey('unrelated'), { messages: many('n', 3) })
      await fork(store, trip, { at: 1, into: 'branch' })
      await fork(store, branch, { at: 0, into: 'twig' })
      const sorted = async (key: typeof trip) => [...(await store.eraseConversations([key])).copiesIn].sort()
      assert.deepEqual(await sorted(branch), ['trip', 'twig'])
      assert.deepEqual(await sorted(trip), ['twig'])
      assert.deepEqual(await sorted(aKey('twig')), [])
      assert.deepEqual(await listIds(store), ['unrelated'])
    },
  },
  {
    name: 'an erased conversation can be recorded again under the same ids',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'old')], appendKey: 'k' })
      await store.eraseConversations([trip])
      const { added } = await append(store, trip, { messages: [aMessage('a', 'new')], appendKey: 'k' })
      assert.equal(added, 1)
      assert.equal((await needMessage(store, 'a')).content, 'new')
    },
  },
  {
    name: 'erasing a message that reuses the id of an erased one leaves older copies alone',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'old')] })
      await fork(store, trip, { at: 0, into: 'branch' })
      await store.eraseConversations([trip])
      await append(store, trip, { messages: [aMessage('a', 'new')] })
      assert.equal((await erase(store, 'a')).messages, 1)
      assert.equal((await needMessage(store, 'branch-0')).content, 'old')
    },
  },
  {
    name: 'erasing a workspace leaves the others unchanged',
    async run(store) {
      await append(store, trip, { messages: [SECRET] })
      await fork(store, trip, { at: 0, into: 'branch' })
      await append(store, aKey('trip', ELSEWHERE), { messages: [SECRET] })
      const before = await readWorkspace(store, ELSEWHERE)
      const erased = await store.eraseWorkspace(HERE)
      assert.deepEqual(erased, {
        ...NO_PAGES,
        messages: 2,
        conversations: 2,
        isScrubbed: store.capabilities.scrubsAtOnce,
        copiesIn: [],
      })
      assert.deepEqual(await store.listWorkspaces(), [ELSEWHERE])
      assert.deepEqual(await listIds(store, { archived: 'with' }), [])
      assert.deepEqual(await findIds(store, 'secret'), [])
      assert.deepEqual(await readWorkspace(store, ELSEWHERE), before)
      assert.deepEqual(await findIds(store, 'secret', { workspace: ELSEWHERE }), ['s'])
    },
  },
  {
    name: 'erasing a missing item fails as not found',
    async run(store) {
      await rejectsWith('not-found', erase(store, 'a'))
      await rejectsWith('not-found', store.eraseWorkspace(HERE))
      await append(store, trip, { messages: many('m', 1) })
      await rejectsWith('not-found', erase(store, 'a'))
      await rejectsWith('not-found', store.eraseConversations([branch]))
    },
  },
  {
    name: 'after an erase and a scrub there is nothing left to scrub',
    async run(store) {
      assert.equal(await store.scrub(), true)
      await append(store, trip, { messages: [SECRET] })
      assert.equal((await erase(store, 's')).isScrubbed, store.capabilities.scrubsAtOnce)
      assert.equal(await isScrubbedSoon(store), true)
    },
  },
]

/** If others use the same server, their running transactions may have to end first. */
async function isScrubbedSoon(store: Store): Promise<boolean> {
  for (let tries = 0; tries < 40; tries++) {
    if (await store.scrub()) return true
    await new Promise((wake) => setTimeout(wake, 250))
  }
  return false
}
