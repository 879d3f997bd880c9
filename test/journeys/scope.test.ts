// Where and when a question is asked: `now` and `scope`, and documents that belong to one conversation.

import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type ChatEvent,
  type ChatOptions,
  type ConversationMemory,
  type Memory,
  openMemory,
  type RecallOptions,
  readableText,
} from '../../src/index.ts'
import { DEFAULTS } from '../../src/options/options.ts'
import { createHandler } from '../../src/server/start-server.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { openWithChroma } from '../support/chroma-memory.ts'
import { startChroma, whyNoChroma } from '../support/chroma-server.ts'
import { meaningEmbedder } from '../support/meaning-embedder.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { openPglite, pglitePool } from '../support/pglite-pool.ts'
import { scriptedServer } from '../support/scripted-models.ts'
import { vectorsInProcess } from '../support/vectors-in-process.ts'

async function chatIn(conversation: ConversationMemory, options: ChatOptions): Promise<readonly ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of conversation.chat(options)) events.push(event)
  return events
}

describe('dates in a question are relative to `now`', () => {
  const said = (id: string, day: string, content: string) => ({
    id,
    role: 'user' as const,
    content,
    createdAt: new Date(`${day}T10:00:00Z`),
  })

  async function openDiary(): Promise<Memory> {
    const memory = await openTemporary()
    await memory
      .conversation('diary')
      .record([
        said('april', '2025-04-09', 'Repaired the fence behind the barn.'),
        said('august', '2025-08-12', 'Bought a canoe and paddled to the island.'),
        said('week', '2025-09-03', 'Picked eleven baskets of plums.'),
        said('day', '2025-09-09', 'The vet looked after the goat.'),
      ])
    await memory.whenDerived()
    return memory
  }

  const NOW = '2025-09-10T12:00:00Z'
  const CASES = [
    ['What did I do yesterday?', 'day'],
    ['What happened last week?', 'week'],
    ['What did I do in August?', 'august'],
  ] as const

  test.each(CASES)('recall: %s', async (query, id) => {
    const memory = await openDiary()
    const { items } = await memory.recall(query, { now: NOW, kinds: ['message'] })
    expect(items[0]?.id).toBe(id)
  })

  test.each(CASES)('context and chat: %s', async (query, id) => {
    const memory = await openDiary()
    const { receipt } = await memory.conversation('other').context(query, { now: NOW })
    const recalled = receipt.parts.find(({ section }) => section === 'recalled')
    expect(recalled?.items?.map((item) => item.id)).toContain(id)
    const events = await chatIn(memory.conversation('third'), { message: query, now: NOW })
    const remembered = events.find((event) => event.type === 'remembered')
    expect(remembered?.type === 'remembered' && remembered.recalled.map((item) => item.id)).toContain(id)
  })
})

