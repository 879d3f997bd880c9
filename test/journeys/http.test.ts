// The contract that outside tests rely on, row by row, against a server as people start it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askAt } from '../support/http-server.ts'
import { spawnServer } from '../support/server-process.ts'

const TALK = [
  { role: 'user', content: 'I need a hotel in Lisbon for two nights in May, close to the river.' },
  { role: 'assistant', content: 'The Tejo Palace has a double room with a view of the river for 120 euros.' },
  { role: 'user', content: 'Can you explain how the tax return for freelancers works in Portugal?' },
  { role: 'assistant', content: 'Freelancers file the tax return between April and June.' },
]

test('messages are recorded, read, summarized, exported and erased over HTTP', async () => {
  const { ask, end, path, printed } = await spawnServer()
  expect(printed()).toContain(path)

  const one = await ask('POST', '/api/conversations/trip%2F2026/messages', { body: TALK[0] })
  expect(one.status).toBe(201)
  expect(one.body.messages).toHaveLength(1)
  const rest = await ask('POST', '/api/conversations/trip%2F2026/messages', {
    body: { messages: TALK.slice(1) },
  })
  expect(rest.body.messages.map(({ position }: { position: number }) => position)).toEqual([1, 2, 3])

  const { body: read } = await ask('GET', '/api/conversations/trip%2F2026/messages')
  expect(read.messages.map(({ content }: { content: string }) => content)).toEqual(
    TALK.map(({ content }) => content),
  )
  const { body: topics } = await ask('GET', '/api/conversations/trip%2F2026/topics')
  expect(topics.topics).toHaveLength(2)
  const { body: summary } = await ask('POST', '/api/conversations/trip%2F2026/summary', {
    body: { maxTokens: 60 },
  })
  expect(summary.summary.tokens).toBeLessThanOrEqual(60)
  const { body: context } = await ask('POST', '/api/conversations/trip%2F2026/context', {
    body: { query: 'Which hotel?', budgetTokens: 500 },
  })
  expect(context.receipt.tokens).toBeLessThanOrEqual(500)
  const { text } = await ask('GET', '/api/conversations/trip%2F2026/export?format=markdown')
  expect(text).toContain('Tejo Palace')

  expect(await ask('DELETE', '/api/conversations/trip%2F2026')).toMatchObject({ status: 204, text: '' })
  expect((await ask('GET', '/api/conversations/trip%2F2026')).status).toBe(404)
  expect(await end()).toBe(0)
})

test('acknowledged messages survive killing the server', async () => {
  const first = await spawnServer()
  await first.ask('POST', '/api/conversations/c/messages', { body: { messages: TALK } })
  await first.end('SIGKILL')
  const second = await spawnServer({ path: first.path })
  const { body } = await second.ask('GET', '/api/conversations/c/messages')
  expect(body.messages).toHaveLength(4)
})

