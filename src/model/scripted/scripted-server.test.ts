import { expect, test } from 'vitest'
import { scriptedServer } from '../../../test/support/scripted-models.ts'
import { scriptedEmbedder, scriptedModel } from './testing.ts'

const post = (url: string, body: object) => fetch(url, { method: 'POST', body: JSON.stringify(body) })

test('without a script it responds as a real server would', async () => {
  const server = await scriptedServer()
  const chat = await post(`${server.url}/v1/chat/completions`, {
    messages: [{ role: 'user', content: 'Hi' }],
  })
  expect(await chat.json()).toMatchObject({
    choices: [{ message: { content: 'You said: Hi' }, finish_reason: 'stop' }],
  })
  expect(await (await fetch(`${server.url}/v1/models`)).json()).toMatchObject({ data: [{ id: 'scripted' }] })
  expect(await (await fetch(`${server.url}/search?q=tea&format=json`)).json()).toEqual({
    query: 'tea',
    results: [],
  })
  expect((await fetch(`${server.url}/elsewhere`)).status).toBe(404)
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/v1/chat/completions',
    '/v1/models',
    '/search',
    '/elsewhere',
  ])
})

test('tool calls work, whole and streamed, and the offered tools are recorded', async () => {
  const call = { id: 'c1', name: 'clock', arguments: '{"zone":"UTC"}' }
  const server = await scriptedServer({ toolCalls: [call] }, { toolCalls: [call] })
  const request = { messages: [], tools: [{ type: 'function', function: { name: 'clock' } }] }
  const whole = await (await post(`${server.url}/v1/chat/completions`, request)).json()
  expect(whole).toMatchObject({
    choices: [
      {
        message: { tool_calls: [{ id: 'c1', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }] },
        finish_reason: 'tool_calls',
      },
    ],
  })
  const streamed = await post(`${server.url}/v1/chat/completions`, { ...request, stream: true })
  expect(streamed.headers.get('content-type')).toBe('text/event-stream')
  expect(await streamed.text()).toMatch(/"tool_calls":\[\{"index":0,"id":"c1".+\[DONE\]\n\n$/s)
  expect(server.requests[0]?.body.tools).toHaveLength(1)
})

test('a script that throws closes the connection, and the server keeps running', async () => {
  const server = await scriptedServer(() => {
    throw new Error('slip')
  })
  await expect(fetch(`${server.url}/v1/models`)).rejects.toThrow('fetch failed')
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(200)
})

test('a scripted model gives its answers, then repeats the last one', async () => {
  const model = scriptedModel(['one', new Error('two'), ({ messages }) => `${messages.length} messages`])
  const request = { messages: [{ role: 'user' as const, content: 'Hi' }] }
  await expect(model.complete(request)).resolves.toBe('one')
  await expect(model.complete(request)).rejects.toThrow('two')
  await expect(model.complete(request)).resolves.toBe('1 messages')
  const pieces: string[] = []
  for await (const piece of model.stream(request)) pieces.push(piece)
  expect(pieces).toEqual(['1', ' messages'])
  expect(model.requests).toHaveLength(4)
})

test('a scripted embedder returns the given vectors for chosen texts', async () => {
  const embedder = scriptedEmbedder({ dimensions: 3, vectors: { east: [2, 0, 0] } })
  expect([...((await embedder.embed(['east']))[0] ?? [])]).toEqual([1, 0, 0])
  await expect(scriptedEmbedder({ error: new Error('down') }).embed(['a'])).rejects.toThrow('down')
})
