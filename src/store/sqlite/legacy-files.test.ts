// A file of every released schema is opened by every later version. The files were written by
// test/support/make-legacy-fixture.mjs and never change; all have the same content.

import { copyFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { add, aPageKey, aQuery, findQueryIds, readQueries } from '../../../conformance/store/page-samples.ts'
import {
  aKey,
  aMessage,
  append,
  aTerm,
  at,
  findIds,
  findProblems,
  fork,
  listIds,
  needConversation,
  needMessage,
  readAll,
  readWorkspace,
  toIds,
  toPositions,
  upTo,
} from '../../../conformance/store/samples.ts'
import { askPlain, openStore, readRaw } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId, workspaceId } from '../../domain/ids.ts'
import type { Store } from '../store.ts'
import { MIGRATIONS } from './migrations/migrations.ts'

const FOLDER = fileURLToPath(new URL('../../../test/fixtures/legacy/', import.meta.url))
const MINE = workspaceId('default')
const trip = aKey('trip', MINE)
const porto = aKey('porto', MINE)
const recipes = aKey('recipes', MINE)

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.db'))

async function openLegacy(name: string): Promise<{ store: Store; path: string }> {
  const path = temporaryPath()
  copyFileSync(FOLDER + name, path)
  return { store: await openStore({ path }), path }
}

/** Checks the copy that is kept before the first migration of an old file: whether it has a table of pages. */
const hadPages = (path: string): boolean =>
  !readdirSync(dirname(path)).some(
    (file) =>
      file.endsWith('.bak') &&
      askPlain(join(dirname(path), file), "SELECT count(*) FROM sqlite_schema WHERE name = 'page'") === 0,
  )

async function readWords(store: Store): Promise<unknown> {
  return Promise.all([trip, porto, recipes].map((key) => readAll(store, key)))
}

test('every released schema has a fixture, and each is one file', () => {
  expect(files.toSorted()).toEqual(upTo(files.length).map((i) => `schema-${i + 1}.db`))
  expect(files.length).toBeGreaterThan(0)
  expect(files.length).toBeLessThanOrEqual(MIGRATIONS.length)
  expect(readdirSync(FOLDER)).toEqual(files)
})

