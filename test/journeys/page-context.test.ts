// A page is what its model sees: the active file, topic, entities, preferences and history are part of every context.

import { describe, expect, test } from 'vitest'
import {
  type ContextMessage,
  type ConversationMemory,
  type LanguageModel,
  type Memory,
  type Receipt,
  readableText,
} from '../../src/index.ts'
import { createHandler } from '../../src/server/start-server.ts'
import { serveTemporary } from '../support/http-server.ts'
import { openTemporary } from '../support/open-temporary.ts'

const textOf = (messages: readonly ContextMessage[]) =>
  messages.map(({ content }) => readableText(content)).join('\n')
const part = ({ parts }: Receipt, name: string) => parts.find(({ section }) => section === name)

const csv = (company: string) =>
  [
    'customer,region,revenue',
    ...Array.from({ length: 8 }, (_, i) => `${company} ${i},north,${100 + i}`),
  ].join('\n')

async function openFiles(memory: Memory): Promise<void> {
  await memory.documents.add({ id: 'acme', name: 'acme-2026.csv', content: csv('Acme'), conversationId: 'a' })
  await memory.documents.add({
    id: 'globex',
    name: 'globex-2026.csv',
    content: csv('Globex'),
    conversationId: 'b',
  })
}

async function run(conversation: ConversationMemory, message: string, pageId: string): Promise<string> {
  let answer = ''
  for await (const event of conversation.chat({ message, pageId }))
    if (event.type === 'text') answer += event.text
  return answer
}

test('the state of the page is a section of every context on it, with budget and receipt', async () => {
  const memory = await openTemporary()
  await memory.documents.add({ id: 'f', name: 'mills.csv', content: csv('Mill') })
  await memory.page('p').save({
    activeFile: { id: 'f', name: 'mills.csv' },
    currentTopic: 'Mill revenue',
    entities: { Ana: 'person' },
    preferences: { currency: 'EUR' },
  })
  const { messages, receipt } = await memory.conversation('chat').context('Hm?', { pageId: 'p' })
  const text = textOf(messages)
  expect(text).toContain('open file: mills.csv; columns: customer, region, revenue')
  expect(text).toContain('current topic: Mill revenue')
  expect(text).toContain('entities: Ana: person')
  expect(text).toContain('preferences: currency: EUR')
  expect(part(receipt, 'page')).toMatchObject({
    tokens: expect.any(Number),
    budgetTokens: expect.any(Number),
    items: [{ kind: 'page', id: 'active-file' }, { kind: 'page' }, { kind: 'page' }, { kind: 'page' }],
  })
  const elsewhere = await memory.conversation('chat').context('Hm?', { pageId: 'q' })
  expect(textOf(elsewhere.messages)).not.toContain('mills.csv')
  expect(part(elsewhere.receipt, 'page')).toBeUndefined()
})

test('"Summarise the file" works with nothing but the active file set', async () => {
  const memory = await openTemporary()
  const content = '# Mills\n\nOld mills turn slowly.\n\n## Prices\n\nA sack of flour costs nine crowns.'
  await memory.documents.add({ id: 'f', name: 'mills.md', content })
  await memory.page('p').save({ activeFile: { id: 'f' } })
  for (const conversation of ['p', 'chat']) {
    const { messages, receipt } = await memory.conversation(conversation).context('Summarise the file', {
      pageId: 'p',
    })
    expect(textOf(messages)).toContain('open file: mills.md; headings: Mills, Prices')
    expect(textOf(messages)).toContain('nine crowns')
    expect(part(receipt, 'chunks')?.items?.[0]).toMatchObject({
      kind: 'chunk',
      reasons: [{ text: 'the beginning of the active file' }],
    })
  }
})

