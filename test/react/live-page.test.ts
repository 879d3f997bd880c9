// What usePageContext shows, without React and without a browser, against the real server.

import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../src/adapters/react/client/create-client.ts'
import { ChangeBus } from '../../src/adapters/react/live/live.ts'
import { LivePage } from '../../src/adapters/react/live/live-page.ts'
import { serveTemporary } from '../support/http-server.ts'

/** A server on a line that can be cut, and how often something was written over it. */
async function serve() {
  const served = await serveTemporary()
  const line = { isCut: false, writes: 0 }
  const watched: typeof fetch = (input, init) => {
    if (line.isCut) return Promise.reject(new TypeError('no network'))
    if (init?.method === 'POST') line.writes += 1
    return fetch(input, init)
  }
  const open = () => {
    const client = createClient({ url: served.server.url, fetch: watched, retries: 0 })
    const live = new LivePage(client, 'sales', new ChangeBus(served.server.url))
    const end = live.subscribe(() => undefined)
    onTestFinished(end)
    return { live, end }
  }
  return { ...served, line, open }
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

test('a page is loaded, changed at once, and saved a moment later in one request', async () => {
  const { open, memory, line } = await serve()
  const { live } = open()
  await until(() => expect(live.get().context?.pageId).toBe('sales'))
  live.update({ activeFile: { id: 'doc-1', name: 'Sales.csv' } })
  live.update({ preferences: { chart: 'bar' } })
  live.update({ currentTopic: 'revenue', entities: { Ana: { role: 'buyer' } } })
  expect(live.get()).toMatchObject({
    isSaved: false,
    context: { activeFile: { id: 'doc-1' }, currentTopic: 'revenue', preferences: { chart: 'bar' } },
  })
  expect(line.writes).toBe(0)
  await until(() => expect(live.get().isSaved).toBe(true))
  expect(line.writes).toBe(1)
  expect(await memory.page('sales').load()).toMatchObject({
    activeFile: { id: 'doc-1', name: 'Sales.csv' },
    currentTopic: 'revenue',
    entities: { Ana: { role: 'buyer' } },
    preferences: { chart: 'bar' },
  })
})

test('a change that the server rejects is rolled back, with an error', async () => {
  const { open } = await serve()
  const { live } = open()
  live.update({ currentTopic: 'revenue' })
  await live.flush()
  live.update({ currentTopic: '' })
  expect(live.get().context?.currentTopic).toBe('')
  await live.flush()
  expect(live.get()).toMatchObject({
    isSaved: true,
    context: { currentTopic: 'revenue' },
    refused: { currentTopic: '' },
    error: { code: 'invalid-input', status: 422 },
  })
  live.update({ currentTopic: 'costs' })
  await live.flush()
  expect(live.get()).toMatchObject({
    error: undefined,
    refused: undefined,
    context: { currentTopic: 'costs' },
  })
})

test('a change that does not reach the server is kept, reported, and sent when the connection is back', async () => {
  const { open, line, memory } = await serve()
  const { live } = open()
  await until(() => expect(live.get().context).toBeDefined())
  line.isCut = true
  live.update({ currentTopic: 'revenue' })
  await live.flush()
  expect(live.get()).toMatchObject({ isSaved: false, context: { currentTopic: 'revenue' } })
  expect(live.get().error).toMatchObject({ code: 'unreachable' })
  line.isCut = false
  await until(() => expect(live.get()).toMatchObject({ isSaved: true, error: undefined }))
  expect((await memory.page('sales').load()).currentTopic).toBe('revenue')
})

test('changes made during a save are saved after it', async () => {
  const { open, memory } = await serve()
  const { live } = open()
  await until(() => expect(live.get().context).toBeDefined())
  live.update({ entities: { Ana: 1, Ben: 2 } })
  const saving = live.flush()
  live.update({ entities: null })
  live.update({ entities: { Cleo: 3 } })
  expect(live.get().context?.entities).toEqual({ Cleo: 3 })
  await saving
  await live.flush()
  expect((await memory.page('sales').load()).entities).toEqual({ Cleo: 3 })
})

test('two tabs see each other’s changes and do not overwrite them', async () => {
  const { open, memory } = await serve()
  const [one, other] = [open().live, open().live]
  await until(() => expect(one.get().context && other.get().context).toBeDefined())
  one.update({ preferences: { chart: 'bar' } })
  other.update({ preferences: { units: 'metric' } })
  await Promise.all([one.flush(), other.flush()])
  const both = { chart: 'bar', units: 'metric' }
  expect((await memory.page('sales').load()).preferences).toEqual(both)
  await until(() => expect(one.get().context?.preferences).toEqual(both))
  await until(() => expect(other.get().context?.preferences).toEqual(both))
})

test('leaving the page saves pending changes', async () => {
  const { open, memory } = await serve()
  const { live, end } = open()
  await until(() => expect(live.get().context).toBeDefined())
  live.update({ currentTopic: 'revenue' })
  end()
  await until(() => expect(live.get().isSaved).toBe(true))
  expect((await memory.page('sales').load()).currentTopic).toBe('revenue')
})
