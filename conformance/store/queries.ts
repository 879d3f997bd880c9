// The history of queries.

import assert from 'node:assert/strict'
import { indexableWords, queryId, type Store, workspaceId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  add,
  aPageKey,
  aQuery,
  findQueryIds,
  idsOf,
  manyQueries,
  readPages,
  readQueries,
  save,
} from './page-samples.ts'
import { at, ELSEWHERE, findProblems, HERE, rejectsWith, upTo } from './samples.ts'

const home = aPageKey('home')
const other = aPageKey('other')

const toPositions = (queries: readonly { readonly position: number }[]): readonly number[] =>
  queries.map(({ position }) => position)

/** Expects that an attempt is rejected as a conflict and changes nothing. */
async function expectConflict(store: Store, attempt: () => Promise<unknown>): Promise<void> {
  const before = await readPages(store, HERE)
  await rejectsWith('conflict', attempt())
  assert.deepEqual(await readPages(store, HERE), before)
}

export const queries: readonly ConformanceCase[] = [
  {
    name: 'a query comes back to the last character',
    async run(store) {
      const query = aQuery('q', 'How many? \u0000 😀 שלום\r\n"\\', {
        intent: 'hybrid',
        sql: "SELECT 'a\u0000b' FROM t -- 漢字",
        results: [{ n: 1.5, 'a\u0000': null, nested: [true, '\u2028'] }],
        resultsTruncated: { rows: 12, bytes: 70_000 },
        response: '\u0000\n',
        important: true,
        createdAt: at(0.001),
      })
      const { queries: added, added: count } = await add(store, home, query, aQuery('plain'))
      assert.equal(count, 2)
      assert.deepEqual(added[0], { ...query, pageId: 'home', position: 0 })
      assert.deepEqual(added[1], { ...aQuery('plain'), pageId: 'home', position: 1 })
      assert.deepEqual(await readQueries(store, home), added)
    },
  },
  {
    name: 'a query makes the page that is missing, and one that is there keeps its state',
    async run(store) {
      await add(store, home, aQuery('q', 'first', { createdAt: at(7) }))
      const made = (await store.findPage(home)) ?? assert.fail('there is no page')
      assert.deepEqual([made.queryCount, made.activeFile, made.lastUsedAt], [1, null, at(7)])
      await save(store, home, { currentTopic: 'kept', updatedAt: at(8) })
      await add(store, home, aQuery('r', 'second', { createdAt: at(9) }))
      const page = (await store.findPage(home)) ?? assert.fail('there is no page')
      assert.deepEqual(
        [page.queryCount, page.currentTopic, page.updatedAt, page.lastUsedAt],
        [2, 'kept', at(8), at(9)],
      )
    },
  },
  {
    name: 'queries are ordered by when they were added, whatever the clocks say',
    async run(store) {
      await add(store, home, aQuery('a', 'a', { createdAt: at(9) }))
      await add(store, home, aQuery('b', 'b', { createdAt: at(1) }), aQuery('c', 'c', { createdAt: at(5) }))
      assert.deepEqual(idsOf(await readQueries(store, home)), ['a', 'b', 'c'])
    },
  },
  {
    name: 'many who add at once leave no double and lose nothing',
    async run(store) {
      await Promise.all(upTo(60).map((i) => add(store, i % 3 === 0 ? other : home, aQuery(`q${i}`))))
      for (const [key, count] of [
        [home, 40],
        [other, 20],
      ] as const) {
        const found = await readQueries(store, key)
        assert.deepEqual(toPositions(found), upTo(count))
        assert.equal(new Set(idsOf(found)).size, count)
        assert.equal((await store.findPage(key))?.queryCount, count)
      }
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'the same query id again returns what is there and writes nothing',
    async run(store) {
      const { queries: first } = await add(store, home, aQuery('a', 'hello', { results: [1] }))
      await store.flagQuery(HERE, queryId('a'), true)
      const before = await readPages(store, HERE)
      const retry = aQuery('a', 'hello', { results: [1], createdAt: at(50), intent: 'hybrid' })
      const { queries: second, added } = await add(store, home, retry)
      assert.equal(added, 0)
      assert.deepEqual(second, [{ ...first[0], important: true }])
      assert.deepEqual(await readPages(store, HERE), before)
      const { queries: mixed, added: more } = await add(store, home, aQuery('b'), retry, aQuery('c'))
      assert.equal(more, 2)
      assert.deepEqual(toPositions(mixed), [1, 0, 2])
    },
  },
  {
    name: 'the same query id with other words, or on another page, is a conflict and writes nothing',
    async run(store) {
      await add(store, home, aQuery('a', 'hello', { sql: 'SELECT 1', response: 'one', results: [1] }))
      const same = { sql: 'SELECT 1', response: 'one', results: [1] }
      for (const changed of [
        aQuery('a', 'other', same),
        aQuery('a', 'hello', { ...same, sql: 'SELECT 2' }),
        aQuery('a', 'hello', { ...same, response: null }),
        aQuery('a', 'hello', { ...same, results: [2] }),
      ]) {
        await expectConflict(store, () => add(store, home, aQuery('new'), changed))
      }
      await expectConflict(store, () => add(store, other, aQuery('new'), aQuery('a', 'hello', same)))
      assert.equal(await store.findPage(other), undefined)
    },
  },
  {
    name: 'a stretch of the history is read from either end, in order',
    async run(store) {
      await add(store, home, manyQueries('q', 10))
      const read = async (range: object) => toPositions(await store.queries({ ...home, limit: 3, ...range }))
      assert.deepEqual(await read({}), [0, 1, 2])
      assert.deepEqual(await read({ direction: 'backwards' }), [7, 8, 9])
      assert.deepEqual(await read({ after: 4 }), [5, 6, 7])
      assert.deepEqual(await read({ before: 4, direction: 'backwards' }), [1, 2, 3])
      assert.deepEqual(await read({ after: 2, before: 5 }), [3, 4])
      assert.deepEqual(await read({ limit: 0 }), [])
    },
  },
  {
    name: 'queries are read by their positions, in order, and a position of none yields none',
    async run(store) {
      await add(store, other, manyQueries('o', 9))
      await add(store, home, manyQueries('q', 5))
      assert.deepEqual(idsOf(await store.queriesAt(home, [4, 0, 2, 7, -1])), ['q0', 'q2', 'q4'])
      assert.deepEqual(await store.queriesAt(home, []), [])
    },
  },
  {
    name: 'flagged queries can be read alone, and a flag changes nothing else',
    async run(store) {
      await add(store, home, manyQueries('q', 6))
      const before = await readQueries(store, home)
      for (const id of ['q1', 'q3', 'q4']) {
        const flagged = await store.flagQuery(HERE, queryId(id), true)
        assert.deepEqual([flagged.id, flagged.important], [id, true])
      }
      assert.equal((await store.flagQuery(HERE, queryId('q3'), false)).important, false)
      const read = async (range: object) =>
        toPositions(await store.queries({ ...home, limit: 9, onlyImportant: true, ...range }))
      assert.deepEqual(await read({}), [1, 4])
      assert.deepEqual(await read({ direction: 'backwards', limit: 1 }), [4])
      const expected = before.map((query, i) => ({ ...query, important: i === 1 || i === 4 }))
      assert.deepEqual(await readQueries(store, home), expected)
      await rejectsWith('not-found', store.flagQuery(HERE, queryId('nobody'), true))
    },
  },
  {
    name: 'a query is found by its id, in its workspace alone',
    async run(store) {
      await add(store, home, manyQueries('q', 3))
      const [, second] = await readQueries(store, home)
      assert.deepEqual(await store.findQuery(HERE, queryId('q1')), second)
      assert.equal(await store.findQuery(HERE, queryId('nobody')), undefined)
      assert.equal(await store.findQuery(ELSEWHERE, queryId('q1')), undefined)
      assert.equal(await store.findQuery(workspaceId('nowhere'), queryId('q1')), undefined)
    },
  },
  {
    name: 'a query is found by the words of question, SQL and response as soon as it was acknowledged',
    async run(store) {
      const query = aQuery('q', 'Große Kunden in Łódź?', {
        sql: 'SELECT name FROM order_items',
        response: 'Three: 漢字 and others',
        results: [{ hidden: 'pirates' }],
      })
      await add(store, home, query)
      for (const word of ['große', 'kunden', 'select', 'items', 'three', '漢', 'others'].map(
        indexableWords,
      )) {
        assert.deepEqual(await findQueryIds(store, home, { word }), ['q'], word)
      }
      for (const word of ['pirates', 'kund', 'porto']) {
        assert.deepEqual(await findQueryIds(store, home, { word }), [], word)
      }
    },
  },
  {
    name: 'for each word, the newest queries of this page that contain it are returned, newest first',
    async run(store) {
      await add(store, aPageKey('before'), aQuery('x', 'tea and cake'))
      await add(
        store,
        home,
        upTo(6).map((i) => aQuery(`q${i}`, i % 2 === 0 ? 'tea' : 'tea and cake')),
      )
      await add(store, other, aQuery('y', 'tea and cake'))
      const find = (words: readonly string[], limit = 10) =>
        store.findQueryPositions({ ...home, words, limit })
      assert.deepEqual(await find(['tea', 'wine', 'cake']), [[5, 4, 3, 2, 1, 0], [], [5, 3, 1]])
      assert.deepEqual(await find(['tea', 'cake'], 2), [
        [5, 4],
        [5, 3],
      ])
      assert.deepEqual(await find([]), [])
      assert.deepEqual(await store.findQueryPositions({ ...aPageKey('none'), words: ['tea'], limit: 5 }), [
        [],
      ])
    },
  },
  {
    name: 'words can be looked for among the queries that have one of some others',
    async run(store) {
      const words = ['tea', 'tea cake', 'tea jam', 'cake', 'tea cake jam', 'tea bread']
      await add(
        store,
        home,
        words.map((text, i) => aQuery(`q${i}`, text)),
      )
      const find = (withAnyOf: readonly string[], limit = 10) =>
        store.findQueryPositions({ ...home, words: ['tea'], withAnyOf, limit })
      assert.deepEqual(await find(['cake']), [[4, 1]])
      assert.deepEqual(await find(['cake', 'jam']), [[4, 2, 1]])
      assert.deepEqual(await find(['cake', 'jam'], 2), [[4, 2]])
      assert.deepEqual(await find(['wine']), [[]])
      assert.deepEqual(await find([]), [[]])
    },
  },
  {
    name: 'an erased query is gone with its words, and the others stay where they are',
    async run(store) {
      const late = aQuery('b', 'secret garden', { createdAt: at(9) })
      await add(store, home, aQuery('a', 'secret plan'), late, aQuery('c', 'tea'))
      const [first, , last] = await readQueries(store, home)
      const erased = await store.eraseQuery(HERE, queryId('b'))
      const counts = { messages: 0, conversations: 0, pages: 0, queries: 1, documents: 0 }
      assert.deepEqual(erased, { ...counts, isScrubbed: store.capabilities.scrubsAtOnce, copiesIn: [] })
      assert.deepEqual(await readQueries(store, home), [first, last])
      assert.deepEqual(await findQueryIds(store, home, { word: 'secret' }), ['a'])
      const page = (await store.findPage(home)) ?? assert.fail('there is no page')
      assert.deepEqual([page.queryCount, page.lastUsedAt], [2, at(1)])
      await rejectsWith('not-found', store.eraseQuery(HERE, queryId('b')))
      const { queries: added } = await add(store, home, aQuery('b', 'started again'))
      assert.deepEqual(idsOf(added), ['b'])
      assert.deepEqual(idsOf(await readQueries(store, home)), ['a', 'c', 'b'])
      assert.deepEqual(await findProblems(store), [])
    },
  },
]
