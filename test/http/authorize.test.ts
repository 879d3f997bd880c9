// Many users on one server: callers are mapped to workspaces by the hook `authorize`, by a trusted header, or by a key.

import { describe, expect, onTestFinished, test } from 'vitest'
import { type Memory, openMemory } from '../../src/index.ts'
import { createHandler, type ServerOptions, startServer } from '../../src/server/start-server.ts'
import { askAt, serveTemporary, toAnswer } from '../support/http-server.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const hello = { role: 'user', content: 'Hello' }

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function openHandler(options: ServerOptions) {
  const memory = await openMemory(':memory:')
  onTestFinished(() => memory.close())
  const handler = createHandler(memory, options)
  const ask = async (path: string, { body, ...init }: Sent = {}) => {
    const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return toAnswer(await handler(new Request(`http://localhost:3000${path}`, { ...json, ...init })))
  }
  return { memory, ask }
}

const countIn = async (memory: Memory, workspace: string) =>
  (await memory.workspace(workspace).conversations.list()).items.length

describe('authorize', () => {
  /** As an application would: a session cookie names the user. */
  const byCookie: ServerOptions['authorize'] = async ({ headers }) => {
    const user = /user=(\w+)/.exec(headers.get('cookie') ?? '')?.[1]
    return user === undefined ? undefined : { workspaceId: user }
  }

  test('maps each caller to a workspace, which sees only itself', async () => {
    const { memory, ask } = await openHandler({ authorize: byCookie })
    const record = (cookie: string) =>
      ask('/api/conversations/trip/messages', { body: hello, headers: { cookie } })
    expect((await record('user=ada')).status).toBe(201)
    expect((await record('user=ben')).status).toBe(201)
    expect((await record('user=ben')).status).toBe(201)
    const { body } = await ask('/api/conversations/trip/messages', { headers: { cookie: 'user=ada' } })
    expect(body.messages).toHaveLength(1)
    expect(await countIn(memory, 'default')).toBe(0)
  })

  test.each([undefined, false] as const)('a caller for whom it returns %s gets 401', async (answer) => {
    const { ask } = await openHandler({ authorize: () => answer })
    expect(await ask('/api/conversations')).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized' } },
    })
    expect((await ask('/api/health')).status).toBe(200)
  })

  test('may write unless it returns another scope, and may not choose a workspace', async () => {
    const { memory, ask } = await openHandler({
      authorize: ({ headers }) => ({
        workspaceId: 'ada',
        ...(headers.has('x-read-only') && { scope: 'read' }),
        ...(headers.has('x-operator') && { scope: 'admin' }),
      }),
    })
    const send = (headers: Sent['headers']) =>
      ask('/api/conversations', { body: {}, ...(headers && { headers }) })
    expect((await send({})).status).toBe(201)
    expect((await send({ 'x-read-only': '1' })).status).toBe(403)
    expect((await send({ 'x-recollect-workspace': 'ben' })).status).toBe(403)
    expect((await ask('/api/keys')).status).toBe(403)
    expect((await send({ 'x-operator': '1', 'x-recollect-workspace': 'ben' })).status).toBe(201)
    expect(await countIn(memory, 'ben')).toBe(1)
  })

  test('an error in it is a 500 that says nothing about it, and is logged', async () => {
    const lines: string[] = []
    const { ask } = await openHandler({
      authorize: async () => {
        throw new TypeError('session store at 10.0.0.7 refused the password hunter2')
      },
      logTo: { write: (line) => lines.push(line) },
    })
    const { status, text, body } = await ask('/api/conversations')
    expect(status).toBe(500)
    expect(body.error).toMatchObject({ code: 'internal', message: 'authorize failed' })
    expect(text).not.toMatch(/hunter2|10\.0\.0\.7|session/)
    expect(lines.join('')).toContain('hunter2')
  })

  test.each([{}, { workspaceId: 7 }, { workspaceId: 'ada', scope: 'owner' }, { workspaceId: '' }, 'ada'])(
    'a result that is not valid is a 500, never access: %o',
    async (answer) => {
      const { ask } = await openHandler({ authorize: () => answer as never, logLevel: 'silent' })
      expect((await ask('/api/conversations')).status).toBe(500)
    },
  )

  test('replaces keys and the exception for local requests, also on a server', async () => {
    const memory = await openMemory(temporaryPath())
    onTestFinished(() => memory.close())
    const server = await startServer(memory, { port: 0, host: '0.0.0.0', authorize: byCookie })
    onTestFinished(() => server.close())
    const ask = askAt(`http://127.0.0.1:${server.port}`)
    expect((await ask('GET', '/api/conversations')).status).toBe(401)
    expect((await ask('GET', '/api/conversations', { headers: { cookie: 'user=ada' } })).status).toBe(200)
    const { key } = await memory.keys.create()
    expect((await ask('GET', '/api/conversations', { key })).status).toBe(401)
  })

  test('works behind the public host name of the application, without changing headers', async () => {
    const { ask } = await openHandler({ authorize: () => ({ workspaceId: 'ada' }) })
    const behind = {
      host: 'localhost:3000',
      'x-forwarded-host': 'app.example.com',
      'x-forwarded-for': '203.0.113.9',
    }
    const page = { origin: 'https://app.example.com', 'sec-fetch-site': 'same-origin' }
    expect((await ask('/api/conversations', { body: {}, headers: { ...behind, ...page } })).status).toBe(201)
    const { origin } = page
    expect((await ask('/api/conversations', { body: {}, headers: { ...behind, origin } })).status).toBe(201)
    const other = { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' }
    expect((await ask('/api/conversations', { body: {}, headers: { ...behind, ...other } })).status).toBe(403)
  })

  test('leaves compression to the server that it is mounted in', async () => {
    const { memory, ask } = await openHandler({ authorize: () => ({ workspaceId: 'ada' }) })
    const content = 'A long story. '.repeat(500)
    await memory.workspace('ada').conversation('trip').record({ role: 'user', content })
    const headers = { 'accept-encoding': 'gzip' }
    const read = await ask('/api/conversations/trip/messages', { headers })
    expect(read.headers.get('content-encoding')).toBeNull()
    expect(read.body.messages[0].content).toBe(content)
    const turn = await ask('/api/conversations/trip/chat', { body: { message: 'Hello' }, headers })
    expect(turn.headers.get('cache-control')).toContain('no-transform')
  })

  test('the handler can be mounted below a path', async () => {
    const { memory, ask } = await openHandler({
      authorize: () => ({ workspaceId: 'ada' }),
      basePath: '/api/memory',
    })
    const created = await ask('/api/memory/api/conversations/trip/messages', { body: hello })
    expect(created.status).toBe(201)
    expect((await ask('/api/memory/api/conversations/trip')).body.messageCount).toBe(1)
    expect((await ask('/api/conversations/trip')).status).toBe(404)
    expect((await ask('/api/memory2/api/conversations/trip')).status).toBe(404)
    expect(await countIn(memory, 'ada')).toBe(1)
  })
})

