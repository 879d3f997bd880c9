// The state of pages.

import assert from 'node:assert/strict'
import { isMemoryError, type JsonObject, MemoryError } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { add, aPage, aPageKey, aQuery, readPages, readQueries, save } from './page-samples.ts'
import {
  aKey,
  append,
  at,
  create,
  ELSEWHERE,
  findProblems,
  HERE,
  listIds,
  many,
  rejectsWith,
  upTo,
} from './samples.ts'

const home = aPageKey('home')
const other = aPageKey('other')
const theirHome = aPageKey('home', ELSEWHERE)

/** Anything that JSON can represent, including a key that is special in JavaScript. */
const ENTITIES: JsonObject = JSON.parse(
  '{"Ana 😀":{"role":null,"tags":["a\\u0000b",1.5,false]},"__proto__":1,"":"","2":"two"}',
)

export const pages: readonly ConformanceCase[] = [
  {
    name: 'the state of a page comes back as it was saved, its times as dates',
    async run(store) {
      const fields = aPage({
        activeFile: { id: 'sales', name: 'Sales 2026.csv', metadata: ENTITIES },
        currentTopic: 'Umsätze',
        entities: ENTITIES,
        preferences: { chart: 'bar' },
        createdAt: at(0.01),
        updatedAt: at(3),
      })
      const saved = await store.savePage({ ...home, change: () => fields })
      const expected = { pageId: 'home', ...fields, queryCount: 0, lastUsedAt: at(3) }
      assert.deepEqual(saved, expected)
      assert.deepEqual(await store.findPage(home), expected)
      await save(store, home, { activeFile: { id: 'costs' }, currentTopic: null, entities: {} })
      const changed = await store.findPage(home)
      assert.deepEqual(changed, {
        ...expected,
        activeFile: { id: 'costs' },
        currentTopic: null,
        entities: {},
      })
    },
  },
  {
    name: 'a page that is not there is not found, and looking for it makes none',
    async run(store) {
      assert.equal(await store.findPage(home), undefined)
      assert.deepEqual(await readQueries(store, home), [])
      assert.deepEqual((await store.listPages({ workspace: HERE, limit: 10 })).items, [])
      assert.deepEqual(await store.listWorkspaces(), [])
    },
  },
  {
    name: 'many who make the same page at once make one, and all see it',
    async run(store) {
      const seen = await Promise.all(
        upTo(20).map((i) =>
          store.savePage({
            ...home,
            change: (page) => page ?? aPage({ createdAt: at(i), updatedAt: at(i) }),
          }),
        ),
      )
      assert.equal(new Set(seen.map(({ createdAt }) => createdAt.getTime())).size, 1)
      assert.equal((await store.statistics(HERE)).pages, 1)
      assert.deepEqual(await store.listWorkspaces(), [HERE])
    },
  },
  {
    name: 'a change begins with what is there at that moment: writers at once lose no key of each other',
    async run(store) {
      await save(store, home)
      await Promise.all(
        upTo(50).map((i) =>
          store.savePage({
            ...home,
            change: (page = assert.fail('there is no page')) => ({
              ...page,
              entities: { ...page.entities, [`key${i}`]: i },
            }),
          }),
        ),
      )
      const { entities } = (await store.findPage(home)) ?? assert.fail('there is no page')
      assert.deepEqual(
        Object.keys(entities).sort(),
        upTo(50)
          .map((i) => `key${i}`)
          .sort(),
      )
    },
  },
  {
    name: 'a change that is refused leaves the page as it was, or makes none',
    async run(store) {
      const change = () => {
        throw new MemoryError('too-large', 'no')
      }
      await rejectsWith('too-large', store.savePage({ ...home, change }))
      assert.equal(await store.findPage(home), undefined)
      const before = await save(store, home, { currentTopic: 'kept' })
      const [refused] = await Promise.allSettled([
        store.savePage({ ...home, change }),
        save(store, other, { currentTopic: 'written' }),
      ])
      assert.ok(refused.status === 'rejected' && isMemoryError(refused.reason))
      assert.deepEqual(await store.findPage(home), before)
      assert.equal((await store.findPage(other))?.currentTopic, 'written')
    },
  },
  {
    name: 'pages are listed by last use, newest first, and every page of the list has each once',
    async run(store) {
      for (const i of upTo(7)) await save(store, aPageKey(`p${i}`), { updatedAt: at(i % 3) })
      await add(store, aPageKey('p1'), aQuery('late', 'late', { createdAt: at(50) }))
      await save(store, aPageKey('p2'), { updatedAt: at(40) })
      const seen: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await store.listPages({ workspace: HERE, limit: 2, ...(cursor && { cursor }) })
        seen.push(...page.items.map(({ pageId }) => pageId))
        if (page.next === undefined) break
        cursor = page.next
      }
      assert.equal(new Set(seen).size, 7)
      assert.equal(seen.length, 7)
      assert.deepEqual(seen.slice(0, 3), ['p1', 'p2', 'p5'])
      assert.deepEqual((await store.findPage(aPageKey('p1')))?.lastUsedAt, at(50))
      await rejectsWith('invalid-input', store.listPages({ workspace: HERE, limit: 2, cursor: 'made up' }))
    },
  },
  {
    name: 'a document that is forgotten is the active file of no page, and all else stays',
    async run(store) {
      const sales = { id: 'sales', name: 'Sales.csv' }
      await save(store, home, { activeFile: sales, currentTopic: 'kept' })
      await save(store, aPageKey('second'), { activeFile: { id: 'sales' } })
      await save(store, other, { activeFile: { id: 'costs' } })
      await save(store, theirHome, { activeFile: sales })
      assert.equal(await store.forgetDocument(HERE, 'sales', at(9)), 2)
      const expected = { activeFile: null, currentTopic: 'kept', updatedAt: at(9), lastUsedAt: at(9) }
      assert.deepEqual({ ...(await store.findPage(home)), ...expected }, await store.findPage(home))
      assert.deepEqual((await store.findPage(aPageKey('second')))?.activeFile, null)
      assert.deepEqual((await store.findPage(other))?.activeFile, { id: 'costs' })
      assert.deepEqual((await store.findPage(theirHome))?.activeFile, sales)
      assert.equal(await store.forgetDocument(HERE, 'sales', at(10)), 0)
    },
  },
  {
    name: 'pages of another workspace are neither seen nor touched',
    async run(store) {
      await save(store, theirHome, { currentTopic: 'theirs', activeFile: { id: 'sales' } })
      await add(store, theirHome, aQuery('q', 'their secret', { important: true }))
      const before = await readPages(store, ELSEWHERE)
      assert.equal(await store.findPage(home), undefined)
      assert.deepEqual(await readQueries(store, home), [])
      assert.deepEqual(await store.queriesAt(home, [0]), [])
      assert.deepEqual((await store.listPages({ workspace: HERE, limit: 10 })).items, [])
      await save(store, home, { currentTopic: 'ours' })
      await add(store, home, aQuery('q', 'ours'))
      assert.deepEqual(await store.findQueryPositions({ ...home, words: ['secret'], limit: 5 }), [[]])
      await store.flagQuery(HERE, aQuery('q').id, false)
      await store.forgetDocument(HERE, 'sales', at(9))
      await store.eraseQuery(HERE, aQuery('q').id)
      await store.erasePage(home)
      await rejectsWith('not-found', store.flagQuery(HERE, aQuery('q').id, false))
      await rejectsWith('not-found', store.eraseQuery(HERE, aQuery('q').id))
      await rejectsWith('not-found', store.erasePage(home))
      await store.eraseWorkspace(HERE)
      assert.deepEqual(await readPages(store, ELSEWHERE), before)
    },
  },
  {
    name: 'a conversation whose page was used is not unused',
    async run(store) {
      for (const id of ['a', 'b', 'c']) await create(store, aKey(id), { createdAt: at(0) })
      await save(store, aPageKey('a'), { updatedAt: at(20) })
      await save(store, aPageKey('b'), { updatedAt: at(1) })
      await save(store, aPageKey('c', ELSEWHERE), { updatedAt: at(20) })
      assert.deepEqual([...(await listIds(store, { unusedSince: at(10) }))].sort(), ['b', 'c'])
    },
  },
  {
    name: 'an erased conversation takes the page of its id with it, and no other',
    async run(store) {
      await append(store, aKey('home'), { messages: many('m', 2) })
      await save(store, home, { entities: { secret: 1 } })
      await add(store, home, aQuery('q', 'a secret question'), aQuery('r'))
      await add(store, other, aQuery('s', 'another secret'))
      await add(store, theirHome, aQuery('q', 'their secret'))
      const theirs = await readPages(store, ELSEWHERE)
      const erased = await store.eraseConversations([aKey('home')])
      const counts = { messages: 2, conversations: 1, pages: 1, queries: 2, documents: 0 }
      assert.deepEqual(erased, { ...counts, isScrubbed: store.capabilities.scrubsAtOnce, copiesIn: [] })
      assert.equal(await store.findPage(home), undefined)
      assert.deepEqual(await readQueries(store, home), [])
      assert.equal((await readQueries(store, other)).length, 1)
      assert.deepEqual(await store.findQueryPositions({ ...other, words: ['secret'], limit: 5 }), [[0]])
      assert.deepEqual(await readPages(store, ELSEWHERE), theirs)
      await save(store, home)
      assert.deepEqual(await store.findQueryPositions({ ...home, words: ['secret'], limit: 5 }), [[]])
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'an id with a page and no conversation can be erased as a conversation too',
    async run(store) {
      await append(store, aKey('chat'), { messages: many('m', 2) })
      await add(store, home, aQuery('q'))
      const erased = await store.eraseConversations([aKey('chat'), aKey('home')])
      assert.deepEqual([erased.messages, erased.conversations, erased.pages, erased.queries], [2, 1, 1, 1])
      assert.equal(await store.findPage(home), undefined)
      await rejectsWith('not-found', store.eraseConversations([aKey('home')]))
    },
  },
  {
    name: 'a page that is erased is gone with its queries and words, and its conversation stays',
    async run(store) {
      await append(store, aKey('home'), { messages: many('m', 2) })
      await add(store, home, aQuery('q', 'a secret question'), aQuery('r', 'secret'))
      await add(store, other, aQuery('s'))
      const erased = await store.erasePage(home)
      const counts = { messages: 0, conversations: 0, pages: 1, queries: 2, documents: 0 }
      assert.deepEqual(erased, { ...counts, isScrubbed: store.capabilities.scrubsAtOnce, copiesIn: [] })
      assert.deepEqual(await listIds(store), ['home'])
      assert.equal(await store.findPage(home), undefined)
      await add(store, home, aQuery('q', 'started again'))
      assert.deepEqual(await store.findQueryPositions({ ...home, words: ['secret'], limit: 5 }), [[]])
      assert.equal((await readQueries(store, other)).length, 1)
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'an erased workspace takes its pages and queries with it',
    async run(store) {
      await add(store, home, aQuery('q', 'secret'), aQuery('r'))
      await save(store, other)
      await add(store, theirHome, aQuery('q'))
      const erased = await store.eraseWorkspace(HERE)
      assert.deepEqual([erased.conversations, erased.pages, erased.queries], [0, 2, 2])
      assert.deepEqual(await store.listWorkspaces(), [ELSEWHERE])
      assert.deepEqual(await readPages(store, HERE), [])
      const { pages: left, queries } = await store.statistics(HERE)
      assert.deepEqual([left, queries], [0, 0])
      assert.equal((await readQueries(store, theirHome)).length, 1)
    },
  },
]
