// The chat over HTTP, read by the AI SDK itself.

import { AbstractChat, type ChatState, type ChatStatus, DefaultChatTransport, type UIMessage } from 'ai'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type LanguageModel,
  type Memory,
  type Message,
  readableText,
  recollectMetadataOf,
} from '../../src/index.ts'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { startServer } from '../../src/server/start-server.ts'
import { askAt, serveTemporary } from '../support/http-server.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { scriptedServer } from '../support/scripted-models.ts'

/** However busy the machine is. */
const SOON = { timeout: 60_000 }

/** What `useChat` keeps in React, kept in fields. */
class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined = undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => void this.messages.push(message)
  popMessage = () => void this.messages.pop()
  replaceMessage = (index: number, message: UIMessage) => {
    this.messages[index] = message
  }
  snapshot = <T>(thing: T): T => structuredClone(thing)
}

/** The class behind `useChat`, as it comes. */
class PlainChat extends AbstractChat<UIMessage> {
  constructor(url: string, id = 'trip') {
    const transport = new DefaultChatTransport({ api: `${url}/api/conversations/${id}/chat` })
    super({ id, state: new PlainState(), transport })
  }
}

const textOf = ({ parts }: UIMessage): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

const recordOf = async (memory: Memory, id = 'trip'): Promise<readonly string[]> =>
  (await memory.conversation(id).messages.list().toArray()).map(
    ({ role, content }: Message) => `${role}: ${readableText(content)}`,
  )

describe('useChat of the AI SDK', () => {
  test("may send fields of the page's own", async () => {
    const { server, memory } = await serveTemporary({}, { languageModel: scriptedModel(['Noted.']) })
    const chat = new PlainChat(server.url)
    await chat.sendMessage({ text: 'The boiler is in the cellar.' }, { body: { theme: 'dark' } })
    expect(chat.error).toBeUndefined()
    expect(await recordOf(memory)).toEqual(['user: The boiler is in the cellar.', 'assistant: Noted.'])
  })

  test('sends messages that are recorded under the same ids', async () => {
    const { server, memory } = await serveTemporary({}, { languageModel: scriptedModel(['At the market.']) })
    const chat = new PlainChat(server.url)
    await chat.sendMessage({ text: 'Where should we eat?' })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map((message) => `${message.role}: ${textOf(message)}`)).toEqual([
      'user: Where should we eat?',
      'assistant: At the market.',
    ])
    expect(await recordOf(memory)).toEqual(['user: Where should we eat?', 'assistant: At the market.'])
    const [asked, answered] = await memory.conversation('trip').messages.list().toArray()
    expect(chat.messages.map(({ id }) => id)).toEqual([asked?.id, answered?.id])
    expect(chat.messages[1]?.metadata).toMatchObject({
      recollect: recollectMetadataOf(answered as Message),
      position: 1,
    })
  })
})

/** A model that says a word every few milliseconds until it is stopped. */
function chatty(most = Number.POSITIVE_INFINITY): LanguageModel & { readonly said: () => number } {
  let said = 0
  return {
    name: 'chatty',
    said: () => said,
    complete: async () => '{}',
    async *stream({ signal }) {
      for (said = 0; said < most; said++) {
        await new Promise((wake) => setTimeout(wake, 5))
        signal?.throwIfAborted()
        yield `word${said} `
      }
    },
  }
}

const lastOf = async (memory: Memory, id = 'trip'): Promise<Message | undefined> =>
  (await memory.conversation(id).messages.list().toArray()).at(-1)