describe('the scope of memory', () => {
  async function openThree(): Promise<Memory> {
    const memory = await openTemporary()
    const say = (id: string, content: string) =>
      memory.conversation(id).record({ id: `${id}-m`, role: 'user', content })
    await say('one', 'The lighthouse keeper is called Matilda.')
    await say('two', 'The lighthouse keeper owns a parrot.')
    await say('three', 'The lighthouse keeper plays the tuba.')
    await memory.whenDerived()
    return memory
  }
  const QUERY = 'What about the lighthouse keeper?'

  async function foundFrom(conversation: ConversationMemory, options = {}) {
    const { messages, receipt } = await conversation.context(QUERY, options)
    const text = messages.map(({ content }) => readableText(content)).join('\n')
    const found = ['Matilda', 'parrot', 'tuba'].filter((word) => text.includes(word))
    return { found, scope: receipt.scope }
  }

  test('can be set for a call', async () => {
    const memory = await openThree()
    const one = memory.conversation('one')
    expect(await foundFrom(one)).toEqual({
      found: ['Matilda', 'parrot', 'tuba'],
      scope: { used: 'workspace', setBy: 'default' },
    })
    expect(await foundFrom(one, { scope: 'conversation' })).toEqual({
      found: ['Matilda'],
      scope: { used: 'conversation', setBy: 'call' },
    })
    expect(await foundFrom(one, { scope: ['three'] })).toEqual({
      found: ['Matilda', 'tuba'],
      scope: { used: 'conversations', setBy: 'call' },
    })
    const idsOf = async (options: RecallOptions) =>
      (await memory.recall(QUERY, { kinds: ['message'], ...options })).items.map(({ id }) => id)
    expect(await idsOf({ conversationId: 'two', scope: 'conversation' })).toEqual(['two-m'])
    expect(await idsOf({ conversationId: 'two', scope: 'workspace' })).toHaveLength(3)
    expect(await idsOf({ scope: ['three'] })).toEqual(['three-m'])
    await expect(idsOf({ scope: 'conversation' })).rejects.toMatchObject({ code: 'invalid-input' })
    const events = await chatIn(memory.conversation('four'), { message: QUERY, scope: 'conversation' })
    expect(JSON.stringify(events)).not.toMatch(/Matilda|parrot|tuba/)
  })

  test('can be set for a conversation and for a workspace', async () => {
    const memory = await openThree()
    const one = memory.conversation('one')
    await one.update({ scope: 'conversation' })
    await one.update({ metadata: { color: 'red' } })
    expect(await foundFrom(one)).toEqual({
      found: ['Matilda'],
      scope: { used: 'conversation', setBy: 'conversation' },
    })
    expect((await one.get())?.metadata).toMatchObject({ color: 'red' })
    await one.update({ scope: null })
    expect((await foundFrom(one)).found).toHaveLength(3)
    await memory.preferences.update('recollect.scope', 'conversation')
    expect(await foundFrom(one)).toEqual({
      found: ['Matilda'],
      scope: { used: 'conversation', setBy: 'workspace' },
    })
    expect((await foundFrom(one, { scope: 'workspace' })).found).toHaveLength(3)
  })

  test('of a page is its conversations, and the workspace if they have nothing', async () => {
    const memory = await openThree()
    for (const id of ['one', 'two']) await memory.conversation(id).context('Hello', { pageId: 'harbour' })
    expect(await foundFrom(memory.conversation('new'), { pageId: 'harbour' })).toEqual({
      found: ['Matilda', 'parrot'],
      scope: { used: 'page', setBy: 'default' },
    })
    expect(await foundFrom(memory.conversation('new'), { pageId: 'elsewhere' })).toEqual({
      found: ['Matilda', 'parrot', 'tuba'],
      scope: { used: 'workspace', setBy: 'default', beyond: 'page' },
    })
    const { items } = await memory.recall(QUERY, { scope: 'page', pageId: 'harbour', kinds: ['message'] })
    expect(items.map(({ id }) => id).sort()).toEqual(['one-m', 'two-m'])
  })
})

/** PostgreSQL with pgvector, in this process. */
async function openOnPgvector(): Promise<Memory> {
  const database = await openPglite()
  const store = await openPostgresStore({
    ...DEFAULTS.postgres,
    url: 'postgres://nobody@in-this-process/memory',
    durability: 'full',
    busyTimeoutMs: 20_000,
    openPool: pglitePool(database),
  })
  expect((await store.check()).map(({ check }) => check).join()).toContain('pgvector')
  const memory = await openMemory({ store, embedder: meaningEmbedder() })
  onTestFinished(async () => {
    await memory.close()
    await database.close()
  })
  return memory
}

const WAYS_TO_OPEN = {
  words: () => openTemporary(),
  vectors: () => openTemporary({ embedder: meaningEmbedder() }),
  'a vector store': () => openTemporary({ embedder: meaningEmbedder(), vectorStore: vectorsInProcess() }),
  pgvector: openOnPgvector,
  Chroma: async () => openWithChroma((await startChroma()).url),
} satisfies Record<string, () => Promise<Memory>>

const noChroma = whyNoChroma()
if (noChroma !== undefined) console.info(`skipped with Chroma: ${noChroma}`)
const ways = (Object.keys(WAYS_TO_OPEN) as (keyof typeof WAYS_TO_OPEN)[]).filter(
  (name) => name !== 'Chroma' || noChroma === undefined,
)

