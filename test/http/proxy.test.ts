// The proxy, used by OpenAI's own client and by the AI SDK, in front of a scripted server.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import {
  type Memory,
  type Message,
  type OpenOptions,
  readableText,
  recollectMetadataOf,
} from '../../src/index.ts'
import { type ScriptedServer, scriptedModel } from '../../src/model/scripted/testing.ts'
import type { ServerOptions } from '../../src/server/start-server.ts'
import { serveTemporary } from '../support/http-server.ts'
import { scriptedServer } from '../support/scripted-models.ts'

/** However busy the machine is. */
const SOON = { timeout: 60_000 }

type Wire = OpenAI.ChatCompletionMessageParam

async function openProxy(options: ServerOptions = {}, open: OpenOptions = {}) {
  const upstream = await scriptedServer()
  const served = await serveTemporary(
    { upstreamUrl: `${upstream.url}/v1`, memoryTimeoutMs: 60_000, ...options },
    open,
  )
  const client = new OpenAI({ baseURL: `${served.server.url}/v1`, apiKey: 'sk-theirs', maxRetries: 0 })
  const ask = (messages: Wire[], more: object = {}, init: OpenAI.RequestOptions = {}) =>
    client.chat.completions.create({ model: 'm', messages, ...more }, init)
  return { ...served, upstream, client, ask }
}

const sentTo = (upstream: ScriptedServer): readonly { role: string; content: unknown }[] =>
  upstream.requests.at(-1)?.body.messages

/** Every conversation as lines, the oldest first. */
async function recordsOf(memory: Memory): Promise<Readonly<Record<string, readonly string[]>>> {
  const { items } = await memory.conversations.list()
  const entries = await Promise.all(
    items
      .toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      .map(
        async ({ id }) =>
          [id, (await memory.conversation(id).messages.list().toArray()).map(toLine)] as const,
      ),
  )
  return Object.fromEntries(entries)
}

const toLine = ({ role, content }: Message): string => `${role}: ${readableText(content)}`

const onlyRecord = async (memory: Memory): Promise<readonly string[]> => {
  const records = Object.values(await recordsOf(memory))
  expect(records).toHaveLength(1)
  return records[0] ?? []
}

const user = (content: string): Wire => ({ role: 'user', content })
const assistant = (content: string): Wire => ({ role: 'assistant', content })

