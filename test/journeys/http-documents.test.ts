// Files over HTTP: the whole life of a document against a server as people start it, and what is refused.

import { request as nodeRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { makeDocx, paragraph } from '../support/documents/make-docx.ts'
import { column, makePdf } from '../support/documents/make-pdf.ts'
import { findTraces } from '../support/find-traces.ts'
import { type Answer, serveTemporary, toAnswer } from '../support/http-server.ts'
import { spawnServer } from '../support/server-process.ts'
import { readRaw } from '../support/sqlite-file.ts'

const HANDBOOK = '# Handbook\n\n## Refunds\n\nMoney is paid back within 30 days of the return.\n'

interface Upload {
  readonly name: string
  readonly content: string | Uint8Array
  readonly type?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

function formOf({ name, content, type = '', fields = {} }: Upload): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new File([content as string], name, { type }))
  return form
}

const send = (url: string, upload: Upload): Promise<Response> =>
  fetch(url, { method: upload.method ?? 'POST', headers: upload.headers ?? {}, body: formOf(upload) })

const upload = async (url: string, given: Upload): Promise<Answer> =>
  toAnswer(await send(`${url}/api/documents`, given))

test('a file is uploaded, found, replaced, attached and permanently erased', async () => {
  const { url, ask, path, end } = await spawnServer()
  const added = await upload(url, { name: 'handbook.md', content: HANDBOOK })
  expect(added).toMatchObject({
    status: 201,
    body: { name: 'handbook.md', format: 'markdown', version: 1, isNew: true, isWorkspaceWide: true },
  })
  const { id } = added.body
  const at = `/api/documents/${id}`
  expect((await ask('GET', '/api/documents')).body.documents).toHaveLength(1)
  expect((await ask('GET', `${at}/text`)).text).toBe(HANDBOOK)
  const { body: listed } = await ask('GET', `${at}/chunks`)
  expect(listed).toMatchObject({ chunks: [{ index: 0, headingPath: ['Handbook'] }], next: null })

  const recalled = await ask('POST', '/api/recall', { body: { query: 'When is money paid back?' } })
  expect(recalled.body.items[0]).toMatchObject({ kind: 'chunk', text: expect.stringContaining('30 days') })

  await ask('POST', '/api/conversations', { body: { id: 'trip', documents: [id] } })
  expect((await ask('POST', `${at}/detach`, { body: {} })).body).toMatchObject({
    isWorkspaceWide: false,
    conversationIds: ['trip'],
  })
  expect((await ask('GET', '/api/conversations/trip/documents')).body.documents[0].id).toBe(id)
  await ask('POST', `${at}/attach`, { body: { conversationId: 'other' } })
  expect((await ask('GET', '/api/documents?conversationId=other')).body.documents).toHaveLength(1)

  const replaced = await send(url + at, {
    name: 'new.md',
    content: HANDBOOK.replace('30', '14'),
    method: 'PUT',
  })
  expect(await replaced.json()).toMatchObject({ id, version: 2, name: 'new.md', isNew: true })
  const asText = await ask('PUT', at, { body: { content: `${HANDBOOK}\nQuixotry.`, name: 'third.md' } })
  expect(asText).toMatchObject({ status: 200, body: { version: 3, name: 'third.md' } })

  const erased = await ask('DELETE', at)
  expect(erased).toMatchObject({ status: 204, text: '' })
  expect(erased.headers.get('x-recollect-erased')).toBe('documents=1; isScrubbed=true')
  expect((await ask('GET', at)).status).toBe(404)
  expect(await end()).toBe(0)
  expect(findTraces(readRaw(path), ['quixotry'])).toEqual([])
})

test('a text sent as JSON becomes a document', async () => {
  const { ask } = await serveTemporary()
  const body = { id: 'mine', name: 'notes.txt', content: 'Old mills turn slowly.', conversationId: 'trip' }
  expect(await ask('POST', '/api/documents', { body })).toMatchObject({
    status: 201,
    body: { id: 'mine', format: 'text', conversationIds: ['trip'], isNew: true },
  })
  expect((await ask('POST', '/api/documents', { body })).body.isNew).toBe(false)
  const other = await ask('POST', '/api/documents', { body: { ...body, content: 'Something else.' } })
  expect(other).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
})