describe.each(files)('a file of %s', (name) => {
  test('passes all checks', async () => {
    const { store } = await openLegacy(name)
    expect(await findProblems(store)).toEqual([])
    expect((await store.statistics(MINE)).messages).toBe(7 + 7 + 1)
  })

  test('has its messages, to the last character', async () => {
    const { store } = await openLegacy(name)
    const messages = await readAll(store, trip)
    expect(toIds(messages)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6'])
    expect(messages[1]).toMatchObject({
      role: 'user',
      name: 'Ana',
      content: 'I am vegetarian, and we are in Lisbon in May. 😀 שלום \u0000 end',
      importance: 0.9,
      metadata: { source: 'legacy', nested: { list: [1, null, 'x'] } },
      createdAt: new Date('2026-04-30T09:00:00.123Z'),
    })
    expect(messages[2]?.content).toEqual([
      { type: 'reasoning', text: 'They need the weather.' },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'weather',
        input: { city: 'Lisboa', days: [1, 2, 3] },
      },
    ])
    expect(messages[3]?.content).toEqual([
      { type: 'tool-result', toolCallId: 'c1', toolName: 'weather', output: { degrees: 21.5, sky: 'clear' } },
    ])
    expect((await needMessage(store, 't1', workspaceId('team'))).content).toBe(
      'Another workspace, the same id.',
    )
    expect(await store.listWorkspaces()).toEqual([MINE, 'team'])
  })

  test('has its conversations with all their fields', async () => {
    const { store } = await openLegacy(name)
    expect(await needConversation(store, recipes)).toMatchObject({
      title: 'Rezepte für Gäste',
      isTitleGiven: true,
      tags: ['cooking', 'família'],
      isPinned: true,
      archivedAt: expect.any(Date),
      documents: ['cookbook'],
      metadata: { shelf: 3 },
    })
    expect(await needConversation(store, porto)).toMatchObject({
      title: 'Porto instead',
      tags: ['travel'],
      forkedFrom: { conversationId: 'trip', messageId: 't5', position: 5 },
      messageCount: 7,
    })
    expect(await listIds(store, { workspace: MINE, archived: 'only' })).toEqual(['recipes'])
  })

  test('can compress its messages, or has them compressed already', async () => {
    const { store } = await openLegacy(name)
    const before = await readWords(store)
    await store.compress(trip, upTo(7))
    expect((await store.compressedPositions(trip)).length).toBeGreaterThan(0)
    expect(await readWords(store)).toEqual(before)
    expect(await findProblems(store)).toEqual([])
  })

  test('still has no trace of erased text, nor do its forks', async () => {
    const { store, path } = await openLegacy(name)
    expect(await needMessage(store, 't5', MINE)).toMatchObject({
      content: '',
      tokens: 0,
      erasedAt: expect.any(Date),
    })
    const [copy] = (await readAll(store, porto)).filter(({ copyOf }) => copyOf === 't5')
    expect(copy).toMatchObject({ content: '', tokens: 0 })
    expect(readRaw(path).toString('latin1').toLowerCase()).not.toContain('vexillology')
  })

  test('can be searched by words, phrases and scripts', async () => {
    const { store } = await openLegacy(name)
    const find = (words: string) => findIds(store, words, { workspace: MINE })
    expect(await find('let us go to porto')).toEqual(['p0'])
    expect(await find('里斯本')).toEqual(['r0'])
    expect(await find('vexillology4711')).toEqual([])
    expect(await find('lisboa')).toHaveLength(2)
    const titles = await listIds(store, { workspace: MINE, archived: 'with', terms: [aTerm('gaste')] })
    expect(titles).toEqual(['recipes'])
  })

  test('supports recall by words and times', async () => {
    const { store } = await openLegacy(name)
    const allOf = [
      ['lisboa', '里'],
      ['weather', '菜'],
    ]
    const { locators } = await store.findByWords({ workspace: MINE, allOf, limit: 10 })
    const heads = await store.getMessageMeta(MINE, locators)
    expect(heads.map(({ id, conversationId }) => [id, conversationId])).toEqual([
      ['r0', 'recipes'],
      [expect.any(String), 'porto'],
      ['t2', 'trip'],
    ])
    const to = new Date('2026-05-01')
    const early = await store.findByTime({ workspace: MINE, to, limit: 10 })
    const names = (await store.getMessageMeta(MINE, early.locators)).map((head) => head.name)
    expect(names).toEqual(['Ana', 'Ana'])
  })

  test('has its receipts, newest first', async () => {
    const { store } = await openLegacy(name)
    const receipts = await store.receipts(trip, 10)
    expect(receipts.map(({ budgetTokens }) => budgetTokens)).toEqual([200, 800])
    expect(receipts[0]?.createdAt).toBeInstanceOf(Date)
  })

  test('has its edits, if it was written by a version with edits', async () => {
    const { store, path } = await openLegacy(name)
    const kinds = (await store.edits({ workspace: MINE })).map(({ kind }) => kind)
    expect(kinds).toEqual(hadPages(path) ? ['topic-changes', 'fact-add', 'note'] : [])
  })

  test('has its pages and queries, if it was written by a version with pages', async () => {
    const { store, path } = await openLegacy(name)
    const home = aPageKey('trip', MINE)
    if (!hadPages(path)) {
      expect(await store.findPage(home)).toBeUndefined()
      await add(store, home, aQuery('q0', 'a new query'))
      expect(await findQueryIds(store, home, { word: 'new' })).toEqual(['q0'])
      return
    }
    expect(await store.findPage(home)).toMatchObject({
      activeFile: { id: 'budget', name: 'Orçamento.csv' },
      currentTopic: 'Costs',
      entities: { Ana: { role: 'guide' }, Lisboa: ['city', 1.5] },
      preferences: { chart: 'bar' },
      queryCount: 2,
    })
    const [first, second] = await readQueries(store, home)
    expect(first).toMatchObject({
      query: 'How many nights in Lisboa? \u0000',
      intent: 'data_query',
      sql: 'SELECT count(*) FROM night',
      results: [{ count: 4 }],
      response: 'Four.',
      important: true,
      createdAt: new Date('2026-04-30T09:00:00.123Z'),
    })
    expect(second?.resultsTruncated?.rows).toBe(9000)
    expect(await findQueryIds(store, home, { word: 'lisboa' })).toEqual(['q0'])
    expect(await findQueryIds(store, aPageKey('alone', MINE), { word: '订' })).toEqual(['q3'])
  })

  test('accepts new data like a new file', async () => {
    const { store } = await openLegacy(name)
    const before = await readAll(store, trip)
    const { messages } = await append(store, trip, { messages: [aMessage('new', 'a brand new message')] })
    expect(messages[0]).toMatchObject({
      position: 7,
      tokensBefore: before.reduce((sum, { tokens }) => sum + tokens, 0),
    })
    const again = { messages: [aMessage('other-id', '里斯本的菜')], appendKey: 'first-recipe' }
    expect(toIds((await append(store, recipes, again)).messages)).toEqual(['r0'])
    await fork(store, trip, { at: 7, into: 'later' })
    await store.eraseMessage(MINE, messageId('t1'), at(9))
    expect(toPositions(await readAll(store, trip))).toEqual(upTo(8))
    expect(await findIds(store, 'brand new', { workspace: MINE })).toEqual(['later-7', 'new'])
    expect(await findProblems(store)).toEqual([])
    const seen = await readWorkspace(store, MINE)
    await store.rebuild()
    expect(await readWorkspace(store, MINE)).toEqual(seen)
  })
})
