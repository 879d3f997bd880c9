// What every answer has: an id, tags, compression, repetition without doubling, one shape of failures.

import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { serveTemporary } from '../support/http-server.ts'

const hello = { role: 'user', content: 'Hello' }

test("every response has a request id, the client's own if it is safe to log", async () => {
  const { ask } = await serveTemporary()
  const idOf = async (headers = {}) =>
    (await ask('GET', '/api/health', { headers })).headers.get('x-request-id')
  expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idOf({ 'x-request-id': 'job-7.b:2' })).toBe('job-7.b:2')
  expect(await idOf({ 'x-request-id': 'a b"c' })).toMatch(/^[0-9a-f-]{36}$/)
  const failed = await ask('GET', '/api/nowhere', { headers: { 'x-request-id': 'mine' } })
  expect(failed.body.error.requestId).toBe('mine')
})

test('errors name the field, the problem and the fix', async () => {
  const { ask } = await serveTemporary()
  await ask('POST', '/api/conversations/a/messages', { body: hello })
  const patched = await ask('PATCH', '/api/conversations/a', {
    body: { isPinned: 'yes', tags: [1], colour: 'red' },
  })
  expect(patched).toMatchObject({ status: 422, body: { error: { code: 'invalid-input' } } })
  expect(patched.body.error.message).toContain('tags[0]')
  expect(patched.body.error.hint).toMatch(/isPinned.*colour/)
  const recorded = await ask('POST', '/api/conversations/a/messages', {
    body: { messages: [hello, { role: 'robot', content: 'x' }] },
  })
  expect(recorded.body.error).toMatchObject({
    code: 'invalid-input',
    message: 'messages[1].role must be one of system, user, assistant, tool, not "robot"',
  })
  expect((await ask('GET', '/api/conversations?limt=5')).body.error.message).toContain('limt')
  expect((await ask('GET', '/api/conversations?limit=5&limit=6')).status).toBe(422)
  expect((await ask('GET', '/api/health?verbose=1')).status).toBe(422)
  const method = await ask('PUT', '/api/conversations/a')
  expect(method).toMatchObject({ status: 405, body: { error: { code: 'method-not-allowed' } } })
  expect(method.headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD')
  expect(await ask('GET', '/api/nowhere')).toMatchObject({
    status: 404,
    body: { error: { code: 'not-found' } },
  })
})

test('the same id with another text is a conflict and changes nothing', async () => {
  const { ask } = await serveTemporary()
  await ask('POST', '/api/conversations/a/messages', { body: { ...hello, id: 'm' } })
  const again = await ask('POST', '/api/conversations/a/messages', {
    body: { ...hello, id: 'm', content: 'Bye' },
  })
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
})

test('a repeated request with the same Idempotency-Key writes nothing twice', async () => {
  const { ask, memory } = await serveTemporary()
  const headers = { 'idempotency-key': 'try-1' }
  const record = () =>
    ask('POST', '/api/conversations/a/messages', { body: { messages: [hello, hello] }, headers })
  const [first, second] = [await record(), await record()]
  expect(second.body).toEqual(first.body)
  expect((await memory.conversation('a').get())?.messageCount).toBe(2)

  const create = () => ask('POST', '/api/conversations', { body: { title: 'New' }, headers })
  expect((await create()).body.id).toBe((await create()).body.id)
  const messageId = first.body.messages[0].id
  const fork = () => ask('POST', '/api/conversations/a/fork', { body: { messageId }, headers })
  const [forked, again] = [await fork(), await fork()]
  expect(again).toMatchObject({ status: 201, body: forked.body })
  const add = () => ask('POST', '/api/context/page/history', { body: { query: 'How many?' }, headers })
  expect((await add()).body).toEqual((await add()).body)

  expect((await memory.conversations.list()).items).toHaveLength(3)
  expect((await memory.page('page').queries.list()).items).toHaveLength(1)
})

test('facts and notes are created once, even by concurrent duplicate requests', async () => {
  const { ask, memory } = await serveTemporary()
  const headers = { 'idempotency-key': 'try-1' }
  const fact = { attribute: 'home', value: 'Porto' }
  const [first, second] = await Promise.all([
    ask('POST', '/api/facts', { body: fact, headers }),
    ask('POST', '/api/facts', { body: fact, headers }),
  ])
  expect(second).toMatchObject({ status: 201, body: first.body })
  expect(first.body.history).toHaveLength(1)
  const other = { body: { ...fact, value: 'Braga' }, headers: { 'idempotency-key': 'try-2' } }
  expect((await ask('POST', '/api/facts', other)).body.id).not.toBe(first.body.id)
  const again = await ask('POST', '/api/facts', { body: fact, headers })
  expect(again.body).toMatchObject({ id: first.body.id, value: 'Porto', validUntil: expect.any(String) })
  const note = () => ask('POST', '/api/notes', { body: { text: 'Rain until Friday.' }, headers })
  expect((await note()).body.id).toBe((await note()).body.id)
  expect(await memory.notes.list().toArray()).toHaveLength(1)
})

test.each(['message', 'fact', 'note', 'summary', 'topic', 'chunk', 'query'])(
  'feedback on a %s that is not there is 404',
  async (kind) => {
    const { ask } = await serveTemporary()
    const body = { kind, id: 'nobody:1:0', verdict: 'helpful' }
    expect(await ask('POST', '/api/feedback', { body })).toMatchObject({
      status: 404,
      body: { error: { code: 'not-found' } },
    })
    expect((await ask('GET', `/api/feedback?kind=${kind}&id=nobody`)).status).toBe(404)
  },
)

test('feedback is accepted on every kind of item', async () => {
  const { ask, memory } = await serveTemporary()
  await ask('POST', '/api/conversations/a/messages', { body: { ...hello, id: 'm' } })
  const { id } = await memory.documents.add({ name: 'a.md', content: '# Mills' })
  const query = await ask('POST', '/api/context/p/history', { body: { query: 'How many mills?' } })
  const items = { message: 'm', summary: 'a', topic: 'm', chunk: `${id}:1:0`, query: query.body.id }
  for (const [kind, about] of Object.entries(items)) {
    const body = { kind, id: about, verdict: 'helpful' }
    expect((await ask('POST', '/api/feedback', { body })).body).toMatchObject({ helpful: 1 })
  }
  const gone = { kind: 'chunk', id: `${id}:1:9`, verdict: 'helpful' }
  expect((await ask('POST', '/api/feedback', { body: gone })).status).toBe(404)
})

test('an unchanged response is 304', async () => {
  const { ask } = await serveTemporary()
  await ask('POST', '/api/conversations/a/messages', { body: hello })
  await ask('POST', '/api/documents', { body: { id: 'd', name: 'd.md', content: '# Mills' } })
  for (const path of [
    '/api/conversations/a',
    '/api/conversations/a/messages',
    '/api/context/page',
    '/api/documents/d',
  ]) {
    const first = await ask('GET', path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^(?:W\/)?"/)
    const same = await ask('GET', path, { headers: { 'if-none-match': etag } })
    expect(same).toMatchObject({ status: 304, text: '' })
    expect((await ask('GET', path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  }
  const { headers } = await ask('GET', '/api/conversations/a')
  await ask('PATCH', '/api/conversations/a', { body: { title: 'Other' } })
  const changed = await ask('GET', '/api/conversations/a', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  })
  expect(changed).toMatchObject({ status: 200, body: { title: 'Other' } })
})

test('long responses are compressed for clients that accept it, streams included', async () => {
  const { ask, server } = await serveTemporary()
  const messages = Array.from({ length: 50 }, (_, i) => ({
    role: 'user',
    content: `Bread and butter, loaf ${i}`,
  }))
  await ask('POST', '/api/conversations/a/messages', { body: { messages } })
  for (const path of ['/api/conversations/a/messages', '/api/export']) {
    const { request } = await import('node:http')
    const { headers, bytes } = await new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>(
      (resolve) =>
        request(server.url + path, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
          const pieces: Buffer[] = []
          response.on('data', (piece) => pieces.push(piece))
          response.once('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(pieces) }))
        }).end(),
    )
    expect(headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(gunzipSync(bytes).toString()).toContain('loaf 49')
    const plain = await ask('GET', path, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.text).toContain('loaf 49')
  }
})

test('HEAD responds like GET without the body', async () => {
  const { ask } = await serveTemporary()
  const answer = await ask('HEAD', '/api/health')
  expect(answer).toMatchObject({ status: 200, text: '' })
})

test('lists are paginated by cursor', async () => {
  const { ask } = await serveTemporary()
  for (let i = 0; i < 7; i++) {
    await ask('POST', '/api/conversations', { body: { id: `c${i}` } })
    await ask('POST', '/api/facts', { body: { attribute: `likes ${i}`, value: `thing ${i}` } })
  }
  const readAll = async (path: string, name: string) => {
    const ids: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await ask('GET', `${path}?limit=3${cursor}`)
      ids.push(...body[name].map(({ id }: { id: string }) => id))
      if (body.next === null) return ids
      cursor = `&cursor=${encodeURIComponent(body.next)}`
    }
  }
  expect(new Set(await readAll('/api/conversations', 'conversations')).size).toBe(7)
  expect(new Set(await readAll('/api/facts', 'facts')).size).toBe(7)
  expect((await ask('GET', '/api/facts?cursor=nobody')).status).toBe(422)
  expect((await ask('GET', '/api/conversations?cursor=nobody')).status).toBe(422)
})

test('facts are corrected, and a correction is undone', async () => {
  const { ask } = await serveTemporary()
  const { body: fact } = await ask('POST', '/api/facts', { body: { attribute: 'home', value: 'Porto' } })
  const { body: changed } = await ask('PATCH', `/api/facts/${fact.id}`, { body: { value: 'Braga' } })
  expect(changed.value).toBe('Braga')
  const edit = changed.history.at(-1).editId
  expect((await ask('DELETE', `/api/facts/${fact.id}/edits/${edit}`)).status).toBe(204)
  expect((await ask('GET', `/api/facts/${fact.id}`)).body.value).toBe('Porto')
  expect((await ask('POST', `/api/facts/${fact.id}/reject`)).body.rejectedAt).toBeDefined()
  expect((await ask('GET', '/api/facts')).body.facts).toEqual([])
})

test('a rebuild is started and polled until it is done', async () => {
  const { ask } = await serveTemporary()
  await ask('POST', '/api/conversations/a/messages', { body: hello })
  expect(await ask('POST', '/api/rebuild')).toMatchObject({
    status: 202,
    body: { rebuild: { state: 'running' } },
  })
  const state = async () => (await ask('GET', '/api/rebuild')).body.rebuild.state
  await expect.poll(state).toBe('done')
})

test('a backup is a file that can be opened', async () => {
  const { server, ask } = await serveTemporary()
  await ask('POST', '/api/conversations/a/messages', { body: hello })
  const bytes = Buffer.from(await (await fetch(`${server.url}/api/backup`)).arrayBuffer())
  expect(bytes.subarray(0, 15).toString()).toBe('SQLite format 3')
  expect(bytes.length).toBeGreaterThan(10_000)
})
