// The settings that users of other chat stacks know, set in the environment of a real server: what each does.

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Ask } from '../support/http-server.ts'
import { scriptedServer } from '../support/scripted-models.ts'
import { spawnServer } from '../support/server-process.ts'

const talk = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `Bed ${i} of the garden gets ${i + 3} rows of carrots, and the fence beside it is painted in May.`,
  }))

const MANUAL = Array.from(
  { length: 30 },
  (_, i) =>
    `Step ${i}: the pump of the fountain is cleaned, and filter ${i} of the pump is replaced by hand.`,
).join(' ')

async function record(ask: Ask, count: number): Promise<void> {
  expect(
    (await ask('POST', '/api/conversations/garden/messages', { body: { messages: talk(count) } })).status,
  ).toBe(201)
}

async function contextOf(ask: Ask, query: string) {
  const { body } = await ask('POST', '/api/conversations/garden/context', { body: { query } })
  return body.receipt
}

async function chunksOf(ask: Ask) {
  const { body } = await ask('POST', '/api/documents', {
    body: { id: 'pump', name: 'pump.txt', content: MANUAL },
  })
  expect(body.id).toBe('pump')
  return (await ask('GET', '/api/documents/pump/chunks')).body.chunks as {
    tokens: number
    start: number
    end: number
  }[]
}

async function recallChunks(ask: Ask, query: string): Promise<unknown[]> {
  return (await ask('POST', '/api/recall', { body: { query, kinds: ['chunk'], limit: 20 } })).body.items
}

async function recallSummaries(ask: Ask): Promise<readonly { readonly text: string }[]> {
  const pending = async () => (await ask('GET', '/api/health')).body.pendingJobs
  await expect.poll(pending, { timeout: 20_000 }).toBe(0)
  const { body } = await ask('POST', '/api/recall', {
    body: { query: 'rows of carrots', kinds: ['summary'] },
  })
  return body.items
}

const chunkItems = ({ parts }: { parts: { items?: { kind: string }[] }[] }) =>
  parts.flatMap(({ items = [] }) => items).filter(({ kind }) => kind === 'chunk')

const set = async (name: string, value: string, more: Readonly<Record<string, string>> = {}) =>
  spawnServer({ env: { RECOLLECT_OLLAMA: 'off', [`RECOLLECT_${name}`]: value, ...more } })

test('CHAT_MAX_TOKENS is the budget of a context', async () => {
  const { ask } = await set('CHAT_MAX_TOKENS', '700')
  await record(ask, 80)
  const receipt = await contextOf(ask, 'How many rows of carrots are there?')
  expect(receipt.budgetTokens).toBe(700)
  expect(receipt.tokens).toBeLessThanOrEqual(700)
  expect(receipt.omitted).not.toEqual([])
})

test('CHAT_PERSIST=false writes no file', async () => {
  const { ask, path, end } = await set('CHAT_PERSIST', 'false')
  await record(ask, 4)
  expect((await ask('GET', '/api/conversations/garden/messages')).body.messages).toHaveLength(4)
  await end()
  expect(existsSync(path)).toBe(false)
})

test('RAG_CHUNK_SIZE is the most tokens of a chunk', async () => {
  const { ask } = await set('RAG_CHUNK_SIZE', '60')
  const chunks = await chunksOf(ask)
  expect(Math.max(...chunks.map(({ tokens }) => tokens))).toBeLessThanOrEqual(60)
  expect(chunks.length).toBeGreaterThan(8)
})

test.each([
  ['0', false],
  ['80', true],
])('RAG_CHUNK_OVERLAP=%s: chunks share text: %s', async (tokens, isShared) => {
  const { ask } = await set('RAG_CHUNK_OVERLAP', tokens)
  const [first, second] = await chunksOf(ask)
  expect((second?.start ?? 0) < (first?.end ?? 0)).toBe(isShared)
})

test('RAG_TOP_K_MAX is how many chunks a question finds', async () => {
  const { ask } = await set('RAG_TOP_K_MAX', '2', { RECOLLECT_RAG_CHUNK_SIZE: '60' })
  await chunksOf(ask)
  expect(await recallChunks(ask, 'filter of the pump')).toHaveLength(2)
})

