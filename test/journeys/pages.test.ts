import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMemoryError, type Memory, openMemory, type Query } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { effort } from '../support/effort.ts'
import { openTemporary, scrubsAtOnce } from '../support/open-temporary.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (isMemoryError(error) ? error.code : error),
  )

const textsOf = (queries: readonly Query[]) => queries.map(({ query }) => query)
const positionsOf = (queries: readonly Query[]) => queries.map(({ position }) => position)

async function addAll(memory: Memory, page: string, texts: readonly string[]): Promise<readonly Query[]> {
  const added: Query[] = []
  for (const query of texts) added.push(await memory.page(page).queries.add({ query }))
  return added
}

describe('the state of a page', () => {
  test('is created when it is first loaded, and survives a restart', async () => {
    const path = temporaryPath()
    const first = await openMemory(path)
    expect(await first.page('sales').load()).toEqual({
      pageId: 'sales',
      activeFile: null,
      currentTopic: null,
      entities: {},
      preferences: {},
      queryCount: 0,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
      lastUsedAt: expect.any(Date),
    })
    const saved = await first.page('sales').save({
      activeFile: { id: 'doc-1', name: 'Sales.csv', metadata: { rows: 20 } },
      entities: { Ana: 'buyer' },
      preferences: { chart: 'bar' },
    })
    await first.close()
    const second = await openMemory(path)
    expect(await second.page('sales').load()).toEqual(saved)
    await second.close()
  })

  test('is merged: fields left out stay, null clears', async () => {
    const memory = await openTemporary()
    await memory.page('sales').save({ currentTopic: 'Costs', entities: { Ana: 1, Rui: 2 } })
    await memory.page('sales').save({ entities: { Rui: null, Eva: 3 } })
    expect(await memory.page('sales').load()).toMatchObject({
      currentTopic: 'Costs',
      entities: { Ana: 1, Eva: 3 },
    })
    expect((await memory.page('sales').save({ currentTopic: null })).currentTopic).toBeNull()
    expect((await memory.page('sales').save({ entities: null })).entities).toEqual({})
  })

  test('keeps the keys of concurrent saves from several programs', async () => {
    const path = temporaryPath()
    const memories = await Promise.all([1, 2, 3].map(() => openMemory(path)))
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        memories[i % 3]?.page('sales').save({ preferences: { [`key${i}`]: i } }),
      ),
    )
    for (const memory of memories) {
      expect(Object.keys((await memory.page('sales').load()).preferences)).toHaveLength(60)
      await memory.close()
    }
  })

  test('that is saved unchanged is not written, and its time stays', async () => {
    let minutes = 0
    const clock = () => new Date(Date.UTC(2026, 4, 1, 12, minutes++))
    const memory = await openTemporary({ clock })
    const saved = await memory.page('sales').save({ currentTopic: 'Costs' })
    expect(await memory.page('sales').save({ currentTopic: 'Costs' })).toEqual(saved)
    const changed = await memory.page('sales').save({ currentTopic: 'Sales' })
    expect(changed.updatedAt.getTime()).toBeGreaterThan(saved.updatedAt.getTime())
    expect(changed.createdAt).toEqual(saved.createdAt)
  })

  test('loses its active file when the document is deleted', async () => {
    const memory = await openTemporary()
    await memory.page('a').save({ activeFile: { id: 'doc' }, currentTopic: 'kept' })
    await memory.page('b').save({ activeFile: { id: 'other' } })
    await memory
      .workspace('team')
      .page('a')
      .save({ activeFile: { id: 'doc' } })
    expect(await memory.pages.closeFile('doc')).toBe(1)
    expect(await memory.page('a').load()).toMatchObject({ activeFile: null, currentTopic: 'kept' })
    expect((await memory.page('b').load()).activeFile).toEqual({ id: 'other' })
    expect((await memory.workspace('team').page('a').load()).activeFile).toEqual({ id: 'doc' })
  })

  test('is erased with its conversation, with its workspace, or alone', async () => {
    const memory = await openTemporary()
    for (const id of ['one', 'two', 'three']) {
      await memory.conversation(id).record({ role: 'user', content: 'hello' })
      await addAll(memory, id, ['How many?', 'And in May?'])
    }
    expect(await memory.conversation('one').erase()).toMatchObject({ messages: 1, pages: 1, queries: 2 })
    expect(await memory.page('two').erase()).toMatchObject({ messages: 0, conversations: 0, pages: 1 })
    expect((await memory.conversations.list()).items.map(({ id }) => id).sort()).toEqual(['three', 'two'])
    expect((await memory.pages.list()).items.map(({ pageId }) => pageId)).toEqual(['three'])
    expect(await memory.erase()).toMatchObject({ conversations: 2, pages: 1, queries: 2 })
    expect(await memory.statistics()).toMatchObject({ pages: 0, queries: 0 })
  })

  test('is erased when its conversation is pruned, but a page in use keeps its conversation', async () => {
    let now = new Date('2026-01-01T00:00:00Z')
    const memory = await openTemporary({ clock: () => now })
    for (const id of ['old', 'used']) {
      await memory.conversation(id).record({ role: 'user', content: 'hello' })
      await memory.page(id).queries.add({ query: 'How many?' })
    }
    now = new Date('2026-05-01T00:00:00Z')
    await memory.page('used').queries.add({ query: 'And now?' })
    const { conversations } = await memory.prune({ unusedDays: 30, action: 'erase' })
    expect(conversations.map(({ id }) => id)).toEqual(['old'])
    expect((await memory.pages.list()).items.map(({ pageId }) => pageId)).toEqual(['used'])
  })
})

