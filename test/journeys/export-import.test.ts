import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isMemoryError,
  type JsonObject,
  type Memory,
  type NewMessage,
  type NewQuery,
  openMemory,
} from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { effort } from '../support/effort.ts'
import { collectText, inPieces, openTemporary } from '../support/open-temporary.ts'

const word = fc.constantFrom('tea', 'Lisbon', '😀', '\u0000', '"quoted"', '漢字', '\\', '\u2028', '</script>')
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
const id = fc.uuid()
const message: fc.Arbitrary<NewMessage> = fc.oneof(
  fc.record(
    {
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      content: text,
      id,
      name: fc.constant('Ana Ó'),
      importance: fc.double({ min: 0, max: 1, noNaN: true }).map((number) => number + 0),
      metadata: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value))),
      createdAt: fc.date({ min: new Date(0), max: new Date('2026-01-01'), noInvalidDate: true }),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.jsonValue().map(
    (result): NewMessage => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', output: JSON.parse(JSON.stringify(result)) }],
    }),
  ),
)
const conversation = fc.record({
  title: fc.option(fc.constantFrom('A title', 'Ein Titel'), { nil: undefined }),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b c'), { maxLength: 2 }),
  isPinned: fc.boolean(),
  isArchived: fc.boolean(),
  isMemoryOn: fc.boolean(),
  messages: fc.array(message, { maxLength: 8 }),
  eraseFirst: fc.boolean(),
  fork: fc.boolean(),
})

const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)))
const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.string({ maxLength: 5 }), json)
const query: fc.Arbitrary<NewQuery> = fc.record(
  {
    query: text.map((words) => `How many ${words}?`),
    id,
    intent: fc.constantFrom('general_chat' as const, 'data_query' as const, 'hybrid' as const),
    sql: fc.option(fc.constantFrom('SELECT 1', "SELECT '\u0000'")),
    results: fc.oneof(json, fc.constant(Array.from({ length: 40 }, (_, i) => ({ i })))),
    response: fc.option(fc.constantFrom('One.', '😀\u2028')),
    important: fc.boolean(),
    createdAt: fc.date({ min: new Date(0), max: new Date('2026-01-01'), noInvalidDate: true }),
  },
  { requiredKeys: ['query'] },
)
const page = fc.record({
  changes: fc.record(
    {
      activeFile: fc.option(fc.constantFrom({ id: 'a' }, { id: 'b', name: 'Ó.csv', metadata: { rows: 20 } })),
      currentTopic: fc.option(fc.constant('Sales')),
      entities: object,
      preferences: object,
    },
    { requiredKeys: [] },
  ),
  queries: fc.array(query, { maxLength: 6 }),
  eraseFirst: fc.boolean(),
})
type PagePlan = typeof page extends fc.Arbitrary<infer T> ? T : never

/** Pages, some with the ids of conversations. */
async function fillPages(memory: Memory, plans: readonly PagePlan[]): Promise<void> {
  for (const [i, { changes, queries, eraseFirst }] of plans.entries()) {
    const name = i === 0 ? 'c0' : `p${i}`
    await memory.page(name).save(changes)
    for (const item of queries) {
      await memory.page(name).queries.add(item.id === undefined ? item : { ...item, id: `${i}-${item.id}` })
    }
    const [first] = (await memory.page(name).queries.list({ after: -1, limit: 1 })).items
    if (eraseFirst && first !== undefined) await memory.queries.erase(first.id)
  }
}

/** An export without the moment it was made, and how pages and queries look from outside. */
async function dump(memory: Memory): Promise<unknown> {
  // Generated titles follow the topics, which are derived again after an import.
  await memory.whenDerived()
  const { exportedAt: _, conversations, pages, ...rest } = JSON.parse(await collectText(memory.export()))
  const byId = conversations.sort((a: Dumped, b: Dumped) => (a.conversation.id < b.conversation.id ? -1 : 1))
  const states = (await memory.pages.list()).items.toSorted((a, b) => (a.pageId < b.pageId ? -1 : 1))
  const histories = await Promise.all(
    states.map(({ pageId }) => memory.page(pageId).queries.list().toArray()),
  )
  const withoutPosition = histories.flat().map(({ position: __, ...seen }) => seen)
  return { ...rest, conversations: byId, states, withoutPosition, pages: pages.length }
}

interface Dumped {
  readonly conversation: { readonly id: string }
}