test('the type of a file is taken from its name if the sender does not give one', async () => {
  const { server } = await serveTemporary()
  const pdf = makePdf([column(['Old mills turn slowly.'])])
  const docx = makeDocx(paragraph('Old mills turn quickly.'))
  const formatOf = async (given: Upload) => (await upload(server.url, given)).body.format
  expect(await formatOf({ name: 'a.md', content: '# A\n\nb', type: 'text/plain' })).toBe('markdown')
  expect(await formatOf({ name: 'b.csv', content: 'a,b\n1,2', type: 'application/octet-stream' })).toBe('csv')
  expect(await formatOf({ name: 'c', content: pdf })).toBe('pdf')
  expect(await formatOf({ name: 'd.docx', content: docx })).toBe('docx')
  expect(await formatOf({ name: 'e', content: '<p>Hi', type: 'text/html; charset=utf-8' })).toBe('html')
  const fields = { mediaType: 'text/csv', name: 'f.txt' }
  expect(await formatOf({ name: 'x.md', content: 'a,b\n3,4', fields })).toBe('csv')
})

test('folders in a file name are ignored', async () => {
  const { server } = await serveTemporary()
  const nameOf = async (name: string, content: string) =>
    (await upload(server.url, { name, content })).body.name
  expect(await nameOf('../../etc/passwd.txt', 'one')).toBe('passwd.txt')
  expect(await nameOf('C:\\Users\\ana\\plan.md', 'two')).toBe('plan.md')
  expect(await upload(server.url, { name: 'folder/', content: 'three' })).toMatchObject({ status: 422 })
})

describe('rejected uploads leave nothing behind:', () => {
  const cases: readonly (readonly [string, number, string, Upload])[] = [
    ['too large', 413, 'too-large', { name: 'a.txt', content: 'words '.repeat(60_000) }],
    ['larger than a document may be', 413, 'too-large', { name: 'a.txt', content: 'words '.repeat(4000) }],
    ['a picture', 415, 'unsupported-format', { name: 'a.png', content: Buffer.from('\x89PNG\r\n\x1a\n\0') }],
    ['an archive', 415, 'unsupported-format', { name: 'a.txt', content: Buffer.from('PK\x03\x04\0\0') }],
    ['broken', 422, 'invalid-input', { name: 'a.json', content: '{' }],
    [
      'encrypted',
      422,
      'invalid-input',
      { name: 'a.pdf', content: makePdf([column(['x'])], { isEncrypted: true }) },
    ],
    ['cut off', 422, 'invalid-input', { name: 'a.docx', content: makeDocx(paragraph('x')).slice(0, 200) }],
    ['empty', 422, 'invalid-input', { name: 'a.md', content: '' }],
  ]
  test.each(cases)('%s: %i', async (_what, status, code, given) => {
    const { server, memory } = await serveTemporary(
      { uploadBytes: 300_000 },
      { limits: { documentBytes: 20_000 } },
    )
    await memory.documents.add({ id: 'good', name: 'good.md', content: HANDBOOK })
    const before = await memory.statistics()
    const fields = { conversationId: 'new' }
    const answer = await upload(server.url, { ...given, fields })
    expect(answer).toMatchObject({ status, body: { error: { code, message: expect.any(String) } } })
    const again = await send(`${server.url}/api/documents/good`, { ...given, method: 'PUT' })
    expect(again.status).toBe(status)
    expect(await memory.documents.text('good')).toBe(HANDBOOK)
    expect({ ...(await memory.statistics()), storageBytes: 0 }).toEqual({ ...before, storageBytes: 0 })
    expect(await memory.conversation('new').get()).toBeUndefined()
  })
})

test('a form that is truncated, has two files or none, or has an unknown field is rejected', async () => {
  const { ask, server } = await serveTemporary()
  const two = formOf({ name: 'a.txt', content: 'a' })
  two.append('file', new File(['b'], 'b.txt'))
  const none = new FormData()
  none.set('name', 'a.txt')
  const text = new FormData()
  text.set('file', 'words')
  for (const form of [two, none, text, formOf({ name: 'a', content: 'a', fields: { colour: 'red' } })]) {
    const response = await fetch(`${server.url}/api/documents`, { method: 'POST', body: form })
    expect(response.status).toBe(422)
  }
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  for (const body of ['--x\r\ncontent-disposition: form-data; name="file"; file', '', 'nonsense'])
    expect(await ask('POST', '/api/documents', { body, headers })).toMatchObject({
      status: 400,
      body: { error: { code: 'malformed-request' } },
    })
  expect(
    (await ask('POST', '/api/documents', { body: 'a', headers: { 'content-type': 'application/xml' } }))
      .status,
  ).toBe(415)
})