describe('the history of a page', () => {
  test('contains queries and their results', async () => {
    const memory = await openTemporary()
    const added = await memory.page('sales').queries.add({
      query: 'How many orders were there in May?',
      sql: 'SELECT count(*) FROM orders',
      results: [{ count: 42 }],
      response: 'There were 42.',
    })
    expect(added).toMatchObject({
      pageId: 'sales',
      position: 0,
      intent: 'data_query',
      results: [{ count: 42 }],
      important: false,
    })
    expect((await memory.page('sales').queries.list()).items).toEqual([added])
    expect((await memory.page('nobody').queries.list()).items).toEqual([])
    expect((await memory.page('sales').load()).queryCount).toBe(1)
  })

  test('returns the intent of each query: given, from its text, or from the previous query', async () => {
    const memory = await openTemporary()
    await addAll(memory, 'sales', ['Hello!', 'How many orders in May?', 'and in June?', 'Thanks!'])
    await memory.page('sales').queries.add({ query: 'Thanks!', intent: 'hybrid' })
    expect((await memory.page('sales').queries.list()).items.map(({ intent }) => intent)).toEqual([
      'general_chat',
      'data_query',
      'data_query',
      'general_chat',
      'hybrid',
    ])
  })

  test('keeps the first rows of results that are too large, and says so', async () => {
    const memory = await openTemporary(withTuning({}, { limits: { resultBytes: 1000 } }))
    const rows = Array.from({ length: 500 }, (_, i) => ({ i }))
    const { results, resultsTruncated } = await memory
      .page('sales')
      .queries.add({ query: 'All rows', results: rows })
    expect(results).toEqual(rows.slice(0, (results as unknown[]).length))
    expect(resultsTruncated).toEqual({ rows: 500, bytes: JSON.stringify(rows).length })
  })

  test('is read from its end, or from a position', async () => {
    const memory = await openTemporary()
    await addAll(
      memory,
      'sales',
      Array.from({ length: 12 }, (_, i) => `Question ${i}`),
    )
    expect(positionsOf((await memory.page('sales').queries.list({ limit: 3 })).items)).toEqual([9, 10, 11])
    expect(positionsOf((await memory.page('sales').queries.list({ limit: 3, before: 9 })).items)).toEqual([
      6, 7, 8,
    ])
    expect(positionsOf((await memory.page('sales').queries.list({ limit: 3, after: -1 })).items)).toEqual([
      0, 1, 2,
    ])
    expect(await codeOf(memory.page('sales').queries.list({ limit: 0 }))).toBe('invalid-input')
  })

  test('a retry writes nothing twice, and an id cannot be reused for another text', async () => {
    const memory = await openTemporary()
    const first = await memory.page('sales').queries.add({ id: 'q1', query: 'How many?' })
    expect(await memory.page('sales').queries.add({ id: 'q1', query: 'How many?' })).toEqual(first)
    expect(await codeOf(memory.page('sales').queries.add({ id: 'q1', query: 'How much?' }))).toBe('conflict')
    expect((await memory.page('sales').queries.list()).items).toHaveLength(1)
  })

  test('a query can be flagged and erased', async () => {
    const memory = await openTemporary()
    const [first] = await addAll(memory, 'sales', ['How many?', 'How much?'])
    expect((await memory.queries.update(first?.id ?? '', { important: true })).important).toBe(true)
    expect(textsOf((await memory.page('sales').queries.list({ onlyImportant: true })).items)).toEqual([
      'How many?',
    ])
    await memory.queries.update(first?.id ?? '', { important: false })
    expect((await memory.page('sales').queries.list({ onlyImportant: true })).items).toEqual([])
    expect(await memory.queries.erase(first?.id ?? '')).toMatchObject({
      queries: 1,
      isScrubbed: scrubsAtOnce(),
    })
    expect(textsOf((await memory.page('sales').queries.list()).items)).toEqual(['How much?'])
    expect(await codeOf(memory.queries.update('nobody', { important: true }))).toBe('not-found')
  })
})