describe("OpenAI's client", () => {
  test('gets the answer unchanged, and question and answer are recorded', async () => {
    const { ask, upstream, memory } = await openProxy()
    upstream.always({ text: 'At the market.' })
    const answer = await ask([{ role: 'system', content: 'Be brief.' }, user('Where should we eat?')])
    expect(answer.choices[0]?.message.content).toBe('At the market.')
    await expect
      .poll(() => onlyRecord(memory), SOON)
      .toEqual(['user: Where should we eat?', 'assistant: At the market.'])
    expect(upstream.requests[0]?.headers['authorization']).toBe('Bearer sk-theirs')
    expect(sentTo(upstream)[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })

  test('streams exactly the bytes of the upstream server', async () => {
    const { ask, upstream, memory, server } = await openProxy()
    upstream.always({ text: 'One two three.' })
    const pieces: string[] = []
    for await (const chunk of (await ask([user('Count.')], {
      stream: true,
    })) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
      pieces.push(chunk.choices[0]?.delta.content ?? '')
    expect(pieces.join('')).toBe('One two three.')
    await expect.poll(() => onlyRecord(memory), SOON).toEqual(['user: Count.', 'assistant: One two three.'])

    const raw =
      'data: {"odd" :  1}\r\n\r\ndata: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n: note\n\ndata: [DONE]\n\n'
    upstream.always({ body: raw, headers: { 'content-type': 'text/event-stream', 'x-theirs': 'yes' } })
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [user('Raw?')], stream: true }),
    })
    expect(response.headers.get('x-theirs')).toBe('yes')
    expect(await response.text()).toBe(raw)
  })

  test('resends the whole conversation, and each turn is recorded once', async () => {
    const { ask, upstream, memory } = await openProxy()
    const history: Wire[] = []
    for (let i = 1; i <= 4; i++) {
      upstream.next({ text: `Answer ${i}.` })
      history.push(user(`Question number ${i}?`))
      const answer = await ask(history)
      history.push(assistant(answer.choices[0]?.message.content ?? ''))
    }
    await expect.poll(async () => (await onlyRecord(memory)).length, SOON).toBe(8)
    expect(await onlyRecord(memory)).toEqual(
      history.map(({ role, content }) => `${role}: ${content as string}`),
    )
  })

  test('gets memories of other conversations added to its question, and nothing else changes', async () => {
    const { ask, upstream, memory } = await openProxy()
    await memory.conversation('old').record({ role: 'user', content: 'My sister Ana eats no fish.' })
    upstream.always({ text: 'Something with beans.' })
    const tools = [{ type: 'function', function: { name: 'cook', parameters: { type: 'object' } } }]
    await ask(
      [
        { role: 'system', content: 'Be brief.' },
        user('Hello.'),
        assistant('Hello! What is it about?'),
        user('What can I cook for my sister Ana?'),
      ],
      { tools, temperature: 0.2, response_format: { type: 'text' }, seed: 7 },
    )
    const sent = upstream.requests.at(-1)?.body
    expect(sent).toMatchObject({ tools, temperature: 0.2, response_format: { type: 'text' }, seed: 7 })
    expect(sent.messages.slice(0, 1)).toEqual([{ role: 'system', content: 'Be brief.' }])
    expect(sent.messages[2]).toEqual(assistant('Hello! What is it about?'))
    expect(sent.messages[3].content).toContain('Ana eats no fish')
    expect(sent.messages[3].content).toMatch(/<\/recollect-memory>\n\nWhat can I cook for my sister Ana\?$/)
    await expect.poll(async () => Object.keys(await recordsOf(memory)).length, SOON).toBe(2)
    expect(JSON.stringify(await recordsOf(memory))).not.toContain('recollect-memory')
  })

  test('chooses its conversation by header or user, and concurrent requests do not mix', async () => {
    const { ask, upstream, memory } = await openProxy()
    upstream.always(({ body }) => ({ text: `Re: ${body.messages.at(-1).content.slice(-20)}` }))
    const talk = async (name: string, more: object, init: OpenAI.RequestOptions) => {
      const history: Wire[] = []
      for (let i = 0; i < 5; i++) {
        history.push(user(`Turn ${i} of ${name}.`))
        const answer = await ask(history, more, init)
        history.push(assistant(answer.choices[0]?.message.content ?? ''))
      }
    }
    await Promise.all([
      talk('one', {}, { headers: { 'x-recollect-conversation': 'one' } }),
      talk('two', { user: 'two' }, {}),
      talk('three', {}, {}),
    ])
    await expect
      .poll(async () => Object.values(await recordsOf(memory)).map((lines) => lines.length), SOON)
      .toEqual([10, 10, 10])
    const records = await recordsOf(memory)
    for (const name of ['one', 'two'])
      for (const line of records[name] ?? []) expect(line).toContain(`of ${name}.`)
  })

  test('an earlier edit starts a fork, and both branches continue', async () => {
    const { ask, upstream, memory } = await openProxy()
    upstream.always(({ body }) => ({ text: `Answer to ${body.messages.length}.` }))
    const start = [user('Plan a trip.'), assistant('Answer to 1.')]
    await ask([user('Plan a trip.')])
    await ask([...start, user('To Rome.')])
    await ask([...start, user('To Rome.'), assistant('Answer to 3.'), user('In May.')])
    await ask([...start, user('To Oslo.')])
    await ask([...start, user('To Oslo.'), assistant('Answer to 3.'), user('In June.')])
    await ask([
      ...start,
      user('To Rome.'),
      assistant('Answer to 3.'),
      user('In May.'),
      assistant('Answer to 5.'),
      user('For two.'),
    ])
    await expect.poll(async () => Object.values(await recordsOf(memory)).flat().length, SOON).toBe(14)
    const [first, second] = Object.values(await recordsOf(memory))
    expect(first?.filter((line) => line.startsWith('user'))).toEqual([
      'user: Plan a trip.',
      'user: To Rome.',
      'user: In May.',
      'user: For two.',
    ])
    expect(second?.filter((line) => line.startsWith('user'))).toEqual([
      'user: Plan a trip.',
      'user: To Oslo.',
      'user: In June.',
    ])
  })

  test('regenerates an answer, which replaces the earlier one', async () => {
    const { ask, upstream, memory } = await openProxy()
    const history = [user('Which hotel is good?'), assistant('First.'), user('Which of them is quiet?')]
    upstream.next({ text: 'First.' }, { text: 'The Zebra.' }, { text: 'The Walrus.' })
    await ask(history.slice(0, 1))
    await ask(history)
    await ask(history)
    await expect.poll(async () => (await onlyRecord(memory)).length, SOON).toBe(5)
    const [conversation] = (await memory.conversations.list()).items
    const handle = memory.conversation(conversation?.id ?? '')
    expect(
      recollectMetadataOf((await handle.messages.list().toArray()).at(-1) as Message).replaces?.position,
    ).toBe(3)
    expect(JSON.stringify(sentTo(upstream))).not.toContain('Zebra')
    const { messages } = await handle.context()
    expect(JSON.stringify(messages)).not.toContain('Zebra')
  })

  test('stops a reply and continues with the text so far', async () => {
    const { ask, upstream, memory } = await openProxy()
    upstream.next({ text: ['One ', 'two ', 'three ', 'four ', 'five '], pieceDelayMs: 40 }, { text: 'Yes.' })
    const leaving = new AbortController()
    const stream = (await ask(
      [user('Count to five.')],
      { stream: true },
      { signal: leaving.signal },
    )) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>
    let got = ''
    try {
      for await (const chunk of stream) {
        got += chunk.choices[0]?.delta.content ?? ''
        if (got.includes('two')) leaving.abort()
      }
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
    await expect.poll(async () => (await onlyRecord(memory)).length, SOON).toBe(2)
    const [conversation] = (await memory.conversations.list()).items
    const [, kept] = await memory
      .conversation(conversation?.id ?? '')
      .messages.list()
      .toArray()
    expect(recollectMetadataOf(kept as Message).ending).toBe('stopped')
    await ask([user('Count to five.'), assistant(got.trim()), user('Was that all?')])
    await expect.poll(async () => (await onlyRecord(memory)).length, SOON).toBe(4)
  })
})