describe('without a model', () => {
  const open = async () => {
    const memory = await openTemporary()
    const content =
      '# Mills\n\nOld mills turn slowly. Most stand by a river.\n\n## Prices\n\nA sack of flour costs nine crowns.'
    await memory.documents.add({ id: 'f', name: 'mills.md', content })
    await memory.documents.add({ id: 't', name: 'globex-2026.csv', content: csv('Globex') })
    await memory.page('p').save({ activeFile: { id: 'f' } })
    await memory.page('t').save({ activeFile: { id: 't' } })
    return memory
  }

  test.each([
    ['Summarise the file', 'This is in the file:'],
    ['Can you give me an overview?', 'This is in the file:'],
    ['What is in this file?', 'This is in the file:'],
    ['Fasse die Datei zusammen', 'Das steht in der Datei:'],
    ['Resume el archivo', 'Esto contiene el archivo:'],
    ['Résume le fichier', 'Voici ce que contient le fichier :'],
    ['Resuma o arquivo', 'Isto está no arquivo:'],
    ['Riassumi il file', 'Ecco cosa contiene il file:'],
  ])('the active file is summarised: %s', async (question, opening) => {
    const memory = await open()
    const answer = await run(memory.conversation('chat'), question, 'p')
    expect(answer).toContain(opening)
    expect(answer).toContain(
      '> - Mills: Old mills turn slowly.\n> - Prices: A sack of flour costs nine crowns.',
    )
    expect(answer).toContain('mills.md')
    // Also after it was asked before, in another conversation of the page.
    expect(await run(memory.conversation('later'), question, 'p')).toBe(answer)
  })

  test('a table is summarised by its columns and first rows; a question about it quotes it', async () => {
    const memory = await open()
    const summary = await run(memory.conversation('chat'), 'Summarise the file', 't')
    expect(summary).toContain('> 8 rows\n> customer,region,revenue\n> Globex 0,north,100')
    expect(await run(memory.conversation('chat'), 'What is the revenue of Globex 7?', 't')).toContain('107')
  })

  test('without an active file, nothing is made up', async () => {
    const memory = await open()
    const answer = await run(memory.conversation('chat'), 'Summarise the file', 'other')
    expect(answer).toContain('I found nothing')
  })

  test('over HTTP, with nothing but the active file set', async () => {
    const memory = await open()
    const url = 'http://localhost/api/conversations/chat/chat'
    const body = JSON.stringify({ message: 'Summarise the file', pageId: 'p' })
    const response = await createHandler(memory)(new Request(url, { method: 'POST', body }))
    expect(await response.text()).toContain('A sack of flour costs nine crowns.')
  })
})

test('of two pages with two files, each uses only its own file', async () => {
  const memory = await openTemporary()
  await openFiles(memory)
  await memory.page('a').save({ activeFile: { id: 'acme', name: 'acme-2026.csv' } })
  await memory.page('b').save({ activeFile: { id: 'globex', name: 'globex-2026.csv' } })
  await run(memory.conversation('a'), "What's the revenue?", 'a')
  await memory.conversation('a').record({ role: 'assistant', content: 'The revenue of Acme is 800.' })
  for (const conversation of ['b', 'b-2']) {
    const chat = memory.conversation(conversation)
    for (const query of ["What's the revenue?", 'show me the top 5']) {
      const { messages } = await chat.context(query, { pageId: 'b' })
      expect(textOf(messages)).toContain('Globex 3,north,103')
      expect(textOf(messages).toLowerCase()).not.toContain('acme')
      await chat.record([
        { role: 'user', content: query },
        { role: 'assistant', content: 'Here it is.' },
      ])
    }
  }
})

test('over HTTP, the request to the model contains only the file of the page', async () => {
  const requests: string[] = []
  const memory = await openTemporary({
    languageModel: {
      name: 'scripted',
      complete: async () => 'unchanged',
      async *stream({ messages }) {
        requests.push(textOf(messages))
        yield 'Here it is.'
      },
    },
  })
  await openFiles(memory)
  const handler = createHandler(memory)
  const ask = async (conversation: string, message: string, pageId: string) => {
    const url = `http://localhost/api/conversations/${conversation}/chat`
    const response = await handler(
      new Request(url, { method: 'POST', body: JSON.stringify({ message, pageId }) }),
    )
    expect(await response.text()).toContain('Here it is.')
  }
  await ask('a', "What's the revenue?", 'a')
  await ask('b', "What's the revenue?", 'b')
  await ask('b', 'show me the top 5', 'b')
  expect(requests[0]).toContain('acme-2026.csv')
  for (const request of requests.slice(1)) {
    expect(request).toContain('open file: globex-2026.csv; columns: customer, region, revenue')
    expect(request).toContain('Globex 3,north,103')
    expect(request.toLowerCase()).not.toContain('acme')
  }
  expect((await memory.page('b').queries.list()).items.map(({ query }) => query)).toEqual([
    "What's the revenue?",
    'show me the top 5',
  ])
})