describe('the queries relevant to a question', () => {
  const SUBJECTS = ['orders', 'invoices', 'deliveries', 'salaries', 'visitors']
  const TEXTS = Array.from({ length: 40 }, (_, i) => `Report ${i} about ${SUBJECTS[i % SUBJECTS.length]}`)

  test('are the first two, the last five, the flagged, and those between that share its words', async () => {
    const memory = await openTemporary()
    const added = await addAll(memory, 'sales', [
      ...TEXTS.slice(0, 20),
      'Why are parcels to Lisbon late?',
      ...TEXTS.slice(20),
    ])
    await memory.queries.update(added[11]?.id ?? '', { important: true })
    const selected = positionsOf(
      (await memory.page('sales').queries.list({ query: 'Are parcels late in Lisbon?' })).items,
    )
    expect(selected).toEqual([0, 1, 11, 20, 36, 37, 38, 39, 40])
  })

  test('are found by response and SQL as well', async () => {
    const memory = await openTemporary()
    await addAll(memory, 'sales', TEXTS.slice(0, 10))
    await memory.page('sales').queries.add({ query: 'And there?', response: 'In Coimbra it rains.' })
    await memory.page('sales').queries.add({ query: 'More', sql: 'SELECT * FROM shipment_delay' })
    await addAll(memory, 'sales', TEXTS.slice(10, 20))
    const find = async (question: string) =>
      positionsOf((await memory.page('sales').queries.list({ query: question })).items)
    expect(await find('What of Coimbra?')).toContain(10)
    expect(await find('any delay of a shipment?')).toContain(11)
  })

  test('are old ones too, if a common word occurs with a rare one or another common one', async () => {
    const memory = await openTemporary()
    const fill = (count: number, text: string) =>
      Promise.all(Array.from({ length: count }, () => memory.page('sales').queries.add({ query: text })))
    await fill(10, 'nothing of note')
    await memory.page('sales').queries.add({ query: 'revenue in Lisbon' })
    await memory.page('sales').queries.add({ query: 'revenue and margin' })
    await fill(300, 'revenue everywhere')
    await fill(300, 'margin everywhere')
    await fill(20, 'visitors from Lisbon')
    await fill(10, 'nothing of note')
    const find = async (question: string) =>
      textsOf((await memory.page('sales').queries.list({ query: question })).items)
    expect(await find('revenue in Lisbon?')).toContain('revenue in Lisbon')
    expect(await find('revenue and margin?')).toContain('revenue and margin')
  })

  test('are limited by number, and by the limit of the call', async () => {
    const history = { firstQueries: 1, lastQueries: 2, flaggedQueries: 1, relevantQueries: 2 }
    const memory = await openTemporary(withTuning({}, { history }))
    const added = await addAll(memory, 'sales', TEXTS)
    for (const i of [7, 8, 9]) await memory.queries.update(added[i]?.id ?? '', { important: true })
    const find = async (limit?: number) =>
      positionsOf(
        (await memory.page('sales').queries.list({ query: 'orders', ...(limit && { limit }) })).items,
      )
    expect(await find()).toEqual([0, 9, 30, 35, 38, 39])
    expect(await find(4)).toEqual([0, 9, 38, 39])
    expect(await find(1)).toEqual([39])
  })

  test('are only the ends if the question has no significant words', async () => {
    const memory = await openTemporary()
    await addAll(memory, 'sales', TEXTS)
    for (const question of ['', '?!', 'what is the', 'unheard'])
      expect(positionsOf((await memory.page('sales').queries.list({ query: question })).items)).toEqual([
        0, 1, 35, 36, 37, 38, 39,
      ])
  })

  test('of any history include the first, last and flagged ones, each once, in order and unchanged', async () => {
    const word = fc.constantFrom('tea', 'cake', 'jam', 'lisbon', 'the', '漢字', '5')
    const text = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const entry = fc.record({ query: text, important: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 25 }), text, async (entries, question) => {
        const memory = await openMemory(':memory:')
        const all = await Promise.all(entries.map((query) => memory.page('p').queries.add(query)))
        const selected = (await memory.page('p').queries.list({ query: question })).items
        await memory.close()
        const positions = positionsOf(selected)
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
        for (const query of selected) expect(all).toContainEqual(query)
        const flagged = all.filter(({ important }) => important).slice(-20)
        const mustBeThere = [...all.slice(0, 2), ...all.slice(-5), ...flagged]
        expect(positions).toEqual(expect.arrayContaining(positionsOf(mustBeThere)))
      }),
      { numRuns: effort({ short: 13, long: 40 }) },
    )
  })
})