describe('useChat of the AI SDK, continued', () => {
  test('stops: the text so far is kept and marked', async () => {
    const { server, memory } = await serveTemporary({}, { languageModel: chatty() })
    const chat = new PlainChat(server.url)
    const sending = chat.sendMessage({ text: 'Tell me everything.' })
    await expect
      .poll(() => chat.messages.at(-1)?.role === 'assistant' && textOf(chat.messages[1] as UIMessage), SOON)
      .toContain('word3')
    await chat.stop()
    await sending
    await expect.poll(async () => (await lastOf(memory))?.role, SOON).toBe('assistant')
    const kept = (await lastOf(memory)) as Message
    expect(recollectMetadataOf(kept).ending).toBe('stopped')
    expect(readableText(kept.content)).toContain('word3')
  })

  test('regenerates an answer, also to an earlier question', async () => {
    const answers = ['One.', 'Two.', 'Three.', 'Four.']
    const { server, memory } = await serveTemporary(
      {},
      { languageModel: scriptedModel(answers), derive: { when: 'never' } },
    )
    const chat = new PlainChat(server.url)
    await chat.sendMessage({ text: 'Which museum opens on Mondays?' })
    const first = chat.messages[1]?.id as string
    await chat.regenerate()
    expect(chat.messages.map(textOf)).toEqual(['Which museum opens on Mondays?', 'Two.'])
    await chat.sendMessage({ text: 'Does the castle sell tickets?' })
    await chat.regenerate({ messageId: chat.messages[1]?.id as string })
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(textOf)).toEqual(['Which museum opens on Mondays?', 'Four.'])
    expect(recollectMetadataOf((await lastOf(memory)) as Message).replaces?.id).toBe(first)
    const { messages } = await memory.conversation('trip').context()
    expect(messages.map(({ content }) => content)).toEqual(['Which museum opens on Mondays?', 'Four.'])
  })

  test('edits a question repeatedly under the same id', async () => {
    const { server, memory } = await serveTemporary(
      {},
      { languageModel: scriptedModel(['One.', 'Two.', 'Three.', 'Four.']), derive: { when: 'never' } },
    )
    const chat = new PlainChat(server.url)
    await chat.sendMessage({ text: 'Where to?' })
    const messageId = chat.messages[0]?.id as string
    await chat.sendMessage({ text: 'Where to in spring?', messageId })
    await chat.sendMessage({ text: 'Where to in autumn?', messageId })
    await chat.regenerate()
    expect(chat.error).toBeUndefined()
    expect(chat.messages.map(textOf)).toEqual(['Where to in autumn?', 'Four.'])
    const { messages } = await memory.conversation('trip').context()
    expect(messages.map(({ content }) => content)).toEqual(['Where to in autumn?', 'Four.'])
    expect((await memory.conversation('trip').messages.list().toArray()).length).toBe(7)
  })

  test('gets the reason why a reply failed, and keeps its text so far', async () => {
    const upstream = await scriptedServer()
    upstream.always({ text: ['One ', 'two ', 'three'], cutAfter: 2 })
    const { server, memory } = await serveTemporary(
      {},
      { models: { retries: 0, chat: { url: upstream.url, model: 'frail' } } },
    )
    const chat = new PlainChat(server.url)
    await chat.sendMessage({ text: 'Count.' })
    expect(chat.status).toBe('error')
    expect(chat.error?.message).toContain('frail')
    expect(textOf(chat.messages[1] as UIMessage)).toBe('One two ')
    expect(recollectMetadataOf((await lastOf(memory)) as Message).ending).toBe('failed')
  })

  test('sends images and files', async () => {
    const model = scriptedModel(['A cat.'])
    const { server, memory } = await serveTemporary({}, { languageModel: model, derive: { when: 'never' } })
    const chat = new PlainChat(server.url)
    const picture = { type: 'file', mediaType: 'image/png', url: 'https://pictures.example/cat.png' } as const
    await chat.sendMessage({ text: 'What is this?', files: [picture] })
    expect(chat.error).toBeUndefined()
    const [asked] = await memory.conversation('trip').messages.list().toArray()
    expect(asked?.content).toEqual([
      { type: 'image', url: picture.url, mediaType: 'image/png' },
      { type: 'text', text: 'What is this?' },
    ])
  })
})

/** The parts of a stream, and its comments. */
function readParts(text: string) {
  const lines = text.split('\n\n').filter((line) => line !== '')
  return {
    parts: lines
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)) as { type: string; data?: unknown }),
    comments: lines.filter((line) => line.startsWith(': ')),
    last: lines.at(-1),
  }
}

const post = (url: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/api/conversations/trip/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  })

describe('the short form', () => {
  test('streams the same parts, and what was remembered', async () => {
    const { server, memory } = await serveTemporary({}, { languageModel: scriptedModel(['At the market.']) })
    await memory.conversation('other').record({ role: 'user', content: 'Ana eats no fish.' })
    const response = await post(server.url, { message: 'What does Ana eat?', budgetTokens: 2000 })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    const { parts, comments, last } = readParts(await response.text())
    expect([...new Set(parts.map(({ type }) => type))]).toEqual([
      'start',
      'start-step',
      'data-question',
      'data-memory',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'finish',
    ])
    expect(last).toBe('data: [DONE]')
    expect(comments).toEqual([])
    const remembered = parts.find(({ type }) => type === 'data-memory')?.data
    expect(remembered).toMatchObject({
      budgetTokens: 2000,
      recalled: [expect.objectContaining({ kind: 'message', text: 'Ana eats no fish.' })],
    })
    const { receiptId } = remembered as { receiptId: string }
    const receipt = await fetch(`${server.url}/api/conversations/trip/receipts/${receiptId}`)
    expect(await receipt.json()).toMatchObject({ id: receiptId, budgetTokens: 2000 })
  })

  test('adds debug comments on request, one line each', async () => {
    const { server } = await serveTemporary()
    const { comments } = readParts(await (await post(server.url, { message: 'Hello?', debug: true })).text())
    const names = comments.map((line) => line.split(' ')[1])
    expect(names).toEqual(['MEMORY_DEBUG', 'RAG_DEBUG'])
    for (const line of comments) JSON.parse(line.slice(line.indexOf('{')))
    const { server: telling } = await serveTemporary({ debug: true })
    const told = readParts(await (await post(telling.url, { message: 'Hello?' })).text())
    expect(told.comments.length).toBe(2)
    const silent = readParts(await (await post(telling.url, { message: 'Hello?', debug: false })).text())
    expect(silent.comments).toEqual([])
  })

  test('rejects an invalid request with a status, and reports later errors in the stream', async () => {
    const { server, memory } = await serveTemporary()
    expect((await post(server.url, {})).status).toBe(422)
    expect((await post(server.url, { regenerate: 'nobody' })).status).toBe(404)
    expect((await post(server.url, { message: '' })).status).toBe(422)
    expect(await memory.conversation('trip').get()).toBeUndefined()
    const { parts, last } = readParts(
      await (await post(server.url, { message: 'Hello?', budgetTokens: 2 })).text(),
    )
    expect(parts.find(({ type }) => type === 'data-failure')?.data).toMatchObject({
      code: 'budget-too-small',
    })
    expect(parts.at(-1)?.type).toBe('error')
    expect(last).toBe('data: [DONE]')
  })
})

