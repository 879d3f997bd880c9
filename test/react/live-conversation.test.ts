// What useConversation shows, without React and without a browser, against the real server.

import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/adapters/react/client/create-client.ts'
import { ChangeBus } from '../../src/adapters/react/live/live.ts'
import { LiveConversation } from '../../src/adapters/react/live/live-conversation.ts'
import { type Served, serveTemporary } from '../support/http-server.ts'
import { chattingModel, pacedModel } from '../support/paced-model.ts'

interface Opened {
  readonly changes?: ChangeBus
  readonly fetch?: typeof fetch
}

function open({ server }: Pick<Served, 'server'>, { changes, ...options }: Opened = {}): LiveConversation {
  const client = createClient({ url: server.url, retries: 0, ...options })
  const live = new LiveConversation(client, 'trip', changes ?? new ChangeBus(server.url))
  onTestFinished(live.subscribe(() => undefined))
  return live
}

const shown = (live: LiveConversation) =>
  live.get().messages.map(({ role, text, state }) => `${role}: ${text} (${state})`)

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 10 })
const untilReady = (live: LiveConversation) => until(() => expect(live.get().status).toBe('ready'))

test('a conversation without messages is empty, not an error', async () => {
  const live = open(await serveTemporary())
  expect(live.get().status).toBe('loading')
  await untilReady(live)
  expect(live.get()).toMatchObject({ messages: [], error: undefined, hasEarlier: false })
})