describe('tools', () => {
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }] as const

  test('are called over several rounds, also in parallel, and everything is recorded in order', async () => {
    const { ask, upstream, memory } = await openProxy()
    upstream.next(
      {
        toolCalls: [
          { id: 'a', name: 'weather', arguments: '{"city":"Rome"}' },
          { id: 'b', name: 'weather', arguments: '{"city":"Oslo"}' },
        ],
      },
      { toolCalls: [{ id: 'c', name: 'weather', arguments: '{"city":"Faro"}' }] },
      { text: 'Faro is warmest.' },
    )
    const history: Wire[] = [user('Where is it warmest?')]
    for (let round = 0; round < 3; round++) {
      const stream = client(await ask(history, { tools, stream: true }))
      const message = await stream
      history.push(message)
      for (const { id } of message.tool_calls ?? [])
        history.push({ role: 'tool', tool_call_id: id, content: `${id}: 20 degrees` })
    }
    await expect.poll(async () => (await onlyRecord(memory)).length, SOON).toBe(7)
    expect(await onlyRecord(memory)).toEqual([
      'user: Where is it warmest?',
      'assistant: weather {"city":"Rome"}\nweather {"city":"Oslo"}',
      'tool: a: 20 degrees',
      'tool: b: 20 degrees',
      'assistant: weather {"city":"Faro"}',
      'tool: c: 20 degrees',
      'assistant: Faro is warmest.',
    ])
    const sent = upstream.requests.at(-1)?.body.messages
    expect(sent.map(({ role }: Wire) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
    ])
  })

  /** The message that the pieces of a stream make. */
  async function client(stream: unknown): Promise<
    OpenAI.ChatCompletionAssistantMessageParam & {
      tool_calls?: OpenAI.ChatCompletionMessageFunctionToolCall[]
    }
  > {
    const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = []
    let content = ''
    for await (const { choices } of stream as AsyncIterable<OpenAI.ChatCompletionChunk>) {
      content += choices[0]?.delta.content ?? ''
      for (const call of choices[0]?.delta.tool_calls ?? [])
        calls[call.index] = {
          id: call.id ?? '',
          type: 'function',
          function: { name: call.function?.name ?? '', arguments: call.function?.arguments ?? '' },
        }
    }
    return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
  }
})