test('a client that disconnects stops the model, and the text so far is kept', async () => {
  const model = chatty()
  const { server, memory } = await serveTemporary({}, { languageModel: model })
  const leaving = new AbortController()
  const response = await post(server.url, { message: 'Tell me everything.' }, { signal: leaving.signal })
  const reader = response.body?.getReader()
  for (let text = ''; !text.includes('word5'); )
    text += new TextDecoder().decode((await reader?.read())?.value)
  leaving.abort()
  await expect.poll(async () => (await lastOf(memory))?.role, SOON).toBe('assistant')
  const kept = (await lastOf(memory)) as Message
  expect(recollectMetadataOf(kept).ending).toBe('stopped')
  expect(readableText(kept.content)).toContain('word5')
  const said = model.said()
  await new Promise((wake) => setTimeout(wake, 100))
  expect(model.said()).toBe(said)
})

test('a server that shuts down completes short answers and stops long ones without losing text', async () => {
  const { server, memory } = await serveTemporary({ shutdownMs: 8000 }, { languageModel: chatty() })
  const response = await post(server.url, { message: 'Tell me everything.' })
  const text = response.text()
  await new Promise((wake) => setTimeout(wake, 50))
  await server.close()
  const { parts, last } = readParts(await text)
  expect(parts.at(-1)?.type).toBe('abort')
  expect(last).toBe('data: [DONE]')
  expect(recollectMetadataOf((await lastOf(memory)) as Message).ending).toBe('stopped')

  const other = await serveTemporary({ shutdownMs: 60_000 }, { languageModel: chatty(20) })
  const short = (await post(other.server.url, { message: 'Tell me something.' })).text()
  await new Promise((wake) => setTimeout(wake, 20))
  await other.server.close()
  expect(readParts(await short).parts.at(-1)?.type).toBe('finish')
})

test('an idle stream is kept alive', async () => {
  const slow = scriptedModel([() => new Promise((answer) => setTimeout(() => answer('Late.'), 200))])
  const { server } = await serveTemporary({ keepAliveMs: 20 }, { languageModel: slow })
  const { comments, parts } = readParts(await (await post(server.url, { message: 'Hello?' })).text())
  expect(comments.length).toBeGreaterThan(2)
  expect(parts.at(-1)?.type).toBe('finish')
})

test('a read-only key cannot chat, and workspaces are isolated', async () => {
  const memory = await openTemporary()
  await memory.keys.create()
  const server = await startServer(memory, { port: 0, requireKey: true })
  onTestFinished(() => server.close())
  const ask = askAt(server.url)
  const mine = await memory.workspace('mine').keys.create({ scope: 'write' })
  const reading = await memory.workspace('mine').keys.create({ scope: 'read' })
  await memory.workspace('theirs').conversation('trip').record({ role: 'user', content: 'Ana eats no fish.' })
  const chatAs = (key: string) =>
    ask('POST', '/api/conversations/trip/chat', { body: { message: 'What does Ana eat?' }, key })
  expect((await chatAs(reading.key)).status).toBe(403)
  const { status, text } = await chatAs(mine.key)
  expect(status).toBe(200)
  expect(text).not.toContain('fish')
})

test('of three web results, the best two are in the prompt', async () => {
  const model = scriptedModel(['Fine.'])
  const results = ['Tram 12 is stopped.', 'Buses run late.', 'Timetable of 1931.'].map((excerpt, i) => ({
    title: `Result ${i}`,
    url: `https://news.example/${i}`,
    excerpt,
  }))
  const { server } = await serveTemporary(
    {},
    { languageModel: model, webSearch: { name: 'web', search: async () => results } },
  )
  await new PlainChat(server.url).sendMessage({ text: 'What is the latest news about the trams?' })
  const sent = JSON.stringify(model.requests[0]?.messages)
  expect(sent).toContain('Tram 12')
  expect(sent).not.toContain('1931')
})