async function fill(
  memory: Memory,
  plans: readonly (typeof conversation extends fc.Arbitrary<infer T> ? T : never)[],
) {
  for (const [i, { messages, title, eraseFirst, fork, ...fields }] of plans.entries()) {
    const handle = memory.conversation(`c${i}`)
    await handle.getOrCreate({ ...fields, ...(title !== undefined && { title }) })
    const unique = messages.map((item) => (item.id === undefined ? item : { ...item, id: `${i}-${item.id}` }))
    if (unique.length > 0) await handle.record(unique, { key: `batch ${i}` })
    const [first, second] = await handle.messages.list().toArray()
    if (fork && second !== undefined) await handle.fork(second.id, { id: `fork of c${i}` })
    if (eraseFirst && first !== undefined) await memory.messages.erase(first.id)
    await handle.context('hello', { budgetTokens: 5000 })
  }
}

test('a JSON export imports back to the same workspace, and importing it twice adds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(conversation, { maxLength: 4 }),
      fc.array(page, { maxLength: 3 }),
      fc.integer({ min: 1, max: 5000 }),
      async (plans, pages, size) => {
        const options = withTuning({}, { limits: { resultBytes: 200 } })
        const source = await openMemory(':memory:', options)
        const target = await openMemory(':memory:', options)
        await fill(source, plans)
        await fillPages(source, pages)
        const exported = await collectText(source.export())
        await target.import(inPieces(exported, size))
        expect(await dump(target)).toEqual(await dump(source))
        expect((await target.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
        expect(await target.import(inPieces(exported))).toMatchObject({
          conversations: 0,
          messages: 0,
          pages: 0,
          queries: 0,
        })
        expect(await dump(target)).toEqual(await dump(source))
        await Promise.all([source.close(), target.close()])
      },
    ),
    { numRuns: effort({ short: 20, long: 60 }) },
  )
})

