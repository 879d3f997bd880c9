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
  const body = { userId: 'u', activeFile: { id: 'f', name: 'mills.csv' }, preferences: { a: 1 } }
  const response = await ask('/api/context/p', { method: 'POST', body: JSON.stringify(body) })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    context: { activeFile: { id: 'f', name: 'mills.csv' }, preferences: { a: 1 } },
  })
  expect(response.headers.get('x-recollect-warning')).toBe('ignored unknown fields: userId')
})

test('other fields of the active file are its metadata', async () => {
  const ask = await open()
  const save = (activeFile: object) =>
    ask('/api/context/p', { method: 'POST', body: JSON.stringify({ activeFile }) })
  const response = await save({ id: 'f', name: 'mills.csv', rows: 20, columns: ['mill', 'grain'] })
  expect(response.headers.get('x-recollect-warning')).toBeNull()
  const file = { id: 'f', name: 'mills.csv', metadata: { rows: 20, columns: ['mill', 'grain'] } }
  expect(await response.json()).toMatchObject({ context: { activeFile: file } })
  // What was loaded can be saved again.
  expect(await (await save(file)).json()).toMatchObject({ context: { activeFile: file } })
  expect(await (await ask('/api/context/p', {})).json()).toMatchObject({ context: { activeFile: file } })
  expect((await save({ id: 'f', notes: 'x'.repeat(70_000) })).status).toBe(413)
})

test('a workspaceId in the body chooses the workspace, where the caller may', async () => {
  const memory = await openMemory(':memory:')
  onTestFinished(() => memory.close())
  const handler = createHandler(memory, { requireKey: true })
  const send = async (key: string, path: string, body: object) =>
    handler(
      new Request(`http://localhost${path}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { authorization: `Bearer ${key}` },
      }),
    )
  const { key } = await memory.workspace('ada').keys.create()
  const { key: admin } = await memory.workspace('ada').keys.create({ scope: 'admin' })
  const page = { workspaceId: 'ada', currentTopic: 'Mills' }
  const own = await send(key, '/api/context/p', page)
  expect([own.status, own.headers.get('x-recollect-warning')]).toEqual([200, null])
  expect((await memory.workspace('ada').page('p').load()).currentTopic).toBe('Mills')

  expect((await send(key, '/api/context/p', { ...page, workspaceId: 'ben' })).status).toBe(403)
  expect((await send(admin, '/api/context/p', { ...page, workspaceId: 'ben' })).status).toBe(200)
  expect((await memory.workspace('ben').page('p').load()).currentTopic).toBe('Mills')

  const message = { workspaceId: 'ben', role: 'user', content: 'Hello' }
  expect((await send(key, '/api/conversations/c/messages', message)).status).toBe(403)
  expect((await send(admin, '/api/conversations/c/messages', message)).status).toBe(201)
  expect((await memory.workspace('ben').conversation('c').get())?.messageCount).toBe(1)
  expect((await send(key, '/api/recall', { query: 'Hello', workspaceId: 'ada' })).status).toBe(200)
  const chat = await send(key, '/api/conversations/d/chat', { message: 'Hello', workspaceId: 'ada' })
  expect(await chat.text()).toContain('[DONE]')
  const ui = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }], workspaceId: 'ben' }
  expect((await send(key, '/api/conversations/d/chat', ui)).status).toBe(403)
})

test('a query with unknown fields is added, and one without a query is not', async () => {
  const ask = await open()
  const send = (body: object) => ask('/api/context/p/history', { method: 'POST', body: JSON.stringify(body) })
  const added = await send({ query: 'How many?', workspaceId: 'default', pageId: 'p' })
  expect(added.status).toBe(201)
  expect(added.headers.get('x-recollect-warning')).toBe('ignored unknown fields: pageId')
  expect((await send({ pageId: 'p' })).status).toBe(422)
})
