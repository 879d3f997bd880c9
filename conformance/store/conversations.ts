import assert from 'node:assert/strict'
import {
  type ConversationFields,
  type ConversationList,
  conversationId,
  messageId,
  type Store,
} from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aKey,
  aMessage,
  append,
  aTerm,
  at,
  create,
  HERE,
  listIds,
  many,
  needConversation,
  readAll,
  rejectsWith,
} from './samples.ts'

const trip = aKey('trip')

const EVERY_FIELD: ConversationFields = {
  title: 'A trip to "Lisboa" 😀',
  isTitleGiven: true,
  tags: ['travel', 'família', 'a "b"'],
  isPinned: true,
  archivedAt: at(7),
  isMemoryOn: false,
  documents: ['d1', 'd2'],
  metadata: { deep: { list: [1, null, 'x\u0000'] } },
}

/** Five conversations, one per minute; `old` is the least recently used. */
async function makeFive(store: Store): Promise<void> {
  for (const [i, id] of ['old', 'b', 'c', 'd', 'new'].entries()) {
    await append(store, aKey(id), { messages: [aMessage(`m-${id}`, 'x', { createdAt: at(i) })] })
  }
}

async function readPages(store: Store, list: Partial<ConversationList>): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.listConversations({
      workspace: HERE,
      archived: 'without',
      limit: 2,
      ...list,
      ...(cursor !== undefined && { cursor }),
    })
    assert.ok(page.items.length > 0 || page.next === undefined, 'an empty page leads on')
    ids.push(...page.items.map(({ id }) => id))
    cursor = page.next
  } while (cursor !== undefined)
  return ids
}

