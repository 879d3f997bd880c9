// Recall, promises 1 to 5: finding messages by words.

import assert from 'node:assert/strict'
import { messageId, type WordLookup } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { findWordIds, findWords, idsAt, placeOfId, say } from './recall-samples.ts'
import { aKey, aMessage, append, at, create, fork, HERE, upTo } from './samples.ts'

const trip = aKey('trip')
const named = (...ids: readonly string[]) => ({ conversations: ids.map((id) => aKey(id).conversation) })

/** More conversations than a store would look into one by one. */
const MANY = 150

export const recallingWords: readonly ConformanceCase[] = [
  {
    name: 'the places of messages are found by their words as soon as they were acknowledged, the newest first',
    async run(store) {
      await say(store, { a: 'Lisbon in May', b: 'Porto', c: 'Lisbon again' })
      assert.deepEqual(await findWordIds(store, 'lisbon'), ['c', 'a'])
      assert.deepEqual(await findWordIds(store, 'madrid'), [])
      await say(store, { d: 'and LISBON once more' })
      assert.deepEqual(await findWordIds(store, 'lisbon'), ['d', 'c', 'a'])
      assert.deepEqual(await findWordIds(store, 'lisbon', named('trip')), ['d', 'c', 'a'])
    },
  },
  {
    name: 'a message counts if it has a word of every group',
    async run(store) {
      await say(store, { a: 'red car', b: 'green car', c: 'blue car', d: 'red bicycle' })
      const colours = ['red', 'green']
      assert.deepEqual(await findWordIds(store, [colours]), ['d', 'b', 'a'])
      assert.deepEqual(await findWordIds(store, [colours, ['car', 'bus']]), ['b', 'a'])
      assert.deepEqual(await findWordIds(store, [colours, ['car'], ['red', 'red']]), ['a'])
      assert.deepEqual(await findWordIds(store, [colours, ['train']]), [])
    },
  },
  {
    name: 'words with spaces between them are found where they follow one another',
    async run(store) {
      await say(store, { a: 'the green car', b: 'green, the car', c: '我在京都大学', d: '京大都学' })
      assert.deepEqual(await findWordIds(store, [['green car']]), ['a'])
      assert.deepEqual(await findWordIds(store, [['京 都']]), ['c'])
      assert.deepEqual(
        await findWordIds(store, [
          ['京 都', 'green car'],
          ['大 学', 'the'],
        ]),
        ['c', 'a'],
      )
      for (const odd of [' green', 'green ', 'green  car', 'green\ncar', 'green car"', ' '])
        assert.deepEqual(await findWordIds(store, [[odd]]), [], JSON.stringify(odd))
    },
  },
  {
    name: 'words are found among what was said in a span of time, though most that has them was said later',
    async run(store) {
      const sayAt = (i: number) => aMessage(`m${i}`, i % 2 === 0 ? 'tram' : 'bus', { createdAt: at(i) })
      await append(store, trip, { messages: upTo(600).map(sayAt) })
      await append(store, trip, { messages: [aMessage('late', 'tram', { createdAt: at(15) })] })
      const find = (more: Partial<WordLookup>) => findWordIds(store, 'tram', { limit: 20, ...more })
      for (const scope of [{}, named('trip')]) {
        const span = { ...scope, from: at(10), to: at(20) }
        assert.deepEqual(await find(span), ['late', 'm18', 'm16', 'm14', 'm12', 'm10'])
        assert.deepEqual(await find({ ...scope, to: at(4) }), ['m2', 'm0'])
        assert.deepEqual(await find({ ...scope, from: at(596) }), ['m598', 'm596'])
        assert.deepEqual(await find({ ...scope, from: at(900) }), [])
        const { locators, count } = await findWords(store, 'tram', { ...scope, from: at(300), limit: 20 })
        assert.deepEqual(await idsAt(store, locators.slice(0, 2)), ['m598', 'm596'])
        assert.ok(locators.length === 20 && count >= 75 && count <= 300, `150 have it, estimated ${count}`)
      }
    },
  },
  {
    name: 'words are found among what was said in a span of time in many conversations',
    async run(store) {
      for (const i of upTo(MANY)) {
        const messages = upTo(3).map((j) => aMessage(`m${i}-${j}`, 'tram', { createdAt: at(10 * i + j) }))
        await append(store, aKey(`c${i}`), { messages })
      }
      await store.changeConversation(aKey('c21'), { isMemoryOn: false })
      const span = { from: at(200), to: at(700) }
      const all = await findWordIds(store, 'tram', { ...span, limit: 1000 })
      const expected = upTo(50)
        .filter((i) => i !== 1)
        .flatMap((i) => upTo(3).map((j) => `m${i + 20}-${j}`))
      assert.deepEqual([...all].sort(), expected.sort())
      const { locators, count } = await findWords(store, 'tram', { ...span, limit: 20 })
      assert.deepEqual(await idsAt(store, locators), all.slice(0, 20))
      assert.ok(count >= 75 && count <= 300, `147 have it, estimated ${count}`)
      assert.deepEqual(await findWordIds(store, 'tram', { ...span, ...named('c21', 'c90') }), [
        'm21-2',
        'm21-1',
        'm21-0',
      ])
    },
  },
  {
    name: 'where nothing is asked for nothing is found',
    async run(store) {
      await say(store, { a: 'red' })
      for (const allOf of [[], [[]], [['red'], []], [['']]])
        assert.deepEqual(await findWords(store, allOf), { locators: [], count: 0 })
    },
  },
  {
    name: 'at most limit locators are returned, the highest ones, with the count of all',
    async run(store) {
      const messages = upTo(300).map((i) => aMessage(`m${i}`, i % 3 === 0 ? 'tram' : 'bus'))
      await append(store, trip, { messages })
      for (const scope of [{}, named('trip')]) {
        const { locators, count } = await findWords(store, 'tram', { ...scope, limit: 10 })
        assert.deepEqual(
          await idsAt(store, locators),
          upTo(10).map((i) => `m${297 - 3 * i}`),
        )
        assert.ok(count >= 50 && count <= 200, `100 messages have it, and the estimate is ${count}`)
        assert.equal((await findWords(store, 'tram', { ...scope, limit: 100 })).count, 100)
      }
    },
  },
  {
    name: 'places are found in many conversations, with a count that is about right',
    async run(store) {
      for (const i of upTo(MANY)) {
        const messages = upTo(4).map((j) => aMessage(`m${i}-${j}`, j === 0 ? 'tram' : 'bus'))
        await append(store, aKey(`c${i}`), { messages })
      }
      const all = await findWordIds(store, 'tram', { limit: 1000 })
      assert.deepEqual(
        [...all].sort(),
        upTo(MANY)
          .map((i) => `m${i}-0`)
          .sort(),
      )
      const { locators, count } = await findWords(store, 'tram', { limit: 20 })
      assert.deepEqual(await idsAt(store, locators), all.slice(0, 20))
      assert.ok(
        count > MANY / 3 && count < MANY * 3,
        `${MANY} messages have it, and the estimate is ${count}`,
      )
    },
  },
  {
    name: 'places are found in the conversations that are named, and in no others',
    async run(store) {
      await say(store, { a: 'tram' }, aKey('one'))
      await say(store, { b: 'tram' }, aKey('two'))
      await say(store, { c: 'tram' }, aKey('three'))
      const find = async (...ids: readonly string[]) =>
        [...(await findWordIds(store, 'tram', named(...ids)))].sort()
      assert.deepEqual(await find('one'), ['a'])
      assert.deepEqual(await find('three', 'one', 'one', 'nowhere'), ['a', 'c'])
      assert.deepEqual(await find('one', 'two', 'three'), ['a', 'b', 'c'])
      assert.deepEqual(await find('nowhere'), [])
      assert.deepEqual(await find(), [])
    },
  },
  {
    name: 'messages of a conversation with its memory off are found only if that conversation is named',
    async run(store) {
      await say(store, { a: 'tram' }, aKey('on'))
      await say(store, { b: 'tram' }, aKey('off'))
      await store.changeConversation(aKey('off'), { isMemoryOn: false })
      assert.deepEqual(await findWordIds(store, 'tram'), ['a'])
      assert.deepEqual(await findWordIds(store, 'tram', named('off')), ['b'])
      for (const i of upTo(MANY)) await create(store, aKey(`empty${i}`))
      await say(store, { c: 'tram' }, aKey('also off'))
      await store.changeConversation(aKey('also off'), { isMemoryOn: false })
      assert.deepEqual(await findWordIds(store, 'tram'), ['a'])
      await store.changeConversation(aKey('off'), { isMemoryOn: true })
      assert.deepEqual([...(await findWordIds(store, 'tram'))].sort(), ['a', 'b'])
    },
  },
  {
    name: 'messages that follow one another have places that do',
    async run(store) {
      await say(store, { a: 'one' }, aKey('other'))
      await say(store, { b: 'one', c: 'two', d: 'three' })
      const place = await placeOfId(store, 'b')
      assert.deepEqual(await findWords(store, 'two'), { locators: [Number(place) + 1], count: 1 })
      assert.deepEqual(await findWords(store, 'three'), { locators: [Number(place) + 2], count: 1 })
    },
  },
  {
    name: 'compressed messages and those of forks are found by their words like all others',
    requires: ['canCompress'],
    async run(store) {
      const messages = upTo(20).map((i) => aMessage(`m${i}`, `tram number ${i} `.repeat(20)))
      await append(store, trip, { messages })
      const before = await findWordIds(store, 'tram')
      assert.ok((await store.compress(trip, upTo(15))).messages > 0)
      assert.deepEqual(await findWordIds(store, 'tram'), before)
      await fork(store, trip, { at: 1, into: 'branch' })
      assert.deepEqual(await findWordIds(store, 'tram', named('branch')), ['branch-1', 'branch-0'])
    },
  },
  {
    name: 'erased words are found no more: of a message and its copies, of a conversation, of a workspace',
    async run(store) {
      await say(store, { a: 'secret tram', b: 'tram' })
      await fork(store, trip, { at: 1, into: 'branch' })
      await store.compress(trip, [0, 1])
      await store.eraseMessage(HERE, messageId('a'), at(9))
      assert.deepEqual(await findWordIds(store, 'secret'), [])
      assert.deepEqual([...(await findWordIds(store, 'tram'))].sort(), ['b', 'branch-1'])
      await store.eraseConversations([trip])
      assert.deepEqual(await findWordIds(store, 'tram'), ['branch-1'])
      await say(store, { new: 'bus' }, aKey('new'))
      assert.deepEqual(await findWordIds(store, 'tram', named('new')), [])
      await store.eraseWorkspace(HERE)
      assert.deepEqual(await findWordIds(store, 'tram'), [])
    },
  },
  {
    name: 'words that mean something to a query language are only words, and nothing that is handed in is an error',
    async run(store) {
      const words = 'and or not near scope words w1 tram'
      await say(store, { a: words })
      for (const word of words.split(' ')) assert.deepEqual(await findWordIds(store, word), ['a'], word)
      const hostile = [
        '"',
        'tram" OR "x',
        '*',
        'tr*',
        'words:tram',
        '(',
        ')',
        'a\0b',
        '\0',
        '\ud800',
        '-',
        '^tram',
      ]
      for (const word of [...hostile, 'x'.repeat(10_000), 'é'.repeat(10_000)]) {
        assert.deepEqual(await findWordIds(store, [[word]]), [], JSON.stringify(word.slice(0, 20)))
        assert.deepEqual(await findWordIds(store, [[word, 'tram']]), ['a'])
        assert.deepEqual(await findWordIds(store, [['tram'], [word]]), [])
      }
      const many = upTo(2000).map((i) => `word${i}`)
      assert.deepEqual(await findWordIds(store, [many, ['tram']]), [])
      assert.deepEqual(await findWordIds(store, [[...many, 'tram']]), ['a'])
      assert.deepEqual(
        await findWordIds(
          store,
          upTo(200).map(() => ['tram', 'and']),
        ),
        ['a'],
      )
    },
  },
]
