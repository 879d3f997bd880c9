import { expect, test } from 'vitest'
import { aPageKey, save } from '../../conformance/store/page-samples.ts'
import { aKey, append, HERE, many } from '../../conformance/store/samples.ts'
import { countCharacters } from '../../test/support/conversation.arbitrary.ts'
import { openStore } from '../../test/support/sqlite-file.ts'
import { conversationId, messageId } from '../domain/ids.ts'
import { readableText } from '../domain/message.ts'
import type { Recalled } from '../domain/recall.ts'
import { DEFAULTS } from '../options/options.ts'
import type { RecallOptions } from '../schemas/recall.ts'
import type { Store } from '../store/store.ts'
import { buildContextWithRecall, type ContextDeps } from './context.ts'
import { NO_STANDING_MEMORY } from './memory/standing.ts'
import { readReceipts } from './receipt.ts'

const chat = aKey('chat')
const plans = aKey('plans')

const recalled = (id: string, more: Partial<Recalled> = {}): Recalled => ({
  kind: 'message',
  id,
  text: 'We land at noon.',
  score: 0.8123,
  why: [
    { signal: 'words', score: 0.51234, text: 'has "noon"' },
    { signal: 'speaker', score: 0.3, text: 'said by Ana' },
  ],
  messageIds: [messageId(id)],
  conversationId: plans.conversation,
  position: 0,
  createdAt: new Date('2026-05-01T10:00:00Z'),
  source: 'Ana',
  role: 'user',
  tokens: 5,
  ...more,
})

interface Asked {
  readonly question: string
  readonly request: RecallOptions
}

/** A maker over a real store, with scripted answers of recall. */
async function open(
  items: readonly Recalled[],
): Promise<{ maker: ContextDeps; store: Store; asked: Asked[] }> {
  const store = await openStore()
  const asked: Asked[] = []
  const now = new Date('2026-05-02T10:00:00Z')
  await append(store, chat, { messages: many('chat-m', 4) })
  await store.createConversation({ ...plans, fields: { title: 'Trip "plans"' }, createdAt: now })
  await append(store, plans, { messages: many('plans-m', 1) })
  const maker: ContextDeps = {
    store,
    options: { ...DEFAULTS.context, summaryTokens: 400, memoryTokens: 800, finalChunks: 3 },
    loadTokenizer: async () => ({ name: 'characters', count: countCharacters }),
    now: () => now,
    sources: {
      standing: async () => ({ memory: NO_STANDING_MEMORY }),
      page: async (page) => store.findPage({ workspace: chat.workspace, page }),
      standAlone: async ({ text }) => text,
      joinPage: async () => undefined,
      pageMaterial: async (state) => ({ state, outline: '', beginning: [], queries: [] }),
      earlierSummaries: async () => () => undefined,
      notes: async () => [],
      countUse: async () => undefined,
      recall: async (question, request) => {
        asked.push({ question, request })
        return { question: { asked: question }, items, leftOut: [], words: [], notices: [] }
      },
    },
  }
  return { maker, store, asked }
}

test('recall gets the question, the visible messages and the active file', async () => {
  const { maker, store, asked } = await open([])
  await save(store, aPageKey('chat'), { activeFile: { id: 'menu.pdf' } })
  await buildContextWithRecall(maker, chat, { query: 'When do we land?' })
  const ids = many('chat-m', 4).map(({ id }) => id)
  const request = {
    limit: 24,
    currentConversationId: 'chat',
    excludeMessageIds: ids,
    activeFile: 'menu.pdf',
  }
  const question = 'When do we land?'
  // The page first; nothing is found there.
  expect(asked).toEqual([
    { question, request: { ...request, scope: 'page' } },
    { question, request: { ...request, scope: 'workspace' } },
  ])
})

test('recalled items come before the question, with speaker, date and conversation', async () => {
  const { maker } = await open([recalled('plans-m0'), recalled('chat-m1')])
  const { messages, receipt } = await buildContextWithRecall(maker, chat, { query: 'When do we land?' })
  expect(readableText(messages.at(-1)?.content ?? '')).toContain(
    `\n[2026-05-01, Ana, in "Trip 'plans'"] We land at noon.\n`,
  )
  const part = receipt.parts.find(({ section }) => section === 'recalled')
  expect(part?.items).toMatchObject([
    { kind: 'message', id: 'plans-m0', score: 0.8123, conversationId: 'plans' },
  ])
  expect(receipt.omitted).toContainEqual({
    tokens: expect.any(Number),
    reason: 'already in the context',
    runs: [],
    item: { kind: 'message', id: 'chat-m1', score: 0.8123 },
  })
})

test('a stored receipt has reasons without quotes', async () => {
  const { maker, store } = await open([recalled('plans-m0')])
  await buildContextWithRecall(maker, chat, { query: 'When do we land?' })
  expect(JSON.stringify(await store.receipts(chat, 1))).not.toMatch(/noon|Ana|plans"/)
  const {
    items: [kept],
  } = await readReceipts(maker, chat, { limit: 1 })
  const [item] = kept?.parts.find(({ section }) => section === 'recalled')?.items ?? []
  expect(item).toMatchObject({
    score: 0.812,
    conversationId: 'plans',
    reasons: [
      { signal: 'words', score: 0.512, text: 'has words of the question' },
      { signal: 'speaker', score: 0.3, text: 'said by someone the question names' },
    ],
  })
})

test('nothing is recalled where memory is off or nobody asks anything', async () => {
  const { maker, asked } = await open([recalled('plans-m0')])
  await buildContextWithRecall(maker, chat, { query: 'When do we land?', memory: false })
  await buildContextWithRecall(maker, chat, { query: 'When do we land?', memoryTokens: 0 })
  await buildContextWithRecall(maker, { workspace: HERE, conversation: conversationId('empty') }, {})
  expect(asked).toEqual([])
})

test('no receipt is kept where none are wanted', async () => {
  const { maker, store } = await open([])
  const options = { ...maker.options, maxReceipts: 0 }
  expect(await (await buildContextWithRecall({ ...maker, options }, chat, {})).receiptSaved).toBe(false)
  expect(await store.receipts(chat, 10)).toEqual([])
})