test('a body without Content-Length is rejected as soon as it is too long', async () => {
  const { server, memory } = await serveTemporary({ uploadBytes: 100_000 })
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' }
    const request = nodeRequest(`${server.url}/api/documents`, { method: 'POST', headers }, (response) =>
      resolve(response.statusCode),
    )
    request.once('error', reject)
    request.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
    for (let i = 0; i < 20; i++) request.write('words '.repeat(2000))
  })
  expect(status).toBe(413)
  expect((await memory.documents.list()).items).toEqual([])
})

test('lists and chunks are paginated', async () => {
  const { ask, memory } = await serveTemporary({}, { rag: { chunkSize: 50, chunkOverlap: 10 } })
  const words = (from: number) => Array.from({ length: 400 }, (_, i) => `word${from + i}`).join(' ')
  for (let i = 0; i < 5; i++) await memory.documents.add({ id: `d${i}`, name: `${i}.txt`, content: words(i) })
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await ask('GET', `/api/documents?limit=2${cursor}`)
    ids.push(...body.documents.map(({ id }: { id: string }) => id))
    if (body.next === null) break
    cursor = `&cursor=${encodeURIComponent(body.next)}`
  }
  expect(ids.toSorted()).toEqual(['d0', 'd1', 'd2', 'd3', 'd4'])
  const { chunkCount } = (await ask('GET', '/api/documents/d0')).body
  const indexes: number[] = []
  for (let after = ''; ; ) {
    const { body } = await ask('GET', `/api/documents/d0/chunks?limit=7${after}`)
    indexes.push(...body.chunks.map(({ index }: { index: number }) => index))
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  expect(indexes).toEqual(Array.from({ length: chunkCount }, (_, i) => i))
})

test('repeated with the same Idempotency-Key, an upload returns the first document', async () => {
  const { server, ask, memory } = await serveTemporary()
  const headers = { 'idempotency-key': 'try-1' }
  const add = () => upload(server.url, { name: 'handbook.md', content: HANDBOOK, headers })
  const first = await add()
  expect(first.body.isNew).toBe(true)
  expect((await add()).body).toEqual({ ...first.body, isNew: false })
  await ask('PUT', `/api/documents/${first.body.id}`, { body: { content: 'Something else.' } })
  expect((await add()).body).toMatchObject({ id: first.body.id, version: 2, isNew: false })
  const known = await memory.documents.add({ name: 'a.txt', content: 'Known before.' })
  const other = { name: 'b.txt', content: 'Known before.', headers: { 'idempotency-key': 'try-2' } }
  expect((await upload(server.url, other)).body).toMatchObject({ id: known.id, isNew: false })
  expect((await memory.documents.list()).items).toHaveLength(2)
})

describe('progress', () => {
  const words = Array.from({ length: 30_000 }, (_, i) => `word${i}`).join(' ')
  const accept = { accept: 'text/event-stream' }
  const eventsOf = (text: string) =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name, data = '']) => [name, JSON.parse(data)])

  test('is streamed to clients that accept it, up to the result', async () => {
    const { server } = await serveTemporary()
    const response = await send(`${server.url}/api/documents`, {
      name: 'a.txt',
      content: words,
      headers: accept,
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsOf(await response.text())
    expect(events[0]).toEqual([
      'progress',
      { step: expect.any(String), done: expect.any(Number), total: expect.any(Number) },
    ])
    expect(events.at(-1)).toEqual(['done', expect.objectContaining({ name: 'a.txt', isNew: true })])
    const known = await send(`${server.url}/api/documents`, {
      name: 'a.txt',
      content: words,
      headers: accept,
    })
    expect(eventsOf(await known.text())).toEqual([['done', expect.objectContaining({ isNew: false })]])
  })

  test('a failure before the first progress event is a normal error response', async () => {
    const { server } = await serveTemporary()
    const response = await send(`${server.url}/api/documents`, {
      name: 'a.json',
      content: '{',
      headers: accept,
    })
    expect(response.status).toBe(422)
  })

  test('a client that disconnects aborts the upload, and nothing is stored', async () => {
    const lines: string[] = []
    const { server, memory } = await serveTemporary({
      logLevel: 'warn',
      logTo: { write: (line) => lines.push(line) },
    })
    const hangUp = new AbortController()
    const response = await fetch(`${server.url}/api/documents`, {
      method: 'POST',
      headers: accept,
      body: formOf({ name: 'a.txt', content: words.repeat(20) }),
      signal: hangUp.signal,
    })
    const first = new TextDecoder().decode((await response.body?.getReader().read())?.value)
    expect(first).toContain('"step":"cutting"')
    hangUp.abort()
    await new Promise((wake) => setTimeout(wake, 300))
    expect((await memory.documents.list()).items).toEqual([])
    expect(lines.join('')).not.toContain('bug')
  })
})
