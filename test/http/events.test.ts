import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { serveTemporary } from '../support/http-server.ts'
import { spawnServer } from '../support/server-process.ts'
import { waitUntil } from '../support/wait-until.ts'

interface Following {
  readonly told: { readonly kind: string; readonly id?: string }[]
  readonly ended: Promise<void>
}

async function follow(url: string, key?: string): Promise<Following> {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const response = await fetch(`${url}/api/events`, { headers, signal: leaving.signal })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const told: Following['told'] = []
  const read = async () => {
    let rest = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (rest + piece).split('\n\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.startsWith('data: ')) told.push(JSON.parse(line.slice(6)))
    }
  }
  const ended = read().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  await waitUntil(() => told.length > 0, 'the first event')
  return { told, ended }
}

test('a client first receives `everything`, and then each change', async () => {
  const { server, ask } = await serveTemporary()
  const { told } = await follow(server.url)
  expect(told[0]).toEqual({ kind: 'everything' })
  await ask('POST', '/api/conversations/trip/messages', { body: { role: 'user', content: 'Hello' } })
  await waitUntil(() => told.some(({ kind, id }) => kind === 'conversation' && id === 'trip'), 'trip')
  await ask('POST', '/api/context/sales', { body: { currentTopic: 'May' } })
  await waitUntil(() => told.some(({ kind, id }) => kind === 'page' && id === 'sales'), 'sales')
})

test('a client of one workspace receives no events of another', async () => {
  const { server, ask, memory } = await serveTemporary()
  const mine = await memory.keys.create({ name: 'mine', scope: 'write' })
  const others = await memory.workspace('others').keys.create({ name: 'others', scope: 'write' })
  const [me, them] = [await follow(server.url, mine.key), await follow(server.url, others.key)]
  await ask('POST', '/api/conversations/secret/messages', {
    body: { role: 'user', content: 'Hello' },
    key: others.key,
  })
  await waitUntil(() => them.told.some(({ id }) => id === 'secret'), 'secret')
  await ask('POST', '/api/conversations/mine/messages', {
    body: { role: 'user', content: 'Hi' },
    key: mine.key,
  })
  await waitUntil(() => me.told.some(({ id }) => id === 'mine'), 'mine')
  expect(me.told.filter(({ id }) => id === 'secret')).toEqual([])
})

test('a server that shuts down ends event streams at once', async () => {
  const { server } = await serveTemporary({ shutdownMs: 20_000 })
  const { ended } = await follow(server.url)
  const started = performance.now()
  await server.close()
  await ended
  expect(performance.now() - started).toBeLessThan(5000)
})

test('writes of another process to the same file are reported, too', async () => {
  const { url, path } = await spawnServer()
  const { told } = await follow(url)
  const memory = await openMemory(path)
  onTestFinished(() => memory.close())
  const before = told.length
  await memory.conversation('trip').record({ role: 'user', content: 'Hello' })
  await waitUntil(() => told.slice(before).some(({ kind }) => kind === 'everything'), 'everything')
})
