import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { serveTemporary } from '../support/http-server.ts'
import { importFixture } from '../support/import-fixtures.ts'
import { makeZip } from '../support/make-zip.ts'

const chats = readFileSync(importFixture('chatgpt-conversations.json'))

const send = (body: Uint8Array, type: string) => ({ body, headers: { 'content-type': type } })

test('an archive is previewed, then imported', async () => {
  const { ask, memory } = await serveTemporary()
  const archive = send(makeZip([{ name: 'conversations.json', content: chats }]), 'application/zip')
  const preview = await ask('POST', '/api/import?dryRun=true', archive)
  expect(preview.status).toBe(200)
  expect(preview.body.format).toBe('chatgpt')
  expect(preview.body.listed.length).toBeGreaterThan(0)
  expect((await memory.statistics()).messages).toBe(0)
  const imported = await ask('POST', '/api/import', archive)
  expect(imported.body.conversations).toBe(preview.body.conversations)
  expect((await memory.statistics()).messages).toBeGreaterThan(0)
})

test('a client that asks for progress gets it, and then the result', async () => {
  const { ask } = await serveTemporary()
  const archive = send(makeZip([{ name: 'conversations.json', content: chats }]), 'application/zip')
  const headers = { ...archive.headers, accept: 'text/event-stream' }
  const answer = await ask('POST', '/api/import', { ...archive, headers })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const events = answer.text.trim().split('\n\n')
  expect(events[0]).toMatch(/^event: progress\ndata: \{"done":\d+,"total":\d+\}$/)
  const [, done = ''] = /^event: done\ndata: (.*)$/s.exec(events.at(-1) ?? '') ?? []
  expect(JSON.parse(done)).toMatchObject({ format: 'chatgpt' })
})

test('a gzipped file is imported', async () => {
  const { ask } = await serveTemporary()
  const { status, body } = await ask('POST', '/api/import', send(gzipSync(chats), 'application/gzip'))
  expect([status, body.format]).toEqual([200, 'chatgpt'])
})

test('a file that is not an archive is rejected, and no temporary file is left', async () => {
  const { ask, memory } = await serveTemporary()
  const { status, body } = await ask('POST', '/api/import', send(Buffer.from('no zip'), 'application/zip'))
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(500)
  expect(body.error.message).not.toBe('')
  expect((await memory.statistics()).messages).toBe(0)
})
