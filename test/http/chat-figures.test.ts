// What a turn of the chat took: told in its stream, and counted for those who watch the server.

import { expect, test } from 'vitest'
import type { LanguageModel, Memory } from '../../src/index.ts'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { type Ask, serveTemporary } from '../support/http-server.ts'

interface Told {
  readonly type: string
  readonly messageMetadata?: {
    readonly tokens?: number
    readonly usage?: {
      readonly inputTokens: number
      readonly outputTokens: number
      readonly totalTokens: number
    }
  }
}

/** One turn, part by part. */
async function say(ask: Ask, message: string): Promise<readonly Told[]> {
  const { text } = await ask('POST', '/api/conversations/trip/chat', { body: { message } })
  return text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

const lastTurn = async (memory: Memory) => {
  const [receipt] = (await memory.conversation('trip').receipts.list({ limit: 1 })).items
  const answer = (await memory.conversation('trip').messages.list().toArray()).at(-1)
  return { receipt, answer }
}

/** Says one word, and breaks. */
const frail: LanguageModel = {
  name: 'frail',
  complete: async () => '{}',
  async *stream() {
    yield 'Perhaps '
    throw new Error('the line is dead')
  },
}

test('the end of a turn reports the tokens of the request, as in its receipt, and of the answer', async () => {
  const { ask, memory } = await serveTemporary(
    {},
    { languageModel: scriptedModel(['At the market, every day but Monday.', 'In the harbour.']) },
  )
  for (const question of ['Where should we eat?', 'And where else?']) {
    const finish = (await say(ask, question)).find(({ type }) => type === 'finish')
    const { receipt, answer } = await lastTurn(memory)
    const [inputTokens, outputTokens] = [receipt?.tokens ?? 0, answer?.tokens ?? 0]
    expect(inputTokens).toBeGreaterThan(0)
    expect(outputTokens).toBeGreaterThan(0)
    expect(finish?.messageMetadata).toMatchObject({
      tokens: outputTokens,
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    })
  }
})

test('a reply that was cut off reports its usage so far', async () => {
  const { ask, memory } = await serveTemporary({}, { languageModel: frail, models: { retries: 0 } })
  const told = await say(ask, 'Where should we eat?')
  expect(told.map(({ type }) => type)).toContain('error')
  const { receipt, answer } = await lastTurn(memory)
  const [inputTokens, outputTokens] = [receipt?.tokens ?? 0, answer?.tokens ?? 0]
  const metadata = told.find(({ type }) => type === 'message-metadata')?.messageMetadata
  expect(metadata?.usage).toEqual({ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens })
})

test('a reply from memory uses no model and reports no usage', async () => {
  const { ask } = await serveTemporary()
  const finish = (await say(ask, 'Where should we eat?')).find(({ type }) => type === 'finish')
  expect(finish?.messageMetadata?.tokens).toBeGreaterThan(0)
  expect(finish?.messageMetadata).not.toHaveProperty('usage')
})

/** The series of a metric by their labels, as printed. */
async function readMetric(ask: Ask, name: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await ask('GET', '/metrics')
  const lines = text.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, labels = '', value]) => [labels, Number(value)]))
}

test('metrics count the tokens of every context by section, as in its receipt', async () => {
  const { ask, memory } = await serveTemporary(
    {},
    { languageModel: scriptedModel(['At the market.', 'In the harbour.', 'Up on the hill.']) },
  )
  await memory.preferences.update('diet', 'vegetarian')
  expect(await readMetric(ask, 'recollect_context_tokens_total')).toEqual({})
  for (const question of ['Where should we eat?', 'And where else?', 'And with a view?'])
    await say(ask, question)
  const sums: Record<string, number> = {}
  for (const { parts } of (await memory.conversation('trip').receipts.list({ limit: 10 })).items)
    for (const { section, tokens } of parts)
      sums[`{section="${section}"}`] = (sums[`{section="${section}"}`] ?? 0) + tokens
  expect(Object.keys(sums).length).toBeGreaterThan(1)
  expect(await readMetric(ask, 'recollect_context_tokens_total')).toEqual(sums)
  // Without the time of the model.
  expect(await readMetric(ask, 'recollect_context_seconds_count')).toEqual({ '': 3 })
  await ask('POST', '/api/conversations/trip/context', { body: { query: 'Where?' } })
  expect(await readMetric(ask, 'recollect_context_seconds_count')).toEqual({ '': 4 })
})

test('metrics count turns by how they ended and what wrote them, and recorded messages', async () => {
  const { ask } = await serveTemporary({}, { languageModel: scriptedModel(['At the market.']) })
  await say(ask, 'Where should we eat?')
  expect(await readMetric(ask, 'recollect_chat_turns_total')).toEqual({
    '{ending="complete",by="model"}': 1,
  })
  expect(await readMetric(ask, 'recollect_messages_recorded_total')).toEqual({ '': 2 })
  const alone = await serveTemporary()
  await say(alone.ask, 'Where should we eat?')
  expect(await readMetric(alone.ask, 'recollect_chat_turns_total')).toEqual({
    '{ending="complete",by="memory"}': 1,
  })
})

test('a turn counts in the latency of contexts and of recall', async () => {
  const { ask } = await serveTemporary()
  const countsIn = async () => {
    const { text } = await ask('GET', '/metrics')
    const count = (name: string) => Number(new RegExp(`^${name}_count (\\d+)`, 'm').exec(text)?.[1] ?? 0)
    return { contexts: count('recollect_context_seconds'), recalls: count('recollect_recall_seconds') }
  }
  expect(await countsIn()).toEqual({ contexts: 0, recalls: 0 })
  await say(ask, 'Where should we eat?')
  expect(await countsIn()).toEqual({ contexts: 1, recalls: 1 })
})