test('RAG_FINAL_TOP_K is how many chunks enter a context', async () => {
  const { ask } = await set('RAG_FINAL_TOP_K', '1', { RECOLLECT_RAG_CHUNK_SIZE: '60' })
  await chunksOf(ask)
  expect(chunkItems(await contextOf(ask, 'How is the filter of the pump replaced?'))).toHaveLength(1)
})

test('RAG_SIMILARITY_THRESHOLD leaves out chunks that are less similar', async () => {
  const question = 'the fountain in the old park'
  const loose = await set('RAG_SIMILARITY_THRESHOLD', '0.05')
  await chunksOf(loose.ask)
  expect(await recallChunks(loose.ask, question)).not.toEqual([])
  const strict = await set('RAG_SIMILARITY_THRESHOLD', '0.99')
  await chunksOf(strict.ask)
  expect(await recallChunks(strict.ask, question)).toEqual([])
})

test('RAG_RE_RANK_TOP_N is how many results are re-ranked', async () => {
  const scripted = await scriptedServer()
  const rerank = { RECOLLECT_MODELS_RERANK_URL: scripted.url, RECOLLECT_MODELS_RERANK_MODEL: 'judge' }
  const { ask } = await set('RAG_RE_RANK_TOP_N', '3', rerank)
  await record(ask, 20)
  await ask('POST', '/api/recall', { body: { query: 'rows of carrots' } })
  const asked = scripted.requests.filter(({ path }) => path.endsWith('/rerank'))
  expect(asked.map(({ body }) => (body as { documents: unknown[] }).documents.length)).toEqual([3])
})

test('RAG_PER_TURN_MEMORY_BUDGET_TOKENS limits what memory adds', async () => {
  const { ask } = await set('RAG_PER_TURN_MEMORY_BUDGET_TOKENS', '120', { RECOLLECT_RAG_CHUNK_SIZE: '60' })
  await chunksOf(ask)
  const items = chunkItems(await contextOf(ask, 'How is the filter of the pump replaced?')) as {
    kind: string
    tokens?: number
  }[]
  expect(items.length).toBeGreaterThan(0)
  expect(items.reduce((sum, { tokens = 0 }) => sum + tokens, 0)).toBeLessThanOrEqual(120)
})

test('CONVO_SUMMARY_EVERY_N_MESSAGES is when a conversation is condensed', async () => {
  const often = await set('CONVO_SUMMARY_EVERY_N_MESSAGES', '6')
  await record(often.ask, 8)
  const seldom = await set('CONVO_SUMMARY_EVERY_N_MESSAGES', '40')
  await record(seldom.ask, 8)
  await expect.poll(() => recallSummaries(often.ask), { timeout: 20_000 }).toHaveLength(1)
  expect(await recallSummaries(seldom.ask)).toEqual([])
})

test('CONVO_SUMMARY_MAX_TOKENS is the length of a summary', async () => {
  const { ask } = await set('CONVO_SUMMARY_MAX_TOKENS', '60')
  await record(ask, 60)
  await expect.poll(() => recallSummaries(ask), { timeout: 20_000 }).toHaveLength(1)
  const [summary] = await recallSummaries(ask)
  expect(summary?.text.split(/\s+/).length).toBeLessThanOrEqual(60)
})

test.each([
  ['on', 1],
  ['off', 0],
])('SUMMARY_ROLLING=%s: %s rolling summary; one is made on request', async (value, count) => {
  const { ask } = await set('SUMMARY_ROLLING', value)
  await record(ask, 60)
  await expect.poll(() => recallSummaries(ask), { timeout: 20_000 }).toHaveLength(count)
  const made = await ask('POST', '/api/conversations/garden/summary', { body: {} })
  expect(made.body.summary.text).not.toBe('')
})

// The packages and models of Transformers.js are not part of the tests: transformers-vectors.test.ts shows where the
// device goes.
test('EMBEDDINGS_DEVICE is known to the server', async () => {
  const { ask, printed } = await set('EMBEDDINGS_DEVICE', 'cpu')
  expect(printed()).not.toContain('unknown environment variable')
  expect((await ask('GET', '/api/health')).status).toBe(200)
})