describe('a trusted header', () => {
  const options = { workspaceHeader: 'X-User-Id' }

  test('names the workspace; a request without it needs a key', async () => {
    const { ask, memory } = await serveTemporary(options)
    const record = (user: string) =>
      ask('POST', '/api/conversations/trip/messages', { body: hello, headers: { 'x-user-id': user } })
    expect((await record('ada')).status).toBe(201)
    expect((await record(encodeURIComponent('zoë'))).status).toBe(201)
    expect(await countIn(memory, 'ada')).toBe(1)
    expect(await countIn(memory, 'zoë')).toBe(1)
    expect(await ask('GET', '/api/conversations')).toMatchObject({
      status: 401,
      body: { error: { hint: expect.stringContaining('X-User-Id') } },
    })
    expect((await ask('GET', '/api/conversations', { headers: { 'x-user-id': ' ' } })).status).toBe(401)
  })

  test('gives the scope write and no other workspace; a key takes precedence', async () => {
    const { ask, memory } = await serveTemporary(options)
    const headers = { 'x-user-id': 'ada' }
    expect((await ask('GET', '/api/keys', { headers })).status).toBe(403)
    const named = { ...headers, 'x-recollect-workspace': 'ben' }
    expect((await ask('GET', '/api/conversations', { headers: named })).status).toBe(403)
    const { key } = await memory.workspace('ben').keys.create()
    await ask('POST', '/api/conversations', { key, headers, body: {} })
    expect([await countIn(memory, 'ada'), await countIn(memory, 'ben')]).toEqual([0, 1])
  })

  test('is ignored unless the operator names it, and works on a public address', async () => {
    const { ask, memory } = await serveTemporary()
    await ask('POST', '/api/conversations', { body: {}, headers: { 'x-user-id': 'ada' } })
    expect([await countIn(memory, 'ada'), await countIn(memory, 'default')]).toEqual([0, 1])
    const server = await startServer(memory, { ...options, port: 0, host: '0.0.0.0' })
    onTestFinished(() => server.close())
    const forwarded = { 'x-user-id': 'ada', 'x-forwarded-for': '203.0.113.9' }
    const at = `http://127.0.0.1:${server.port}/api/conversations`
    expect((await fetch(at)).status).toBe(401)
    expect((await fetch(at, { headers: forwarded })).status).toBe(200)
  })

  test('a name that is no header is rejected', async () => {
    const memory = await openMemory(':memory:')
    onTestFinished(() => memory.close())
    expect(() => createHandler(memory, { workspaceHeader: 'user id' })).toThrow(/not a header name/)
    expect(() => createHandler(memory, { workspaceHeader: 'Authorization' })).toThrow(/not a header name/)
  })
})
