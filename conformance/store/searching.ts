// Promise 7: messages can be found at once.

import assert from 'node:assert/strict'
import type { Part, Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aKey, aMessage, append, aTerm, at, findIds, HERE, many, upTo } from './samples.ts'

const trip = aKey('trip')

const say = (store: Store, words: Readonly<Record<string, string>>, conversation = 'trip') =>
  append(store, aKey(conversation), {
    messages: Object.entries(words).map(([id, text]) => aMessage(id, text)),
  })

export const searching: readonly ConformanceCase[] = [
  {
    name: 'a message is found by each of its words as soon as it was acknowledged',
    async run(store) {
      await say(store, { a: 'We are in Lisbon, in May!' })
      for (const word of ['we', 'are', 'in', 'Lisbon', 'MAY'])
        assert.deepEqual(await findIds(store, word), ['a'])
      assert.deepEqual(await findIds(store, 'lisbo'), [])
      assert.deepEqual(await findIds(store, 'madrid'), [])
    },
  },
  {
    name: 'a search returns messages as they are read',
    async run(store) {
      const { messages } = await append(store, trip, {
        messages: [aMessage('a', 'Lisbon', { name: 'Ada', metadata: { a: 1 }, importance: 0.5 })],
        appendKey: 'k',
      })
      const page = await store.searchMessages({ workspace: HERE, terms: [aTerm('lisbon')], limit: 5 })
      assert.deepEqual(page, { items: messages })
    },
  },
  {
    name: 'all terms must match, in any order',
    async run(store) {
      await say(store, { a: 'red and green', b: 'green', c: 'green, then red' })
      assert.deepEqual(await findIds(store, [aTerm('red'), aTerm('green')]), ['c', 'a'])
      assert.deepEqual(await findIds(store, [aTerm('red'), aTerm('blue')]), [])
    },
  },
  {
    name: 'words of a phrase must be adjacent',
    async run(store) {
      await say(store, { a: 'the old town of Porto', b: 'the town is old', c: 'an OLD, town' })
      assert.deepEqual(await findIds(store, 'old town'), ['c', 'a'])
      assert.deepEqual(await findIds(store, 'town of porto'), ['a'])
    },
  },
  {
    name: 'a prefix matches if requested, also at the end of a phrase',
    async run(store) {
      await say(store, { a: 'Lisbon', b: 'listen', c: 'in Lisbon', d: 'in Listenbourg' })
      assert.deepEqual(await findIds(store, [aTerm('lis', true)]), ['d', 'c', 'b', 'a'])
      assert.deepEqual(await findIds(store, [aTerm('lisb', true)]), ['c', 'a'])
      assert.deepEqual(await findIds(store, [aTerm('in lis', true)]), ['d', 'c'])
    },
  },
  {
    name: 'accents, case and width are ignored, and any script is found',
    async run(store) {
      await say(store, { a: 'São João', b: 'ΑΘΉΝΑ', c: 'ｆｕｌｌ width', d: '我们在里斯本吃饭', e: 'مُحَمَّد' })
      assert.deepEqual(await findIds(store, 'sao joao'), ['a'])
      assert.deepEqual(await findIds(store, 'αθηνα'), ['b'])
      assert.deepEqual(await findIds(store, 'full'), ['c'])
      assert.deepEqual(await findIds(store, '里斯本'), ['d'])
      assert.deepEqual(await findIds(store, '本里'), [])
      assert.deepEqual(await findIds(store, 'محمد'), ['e'])
    },
  },
  {
    name: 'words that mean something to a query language are only words',
    async run(store) {
      await say(store, { a: 'this and that or not near w1 c1 scope words' })
      for (const word of ['and', 'or', 'not', 'near', 'scope', 'words', 'w1']) {
        assert.deepEqual(await findIds(store, word), ['a'], word)
      }
      assert.deepEqual(await findIds(store, [aTerm('w1', true)]), ['a'])
      await say(store, { b: 'plain' })
      assert.deepEqual(await findIds(store, 'c1'), ['a'])
    },
  },
  {
    name: 'text, reasoning, names of files, tools with their arguments, and results are searched',
    async run(store) {
      const parts: readonly Part[] = [
        { type: 'text', text: 'alpha' },
        { type: 'reasoning', text: 'bravo' },
        { type: 'image', url: 'https://charlie.example/delta.png' },
        { type: 'file', url: 'file:///golf', name: 'echo.pdf' },
        { type: 'tool-call', toolCallId: 'hotel', toolName: 'foxtrot', input: { india: 'juliett' } },
        { type: 'tool-result', toolCallId: 'hotel', output: { kilo: ['lima'] } },
      ]
      await append(store, trip, {
        messages: [aMessage('a', parts, { name: 'mike', metadata: { november: 'oscar' } })],
      })
      for (const word of ['alpha', 'bravo', 'echo', 'foxtrot', 'india', 'juliett', 'kilo', 'lima']) {
        assert.deepEqual(await findIds(store, word), ['a'], word)
      }
      for (const word of ['charlie', 'delta', 'golf', 'hotel', 'mike', 'november', 'oscar']) {
        assert.deepEqual(await findIds(store, word), [], word)
      }
    },
  },
  {
    name: 'a search can be limited to one conversation',
    async run(store) {
      await say(store, { a: 'hello' }, 'one')
      await say(store, { b: 'hello' }, 'two')
      await say(store, { c: 'hello' }, 'one')
      assert.deepEqual(await findIds(store, 'hello', aKey('one')), ['c', 'a'])
      assert.deepEqual(await findIds(store, 'hello', aKey('two')), ['b'])
      assert.deepEqual(await findIds(store, 'hello', aKey('three')), [])
      assert.deepEqual(await findIds(store, 'hello'), ['c', 'b', 'a'])
    },
  },
  {
    name: 'the last recorded message is found first, regardless of timestamps',
    async run(store) {
      await append(store, trip, { messages: [aMessage('a', 'hello', { createdAt: at(90) })] })
      await append(store, trip, { messages: [aMessage('b', 'hello', { createdAt: at(10) })] })
      assert.deepEqual(await findIds(store, 'hello'), ['b', 'a'])
    },
  },
  {
    name: 'pages of a search contain every message once, newest first, even while more are recorded',
    async run(store) {
      await append(store, trip, { messages: upTo(23).map((i) => aMessage(`m${i}`, 'hello')) })
      const found: string[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await store.searchMessages({
          workspace: HERE,
          terms: [aTerm('hello')],
          limit: 5,
          ...(cursor !== undefined && { cursor }),
        })
        found.push(...page.items.map(({ id }) => id))
        cursor = page.next
        if (cursor === undefined) break
        await append(store, trip, { messages: [aMessage(`late${found.length}`, 'hello')] })
      }
      const newestFirst = upTo(23)
        .map((i) => `m${i}`)
        .reverse()
      assert.deepEqual(found, newestFirst)
    },
  },
  {
    name: 'a message without words is stored, but never found',
    async run(store) {
      await say(store, { a: '', b: '!!! … 😀', c: 'word' })
      assert.deepEqual(await findIds(store, 'word'), ['c'])
      await append(store, trip, { messages: many('m', 1) })
      assert.equal((await store.statistics(HERE)).messages, 4)
    },
  },
]
