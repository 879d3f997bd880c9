// Pages are saved by code of many hands: what it sends beside the known fields is ignored and named.

import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { createHandler } from '../../src/server/start-server.ts'

async function open() {
  const memory = await openMemory(':memory:')
  onTestFinished(() => memory.close())
  const handler = createHandler(memory)
  return (path: string, init: RequestInit) => handler(new Request(`http://localhost${path}`, init))
}

test.each([
  ['without a content type', undefined],
  ['as plain text', 'text/plain;charset=UTF-8'],
])('a body %s is read as JSON', async (_, type) => {
  const ask = await open()
  const body = new TextEncoder().encode(JSON.stringify({ currentTopic: 'Mills' }))
  const response = await ask('/api/context/p', {
    method: 'POST',
    body,
    ...(type !== undefined && { headers: { 'content-type': type } }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ context: { currentTopic: 'Mills' } })
})

test('a page from another site is rejected, whatever its content type', async () => {
  const ask = await open()
  const headers = { origin: 'https://evil.example', 'content-type': 'text/plain' }
  expect((await ask('/api/context/p', { method: 'POST', body: '{}', headers })).status).toBe(403)
})

test('unknown fields of a page are ignored and named in a header', async () => {
  const ask = await open()
  const body = {
    workspaceId: 'w',
    activeFile: { id: 'f', name: 'mills.csv', size: 12 },
    preferences: { a: 1 },
  }
  const response = await ask('/api/context/p', { method: 'POST', body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    context: { activeFile: { id: 'f', name: 'mills.csv' }, preferences: { a: 1 } },
  })
  const warning = response.headers.get('x-recollect-warning')
  expect(warning).toContain('workspaceId')
  expect(warning).toContain('activeFile.size')
})

test('a query with unknown fields is added, and one without a query is not', async () => {
  const ask = await open()
  const send = (body: object) => ask('/api/context/p/history', { method: 'POST', body: JSON.stringify(body) })
  const added = await send({ query: 'How many?', workspaceId: 'w', pageId: 'p' })
  expect(added.status).toBe(201)
  expect(added.headers.get('x-recollect-warning')).toBe('ignored unknown fields: workspaceId, pageId')
  expect((await send({ workspaceId: 'w' })).status).toBe(422)
})