describe('an export', () => {
  const filled = async () => {
    const clock = () => new Date('2026-04-02T09:00:00Z')
    const memory = await openTemporary(withTuning({ clock }, { limits: { resultBytes: 30 } }))
    await memory.conversation('trip').record([
      { role: 'user', name: 'Ana', content: 'We are in Lisbon in May.', createdAt: '2026-04-01T10:00:00Z' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'climate', input: { city: 'Lisbon' } }],
        createdAt: '2026-04-01T10:01:00Z',
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: 'a', output: '```warm```' }],
        createdAt: '2026-04-01T10:02:00Z',
      },
    ])
    await memory.conversation('other').record({ role: 'user', content: 'Something else' })
    await memory.page('trip').save({
      activeFile: { id: 'doc', name: 'Budget.csv' },
      entities: { Ana: { role: 'guide' }, Lisbon: 'city' },
    })
    await memory.page('trip').queries.add({
      query: 'What did we spend?',
      sql: 'SELECT sum(amount) FROM expense',
      results: Array.from({ length: 9 }, (_, i) => ({ amount: i })),
      response: 'Some.',
      important: true,
      createdAt: '2026-04-01T10:03:00Z',
    })
    await memory.page('trip').queries.add({ query: 'Thanks!', createdAt: '2026-04-01T10:04:00Z' })
    await memory.page('alone').queries.add({ query: 'Hello', createdAt: '2026-04-01T10:05:00Z' })
    return memory
  }

  test('as Markdown reads well', async () => {
    const memory = await filled()
    expect(await collectText(memory.export({ format: 'markdown', conversationId: 'trip' }))).toBe(
      [
        '# Lisbon in May',
        'Conversation `trip` · begun 2026-04-01 10:00',
        '## Ana · 2026-04-01 10:00',
        'We are in Lisbon in May.',
        '## Assistant · 2026-04-01 10:01',
        'Calls `climate`:',
        '```json\n{\n  "city": "Lisbon"\n}\n```',
        '## Tool · 2026-04-01 10:02',
        'Result:',
        '````\n```warm```\n````',
        '# Page `trip`',
        'Begun 2026-04-02 09:00',
        '- active file: Budget.csv\n- entities: Ana ({"role":"guide"}), Lisbon (city)',
        '## 2026-04-01 10:03 · data_query · important',
        'What did we spend?',
        '```sql\nSELECT sum(amount) FROM expense\n```',
        'Results:',
        '```json\n[\n  {\n    "amount": 0\n  },\n  {\n    "amount": 1\n  }\n]\n```',
        '*(truncated; the full result had 9 rows, 118 bytes)*',
        'Some.',
        '## 2026-04-01 10:04 · general_chat',
        'Thanks!\n\n',
      ].join('\n\n'),
    )
  })

  test('of one conversation contains only that conversation with its page, or only the page', async () => {
    const memory = await filled()
    const read = async (conversationId: string) => {
      const { conversations, pages } = JSON.parse(await collectText(memory.export({ conversationId })))
      const ids = conversations.map((entry: Dumped) => entry.conversation.id)
      return [ids, pages.map((entry: { page: { pageId: string } }) => entry.page.pageId)]
    }
    expect(await read('trip')).toEqual([['trip'], ['trip']])
    expect(await read('other')).toEqual([['other'], []])
    expect(await read('alone')).toEqual([[], ['alone']])
    const error = await collectText(memory.export({ conversationId: 'nobody' })).catch((reason) => reason)
    expect(error.code).toBe('not-found')
  })

  test('that was formatted by another program imports as well', async () => {
    const memory = await filled()
    const pretty = JSON.stringify(JSON.parse(await collectText(memory.export())), null, 4)
    const target = await openTemporary({}, 'target.db')
    expect(await target.import(inPieces(pretty, 7))).toEqual({
      format: 'recollect',
      conversations: 2,
      messages: 4,
      known: 0,
      forks: 0,
      edits: 0,
      pages: 2,
      queries: 3,
      facts: 0,
      skipped: 0,
      problems: [],
      documents: 0,
    })
  })

  test('that is truncated imports the complete part, says so, and continues when imported again', async () => {
    const memory = await filled()
    const whole = await collectText(memory.export())
    const target = await openTemporary({}, 'target.db')
    const { problems, messages } = await target.import(inPieces(whole.slice(0, -400)))
    expect(problems).toMatchObject([{ reason: 'the file ends inside it', isSkipped: true }])
    expect(messages).toBe(4)
    await target.import(inPieces(whole))
    expect(await dump(target)).toEqual(await dump(memory))
  })

  test('in a dry run reports what would be imported and writes nothing', async () => {
    const memory = await filled()
    const target = await openTemporary({}, 'target.db')
    const told = await target.import(inPieces(await collectText(memory.export())), { dryRun: true })
    expect(told).toMatchObject({ conversations: 2, messages: 4, pages: 2, queries: 3 })
    expect((await target.conversations.list()).items).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['a list', '[1]'],
    ['no JSON', 'hello'],
    ['another program’s export', '{"format":"other","conversations":[]}'],
    ['a later version', '{"format":"recollect","version":2,"conversations":[]}'],
    ['no head', '{"conversations":[{"conversation":{"id":"a"},"messages":[]}]}'],
  ])('of %s is refused with a clear error', async (_, text) => {
    const target = await openTemporary()
    const error = await target.import(inPieces(text)).catch((reason) => reason)
    expect(isMemoryError(error) && error.code).toBe('invalid-input')
  })

  test('with a broken query reports its place, and an existing page stays unchanged', async () => {
    const memory = await filled()
    const whole = await collectText(memory.export({ conversationId: 'trip' }))
    const target = await openTemporary({}, 'target.db')
    await target.page('trip').save({ currentTopic: 'mine' })
    await target.import(inPieces(whole))
    expect(await target.page('trip').load()).toMatchObject({ currentTopic: 'mine', queryCount: 2 })
    const broken = whole.replace('"intent":"data_query"', '"intent":"dance"')
    const { problems } = await target.import(inPieces(broken))
    expect(problems).toEqual([
      {
        place: 'page 1, query 1',
        reason: 'intent must be one of general_chat, data_query, hybrid, not "dance"',
        isSkipped: true,
      },
    ])
  })

  test('with a broken message reports its place, and the rest is imported', async () => {
    const memory = await filled()
    const whole = await collectText(memory.export({ conversationId: 'trip' }))
    const target = await openTemporary({}, 'target.db')
    const { problems, messages, skipped } = await target.import(
      inPieces(whole.replace('"role":"assistant"', '"role":"bot"')),
    )
    expect(problems).toEqual([
      {
        place: 'conversation 1, message 2',
        reason: 'role must be one of system, user, assistant, tool, not "bot"',
        isSkipped: true,
      },
    ])
    expect([messages, skipped]).toEqual([2, 1])
  })

  test('of an invalid conversation skips its content, and nothing else', async () => {
    const memory = await filled()
    const exported = JSON.parse(await collectText(memory.export()))
    exported.conversations[0].conversation.createdAt = 'soon'
    const lost = exported.conversations[0].messages.length
    const target = await openTemporary({}, 'target.db')
    const { messages, skipped, conversations } = await target.import(inPieces(JSON.stringify(exported)))
    expect([conversations, messages, skipped]).toEqual([1, 4 - lost, 1 + lost])
  })

  test('in a dry run reports only what is new', async () => {
    const memory = await filled()
    const whole = await collectText(memory.export())
    const target = await openTemporary({}, 'target.db')
    await target.import(inPieces(await collectText(memory.export({ conversationId: 'trip' }))))
    const told = await target.import(inPieces(whole), { dryRun: true })
    expect(told).toMatchObject({ conversations: 1, messages: 1, known: 3, pages: 1, queries: 1 })
    expect(await target.import(inPieces(whole))).toEqual(told)
  })
})
