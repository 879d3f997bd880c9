// Searches many conversations with more hits than are sorted at once, which uses the second way of finding the
// newest.

import { expect, test } from 'vitest'
import {
  aKey,
  aMessage,
  append,
  aTerm,
  at,
  ELSEWHERE,
  findProblems,
  HERE,
  upTo,
} from '../../../conformance/store/samples.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { askPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { SearchTerm } from '../../domain/search.ts'
import type { MessageSearch, Store } from '../store.ts'

interface Said {
  readonly id: string
  readonly conversation: string
  readonly words: string
}

/**
 * In the order of recording. Common words are in conversations of all ages, old ones only in those without recent
 * messages.
 */
async function fill(store: Store): Promise<readonly Said[]> {
  const random = new SeededRandom(5)
  const said: Said[] = []
  const record = async (conversation: string, words: readonly string[]) => {
    const some = words.map((word, i) => ({ id: `m${said.length + i}`, conversation, words: word }))
    const messages = some.map(({ id, words }) => aMessage(id, words, { createdAt: at(random.below(9999)) }))
    await append(store, aKey(conversation), { messages })
    if (random.below(4) === 0)
      await append(store, aKey(conversation, ELSEWHERE), { messages: messages.slice(0, 3) })
    said.push(...some)
  }
  for (const _ of upTo(320))
    await record(
      `c${random.below(100)}`,
      upTo(20).map(() => 'common oldest'),
    )
  for (const i of upTo(700)) {
    const words = upTo(1 + random.below(8)).map(() => random.pick(['common', 'commoner', 'rare', 'x']))
    await record(`d${i < 550 ? i : random.below(550)}`, words)
  }
  return said
}

async function readPages(store: Store, search: Omit<MessageSearch, 'workspace'>): Promise<readonly string[]> {
  const ids: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await store.searchMessages({ workspace: HERE, ...search, ...(cursor && { cursor }) })
    ids.push(...page.items.map(({ id }) => id))
    expect(page.items.length).toBeLessThanOrEqual(search.limit)
    cursor = page.next
    if (cursor === undefined) return ids
  }
}

const newestFirst = (said: readonly Said[]): readonly string[] => said.map(({ id }) => id).reverse()

test('every page has the newest of the remaining hits, however common a word and wherever it occurs', async () => {
  const store = await openStore()
  const said = await fill(store)
  const having = (start: string) =>
    said.filter(({ words }) => words.split(' ').some((word) => word.startsWith(start)))
  const exactly = (word: string) => said.filter(({ words }) => words.split(' ').includes(word))
  const searches: readonly (readonly [SearchTerm[], readonly Said[]])[] = [
    [[aTerm('common')], exactly('common')],
    [[aTerm('oldest')], exactly('oldest')],
    [[aTerm('common oldest')], exactly('oldest')],
    [[aTerm('rare')], exactly('rare')],
    [[aTerm('commo', true)], having('commo')],
    [[aTerm('old', true), aTerm('common')], having('old')],
    [[aTerm('commoner', true)], exactly('commoner')],
  ]
  for (const [terms, expected] of searches) {
    expect(await readPages(store, { terms, limit: 1500 })).toEqual(newestFirst(expected))
    const first = await store.searchMessages({ workspace: HERE, terms, limit: 7 })
    expect(first.items.map(({ id }) => id)).toEqual(newestFirst(expected).slice(0, 7))
    const conversation = aKey('c7').conversation
    const inOne = expected.filter((message) => message.conversation === conversation)
    expect(await readPages(store, { terms, limit: 13, conversation })).toEqual(newestFirst(inOne))
  }
})

test('places beyond 32 bits are written, found, erased and checked like all others', async () => {
  const path = temporaryPath()
  const store = await openStore({ path })
  for (const i of upTo(140))
    await append(store, aKey(`c${i}`), { messages: [aMessage(`m${i}`, `tram ${i}`)] })
  await append(store, aKey('c139'), { messages: [aMessage('last', 'the secret tram')] })
  const allOf = [['secret']]
  const find = () =>
    store.findByWords({ workspace: HERE, conversations: [aKey('c139').conversation], allOf, limit: 9 })
  const { locators } = await find()
  expect(locators[0]).toBeGreaterThan(2 ** 31)
  expect((await store.getMessageMeta(HERE, locators)).map(({ id }) => id)).toEqual(['last'])
  expect(await findProblems(store)).toEqual([])
  await store.eraseMessage(HERE, messageId('last'), at(9))
  expect((await find()).locators).toEqual([])
  expect(askPlain(path, "SELECT count(*) FROM message_words WHERE message_words MATCH 'secret'")).toBe(0)
  expect(await findProblems(store)).toEqual([])
})