describe.each(ways)('a document of one conversation, found by %s', (by) => {
  const SECRET = 'quincunx'
  const QUERY = `Which medic planted the ${SECRET} orchard?`

  async function openWithDocument(): Promise<Memory> {
    const memory = await WAYS_TO_OPEN[by]()
    await memory.conversation('mine').record({ role: 'user', content: 'Here is a file.' })
    await memory.documents.add({
      id: 'doc',
      name: 'orchard.md',
      content: `# ${SECRET}\n\nThe doctor planted the ${SECRET} orchard in spring.`,
      conversationId: 'mine',
    })
    await memory.conversation('other').record([
      { role: 'user', content: 'The orchard is far away.' },
      { role: 'assistant', content: 'How far is it?' },
    ])
    await memory.page('page').save({ currentTopic: 'orchards' })
    await memory.whenDerived()
    return memory
  }

  const withoutQuery = (value: unknown): string =>
    JSON.stringify(value)
      .replaceAll(QUERY, '')
      .replaceAll(/"word":"\w+"/g, '')

  test('is visible in that conversation', async () => {
    const memory = await openWithDocument()
    const { items } = await memory.recall(QUERY, { conversationId: 'mine', kinds: ['chunk'] })
    expect(items[0]?.text).toContain('in spring')
    const { messages } = await memory.conversation('mine').context(QUERY)
    expect(JSON.stringify(messages)).toContain('in spring')
  })

  test('is not visible in any other conversation', async () => {
    const memory = await openWithDocument()
    const other = memory.conversation('other')
    const recalls: readonly RecallOptions[] = [
      {},
      { conversationId: 'other' },
      { currentConversationId: 'other' },
      { conversationId: 'other', scope: 'workspace' },
      { conversationId: 'other', activeFile: 'doc' },
      { activeFile: 'doc' },
      { conversationIds: ['other', 'nowhere'] },
      { currentConversationId: 'other', conversationIds: ['mine', 'other'] },
      { pageId: 'page' },
      { scope: 'page', pageId: 'page' },
      { currentConversationId: 'other', scope: ['mine'] },
    ]
    for (const options of recalls) {
      const answer = await memory.recall(QUERY, { limit: 50, ...options })
      expect(withoutQuery(answer), JSON.stringify(options)).not.toMatch(/in spring|orchard\.md/)
      const explained = await memory.explain(QUERY, { limit: 50, ...options })
      expect(withoutQuery(explained), JSON.stringify(options)).not.toMatch(/in spring|orchard\.md/)
    }
    for (const options of [{}, { scope: 'workspace' }, { pageId: 'page' }, { scope: ['mine'] }] as const) {
      for (const conversation of [other, memory.conversation('new')]) {
        const context = await conversation.context(QUERY, options)
        expect(withoutQuery(context.messages)).not.toMatch(/in spring|orchard\.md/)
        const events = await chatIn(conversation, { message: QUERY, ...options })
        expect(withoutQuery(events)).not.toMatch(/in spring|orchard\.md/)
      }
    }
    expect(withoutQuery((await memory.messages.search('spring')).items)).not.toContain('spring')
    await other.update({ isMemoryOn: true })
    expect(withoutQuery((await other.summary()).text)).not.toContain('in spring')
  })

  test('is not visible in any other conversation over HTTP', async () => {
    const memory = await openWithDocument()
    const handler = createHandler(memory)
    const ask = async (path: string, body: object) => {
      const request = new Request(`http://localhost${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const response = await handler(request)
      const text = await response.text()
      expect(response.status, text).toBe(200)
      return text
    }
    const answers = [
      await ask('/api/recall', { query: QUERY }),
      await ask('/api/recall', { query: QUERY, conversationId: 'other', scope: 'workspace' }),
      await ask('/api/recall/explain', { query: QUERY }),
      await ask('/api/conversations/other/context', { query: QUERY }),
      await ask('/api/conversations/other/chat', { message: QUERY }),
      await ask('/api/conversations/fresh/chat', { message: QUERY, scope: 'workspace' }),
    ]
    for (const answer of answers) expect(answer).not.toMatch(/in spring|orchard\.md/)
  })

  test('is not visible in any other conversation through the proxy', async () => {
    const memory = await openWithDocument()
    const upstream = await scriptedServer()
    upstream.always({ text: 'Noted.' })
    const handler = createHandler(memory, { upstreamUrl: `${upstream.url}/v1`, memoryTimeoutMs: 60_000 })
    const sentFrom = async (conversation: string | undefined) => {
      const request = new Request('http://localhost/v1/chat/completions', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(conversation !== undefined && { 'x-recollect-conversation': conversation }),
        },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: QUERY }] }),
      })
      const response = await handler(request)
      const text = await response.text()
      expect(response.status, text).toBe(200)
      expect(response.headers.get('x-recollect-memory')).toMatch(/^on/)
      return JSON.stringify(upstream.requests.at(-1)?.body.messages)
    }
    for (const conversation of [undefined, 'other', 'fresh'])
      expect(await sentFrom(conversation), conversation).not.toMatch(/in spring|orchard\.md/)
    expect(await sentFrom('mine')).toContain('in spring')
  })

  test('is visible everywhere once it is attached to all', async () => {
    const memory = await openWithDocument()
    await memory.documents.attach('doc')
    const { items } = await memory.recall(QUERY, { kinds: ['chunk'] })
    expect(items[0]?.text).toContain('in spring')
  })
})