export const conversations: readonly ConformanceCase[] = [
  {
    name: 'a new conversation has the given fields, and no others are set',
    async run(store) {
      const made = await create(store, trip)
      assert.deepEqual(made, {
        id: 'trip',
        isTitleGiven: false,
        tags: [],
        isPinned: false,
        isMemoryOn: true,
        documents: [],
        metadata: {},
        messageCount: 0,
        tokenCount: 0,
        createdAt: at(0),
        lastUsedAt: at(0),
      })
      assert.deepEqual(await store.findConversation(trip), made)
    },
  },
  {
    name: 'every field of a new conversation is returned unchanged',
    async run(store) {
      const forkedFrom = { conversationId: conversationId('gone'), messageId: messageId('m7'), position: 7 }
      const made = await store.createConversation({
        ...trip,
        fields: EVERY_FIELD,
        forkedFrom,
        createdAt: at(3),
      })
      assert.deepEqual(made, { ...made, ...EVERY_FIELD, forkedFrom, createdAt: at(3) })
      assert.deepEqual(await store.findConversation(trip), made)
    },
  },
  {
    name: 'creating an existing conversation returns it unchanged',
    async run(store) {
      const first = await create(store, trip, { title: 'first', isTitleGiven: true })
      assert.deepEqual(await create(store, trip, { title: 'second', tags: ['x'], createdAt: at(9) }), first)
      const atOnce = await Promise.all(
        ['a', 'b', 'c'].map((title) => create(store, aKey('other'), { title })),
      )
      assert.deepEqual(atOnce[1], atOnce[0])
      assert.deepEqual(atOnce[2], atOnce[0])
    },
  },
  {
    name: 'each field of a conversation can be changed, and the others stay',
    async run(store) {
      let expected = await create(store, trip)
      await append(store, trip, { messages: many('m', 2) })
      expected = await needConversation(store, trip)
      for (const [name, value] of Object.entries(EVERY_FIELD)) {
        expected = { ...expected, [name]: value }
        assert.deepEqual(await store.changeConversation(trip, { [name]: value }), expected)
        assert.deepEqual(await store.findConversation(trip), expected)
      }
      assert.deepEqual(await store.changeConversation(trip, {}), expected)
    },
  },
  {
    name: 'null clears the title and unarchives',
    async run(store) {
      await create(store, trip, EVERY_FIELD)
      const changed = await store.changeConversation(trip, {
        title: null,
        isTitleGiven: false,
        archivedAt: null,
      })
      assert.ok(!('title' in changed))
      assert.ok(!('archivedAt' in changed))
      assert.deepEqual(await store.findConversation(trip), changed)
    },
  },
  {
    name: 'updating a missing conversation fails as not found',
    async run(store) {
      await rejectsWith('not-found', store.changeConversation(trip, { title: 'x' }))
      assert.equal(await store.findConversation(trip), undefined)
    },
  },
  {
    name: 'a conversation created by its first messages takes its creation time from the oldest and its last use from the newest',
    async run(store) {
      const times = [-30, -90, -60].map((minutes, i) => aMessage(`m${i}`, 'x', { createdAt: at(minutes) }))
      const { conversation } = await append(store, trip, { messages: times })
      assert.deepEqual(conversation.createdAt, at(-90))
      assert.deepEqual(conversation.lastUsedAt, at(-30))
      await append(store, trip, { messages: [aMessage('older', 'x', { createdAt: at(-100) })] })
      assert.deepEqual((await needConversation(store, trip)).lastUsedAt, at(-30))
      await append(store, trip, { messages: [aMessage('newer', 'x', { createdAt: at(-1) })] })
      assert.deepEqual((await needConversation(store, trip)).lastUsedAt, at(-1))
    },
  },
  {
    name: 'a title is generated only if there is none',
    async run(store) {
      const asked: string[][] = []
      const say = (id: string, title?: string) =>
        append(store, trip, {
          messages: [aMessage(id)],
          suggestTitle: (messages) => {
            asked.push(messages.map((message) => message.id))
            return title
          },
        })
      assert.ok(!('title' in (await say('a')).conversation))
      const { conversation } = await say('b', 'Lisbon in May')
      assert.equal(conversation.title, 'Lisbon in May')
      assert.equal(conversation.isTitleGiven, false)
      await say('c', 'Another')
      await say('c', 'Another')
      assert.deepEqual(asked, [['a'], ['b']])
      assert.equal((await needConversation(store, trip)).title, 'Lisbon in May')
      await store.changeConversation(trip, { title: null })
      await say('d', 'A new one')
      assert.equal((await needConversation(store, trip)).title, 'A new one')
    },
  },
  {
    name: 'a title that was set is not replaced',
    async run(store) {
      await create(store, trip, { title: 'Mine', isTitleGiven: true })
      const { conversation } = await append(store, trip, {
        messages: many('m', 1),
        suggestTitle: () => 'Made',
      })
      assert.equal(conversation.title, 'Mine')
      assert.equal((await readAll(store, trip)).length, 1)
    },
  },
  {
    name: 'conversations are listed by last use, newest first',
    async run(store) {
      await makeFive(store)
      assert.deepEqual(await listIds(store), ['new', 'd', 'c', 'b', 'old'])
      await append(store, aKey('b'), { messages: [aMessage('again', 'x', { createdAt: at(30) })] })
      assert.deepEqual(await listIds(store), ['b', 'new', 'd', 'c', 'old'])
    },
  },
  {
    name: 'pages of a list have every conversation once, also those used at the same moment',
    async run(store) {
      await makeFive(store)
      for (const id of ['t1', 't2', 't3', 't4', 't5']) await create(store, aKey(id), { createdAt: at(2) })
      const inOne = await listIds(store)
      assert.equal(new Set(inOne).size, 10)
      for (const limit of [1, 2, 3, 5, 10]) assert.deepEqual(await readPages(store, { limit }), inOne)
    },
  },
  {
    name: 'the last page has no cursor',
    async run(store) {
      await makeFive(store)
      const page = await store.listConversations({ workspace: HERE, archived: 'with', limit: 5 })
      assert.equal(page.items.length, 5)
      assert.ok(!('next' in page))
    },
  },
  {
    name: 'an invalid cursor is rejected',
    async run(store) {
      await makeFive(store)
      for (const cursor of ['', 'nonsense', '!!!', 'eyJhIjoxfQ']) {
        await rejectsWith('invalid-input', listIds(store, { cursor }))
        const search = { workspace: HERE, terms: [aTerm('x')], limit: 2, cursor }
        await rejectsWith('invalid-input', store.searchMessages(search))
      }
    },
  },
  {
    name: 'archived conversations are listed only on request',
    async run(store) {
      await makeFive(store)
      await store.changeConversation(aKey('c'), { archivedAt: at(9) })
      assert.deepEqual(await listIds(store, { archived: 'without' }), ['new', 'd', 'b', 'old'])
      assert.deepEqual(await listIds(store, { archived: 'only' }), ['c'])
      assert.deepEqual(await listIds(store, { archived: 'with' }), ['new', 'd', 'c', 'b', 'old'])
    },
  },
  {
    name: 'a list can be filtered by tag, pin and last use, page by page',
    async run(store) {
      await makeFive(store)
      for (const id of ['old', 'c', 'new'])
        await store.changeConversation(aKey(id), { tags: ['travel', 'x'] })
      await store.changeConversation(aKey('d'), { tags: ['travel plans'], isPinned: true })
      await store.changeConversation(aKey('c'), { isPinned: true })
      assert.deepEqual(await readPages(store, { tag: 'travel' }), ['new', 'c', 'old'])
      assert.deepEqual(await readPages(store, { tag: 'Travel' }), [])
      assert.deepEqual(await readPages(store, { isPinned: true }), ['d', 'c'])
      assert.deepEqual(await readPages(store, { isPinned: false }), ['new', 'b', 'old'])
      assert.deepEqual(await readPages(store, { unusedSince: at(2) }), ['b', 'old'])
      assert.deepEqual(await readPages(store, { tag: 'travel', isPinned: true, unusedSince: at(3) }), ['c'])
    },
  },
  {
    name: 'conversations are found by words of title and tags',
    async run(store) {
      await makeFive(store)
      await store.changeConversation(aKey('b'), { title: 'Trip to Lisboa', tags: ['família'] })
      await store.changeConversation(aKey('d'), { title: 'Lisbon in May', tags: ['trip'] })
      const find = (words: string, isPrefix = false) => readPages(store, { terms: [aTerm(words, isPrefix)] })
      assert.deepEqual(await find('trip'), ['d', 'b'])
      assert.deepEqual(await find('lis', true), ['d', 'b'])
      assert.deepEqual(await find('lis'), [])
      assert.deepEqual(await find('familia'), ['b'])
      assert.deepEqual(await find('in may'), ['d'])
      assert.deepEqual(await readPages(store, { terms: [aTerm('trip'), aTerm('lisboa')] }), ['b'])
      assert.deepEqual(await find('words'), [], 'messages are not titles')
    },
  },
  {
    name: 'after a change of title or tags, the old words are not found',
    async run(store) {
      await create(store, trip, { title: 'Porto', tags: ['wine'] })
      await store.changeConversation(trip, { title: 'Braga' })
      await store.changeConversation(trip, { tags: ['cheese'] })
      await store.changeConversation(trip, { isPinned: true })
      const find = (words: string) => listIds(store, { terms: [aTerm(words)] })
      assert.deepEqual([await find('porto'), await find('wine')], [[], []])
      assert.deepEqual([await find('braga'), await find('cheese')], [['trip'], ['trip']])
      await store.changeConversation(trip, { title: null, tags: [] })
      assert.deepEqual([await find('braga'), await find('cheese')], [[], []])
    },
  },
]