describe('errors of the upstream server', () => {
  test.each([
    [401, { 'www-authenticate': 'Bearer' }],
    [429, { 'retry-after': '7' }],
    [500, { 'x-request-id': 'theirs' }],
  ])('%s passes as it is', async (status, headers) => {
    const { ask, upstream, memory } = await openProxy()
    const json = { error: { message: 'as they say', type: 'theirs', code: 'odd' } }
    upstream.always({ status, headers, json })
    const error = await ask([user('Hello?')]).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(OpenAI.APIError)
    const { status: got, error: body, headers: returned } = error as InstanceType<typeof OpenAI.APIError>
    expect([got, body]).toEqual([status, json.error])
    for (const [name, value] of Object.entries(headers)) {
      if (name !== 'x-request-id') expect(returned?.get(name)).toBe(value)
    }
    // What the user said is kept all the same; asking again records it once.
    upstream.always({ text: 'Hello.' })
    await ask([user('Hello?')])
    await expect.poll(() => onlyRecord(memory), SOON).toEqual(['user: Hello?', 'assistant: Hello.'])
  })

  test('an answer that breaks off is kept up to there and marked', async () => {
    const { ask, upstream, memory } = await openProxy()
    upstream.always({ text: ['One ', 'two ', 'three'], cutAfter: 2 })
    const stream = (await ask([user('Count.')], { stream: true })) as unknown as AsyncIterable<unknown>
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow()
    await expect.poll(async () => (await onlyRecord(memory)).at(-1), SOON).toBe('assistant: One two ')
    const [conversation] = (await memory.conversations.list()).items
    const last = (
      await memory
        .conversation(conversation?.id ?? '')
        .messages.list()
        .toArray()
    ).at(-1)
    expect(recollectMetadataOf(last as Message).ending).toBe('failed')
  })

  test('unparsable chunks are forwarded, and the rest is recorded', async () => {
    const { upstream, memory, server } = await openProxy()
    const body = [
      'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}',
      'data: {"choices":[{"index":0,"del',
      'data: null',
      'event: odd',
      'data: {"choices":[{"index":1,"delta":{"content":"other"}},{"index":0,"delta":{"content":"lo"},"finish_reason":"stop"}]}',
      'data: [DONE]',
    ].join('\n\n')
    upstream.always({ body, headers: { 'content-type': 'text/event-stream' } })
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [user('Say hello.')], stream: true, n: 2 }),
    })
    expect(await response.text()).toBe(body)
    await expect.poll(() => onlyRecord(memory), SOON).toEqual(['user: Say hello.', 'assistant: Hello'])
  })

  test('an unreachable upstream is reported', async () => {
    const { ask } = await openProxy({ upstreamUrl: 'http://127.0.0.1:9/v1' })
    await expect(ask([user('Hello?')])).rejects.toMatchObject({ status: 502 })
    const { ask: askNowhere } = await openProxy({ upstreamUrl: '' })
    await expect(askNowhere([user('Hello?')])).rejects.toMatchObject({ status: 404 })
  })

  test('a request that is not a chat is left to the upstream server', async () => {
    const { server, upstream } = await openProxy()
    upstream.always({ status: 400, json: { error: { message: 'no messages' } } })
    for (const body of ['{"messages": 3}', 'not json', '[]', '{"messages":[{"role":"odd"}]}']) {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: { message: 'no messages' } })
    }
  })
})

test('if the memory fails, the request is still forwarded', async () => {
  const { ask, client, upstream, memory, server } = await openProxy()
  upstream.always({ text: 'Hello.' })
  await memory.conversation('full').record({ role: 'user', content: 'First.' })
  const { data, response } = await client.chat.completions
    .create(
      { model: 'm', messages: [user('Hello?')] },
      { headers: { 'x-recollect-conversation': 'a'.repeat(300) } },
    )
    .withResponse()
  expect(data.choices[0]?.message.content).toBe('Hello.')
  expect(response.headers.get('x-recollect-memory')).toBe('failed; too-large')
  // A live turn that is larger than the budget has no room for memory.
  await ask([user('A long question. '.repeat(50))], {}, { headers: { 'x-recollect-budget': '20' } })
  expect(sentTo(upstream)[0]?.content).toBe('A long question. '.repeat(50))
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  expect(metrics).toContain('recollect_proxy_requests_total{memory="failed"} 2')
  expect(metrics).toMatch(/recollect_storage_growth_bytes \d/)
})

test('metrics count new messages and the tokens of contexts by section', async () => {
  const { ask, upstream, server } = await openProxy()
  upstream.always({ text: 'Noted.' })
  const talk = [user('My cat is called Nemo.')]
  await ask(talk)
  await ask([...talk, assistant('Noted.'), user('What is the name of my cat?')])
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
  await expect.poll(metrics, SOON).toContain('recollect_messages_recorded_total 4\n')
  expect(await metrics()).toMatch(/recollect_context_tokens_total\{section="live"\} [1-9]/)
})

