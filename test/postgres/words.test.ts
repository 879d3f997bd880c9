// The word index stores 256 entries per row. PostgreSQL must find the same as the file: across row boundaries, for
// common and rare words, alone and combined, and after messages are erased.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { aKey, aMessage, append, at, HERE } from '../../conformance/store/samples.ts'
import { messageId } from '../../src/domain/ids.ts'
import type { WordLookup } from '../../src/store/recall-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { effort } from '../support/effort.ts'
import { openFreshPostgres } from '../support/postgres-store.ts'

const SIZES = { long: 1100, short: 30, quiet: 300, other: 513, last: 20 }
const WORDS = ['every', 'third', 'seventh', 'hundredth', 'early', 'late', 'once', 'never', 'outermost']
/** Far apart: a common word has many more rows between them than these two words have. */
const OUTERMOST = ['long-6', 'last-6']

/** The words of a message depend only on its position. */
const textAt = (position: number): string =>
  [
    'every',
    position % 3 === 0 && 'third',
    position % 7 === 0 && 'seventh',
    position % 100 === 0 && 'hundredth',
    position < 256 && 'early',
    position >= 256 && 'late',
    position === 255 && 'once',
  ]
    .filter(Boolean)
    .join(' ')

async function fill(store: Store): Promise<Store> {
  for (const [name, size] of Object.entries(SIZES)) {
    const messages = Array.from({ length: size }, (_, i) => {
      const id = `${name}-${i}`
      return aMessage(id, OUTERMOST.includes(id) ? `outermost ${textAt(i)}` : textAt(i))
    })
    await append(store, aKey(name), { messages: messages.slice(0, 200) })
    if (size > 200) await append(store, aKey(name), { messages: messages.slice(200) })
  }
  await store.changeConversation(aKey('quiet'), { isMemoryOn: false })
  for (const id of ['long-0', 'long-255', 'long-256', 'other-512'])
    await store.eraseMessage(HERE, messageId(id), at(5))
  return store
}

let stores: readonly Store[]

beforeAll(async () => {
  const file = await openSqliteStore({ path: ':memory:', durability: 'full', busyTimeoutMs: 1000 })
  stores = await Promise.all([file, await openFreshPostgres()].map(fill))
  return async () => {
    for (const store of stores) await store.close()
  }
}, 60_000)

const word = fc.constantFrom(...WORDS)
const lookup: fc.Arbitrary<WordLookup> = fc.record(
  {
    workspace: fc.constant(HERE),
    allOf: fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    limit: fc.integer({ min: 1, max: 900 }),
    conversations: fc.subarray(Object.keys(SIZES).map((name) => aKey(name).conversation)),
  },
  { requiredKeys: ['workspace', 'allOf', 'limit'] },
)

/** The messages that match, and their count if all are listed. */
async function find(store: Store, asked: WordLookup) {
  const { locators, count } = await store.findByWords(asked)
  const heads = await store.getMessageMeta(HERE, locators)
  return { ids: heads.map(({ id }) => id), count: count > asked.limit ? 'more' : count }
}

test('for any words, both stores find the same messages in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(lookup, async (asked) => {
      const [inFile, inPostgres] = await Promise.all(stores.map((store) => find(store, asked)))
      expect(inPostgres).toEqual(inFile)
    }),
    { numRuns: effort({ short: 37, long: 150 }) },
  )
}, 60_000)

test('a rare word is found together with a word that is in every row in between', async () => {
  for (const store of stores)
    expect(await find(store, { workspace: HERE, allOf: [['every'], ['outermost']], limit: 10 })).toEqual({
      ids: ['last-6', 'long-6'],
      count: 2,
    })
})

test('concurrent questions get the same answers as questions asked one by one', async () => {
  const [, store] = stores as [Store, Store]
  await fc.assert(
    fc.asyncProperty(fc.array(lookup, { minLength: 2, maxLength: 12 }), async (lookups) => {
      const together = await Promise.all(lookups.map((asked) => store.findByWords(asked)))
      const alone = []
      for (const asked of lookups) alone.push(await store.findByWords(asked))
      expect(together).toEqual(alone)
    }),
    { numRuns: effort({ short: 10, long: 30 }) },
  )
}, 60_000)

test('an erased message is in no row, and the index contains the rest', async () => {
  for (const store of stores) {
    const { locators } = await store.findByWords({ workspace: HERE, allOf: [['once']], limit: 10 })
    expect((await store.getMessageMeta(HERE, locators)).map(({ id }) => id)).toEqual(['other-255'])
    expect((await store.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
  }
})