test('a question is shown at once, the answer while it streams, and both as recorded', async () => {
  const model = pacedModel()
  const served = await serveTemporary({}, { languageModel: model })
  const live = open(served)
  await untilReady(live)
  const turn = live.send('Where should we eat?')
  expect(shown(live)).toEqual(['user: Where should we eat? (sending)'])
  expect(live.get().status).toBe('sending')
  model.give('At the ')
  await until(() => expect(shown(live)[1]).toBe('assistant: At the  (answering)'))
  expect(live.get().status).toBe('answering')
  model.give('market.')
  model.end()
  await turn
  expect(shown(live)).toEqual(['user: Where should we eat? (kept)', 'assistant: At the market. (kept)'])
  const kept = await served.memory.conversation('trip').messages.list().toArray()
  expect(live.get().messages.map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
})

test('an answer names its receipt, and the receipt can be read', async () => {
  const served = await serveTemporary({}, { languageModel: chattingModel('At the market.') })
  const live = open(served)
  await live.send('Where should we eat?')
  const receiptId = live.get().messages.at(-1)?.receiptId ?? ''
  expect(live.get().remembered?.receiptId).toBe(receiptId)
  const client = createClient({ url: served.server.url })
  expect(await client.conversation('trip').receipt(receiptId)).toMatchObject({ id: receiptId })
})

test('a stopped answer keeps its text so far and is marked', async () => {
  const model = pacedModel()
  const served = await serveTemporary({}, { languageModel: model })
  const live = open(served)
  const turn = live.send('Where should we eat?')
  model.give('At the ')
  await until(() => expect(live.get().messages[1]?.text).toBe('At the '))
  live.stop()
  await turn
  expect(live.get()).toMatchObject({ status: 'ready', error: undefined })
  expect(shown(live)).toEqual(['user: Where should we eat? (kept)', 'assistant: At the  (stopped)'])
  expect(live.get().messages[1]?.position).toBe(1)
})

test('a regenerated answer replaces the earlier one', async () => {
  const served = await serveTemporary({}, { languageModel: chattingModel('One.', 'Two.', 'Three.') })
  const live = open(served)
  await live.send('Say a number.')
  await live.regenerate()
  expect(shown(live)).toEqual(['user: Say a number. (kept)', 'assistant: Two. (kept)'])
  await live.regenerate(live.get().messages[1]?.id)
  expect(shown(live)).toEqual(['user: Say a number. (kept)', 'assistant: Three. (kept)'])
  const later = open(served)
  await untilReady(later)
  expect(shown(later)).toEqual(shown(live))
})

test('an edited message hides everything after it', async () => {
  const served = await serveTemporary({}, { languageModel: chattingModel('One.', 'Two.', 'Three.') })
  const live = open(served)
  await live.send('First.')
  await live.send('Second.')
  const turn = live.edit(live.get().messages[0]?.id ?? '', 'First, in other words.')
  expect(shown(live)).toEqual(['user: First, in other words. (sending)'])
  await turn
  expect(shown(live)).toEqual(['user: First, in other words. (kept)', 'assistant: Three. (kept)'])
})

test('a failing model keeps the text so far and the error, and a retry asks again', async () => {
  const model = pacedModel()
  const served = await serveTemporary({}, { languageModel: model })
  const live = open(served)
  const turn = live.send('Where should we eat?')
  model.give('At the ')
  await until(() => expect(live.get().messages[1]?.text).toBe('At the '))
  model.give(new Error('the model fell over'))
  await turn
  expect(live.get().error).toMatchObject({ name: 'RequestError', code: 'model-failed' })
  expect(shown(live)).toEqual(['user: Where should we eat? (kept)', 'assistant: At the  (failed)'])
  model.give('At the market.')
  model.end()
  await live.retry()
  expect(live.get().error).toBeUndefined()
  expect(shown(live)).toEqual(['user: Where should we eat? (kept)', 'assistant: At the market. (kept)'])
})

test('a question that did not reach the server is sent again and recorded once', async () => {
  const served = await serveTemporary({}, { languageModel: chattingModel('At the market.') })
  let isDown = true
  const live = open(served, {
    fetch: (input, init) =>
      isDown && init?.method === 'POST' ? Promise.reject(new TypeError('no network')) : fetch(input, init),
  })
  await untilReady(live)
  await live.send('Where should we eat?')
  expect(shown(live)).toEqual(['user: Where should we eat? (unsent)'])
  expect(live.get().error).toMatchObject({ code: 'unreachable' })
  isDown = false
  await live.retry()
  expect(live.get().error).toBeUndefined()
  expect(shown(live)).toEqual(['user: Where should we eat? (kept)', 'assistant: At the market. (kept)'])
  expect(await served.memory.conversation('trip').messages.list().toArray()).toHaveLength(2)
})

test('an error of the server is shown with its message and request id', async () => {
  const live = open(await serveTemporary())
  await untilReady(live)
  await live.send('Well?', { budgetTokens: 0 })
  expect(live.get().error).toMatchObject({
    code: 'invalid-input',
    status: 422,
    requestId: expect.stringMatching(/\S/),
  })
  expect(shown(live)).toEqual(['user: Well? (unsent)'])
})

test('without a model it answers from memory, and says so', async () => {
  const live = open(await serveTemporary())
  await live.send('My sister Ana is allergic to peanuts.')
  await live.send('What is Ana allergic to?')
  expect(live.get().notices).toMatchObject([{ code: 'no-model' }])
  expect(live.get().messages.at(-1)).toMatchObject({ isFromMemory: true, state: 'kept' })
})

test('long conversations load page by page, from the end', async () => {
  const served = await serveTemporary()
  const all = Array.from({ length: 120 }, (_, i) => ({ role: 'user' as const, content: `Message ${i}` }))
  await served.memory.conversation('trip').record(all)
  const live = open(served)
  await untilReady(live)
  const texts = () => live.get().messages.map(({ text }) => text)
  expect(texts()).toEqual(all.slice(70).map(({ content }) => content))
  await live.loadEarlier()
  expect(texts()).toEqual(all.slice(20).map(({ content }) => content))
  expect(live.get().hasEarlier).toBe(true)
  await live.loadEarlier()
  expect(texts()).toEqual(all.map(({ content }) => content))
  expect(live.get().hasEarlier).toBe(false)
})

test('another tab shows the question and the answer', async () => {
  const served = await serveTemporary({}, { languageModel: chattingModel('At the market.') })
  const [one, other] = [open(served), open(served)]
  await Promise.all([untilReady(one), untilReady(other)])
  await one.send('Where should we eat?')
  await until(() => expect(shown(other)).toEqual(shown(one)))
})

test('a second question during an answer is rejected, and the first continues', async () => {
  const model = pacedModel()
  const live = open(await serveTemporary({}, { languageModel: model }))
  const turn = live.send('First.')
  await live.send('Second.')
  expect(live.get().error).toMatchObject({ code: 'conflict' })
  model.give('One.')
  model.end()
  await turn
  expect(shown(live)).toEqual(['user: First. (kept)', 'assistant: One. (kept)'])
})

test('the error of a turn stays visible when others change the conversation', async () => {
  const model = pacedModel()
  const served = await serveTemporary({}, { languageModel: model, models: { retries: 0 } })
  const changes = new ChangeBus('errors')
  const live = open(served, { changes })
  await untilReady(live)
  const turn = live.send('Tell me about Cascais.')
  model.give('Cascais lies ')
  model.give(new Error('the line is cut'))
  await turn
  expect(live.get().error).toBeDefined()
  await served.memory.conversation('trip').record({ role: 'user', content: 'By the sea.' })
  changes.publishLocally({ about: 'conversation trip' })
  await until(() => expect(shown(live).at(-1)).toContain('By the sea.'))
  await new Promise((wake) => setTimeout(wake, 50))
  expect(live.get().error).toBeDefined()
})

test('an erased message disappears when the page is notified, and other messages keep their identity', async () => {
  const served = await serveTemporary()
  const trip = served.memory.conversation('trip')
  const [secret] = await trip.record([
    { role: 'user', content: 'My code is 4711.' },
    { role: 'user', content: 'We eat at eight.' },
  ])
  const changes = new ChangeBus(served.server.url)
  const live = open(served, { changes })
  await untilReady(live)
  const other = live.get().messages[1]
  await served.memory.messages.erase(secret?.id ?? '')
  changes.publishLocally({ about: 'conversation trip' })
  await until(() => expect(shown(live)).toEqual(['user:  (erased)', 'user: We eat at eight. (kept)']))
  expect(live.get().messages[1]).toBe(other)
})