test('a slow memory is not waited for, and question and answer are still recorded', async () => {
  const stuck = scriptedModel([() => new Promise<never>(() => undefined)])
  const { client, upstream, memory } = await openProxy(
    { memoryTimeoutMs: 50 },
    { languageModel: stuck, models: { timeoutMs: 1000, retries: 0 }, derive: { when: 'never' } },
  )
  await memory.conversation('slow').record([
    { role: 'user', content: 'Which trains leave for Porto in the morning?' },
    { role: 'assistant', content: 'Three of them.' },
  ])
  upstream.always({ text: 'At nine.' })
  // It leans on what came before, and the model that would make it stand alone does not answer.
  const { response } = await client.chat.completions
    .create(
      { model: 'm', messages: [user('and the first?')] },
      { headers: { 'x-recollect-conversation': 'slow' } },
    )
    .withResponse()
  expect(response.headers.get('x-recollect-memory')).toBe('failed; not ready after 50 ms')
  expect(sentTo(upstream)).toEqual([user('and the first?')])
  await expect
    .poll(
      async () => (await memory.conversation('slow').messages.list().toArray()).slice(2).map(toLine),
      SOON,
    )
    .toEqual(['user: and the first?', 'assistant: At nine.'])
})

test('a requested budget is kept: the oldest turns are left out and summarized', async () => {
  const { ask, upstream, memory } = await openProxy()
  upstream.always({ text: 'Noted.' })
  const history: Wire[] = []
  for (let i = 0; i < 30; i++) {
    history.push(user(`Fact ${i}: the parcel number ${i} weighs ${i * 7} grams and goes to street ${i}.`))
    history.push(assistant('Noted.'))
  }
  const question = user('How much does the parcel number 3 weigh?')
  const headers = { 'x-recollect-conversation': 'parcels', 'x-recollect-budget': '700' }
  await ask([{ role: 'system', content: 'Be brief.' }, ...history, question], {}, { headers })
  const sent = sentTo(upstream)
  expect(sent.length).toBeLessThan(40)
  expect(sent[0]).toEqual({ role: 'system', content: 'Be brief.' })
  expect(JSON.stringify(sent)).toContain('weighs 21 grams')
  expect(sent.at(-1)?.content).toMatch(/How much does the parcel number 3 weigh\?$/)
  expect((await memory.conversation('parcels').messages.list({ limit: 100 })).items).toHaveLength(62)
})

test('an upstream server that counts more tokens than Recollect is sent less from then on', async () => {
  const { ask, upstream, memory } = await openProxy()
  const usage = { prompt_tokens: 5000, completion_tokens: 1, total_tokens: 5001 }
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Noted.' } }]
  upstream.always({ json: { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage } })
  const history = Array.from({ length: 30 }, (_, i) => [
    user(`Parcel ${i} goes to street ${i}.`),
    assistant('Yes.'),
  ])
  const init = { headers: { 'x-recollect-conversation': 'parcels', 'x-recollect-budget': '500' } }
  const messages = [...history.flat(), user('Where does parcel 29 go?')]
  await ask(messages, {}, init)
  const first = sentTo(upstream).length
  const recorded = async () => (await memory.conversation('parcels').messages.list({ limit: 100 })).items
  await expect.poll(recorded, SOON).toHaveLength(62)
  await ask([...messages, assistant('Noted.'), user('And parcel 28?')], {}, init)
  expect(sentTo(upstream).length).toBeLessThan(first)
})

test('clients that send only their last messages work with a named conversation', async () => {
  const { ask, upstream, memory } = await openProxy()
  upstream.always(({ body }) => ({ text: `Answer to ${String(body.messages.at(-1).content).slice(-12)}` }))
  const init = { headers: { 'x-recollect-conversation': 'window' } }
  const history: Wire[] = []
  for (let i = 0; i < 8; i++) {
    history.push(user(`Window message ${i}.`))
    const answer = await ask(history.slice(-3), {}, init)
    history.push(assistant(answer.choices[0]?.message.content ?? ''))
  }
  const odd = { headers: { 'x-recollect-conversation': 'caf%C3%A9' } }
  await ask([user('Odd names are names.')], {}, odd)
  await ask([user('And so is this.')], {}, { headers: { 'x-recollect-conversation': '100%' } })
  expect((await memory.conversation('café').messages.list().toArray()).length).toBeGreaterThan(0)
  expect((await memory.conversation('100%').messages.list().toArray()).length).toBeGreaterThan(0)
  for (const text of ['Only the new one.', 'And another one.']) await ask([user(text)], {}, init)
  await expect
    .poll(async () => (await memory.conversation('window').messages.list().toArray()).length, SOON)
    .toBe(20)
  const lines = (await memory.conversation('window').messages.list().toArray()).map(toLine)
  expect(lines.filter((line) => line.startsWith('user'))).toEqual([
    ...Array.from({ length: 8 }, (_, i) => `user: Window message ${i}.`),
    'user: Only the new one.',
    'user: And another one.',
  ])
})