describe('a page is filled automatically', () => {
  test('a file that is uploaded to its conversation or attached to it becomes active', async () => {
    const memory = await openTemporary()
    await openFiles(memory)
    expect((await memory.page('a').load()).activeFile).toEqual({ id: 'acme', name: 'acme-2026.csv' })
    await memory.conversation('c').context('Hello', { pageId: 'a' })
    await memory.documents.attach('globex', { conversationId: 'c' })
    expect((await memory.page('a').load()).activeFile).toEqual({ id: 'globex', name: 'globex-2026.csv' })
    await memory.documents.add({ id: 'all', name: 'all.md', content: 'For all.' })
    expect((await memory.page('a').load()).activeFile?.id).toBe('globex')
  })

  test('a file that is uploaded to a page or attached on it becomes active there, and only there', async () => {
    const { memory, server, ask } = await serveTemporary()
    const activeOn = async (page: string) => (await memory.page(page).load()).activeFile?.id
    const form = new FormData()
    form.set('file', new File(['region,revenue\nNorth,800'], 'sales.csv'))
    form.set('conversationId', 'chat')
    form.set('pageId', 'sales')
    form.set('id', 'sales-file')
    await fetch(`${server.url}/api/documents`, { method: 'POST', body: form })
    expect(await activeOn('sales')).toBe('sales-file')
    expect(await activeOn('chat')).toBeUndefined()
    const body = { id: 'wide', name: 'wide.md', content: 'For every conversation.', pageId: 'sales' }
    expect((await ask('POST', '/api/documents', { body })).status).toBe(201)
    expect(await activeOn('sales')).toBe('wide')
    const attached = { conversationId: 'chat', pageId: 'stock' }
    expect((await ask('POST', '/api/documents/sales-file/attach', { body: attached })).status).toBe(200)
    expect([await activeOn('stock'), await activeOn('sales'), await activeOn('chat')]).toEqual([
      'sales-file',
      'wide',
      undefined,
    ])
    expect((await ask('POST', '/api/documents/sales-file/detach', { body: attached })).status).toBe(422)
  })

  test('topic, entities and preferences follow the conversation; what a user cleared stays cleared', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    await run(chat, 'We plan a bakery in Lisbon with Maria Oliveira. I prefer short answers.', 'p')
    const first = await memory.page('p').load()
    expect(first.currentTopic).toMatch(/bakery|Lisbon|Maria/i)
    expect(Object.keys(first.entities).join()).toMatch(/Lisbon|Maria/)
    expect(JSON.stringify(first.preferences)).toMatch(/short answers/)
    await memory.page('p').save({ currentTopic: null, entities: { Lisbon: null }, preferences: null })
    await run(chat, 'The bakery in Lisbon opens in May.', 'p')
    const second = await memory.page('p').load()
    expect(second.entities).not.toHaveProperty('Lisbon')
    expect(second.preferences).toEqual({})
  })

  test('a chat on a page records its query, with SQL and answer', async () => {
    const memory = await openTemporary({
      languageModel: answering(
        'Eight customers.\n\n```sql\nSELECT count(*) FROM customers\n```\n\n| region | customers |\n| --- | ---: |\n| North | 5 |\n| South | 3 |\n',
      ),
    })
    await run(memory.conversation('chat'), 'How many customers are there?', 'p')
    expect((await memory.page('p').queries.list()).items).toMatchObject([
      {
        query: 'How many customers are there?',
        sql: 'SELECT count(*) FROM customers',
        results: [
          { region: 'North', customers: '5' },
          { region: 'South', customers: '3' },
        ],
        response: expect.stringContaining('Eight customers.'),
      },
    ])
    await run(memory.conversation('chat'), 'And in the north?', 'p')
    expect((await memory.page('p').queries.list()).items).toHaveLength(2)
  })
})

test('a context on a page has the first, the last, the relevant and the flagged queries', async () => {
  const memory = await openTemporary()
  const page = memory.page('p')
  for (let i = 0; i < 30; i++)
    await page.queries.add({
      query: i === 15 ? 'Which otter lives in the pond?' : `Number ${i}?`,
      response: `Answer ${i}.`,
      important: i === 12,
    })
  const { messages, receipt } = await memory
    .conversation('chat')
    .context('Where is the otter?', { pageId: 'p' })
  const text = textOf(messages)
  for (const i of [0, 1, 12, 15, 25, 26, 27, 28, 29]) expect(text).toContain(`Answer ${i}.`)
  for (const i of [5, 13, 20]) expect(text).not.toContain(`Answer ${i}.`)
  expect(part(receipt, 'page')?.items?.filter(({ kind }) => kind === 'query')).toHaveLength(9)
})

function answering(text: string): LanguageModel {
  return {
    name: 'scripted',
    complete: async () => text,
    async *stream() {
      yield text
    },
  }
}
