// What others change, told to the hooks of a page, against the real server and without a browser.

import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient, type RecollectClient } from '../../src/adapters/react/client/create-client.ts'
import { followChanges, type ServerChange } from '../../src/adapters/react/live/follow-changes.ts'
import { cacheOf, concerns } from '../../src/adapters/react/live/live.ts'
import { LiveConversation } from '../../src/adapters/react/live/live-conversation.ts'
import { startServer } from '../../src/server/start-server.ts'
import { serveTemporary } from '../support/http-server.ts'
import { openTemporary } from '../support/open-temporary.ts'

const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000, interval: 10 })

function follow(client: RecollectClient) {
  const told: ServerChange[] = []
  const end = followChanges(client, { onChange: (change) => told.push(change) })
  onTestFinished(end)
  return { told, end }
}

function openTrip(client: RecollectClient): LiveConversation {
  const live = new LiveConversation(client, 'trip', cacheOf(client).changes)
  onTestFinished(live.subscribe(() => undefined))
  return live
}

const textsOf = (live: LiveConversation) => live.get().messages.map(({ text }) => text)

test('messages recorded or erased by a program appear and disappear', async () => {
  const { server, memory } = await serveTemporary()
  const client = createClient({ url: server.url })
  const { told } = follow(client)
  const live = openTrip(client)
  await until(() => expect(told).toEqual([{ kind: 'everything' }]))
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon.' })
  await until(() => expect(textsOf(live)).toEqual(['We are in Lisbon.']))
  await memory.conversation('trip').record({ role: 'user', content: 'In May.' })
  await until(() => expect(textsOf(live)).toEqual(['We are in Lisbon.', 'In May.']))
  await memory.conversation('trip').erase()
  await until(() => expect(textsOf(live)).toEqual([]))
  expect(live.get().error).toBe(undefined)
})

test('after a reconnect, everything is read again', async () => {
  const memory = await openTemporary()
  const first = await startServer(memory, { port: 0 })
  const client = createClient({ url: first.url, retries: 0 })
  const { told } = follow(client)
  const live = openTrip(client)
  await until(() => expect(told).toHaveLength(1))
  await first.close()
  await memory.conversation('trip').record({ role: 'user', content: 'Said meanwhile.' })
  const second = await startServer(memory, { port: Number(new URL(first.url).port) })
  onTestFinished(() => second.close())
  await until(() => expect(told.filter(({ kind }) => kind === 'everything')).toHaveLength(2))
  await until(() => expect(textsOf(live)).toEqual(['Said meanwhile.']))
})

test('after unsubscribing, no more changes are reported', async () => {
  const { server, memory } = await serveTemporary()
  const { told, end } = follow(createClient({ url: server.url }))
  await until(() => expect(told).toHaveLength(1))
  end()
  await memory.conversation('trip').record({ role: 'user', content: 'We are in Lisbon.' })
  await new Promise((wake) => setTimeout(wake, 1500))
  expect(told).toHaveLength(1)
})

test('many changes at once are reported once a second, without duplicates', async () => {
  const { server, memory } = await serveTemporary({}, { derive: { when: 'never' } })
  const { told } = follow(createClient({ url: server.url }))
  await until(() => expect(told).toHaveLength(1))
  const started = performance.now()
  for (let i = 0; i < 20; i++) {
    await memory.conversation('trip').record({ role: 'user', content: `Message ${i}` })
    await new Promise((wake) => setTimeout(wake, 60))
  }
  await new Promise((wake) => setTimeout(wake, 1200))
  const ofTrip = told.filter(({ id }) => id === 'trip')
  expect(ofTrip.length).toBeGreaterThan(0)
  expect(ofTrip.length).toBeLessThanOrEqual((performance.now() - started) / 1000 + 2)
})

test.each([
  ['conversation trip', 'conversation trip', true],
  ['everything', 'conversation trip', true],
  ['conversation', 'conversation trip', true],
  ['document handbook', 'document', true],
  ['conversation trip', 'conversation tripoli', false],
  ['conversation trip', 'page trip', false],
  ['knowledge', 'facts', false],
])('"%s" changed: whoever looks at "%s" looks again: %s', (about, name, isConcerned) => {
  expect(concerns({ about }, name)).toBe(isConcerned)
})