test('keys: for Recollect in a separate header or in Authorization, for the upstream as configured', async () => {
  const upstream = await scriptedServer()
  const { memory, server } = await serveTemporary({ upstreamUrl: upstream.url, upstreamKey: 'sk-operator' })
  const { key } = await memory.workspace('team').keys.create({ scope: 'write' })
  const reading = await memory.keys.create({ scope: 'read' })
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ messages: [user('Hello?')] }),
    })
  expect((await ask({ authorization: `Bearer ${key}` })).status).toBe(200)
  expect((await ask({ authorization: 'Bearer sk-theirs', 'x-recollect-key': key })).status).toBe(200)
  expect((await ask({ 'x-recollect-key': 'wrong' })).status).toBe(401)
  expect((await ask({ 'x-recollect-key': reading.key })).status).toBe(403)
  for (const { headers } of upstream.requests) {
    expect(headers['authorization']).toBe('Bearer sk-operator')
    expect(JSON.stringify(headers)).not.toContain('recollect_')
  }
  await expect
    .poll(async () => (await memory.workspace('team').conversations.list()).items.length, SOON)
    .toBe(2)
  expect((await memory.conversations.list()).items).toEqual([])
})

test('memory can be left out, or only recorded, for one request', async () => {
  const { ask, upstream, memory } = await openProxy()
  await memory.conversation('old').record({ role: 'user', content: 'My sister Ana eats no fish.' })
  const message = user('What does my sister Ana eat?')
  await ask([message], {}, { headers: { 'x-recollect-memory': 'off' } })
  expect(Object.keys(await recordsOf(memory))).toEqual(['old'])
  await ask([message], {}, { headers: { 'x-recollect-memory': 'record' } })
  expect(sentTo(upstream)).toEqual([message])
  await expect.poll(async () => Object.keys(await recordsOf(memory)).length, SOON).toBe(2)
})

test('images are forwarded unchanged, and recorded by reference', async () => {
  const { ask, upstream, memory } = await openProxy()
  const picture = {
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` },
  } as const
  const message: Wire = { role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] }
  upstream.always({ text: 'A cat.' })
  await ask([message])
  expect(sentTo(upstream)[0]).toEqual(message)
  await ask([message, assistant('A cat.'), user('Is it asleep?')])
  await expect.poll(async () => (await onlyRecord(memory)).length, SOON).toBe(4)
  const [conversation] = (await memory.conversations.list()).items
  const [asked] = await memory
    .conversation(conversation?.id ?? '')
    .messages.list()
    .toArray()
  expect(asked?.content).toMatchObject([{}, { type: 'image', url: expect.stringMatching(/^urn:sha256:/) }])
})

test('the models are those of the upstream server', async () => {
  const { client } = await openProxy()
  const names: string[] = []
  for await (const { id } of client.models.list()) names.push(id)
  expect(names).toEqual(['scripted'])
})

test('the AI SDK gets the same, streamed and whole', async () => {
  const { server, upstream, memory } = await openProxy()
  const provider = createOpenAICompatible({
    name: 'recollect',
    baseURL: `${server.url}/v1`,
    headers: { 'x-recollect-conversation': 'sdk' },
  })
  upstream.next({ text: 'Whole answer.' }, { text: 'Streamed answer.' })
  const { text } = await generateText({ model: provider('m'), prompt: 'First question here?' })
  expect(text).toBe('Whole answer.')
  const { textStream } = streamText({
    model: provider('m'),
    messages: [
      { role: 'user', content: 'First question here?' },
      { role: 'assistant', content: text },
      { role: 'user', content: 'Second question here?' },
    ],
  })
  let streamed = ''
  for await (const piece of textStream) streamed += piece
  expect(streamed).toBe('Streamed answer.')
  await expect
    .poll(async () => (await memory.conversation('sdk').messages.list().toArray()).map(toLine), SOON)
    .toEqual([
      'user: First question here?',
      'assistant: Whole answer.',
      'user: Second question here?',
      'assistant: Streamed answer.',
    ])
})
