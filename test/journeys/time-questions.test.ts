// Questions about a time: "last week" counts from `now`.

import { describe, expect, test } from 'vitest'
import { serveTemporary } from '../support/http-server.ts'
import { openTemporary } from '../support/open-temporary.ts'

const NOW = '2026-09-16T10:00:00.000Z' // a Wednesday
const SAID = [
  ['2026-08-12', 'The sauna in the cellar needs new benches.'],
  ['2026-09-02', 'Our ferret Pepe chewed through the router cable.'],
  ['2026-09-09', 'The choir rehearses the Fauré requiem on Thursdays.'],
  ['2026-09-15', 'The beekeeper brought eleven jars of heather honey.'],
] as const
const MESSAGES = SAID.map(([day, content]) => ({
  role: 'user' as const,
  content,
  createdAt: `${day}T09:00:00.000Z`,
}))
const CASES = [
  ['What did we talk about last week?', 'requiem'],
  ['What did we talk about in August?', 'sauna'],
  ['What did I tell you yesterday?', 'honey'],
  ['Worüber haben wir letzte Woche gesprochen?', 'requiem'],
  ['¿De qué hablamos ayer?', 'honey'],
] as const

describe('a question about a time looks at that time', () => {
  test.each(CASES)('in recall and context: %s', async (query, word) => {
    const memory = await openTemporary()
    await memory.conversation('diary').record(MESSAGES)
    const { items } = await memory.recall(query, { now: NOW, kinds: ['message'] })
    expect(items[0]?.text).toContain(word)
    const { messages } = await memory
      .conversation('new')
      .context(query, { now: NOW, budgetTokens: 600, memoryTokens: 150 })
    expect(JSON.stringify(messages)).toContain(word)
  })

  test.each(CASES)('over HTTP, in recall and chat without a model: %s', async (query, word) => {
    const { server, memory } = await serveTemporary()
    await memory.conversation('diary').record(MESSAGES)
    const post = async (path: string, body: object) =>
      (
        await fetch(server.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, now: NOW }),
        })
      ).text()
    const { items } = JSON.parse(await post('/api/recall', { query, kinds: ['message'] }))
    expect(items[0].text).toContain(word)
    expect(await post('/api/conversations/new/chat', { message: query })).toContain(word)
  })
})