describe('the contract', () => {
  let ask: Awaited<ReturnType<typeof spawnServer>>['ask']
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    const { startServer } = await import('../../src/server/start-server.ts')
    const { openMemory } = await import('../../src/index.ts')
    const memory = await openMemory(':memory:')
    const server = await startServer(memory, { port: 0 })
    ask = askAt(server.url)
    stop = async () => {
      await server.close()
      await memory.close()
    }
  })
  afterAll(() => stop())

  test('GET /api/health reports 0 pending jobs once all derived data is up to date', async () => {
    const messages = Array.from({ length: 60 }, (_, i) => ({ ...TALK[i % 4], id: `health-${i}` }))
    await ask('POST', '/api/conversations/health/messages', { body: { messages } })
    const pending = async () => (await ask('GET', '/api/health')).body.pendingJobs
    await expect.poll(pending, { timeout: 20_000 }).toBe(0)
    const { body } = await ask('GET', '/api/health')
    expect(body).toMatchObject({ status: 'ok', pendingJobs: 0 })
    const { body: summary } = await ask('GET', '/api/conversations/health/summary')
    expect(summary.summary.through).toBeGreaterThan(40)
  })

  test('POST /api/conversations creates a conversation with the given or a generated id', async () => {
    const given = await ask('POST', '/api/conversations', {
      body: { id: 'mine', title: 'Mine', documents: ['cookbook'] },
    })
    expect(given).toMatchObject({ status: 201, body: { id: 'mine', title: 'Mine', documents: ['cookbook'] } })
    const made = await ask('POST', '/api/conversations', { body: {} })
    expect(made.status).toBe(201)
    expect(made.body.id).toMatch(/\S/)
    expect((await ask('POST', '/api/conversations')).status).toBe(201)
  })

  test('POST messages accepts one or several, with all fields, and responds in the order sent', async () => {
    const one = {
      id: 'm-1',
      role: 'user',
      content: 'Hello',
      name: 'Ana',
      createdAt: '2026-01-02T03:04:05.678Z',
      importance: 0.8,
    }
    const { status, body } = await ask('POST', '/api/conversations/new/messages', { body: one })
    expect(status).toBe(201)
    expect(body.messages).toEqual([
      expect.objectContaining({ ...one, position: 0, tokens: expect.any(Number), topicId: 'm-1' }),
    ])
    const many = await ask('POST', '/api/conversations/new/messages', {
      body: {
        messages: [
          { role: 'assistant', content: 'Hi' },
          { ...one, id: 'm-2' },
        ],
      },
    })
    expect(many.body.messages.map(({ id, position }: Record<string, unknown>) => [id, position])).toEqual([
      [expect.any(String), 1],
      ['m-2', 2],
    ])
    for (const message of many.body.messages) {
      expect(message.tokens).toBeGreaterThan(0)
      expect(typeof message.topicId).toBe('string')
    }
  })

  test('GET messages pages through all of them, compressed ones included', async () => {
    const messages = Array.from({ length: 45 }, (_, i) => ({ role: 'user', content: `Bread, loaf ${i}` }))
    await ask('POST', '/api/conversations/long/messages', { body: { messages } })
    await expect.poll(async () => (await ask('GET', '/api/health')).body.pendingJobs).toBe(0)
    const { body: stats } = await ask('GET', '/api/stats')
    expect(stats.statistics.compressedMessages).toBeGreaterThan(0)
    const read: string[] = []
    for (let path = '?limit=20'; ; ) {
      const { body } = await ask('GET', `/api/conversations/long/messages${path}`)
      read.push(...body.messages.map(({ content }: { content: string }) => content))
      if (body.next === null) break
      path = `?limit=20&after=${body.next}`
    }
    expect(read).toEqual(messages.map(({ content }) => content))

    const positions = async (query: string) =>
      (await ask('GET', `/api/conversations/long/messages${query}`)).body.messages.map(
        ({ position }: { position: number }) => position,
      )
    expect(await positions('?after=40')).toEqual([41, 42, 43, 44])
    expect(await positions('?before=3')).toEqual([0, 1, 2])
    expect(await positions('?before=40&limit=2')).toEqual([38, 39])
    expect(await positions('?after=10&before=13')).toEqual([11, 12])
    expect(await positions('?direction=backwards&limit=2')).toEqual([43, 44])
    const { body: first } = await ask('GET', '/api/conversations/long/messages?limit=1')
    expect(await positions(`?limit=2&after=${first.messages[0].id}`)).toEqual([1, 2])
    const { body: back } = await ask('GET', '/api/conversations/long/messages?direction=backwards&limit=40')
    expect(back.next).toBe('5')
    expect(await positions(`?direction=backwards&before=${back.next}`)).toEqual([0, 1, 2, 3, 4])
  })

  test('POST context returns messages and the receipt, within the budget', async () => {
    await ask('POST', '/api/conversations/ctx/messages', { body: { messages: TALK } })
    const { status, body } = await ask('POST', '/api/conversations/ctx/context', {
      body: {
        query: 'And where to eat?',
        budgetTokens: 300,
        system: 'Be brief.',
        tools: [{ type: 'function', function: { name: 'weather' } }],
      },
    })
    expect(status).toBe(200)
    expect(body.messages[0]).toEqual({ role: 'system', content: 'Be brief.' })
    expect(body.messages.at(-1).content).toContain('And where to eat?')
    expect(body.receipt).toMatchObject({ budgetTokens: 300, conversationId: 'ctx' })
    expect(body.receipt.tokens).toBeLessThanOrEqual(300)
    const { body: listed } = await ask('GET', '/api/conversations/ctx/receipts')
    expect(listed.receipts[0].id).toBe(body.receipt.id)
    const small = await ask('POST', '/api/conversations/ctx/context', { body: { budgetTokens: 5 } })
    expect(small).toMatchObject({ status: 422, body: { error: { code: 'budget-too-small' } } })
    expect((await ask('POST', '/api/conversations/ctx/context')).status).toBe(200)
  })

  test('POST recall returns items relevant to a question, best first, within limits', async () => {
    const { body: recorded } = await ask('POST', '/api/conversations/recall/messages', {
      body: {
        messages: TALK.map((message, i) => ({ ...message, createdAt: `2026-0${i + 1}-01T12:00:00Z` })),
      },
    })
    const { status, body } = await ask('POST', '/api/recall', {
      body: { query: 'Which hotel has a view of the river?', conversationId: 'recall', kinds: ['message'] },
    })
    expect(status).toBe(200)
    expect(body.items[0]).toMatchObject({
      kind: 'message',
      id: expect.any(String),
      text: expect.stringMatching(/river/),
      score: expect.any(Number),
      messageIds: [expect.any(String)],
      conversationId: 'recall',
      createdAt: expect.stringMatching(/^2026-0[12]-01T/),
    })
    expect(body.items[0].why.length).toBeGreaterThan(0)
    const ids = recorded.messages.map(({ id }: { id: string }) => id)
    expect(ids).toContain(body.items[0].id)
    const within = async (more: object) =>
      (
        await ask('POST', '/api/recall', {
          body: { query: 'river hotel tax', conversationId: 'recall', ...more },
        })
      ).body.items
    expect(await within({ limit: 1 })).toHaveLength(1)
    for (const { createdAt } of await within({ from: '2026-03-01', kinds: ['message'] }))
      expect(createdAt >= '2026-03-01').toBe(true)
    for (const { createdAt } of await within({ to: '2026-03-01', kinds: ['message'] }))
      expect(createdAt < '2026-03-01').toBe(true)
    const tokens = (await within({ budgetTokens: 40 })).map(({ tokens }: { tokens: number }) => tokens)
    expect(tokens.reduce((sum: number, one: number) => sum + one, 0)).toBeLessThanOrEqual(40)
  })

  test('POST recall finds each kind of memory, also as of a date', async () => {
    const said = (content: string, createdAt: string) => ({ role: 'user', content, createdAt })
    await ask('POST', '/api/conversations/kinds/messages', {
      body: {
        messages: [
          said('I live in Porto, near the old granary.', '2025-01-05T12:00:00Z'),
          ...Array.from({ length: 14 }, (_, i) =>
            said(
              `The granary by the river was built in ${1900 + i} by millers.`,
              `2025-02-${10 + i}T12:00:00Z`,
            ),
          ),
          said('I live in Braga now.', '2025-06-01T12:00:00Z'),
        ],
      },
    })
    await ask('POST', '/api/notes', {
      body: { text: 'The granary opens at nine.', source: { url: 'https://example.org/granary' } },
    })
    await ask('POST', '/api/documents', {
      body: { name: 'granary.md', content: '# Granary\n\nThe granary holds a hundred tons.' },
    })
    await ask('POST', '/api/context/granary/history', {
      body: { query: 'How large is the granary?' },
    })
    await expect
      .poll(async () => (await ask('GET', '/api/health')).body.pendingJobs, { timeout: 60_000 })
      .toBe(0)
    const HOME = 'Do I live in Porto or in Braga?'
    const recall = async (query: string, more: object) =>
      (await ask('POST', '/api/recall', { body: { query, ...more } })).body.items
    for (const kind of ['message', 'summary', 'fact', 'note', 'chunk', 'query']) {
      const question = kind === 'fact' ? HOME : 'What about the granary?'
      // Queries are those of pages that the question leads to, or that it is asked in.
      const asked = kind === 'query' ? { conversationId: 'granary' } : {}
      const items = await recall(question, { kinds: [kind], ...asked })
      expect([kind, ...new Set(items.map((item: { kind: string }) => item.kind))]).toEqual([kind, kind])
    }
    const homes = async (asOf: string) =>
      (await recall(HOME, { kinds: ['fact'], asOf })).map(({ text }: { text: string }) => text).join(' ')
    expect(await homes('2025-03-01')).toContain('Porto')
    expect(await homes('2025-03-01')).not.toContain('Braga')
    expect(await homes('2025-07-01')).toContain('Braga')
  })

  test('GET topics returns each topic with its label and all of its messages', async () => {
    const { body: recorded } = await ask('POST', '/api/conversations/topics/messages', {
      body: { messages: TALK },
    })
    const { body } = await ask('GET', '/api/conversations/topics/topics')
    const topicOf = Object.fromEntries(
      body.topics.flatMap(({ id, messageIds }: { id: string; messageIds: string[] }) =>
        messageIds.map((message) => [message, id]),
      ),
    )
    for (const { id, topicId } of recorded.messages) expect(topicOf[id]).toBe(topicId)
    expect(body.topics[0]).toMatchObject({
      id: expect.any(String),
      title: expect.any(String),
      accessCount: 1,
      halfLifeDays: 1,
      priority: expect.any(Number),
      state: 'current',
    })
  })

  test('POST summary returns text, key topics, sources and tokens of the whole conversation', async () => {
    await ask('POST', '/api/conversations/sum/messages', { body: { messages: TALK } })
    const { status, body } = await ask('POST', '/api/conversations/sum/summary', { body: { maxTokens: 80 } })
    expect(status).toBe(200)
    expect(body.summary.text).toMatch(/Lisbon|tax/)
    expect(body.summary.keyTopics.length).toBeGreaterThan(0)
    expect(body.summary.messageIds.length).toBeGreaterThan(0)
    expect(body.summary.tokens).toBeLessThanOrEqual(80)
    expect((await ask('POST', '/api/conversations/sum/summary')).body.summary.text).not.toBe('')
  })

  test('GET export returns JSON that imports back, or Markdown', async () => {
    await ask('POST', '/api/conversations/out/messages', { body: { messages: TALK } })
    const json = await ask('GET', '/api/conversations/out/export?format=json')
    expect(json.text).toContain('"id":"out"')
    expect((await ask('GET', '/api/conversations/out/export')).body.conversations).toEqual(
      json.body.conversations,
    )
    const markdown = await ask('GET', '/api/conversations/out/export?format=markdown')
    expect(markdown.headers.get('content-type')).toContain('text/markdown')
    const first = await ask('POST', '/api/import', {
      body: json.text,
      headers: { 'x-recollect-workspace': 'copy' },
    })
    expect(first).toMatchObject({ status: 200, body: { conversations: 1, messages: 4, known: 0 } })
    const again = await ask('POST', '/api/import', {
      body: json.text,
      headers: { 'x-recollect-workspace': 'copy' },
    })
    expect(again.body).toMatchObject({ conversations: 0, messages: 0, known: 4 })
  })

  test('DELETE conversation returns 204 and deletes it', async () => {
    await ask('POST', '/api/conversations/gone/messages', { body: TALK[0] })
    const erased = await ask('DELETE', '/api/conversations/gone')
    expect(erased.status).toBe(204)
    expect(erased.headers.get('x-recollect-erased')).toContain('messages=1; conversations=1')
    expect((await ask('GET', '/api/conversations/gone/messages')).status).toBe(404)
    expect((await ask('DELETE', '/api/conversations/gone')).status).toBe(404)
  })

  test('GET and POST /api/context/:pageId load, create and merge the state of a page', async () => {
    const { status, body } = await ask('GET', '/api/context/page-1')
    expect(status).toBe(200)
    expect(body.context).toMatchObject({
      pageId: 'page-1',
      activeFile: null,
      currentTopic: null,
      entities: {},
      preferences: {},
      updatedAt: expect.stringMatching(/^\d{4}-/),
    })
    const saved = await ask('POST', '/api/context/page-1', {
      body: {
        activeFile: { id: 'f1', name: 'Sales.csv' },
        currentTopic: 'Sales',
        entities: { a: 1, b: { c: [null] } },
        preferences: { chart: 'bar' },
      },
    })
    expect(saved).toMatchObject({ status: 200, body: { success: true } })
    const merged = await ask('POST', '/api/context/page-1', {
      body: { activeFile: null, entities: { a: null, d: 2 }, preferences: null },
    })
    expect(merged.body.context).toMatchObject({
      activeFile: null,
      currentTopic: 'Sales',
      entities: { b: { c: [null] }, d: 2 },
      preferences: {},
    })
    expect((await ask('GET', '/api/context/page-1')).body.context).toEqual(merged.body.context)
  })

  test('GET and POST history store queries and select those relevant to a question', async () => {
    const added = await ask('POST', '/api/context/page-2/history', {
      body: {
        query: 'How many orders in May?',
        intent: 'data_query',
        sql: 'SELECT count(*) FROM orders',
        results: [{ count: 12 }],
        response: 'Twelve.',
        important: true,
      },
    })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({
      id: expect.any(String),
      query: 'How many orders in May?',
      intent: 'data_query',
      sql: 'SELECT count(*) FROM orders',
      results: [{ count: 12 }],
      response: 'Twelve.',
      important: true,
      createdAt: expect.any(String),
    })
    for (let i = 0; i < 12; i++) {
      await ask('POST', '/api/context/page-2/history', { body: { query: `What about colour ${i}?` } })
    }
    const { body: last } = await ask('GET', '/api/context/page-2/history?limit=3')
    expect(last.queries.map(({ query }: { query: string }) => query)).toEqual([
      'What about colour 9?',
      'What about colour 10?',
      'What about colour 11?',
    ])
    const { body: selected } = await ask('GET', '/api/context/page-2/history?question=orders%20again')
    expect(selected.queries[0].query).toBe('How many orders in May?')
    expect(selected.queries.length).toBeLessThan(13)
    expect((await ask('GET', '/api/context/empty/history')).body).toEqual({ queries: [] })
  })

  test('GET /openapi.json describes all operations, and /metrics uses the Prometheus format', async () => {
    const { body } = await ask('GET', '/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    for (const path of ['/api/health', '/api/context/{pageId}', '/api/context/{pageId}/history'])
      expect(Object.keys(body.paths)).toContain(path)
    const metrics = await ask('GET', '/metrics')
    expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    for (const line of metrics.text.trimEnd().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{(?:\w+="[^"]*",?)+\})? -?[\d.e+-]+)$/)
    expect(metrics.text).toMatch(/recollect_messages \d\d/)
    expect(metrics.text).toContain('recollect_context_tokens_total{section="live"}')
  })
})
