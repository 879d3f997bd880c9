// The end of a server: requests under way are answered, new ones are not taken, nothing that was acknowledged is lost.

import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { startServer } from '../../src/server/start-server.ts'
import { serveTemporary } from '../support/http-server.ts'
import { spawnServer } from '../support/server-process.ts'

const hello = { role: 'user', content: 'Hello' }

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s while others write: all that was acknowledged is there',
  async (signal) => {
    const { ask, end, path } = await spawnServer()
    const acknowledged: string[] = []
    let isOver = false
    const writer = async (name: string) => {
      for (let i = 0; !isOver; i++) {
        const id = `${name}-${i}`
        try {
          const { status } = await ask('POST', `/api/conversations/${name}/messages`, {
            body: { ...hello, id },
          })
          if (status === 201) acknowledged.push(id)
        } catch {
          return
        }
      }
    }
    const writers = ['a', 'b', 'c', 'd'].map(writer)
    await expect.poll(() => acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(20)
    expect(await end(signal)).toBe(0)
    isOver = true
    await Promise.all(writers)
    const memory = await openMemory(path)
    const found = new Set<string>()
    for (const name of ['a', 'b', 'c', 'd'])
      for await (const { id } of memory.conversation(name).messages.list()) found.add(id)
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
    expect((await memory.maintenance.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
    await memory.close()
  },
)

/** A slow model that signals when it was called. */
function slowModel(ms: number) {
  let isAsked = false
  const model = scriptedModel([
    async () => {
      isAsked = true
      await new Promise((wake) => setTimeout(wake, ms))
      return JSON.stringify({ summary: 'They say hello.', keyTopics: [] })
    },
  ])
  return { model, isAsked: () => isAsked }
}

test('a request in progress is completed, /api/ready answers, and new requests are refused', async () => {
  const { model, isAsked } = slowModel(600)
  const { ask, server, memory } = await serveTemporary({}, { languageModel: model })
  await memory.conversation('a').record({ role: 'user', content: 'Hello' })
  const slow = ask('POST', '/api/conversations/a/summary')
  await expect.poll(isAsked).toBe(true)
  const closing = server.close()
  await expect(fetch(`${server.url}/api/health`)).rejects.toThrow()
  expect(await slow).toMatchObject({ status: 200, body: { summary: { text: 'They say hello.' } } })
  await closing
  expect(server.close()).toBe(server.close())
})

test('a draining server is not ready, but answers all other requests', async () => {
  const { ask, server } = await serveTemporary({ drainMs: 400 })
  expect(await ask('GET', '/api/ready')).toMatchObject({ status: 200 })
  const closing = server.close()
  expect(await ask('GET', '/api/ready')).toMatchObject({
    status: 503,
    body: { error: { code: 'shutting-down' } },
  })
  expect(await ask('POST', '/api/conversations/a/messages', { body: hello })).toMatchObject({ status: 201 })
  await closing
  await expect(fetch(`${server.url}/api/health`)).rejects.toThrow()
})

test('a request that does not end is aborted in time', async () => {
  const { model, isAsked } = slowModel(60_000)
  const memory = await openMemory(':memory:', { languageModel: model })
  const server = await startServer(memory, { port: 0, shutdownMs: 200 })
  await memory.conversation('a').record({ role: 'user', content: 'Hello' })
  const slow = fetch(`${server.url}/api/conversations/a/summary`, { method: 'POST' })
  const failed = expect(slow).rejects.toThrow()
  await expect.poll(isAsked).toBe(true)
  const started = performance.now()
  await server.close()
  expect(performance.now() - started).toBeLessThan(3000)
  await failed
})

test('idle connections do not delay the shutdown', async () => {
  const { server, ask } = await serveTemporary()
  await ask('GET', '/api/health')
  const idle = connect(server.port, '127.0.0.1')
  await new Promise((resolve) => idle.once('connect', resolve))
  idle.on('error', () => undefined)
  const started = performance.now()
  await server.close()
  expect(performance.now() - started).toBeLessThan(3000)
  idle.destroy()
})

test('a port in use gives an error with a hint', async () => {
  const { server, memory } = await serveTemporary()
  await expect(startServer(memory, { port: server.port })).rejects.toMatchObject({
    code: 'invalid-input',
    hint: expect.stringContaining('--port'),
  })
})
