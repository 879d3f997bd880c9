import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { openWithChroma } from '../support/chroma-memory.ts'
import { meaningEmbedder } from '../support/meaning-embedder.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

type Answer = Parameters<typeof createServer>[1]

/** A server on a free port, closed after the test. */
async function serve(answer: Answer): Promise<string> {
  const server: Server = createServer(answer as never)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const BAD: readonly (readonly [string, (response: import('node:http').ServerResponse) => void])[] = [
  ['never answers', () => undefined],
  ['answers with 500', (response) => void response.writeHead(500).end('{"error":"disk full"}')],
  ['answers with a web page', (response) => void response.end('<html>It works!</html>')],
  [
    'answers with other JSON',
    (response) => void response.setHeader('content-type', 'application/json').end('[]'),
  ],
  [
    'answers with null',
    (response) => void response.setHeader('content-type', 'application/json').end('null'),
  ],
  ['sends elsewhere', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['hangs up', (response) => void response.destroy()],
]

test.each(BAD)('a server that %s delays no call and is reported', async (_, answer) => {
  const url = await serve(((request: import('node:http').IncomingMessage, response: never) => {
    request.resume()
    answer(response)
  }) as never)
  const vectors = { chroma: { url, key: 'secret-token' }, timeoutMs: 300 }
  const memory = await openWithChroma(url, { vectors, writeTimeoutMs: 300 })
  await memory.conversation('garage').record({ id: 'car', role: 'user', content: 'The car is green.' })
  await memory.whenDerived()
  const { items, notices } = await memory.recall('what is green?')
  expect(items.map(({ id }) => id)).toEqual(['car'])
  expect(notices).toEqual([expect.stringMatching(/^vector store failed, used words and .*Chroma/)])
  expect(notices.join()).not.toContain('secret-token')
  expect(memory.maintenance.vectorStore()).toMatchObject({
    isSynced: false,
    problem: expect.stringContaining('Chroma'),
  })
  const finding = (await memory.maintenance.check()).at(-1)
  expect(finding).toMatchObject({ check: 'the vector store', remedy: expect.any(String) })
  expect((await memory.messages.erase('car')).isScrubbed).toBe(false)
})

test('recording does not wait for a vector store that hangs', async () => {
  const url = await serve(() => undefined)
  const vectors = { chroma: { url }, timeoutMs: 60_000 }
  const memory = await openWithChroma(url, { vectors })
  const started = performance.now()
  for (let i = 0; i < 20; i++)
    await memory.conversation('garage').record({ role: 'user', content: `The car is green, ${i}.` })
  await memory.close()
  expect(performance.now() - started).toBeLessThan(30_000)
})

test.each([
  ['ftp://localhost', /not an http or https address/],
  ['http://localhost:8000/chroma', /takes no path/],
])('the address %s is rejected before anything is opened', async (url, reason) => {
  const opening = openMemory(temporaryPath(), { embedder: meaningEmbedder(), vectors: { chroma: { url } } })
  await expect(opening).rejects.toThrow(reason)
})
