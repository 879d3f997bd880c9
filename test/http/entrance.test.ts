// Access control: keys and scopes, host names and origins, limits.

import { request as nodeRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type KeyScope, openMemory } from '../../src/index.ts'
import { createHandler, startServer } from '../../src/server/start-server.ts'
import { serveTemporary, toAnswer } from '../support/http-server.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

const hello = { role: 'user', content: 'Hello' }

/** A request with any headers, also those that `fetch` keeps to itself. */
function askRaw(url: string, headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = nodeRequest(url, { method, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', reject)
    request.end()
  })
}

/** Bytes as they are, and what comes back until the server hangs up. */
function sendBytes(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (piece) => (answer += piece))
    socket.once('close', () => resolve(answer))
    socket.once('error', reject)
  })
}

describe('keys', () => {
  test('local requests need no key, and use the default or the named workspace', async () => {
    const { ask, memory } = await serveTemporary()
    await ask('POST', '/api/conversations/a/messages', { body: hello })
    await ask('POST', '/api/conversations/b/messages', {
      body: hello,
      headers: { 'x-recollect-workspace': encodeURIComponent('équipe') },
    })
    expect((await memory.conversation('a').get())?.messageCount).toBe(1)
    expect((await memory.workspace('équipe').conversation('b').get())?.messageCount).toBe(1)
  })

  test('an invalid key is rejected, even if none is required', async () => {
    const { ask, memory } = await serveTemporary()
    const { key } = await memory.keys.create()
    for (const wrong of ['nonsense', key.slice(0, -1), `${key}x`])
      expect(await ask('GET', '/api/conversations', { key: wrong })).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthorized' } },
      })
    const basic = await ask('GET', '/api/conversations', { headers: { authorization: `Basic ${key}` } })
    expect(basic.status).toBe(401)
    expect(basic.headers.get('www-authenticate')).toBe('Bearer')
    expect((await ask('GET', '/api/conversations', { key })).status).toBe(200)
  })

  test('if keys are required, requests without one are rejected, and each key only sees its workspace', async () => {
    const { ask, memory } = await serveTemporary({}, {})
    const { key } = await memory.workspace('team').keys.create()
    await memory.conversation('mine').record({ role: 'user', content: 'Hello' })
    const strict = await startServer(memory, { port: 0, requireKey: true })
    const askStrict = (path: string, headers = {}) => fetch(strict.url + path, { headers })
    expect((await askStrict('/api/conversations')).status).toBe(401)
    for (const open of ['/api/health', '/api/ready', '/openapi.json', '/docs', '/'])
      expect((await askStrict(open)).status).toBe(200)
    const listed = await askStrict('/api/conversations', { authorization: `Bearer ${key}` })
    expect(await listed.json()).toEqual({ conversations: [], next: null })
    expect((await ask('GET', '/api/conversations')).body.conversations).toHaveLength(1)
    await strict.close()
  })

  test.each<[KeyScope, Record<string, number>]>([
    ['metrics', { read: 403, write: 403, admin: 403, metrics: 200 }],
    ['read', { read: 200, write: 403, admin: 403, metrics: 403 }],
    ['write', { read: 200, write: 201, admin: 403, metrics: 403 }],
    ['admin', { read: 200, write: 201, admin: 200, metrics: 200 }],
  ])('a key with the scope %s opens what it should', async (scope, expected) => {
    const { ask, memory } = await serveTemporary({ requireKey: false })
    const { key } = await memory.keys.create({ scope })
    const found = {
      read: (await ask('GET', '/api/conversations', { key })).status,
      write: (await ask('POST', '/api/conversations', { key, body: {} })).status,
      admin: (await ask('GET', '/api/keys', { key })).status,
      metrics: (await ask('GET', '/metrics', { key })).status,
    }
    expect(found).toEqual(expected)
  })

  test('a deleted key is rejected from then on', async () => {
    const { ask, memory } = await serveTemporary()
    const { key, id } = await memory.keys.create({ scope: 'admin' })
    expect((await ask('DELETE', `/api/keys/${id}`, { key })).status).toBe(204)
    expect((await ask('GET', '/api/keys', { key })).status).toBe(401)
  })

  test('a new key is returned once and never appears again in a response, header or log', async () => {
    const lines: string[] = []
    const { ask } = await serveTemporary({ logLevel: 'info', logTo: { write: (line) => lines.push(line) } })
    const { body } = await ask('POST', '/api/keys', { body: { name: 'web', scope: 'read' } })
    const secret = body.key.slice(-43)
    const { text } = await ask('GET', '/api/keys')
    await ask('GET', '/api/conversations?limit=5', { key: body.key })
    await ask('GET', `/api/search/messages?q=${encodeURIComponent('Vexillology')}`, { key: body.key })
    await ask('POST', '/api/conversations/a/messages', { body: { role: 'user', content: 'Gastronomy' } })
    expect(text).toContain('web')
    expect(text).not.toContain(secret)
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.join('')).not.toMatch(new RegExp(`${secret}|Vexillology|Gastronomy`))
    expect(lines.join('')).toContain(body.id)
  })

  test('listening on a public address requires a key, before the server starts', async () => {
    const memory = await openMemory(temporaryPath())
    const start = () => startServer(memory, { port: 0, host: '0.0.0.0' })
    await expect(start()).rejects.toMatchObject({
      code: 'invalid-input',
      hint: expect.stringContaining('keys create'),
    })
    await expect(startServer(memory, { port: 0, requireKey: true })).rejects.toThrow(/requires an API key/)
    const { key } = await memory.keys.create()
    const server = await start()
    const at = `http://127.0.0.1:${server.port}/api/conversations`
    expect((await fetch(at)).status).toBe(401)
    expect((await fetch(at, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
    await server.close()
    await memory.close()
  })

  test('a forwarded request needs a key, even from a proxy on this machine', async () => {
    const { ask } = await serveTemporary()
    for (const headers of [{ 'x-forwarded-for': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }])
      expect((await ask('GET', '/api/conversations', { headers })).status).toBe(401)
  })
})

describe('cross-origin requests', () => {
  test('a Host that is not allowed is rejected, whatever it resolves to', async () => {
    const { server } = await serveTemporary({ allowedHosts: ['memory.example.com'] })
    const at = `${server.url}/api/conversations`
    const hosts = { 'evil.example.com': 403, [`evil.example.com:${server.port}`]: 403, '203.0.113.9': 403 }
    for (const [host, status] of Object.entries(hosts)) expect(await askRaw(at, { host })).toBe(status)
    for (const host of ['localhost', '127.0.0.1:80', '[::1]:4747', 'memory.example.com'])
      expect(await askRaw(at, { host })).toBe(200)
    expect(await askRaw(`${server.url}/docs`, { host: 'evil.example.com' })).toBe(403)
  })

  test('a cross-site request can neither read nor write', async () => {
    const { server, memory } = await serveTemporary()
    const at = `${server.url}/api/conversations`
    const foreign = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${server.port + 1}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign)
      for (const method of ['GET', 'POST', 'DELETE']) expect(await askRaw(at, headers, method)).toBe(403)
    expect((await memory.conversations.list()).items).toEqual([])
    const own = [
      { origin: server.url },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      {},
    ]
    for (const headers of own) expect(await askRaw(at, headers)).toBe(200)
  })

  test('a listed origin may read and write and gets CORS headers; no other does', async () => {
    const origin = 'https://app.example.com'
    const { ask } = await serveTemporary({ corsOrigins: [origin] })
    const preflight = { 'access-control-request-method': 'POST' }
    const asked = await ask('OPTIONS', '/api/conversations', { headers: { origin, ...preflight } })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-origin')).toBe(origin)
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization')
    const answer = await ask('POST', '/api/conversations', { body: {}, headers: { origin } })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    const other = await ask('OPTIONS', '/api/conversations', {
      headers: { origin: 'https://evil.example.com', ...preflight },
    })
    expect(other.status).toBe(403)
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('without allowed origins, no response has CORS headers', async () => {
    const { ask } = await serveTemporary()
    const { headers } = await ask('GET', '/api/conversations')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  test('the docs page loads no scripts or other files, enforced by its content security policy', async () => {
    const { ask } = await serveTemporary()
    const { text, headers } = await ask('GET', '/docs')
    expect(text).not.toMatch(/<script|<link|src=|@import|url\(/i)
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('the web app runs only its own scripts, enforced by its content security policy', async () => {
    const { ask } = await serveTemporary()
    const { text, headers } = await ask('GET', '/')
    expect(text).not.toMatch(/<script(?![^>]* src="\/)|<style| style=|(?:src|href)="(?!\/[^/])/i)
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each(['*', 'app.example.com', 'https://app.example.com/path', 'ftp://a'])(
    'the origin %s cannot be listed',
    async (origin) => {
      const memory = await openMemory(':memory:')
      expect(() => createHandler(memory, { corsOrigins: [origin] })).toThrow(/is not an origin/)
      await memory.close()
    },
  )
})

describe('limits', () => {
  test('a body that is too large is rejected, with or without Content-Length', async () => {
    const { ask, server } = await serveTemporary({ bodyBytes: 1000, importBytes: 2000 })
    const large = { role: 'user', content: 'x'.repeat(2000) }
    const refused = { status: 413, body: { error: { code: 'too-large' } } }
    expect(await ask('POST', '/api/conversations/a/messages', { body: large })).toMatchObject(refused)
    async function* pieces() {
      for (let i = 0; i < 50; i++) yield new TextEncoder().encode(' '.repeat(100))
    }
    const chunked = (path: string) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: ReadableStream.from(pieces()),
        duplex: 'half',
      } as RequestInit)
    expect((await chunked('/api/conversations/a/messages')).status).toBe(413)
    expect((await chunked('/api/import')).status).toBe(413)
    expect((await ask('GET', '/api/health')).status).toBe(200)
  })

  test('too many messages in one request are rejected, and none is written', async () => {
    const { ask } = await serveTemporary({}, { limits: { batchMessages: 3 } })
    const messages = Array.from({ length: 4 }, () => hello)
    const answer = await ask('POST', '/api/conversations/a/messages', { body: { messages } })
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'too-large' } } })
    expect((await ask('GET', '/api/conversations/a')).status).toBe(404)
  })

  test('endless headers and invalid requests get the usual error shape', async () => {
    const { server, ask } = await serveTemporary({ headerBytes: 4096 })
    const large = await sendBytes(
      server.port,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(9000)}\r\n\r\n`,
    )
    expect(large).toMatch(/^HTTP\/1\.1 431 /)
    expect(JSON.parse(large.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: { code: 'headers-too-large' },
    })
    const garbage = await sendBytes(server.port, 'Hello?\r\n\r\n')
    expect(garbage).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(garbage.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: { code: 'malformed-request' },
    })
    expect((await ask('GET', '/api/health')).status).toBe(200)
  })

  test('a client above the rate limit has to wait; others and local requests do not', async () => {
    const { ask, memory } = await serveTemporary({ requestsPerSecond: 1, requestBurst: 3 })
    const [one, other] = [await memory.keys.create(), await memory.keys.create()]
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await ask('GET', '/api/stats', { key: one.key })).status)
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200])
    expect(statuses).toContain(429)
    const refused = await ask('GET', '/api/stats', { key: one.key })
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'too-many-requests' } } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('GET', '/api/stats', { key: other.key })).status).toBe(200)
    for (let i = 0; i < 10; i++) expect((await ask('GET', '/api/stats')).status).toBe(200)
  })

  test('only complete JSON in UTF-8 is accepted', async () => {
    const { ask } = await serveTemporary()
    const send = (body: string | Uint8Array, headers = {}) =>
      ask('POST', '/api/conversations/a/messages', { body, headers })
    const text = JSON.stringify(hello)
    // What a plain `fetch` with a string sends; other sites are refused by their origin.
    expect((await send(text, { 'content-type': 'text/plain' })).status).toBe(201)
    expect((await send('hello', { 'content-type': 'text/plain' })).status).toBe(400)
    expect((await send(text, { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    expect((await send(text, { 'content-encoding': 'gzip' })).status).toBe(415)
    expect(await send('{"role":')).toMatchObject({ status: 400, body: { error: { code: 'invalid-json' } } })
    const broken = Buffer.concat([
      Buffer.from('{"role":"user","content":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    expect((await send(broken)).status).toBe(400)
    expect((await send(text, { 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(201)
  })
})

test('requests made in this process are answered without a network', async () => {
  const memory = await openMemory(':memory:')
  const answer = await toAnswer(await createHandler(memory)(new Request('http://localhost/api/health')))
  expect(answer).toMatchObject({ status: 200, body: { status: 'ok' } })
  await memory.close()
})
