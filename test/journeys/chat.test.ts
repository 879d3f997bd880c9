import { describe, expect, test } from 'vitest'
import type {
  ChatEvent,
  CompletionRequest,
  ConversationMemory,
  LanguageModel,
  Message,
  WebSearch,
} from '../../src/index.ts'
import { readableText, recollectMetadataOf } from '../../src/index.ts'
import { scriptedModel } from '../../src/model/scripted/testing.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { scriptedServer } from '../support/scripted-models.ts'

/** However busy the machine is. */
const SOON = { timeout: 60_000 }

async function collect(events: AsyncIterable<ChatEvent>): Promise<readonly ChatEvent[]> {
  const all: ChatEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('')

const answerOf = (events: readonly ChatEvent[]) => {
  const last = events.at(-1)
  if (last?.type !== 'answered') throw new TypeError('the turn has no end')
  return last
}

const wordsOf = async (handle: ConversationMemory): Promise<readonly string[]> =>
  (await handle.messages.list().toArray()).map(
    ({ role, content }: Message) => `${role}: ${readableText(content)}`,
  )

describe('a turn with a model', () => {
  test('records the question, says what it remembers, streams the answer and records it', async () => {
    const model = scriptedModel(['Try the green market.'])
    const memory = await openTemporary({ languageModel: model })
    const trip = memory.conversation('trip')
    await trip.record({ role: 'user', content: 'I am vegetarian.' })
    const events = await collect(trip.chat({ message: 'Where should we eat?' }))
    expect([...new Set(events.map(({ type }) => type))]).toEqual([
      'recorded',
      'remembered',
      'text',
      'answered',
    ])
    expect(textOf(events)).toBe('Try the green market.')
    const { message, ending, model: name } = answerOf(events)
    expect({ ending, name }).toEqual({ ending: 'complete', name: 'scripted' })
    expect(await wordsOf(trip)).toEqual([
      'user: I am vegetarian.',
      'user: Where should we eat?',
      'assistant: Try the green market.',
    ])
    const receiptId = recollectMetadataOf(message as Message).receiptId
    expect(await trip.receipts.get(receiptId as string)).toMatchObject({ messageCount: 2 })
    expect(JSON.stringify(model.requests[0]?.messages)).toContain('vegetarian')
  })
})

describe('a turn without a model', () => {
  test('is answered with quotations, their speaker and date', async () => {
    const memory = await openTemporary({ clock: () => new Date('2026-05-03T10:00:00Z') })
    const trip = memory.conversation('trip')
    await trip.record({ role: 'user', content: 'My sister Ana is allergic to peanuts.' })
    const events = await collect(trip.chat({ message: 'What is Ana allergic to?' }))
    expect(events.map(({ type }) => type)).toEqual(['recorded', 'remembered', 'notice', 'text', 'answered'])
    expect(textOf(events)).toBe(
      'No language model is connected. This is what I remember about it:\n\n> My sister Ana is allergic to peanuts.\n> — you, 3 May 2026',
    )
    expect(recollectMetadataOf(answerOf(events).message as Message)).toMatchObject({ isFromMemory: true })
  })
})

describe('an incomplete answer', () => {
  test('is kept up to the point where the reader stopped it, and marked', async () => {
    const memory = await openTemporary({ languageModel: endless() })
    const trip = memory.conversation('trip')
    const stopping = new AbortController()
    const events: ChatEvent[] = []
    for await (const event of trip.chat({ message: 'Tell me everything.', signal: stopping.signal })) {
      events.push(event)
      if (events.filter(({ type }) => type === 'text').length === 3) stopping.abort()
    }
    const { ending, message } = answerOf(events)
    expect(ending).toBe('stopped')
    expect(message?.content).toBe(textOf(events))
    expect(recollectMetadataOf(message as Message)).toMatchObject({ ending: 'stopped', model: 'endless' })
  })

  test('is kept up to the point where the reader disconnected', async () => {
    const memory = await openTemporary({ languageModel: endless() })
    const trip = memory.conversation('trip')
    let pieces = 0
    for await (const { type } of trip.chat({ message: 'Tell me everything.' })) {
      if (type === 'text') pieces += 1
      if (pieces === 2) break
    }
    const [, answer] = await trip.messages.list().toArray()
    expect(answer?.content).toBe('word 1 word 2 ')
    expect(recollectMetadataOf(answer as Message).ending).toBe('stopped')
  })

  test('is not recorded if it is empty', async () => {
    let isAsked = false
    const never = () => {
      isAsked = true
      return new Promise<never>(() => undefined)
    }
    const memory = await openTemporary({ languageModel: scriptedModel([never]) })
    const trip = memory.conversation('trip')
    const stopping = new AbortController()
    const turn = collect(trip.chat({ message: 'Hello?', signal: stopping.signal }))
    await expect.poll(() => isAsked, SOON).toBe(true)
    stopping.abort()
    expect(answerOf(await turn)).toEqual({ type: 'answered', ending: 'stopped', model: 'scripted' })
    expect(await wordsOf(trip)).toEqual(['user: Hello?'])
  })

  test('is kept up to the point where the model failed, with the reason', async () => {
    const server = await scriptedServer()
    server.always({ text: ['One ', 'two ', 'three'], cutAfter: 2 })
    const memory = await openTemporary({
      models: { retries: 0, chat: { url: server.url, model: 'frail' } },
    })
    const trip = memory.conversation('trip')
    const events = await collect(trip.chat({ message: 'Count.' }))
    const { ending, message, error } = answerOf(events)
    expect({ ending, words: message?.content }).toEqual({ ending: 'failed', words: 'One two ' })
    expect(error).toMatchObject({ code: 'model-failed', message: expect.stringContaining('frail') })
    expect(recollectMetadataOf(message as Message).ending).toBe('failed')
  })
})

/** A model that never comes to an end by itself. */
function endless(): LanguageModel {
  return {
    name: 'endless',
    complete: async () => '{}',
    async *stream({ signal }) {
      for (let i = 1; ; i++) {
        await new Promise((wake) => setTimeout(wake, 5))
        signal?.throwIfAborted()
        yield `word ${i} `
      }
    },
  }
}

describe('a model that fails before its first token', () => {
  test('is replaced by a reply from memory, with a notice', async () => {
    const memory = await openTemporary({
      languageModel: scriptedModel([new Error('out of order')]),
      models: { retries: 0 },
      derive: { when: 'at-once' },
    })
    const trip = memory.conversation('trip')
    await trip.record({ role: 'user', content: 'The train to Porto leaves at nine.' })
    const events = await collect(trip.chat({ message: 'When does the train to Porto leave?' }))
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'notice',
        code: 'model-failed',
        text: expect.stringContaining('failed'),
      }),
    )
    expect(textOf(events)).toContain('> The train to Porto leaves at nine.')
    expect(textOf(events)).toContain('cannot be reached')
    expect(recollectMetadataOf(answerOf(events).message as Message)).toMatchObject({ isFromMemory: true })
  })

  test('is replaced by a reply from memory if its answer is empty', async () => {
    async function* nothing(): AsyncGenerator<string> {
      yield* []
    }
    const silent: LanguageModel = { name: 'silent', complete: async () => '{}', stream: nothing }
    const memory = await openTemporary({ languageModel: silent })
    const events = await collect(memory.conversation('trip').chat({ message: 'Hello there.' }))
    expect(textOf(events)).toBe('Saved. The language model cannot be reached, so I cannot reply.')
  })
})

describe('a reply from memory', () => {
  test('is not used for deriving, recall or contexts', async () => {
    const memory = await openTemporary()
    const home = memory.conversation('home')
    await home.record({ role: 'user', content: 'My sister Ana lives in Porto.' })
    for (let i = 0; i < 5; i++) await collect(home.chat({ message: 'Where does my sister Ana live?' }))
    const answers = (await home.messages.list().toArray()).filter(({ role }) => role === 'assistant')
    expect(answers).toHaveLength(5)
    const { items } = await memory.recall('Where does Ana live?', { limit: 20 })
    expect(items.flatMap(({ messageIds }) => messageIds)).not.toEqual(
      expect.arrayContaining([answers[0]?.id]),
    )
    for (const { id } of answers) expect(items.some(({ messageIds }) => messageIds.includes(id))).toBe(false)
    const facts = await memory.facts.list().toArray()
    for (const { sources } of facts)
      expect(sources.some((id) => answers.some((one) => one.id === id))).toBe(false)
    const { messages, receipt } = await home.context('Where does Ana live?')
    expect(JSON.stringify(messages)).not.toContain('No language model')
    expect(receipt.omitted).toContainEqual(
      expect.objectContaining({ reason: 'generated from memory; nobody said it' }),
    )
  })

  test('is marked as such even if the reader disconnects midway', async () => {
    const memory = await openTemporary()
    const home = memory.conversation('home')
    await home.record({ role: 'user', content: 'My sister Ana lives in Porto.' })
    for await (const { type } of home.chat({ message: 'Where does my sister Ana live?' }))
      if (type === 'text') break
    const kept = (await home.messages.list().toArray()).at(-1) as Message
    expect(recollectMetadataOf(kept)).toMatchObject({ isFromMemory: true, ending: 'stopped' })
  })

  test('confirms statements, and says when nothing was found', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    const said = await collect(chat.chat({ message: 'We moved the meeting to Friday.' }))
    expect(textOf(said)).toBe('Saved. No language model is connected, so I cannot reply.')
    const asked = await collect(chat.chat({ message: 'What is the capital of Peru?' }))
    expect(textOf(asked)).toBe('No language model is connected, and I found nothing about this in memory.')
  })

  test('names the source conversation, and uses no memory if it is off', async () => {
    const memory = await openTemporary({ clock: () => new Date('2026-05-03T10:00:00Z') })
    const plans = memory.conversation('plans')
    await plans.getOrCreate({ title: 'Summer plans' })
    await plans.record({ role: 'user', name: 'Ana', content: 'The ferry to Faial costs twelve euros.' })
    const other = memory.conversation('other')
    const events = await collect(other.chat({ message: 'What does the ferry to Faial cost?' }))
    expect(textOf(events)).toContain('> — Ana, in “Summer plans”, 3 May 2026')
    await other.update({ isMemoryOn: false })
    const off = await collect(other.chat({ message: 'What does the ferry to Faial cost?' }))
    expect(textOf(off)).toContain('I found nothing')
  })
})

describe('a regenerated answer', () => {
  test('replaces the earlier one in contexts and recall', async () => {
    const model = scriptedModel(['The Grand Hotel Zebra.', 'The small Hotel Walrus.', 'Yes.'])
    const memory = await openTemporary({ languageModel: model, derive: { when: 'never' } })
    const trip = memory.conversation('trip')
    const first = answerOf(await collect(trip.chat({ message: 'Which hotel is good?' })))
    const events = await collect(trip.chat({ regenerate: true }))
    const second = answerOf(events)
    expect(second.replaces).toBe(first.message?.id)
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('Zebra')
    expect(await wordsOf(trip)).toEqual([
      'user: Which hotel is good?',
      'assistant: The Grand Hotel Zebra.',
      'assistant: The small Hotel Walrus.',
    ])
    const { messages, receipt } = await trip.context('Is it quiet?')
    expect(JSON.stringify(messages)).toContain('Walrus')
    expect(JSON.stringify(messages)).not.toContain('Zebra')
    expect(receipt.omitted).toContainEqual(
      expect.objectContaining({ reason: 'it was replaced by another message', runs: [[1, 1]] }),
    )
    const { items } = await memory.recall('Which hotel?', { limit: 20 })
    expect(items.map(({ text }) => text).join()).not.toContain('Zebra')
    const { text } = await trip.summary()
    expect(text).not.toContain('Zebra')
  })

  test('can be requested repeatedly, by the id of any earlier answer', async () => {
    const answers = ['One.', 'Two.', 'Three.', 'Four.']
    const memory = await openTemporary({ languageModel: scriptedModel(answers), derive: { when: 'never' } })
    const trip = memory.conversation('trip')
    const ids: string[] = []
    const { message } = answerOf(await collect(trip.chat({ message: { id: 'q', content: 'Count.' } })))
    ids.push(message?.id ?? '')
    for (let i = 0; i < 3; i++) {
      const next = answerOf(await collect(trip.chat({ regenerate: i === 1 || (ids[0] as string) })))
      expect(next.replaces).toBe(ids[0])
      ids.push(next.message?.id ?? '')
    }
    const { messages } = await trip.context()
    expect(messages.map(({ content }) => content)).toEqual(['Count.', 'Four.'])
    // The same message again is another way to ask for another answer.
    await collect(trip.chat({ message: { id: 'q', content: 'Count.' } }))
    expect((await trip.messages.list().toArray()).filter(({ role }) => role === 'user')).toHaveLength(1)
  })

  test('to an earlier question replaces everything after it', async () => {
    const answers = ['Rome.', 'In May.', 'Paris.']
    const memory = await openTemporary({ languageModel: scriptedModel(answers), derive: { when: 'never' } })
    const trip = memory.conversation('trip')
    const { message } = answerOf(await collect(trip.chat({ message: 'Where to?' })))
    await collect(trip.chat({ message: 'When?' }))
    await collect(trip.chat({ regenerate: message?.id as string }))
    const { messages } = await trip.context()
    expect(messages.map(({ content }) => content)).toEqual(['Where to?', 'Paris.'])
    expect(await trip.messages.list().toArray()).toHaveLength(5)
  })

  test('fails with a hint if there is no question or it is too far back', async () => {
    const memory = await openTemporary()
    const trip = memory.conversation('trip')
    await expect(collect(trip.chat({ regenerate: true }))).rejects.toMatchObject({ code: 'not-found' })
    await trip.record(
      Array.from({ length: 60 }, (_, i) => ({
        id: `m${i}`,
        role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Number ${i}.`,
      })),
    )
    await expect(collect(trip.chat({ regenerate: 'm1' }))).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining('fork'),
    })
  })
})

describe('an edited question', () => {
  test('replaces the earlier one and everything after it, repeatedly', async () => {
    const model = scriptedModel((['A', 'B', 'C', 'D'] as const).map((letter) => `Answer ${letter}.`))
    const memory = await openTemporary({ languageModel: model, derive: { when: 'never' } })
    const trip = memory.conversation('trip')
    await collect(trip.chat({ message: { id: 'q1', content: 'Where to?' } }))
    await collect(trip.chat({ message: { id: 'q2', content: 'When?' } }))
    await collect(trip.chat({ message: 'Where to in spring?', edits: 'q1' }))
    await collect(trip.chat({ message: 'Where to in autumn?', edits: 'q1' }))
    const { messages, receipt } = await trip.context()
    expect(messages.map(({ content }) => content)).toEqual(['Where to in autumn?', 'Answer D.'])
    expect(receipt.messageCount).toBe(8)
    expect(receipt.omitted.filter(({ runs }) => runs.length > 0)).toEqual([
      expect.objectContaining({ reason: 'it was replaced by another message', runs: [[0, 5]] }),
    ])
    // The same words again only ask for another answer.
    await collect(trip.chat({ message: 'Where to in autumn?', edits: 'q1' }))
    expect((await trip.messages.list().toArray()).filter(({ role }) => role === 'user')).toHaveLength(4)
  })

  test('must replace a user message', async () => {
    const memory = await openTemporary()
    const trip = memory.conversation('trip')
    await trip.record([
      { id: 'q', role: 'user', content: 'Where to?' },
      { id: 'a', role: 'assistant', content: 'Rome.' },
    ])
    await expect(collect(trip.chat({ message: 'Paris?', edits: 'a' }))).rejects.toMatchObject({
      code: 'invalid-input',
    })
  })
})

test('an invalid request is rejected before anything is recorded', async () => {
  const memory = await openTemporary()
  const trip = memory.conversation('trip')
  for (const request of [{}, { message: ' ' }, { message: 'a', regenerate: true as const }, { edits: 'x' }])
    await expect(collect(trip.chat(request))).rejects.toMatchObject({ code: 'invalid-input' })
  expect(await trip.get()).toBeUndefined()
})

test('a budget that is too small is an error, and the question is recorded', async () => {
  const memory = await openTemporary()
  const trip = memory.conversation('trip')
  await expect(collect(trip.chat({ message: 'Hello there.', budgetTokens: 3 }))).rejects.toMatchObject({
    code: 'budget-too-small',
  })
  expect(await wordsOf(trip)).toEqual(['user: Hello there.'])
})

test('questions about recent events search the web before calling the model; a failed search gives a notice', async () => {
  const model = scriptedModel(['Sunny.'])
  const found = { title: 'Weather', url: 'https://weather.example/lisbon', excerpt: 'Sunny, 24 degrees.' }
  const searches: string[] = []
  const memory = await openTemporary({
    languageModel: model,
    webSearch: {
      name: 'web',
      search: async (question) => {
        searches.push(question)
        if (searches.length > 1) throw new Error('no network')
        return [found]
      },
    },
    models: { retries: 0 },
    derive: { when: 'never' },
  })
  const trip = memory.conversation('trip')
  const message = 'What is the weather in Lisbon today?'
  const events = await collect(trip.chat({ message }))
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'searched', notes: [expect.objectContaining({ text: found.excerpt })] }),
  )
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('24 degrees')
  const failed = await collect(trip.chat({ message }))
  expect(failed).toContainEqual(expect.objectContaining({ type: 'notice', code: 'search-failed' }))
  expect(answerOf(failed).ending).toBe('complete')
  await collect(trip.chat({ message: 'What did I say about Rome?' }))
  await collect(trip.chat({ message, webSearch: false }))
  expect(searches).toHaveLength(2)
})

const collectSearches = (searches: string[]): WebSearch => ({
  name: 'web',
  async search(question) {
    searches.push(question)
    return []
  },
})

test('a follow-up is rewritten once, before the web, documents and memory are searched', async () => {
  const isRewriting = ({ messages }: CompletionRequest) =>
    JSON.stringify(messages).includes('Rewrite the last')
  const model = scriptedModel([
    (request) =>
      isRewriting(request) ? '{"question":"What is the weather in Porto tomorrow?"}' : 'It will be fine.',
  ])
  const searches: string[] = []
  const memory = await openTemporary({
    languageModel: model,
    webSearch: collectSearches(searches),
    derive: { when: 'never' },
  })
  const trip = memory.conversation('trip')
  await collect(trip.chat({ message: 'We are going to Porto.' }))
  const events = await collect(trip.chat({ message: 'Will it rain there?' }))
  expect(searches).toEqual(['What is the weather in Porto tomorrow?'])
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'remembered',
      question: expect.objectContaining({ standalone: 'What is the weather in Porto tomorrow?' }),
    }),
  )
  expect(model.requests.filter(isRewriting)).toHaveLength(1)
})

test('without a model, the web is searched for a follow-up with the words that it leaves out', async () => {
  const searches: string[] = []
  const memory = await openTemporary({
    webSearch: collectSearches(searches),
  })
  const trip = memory.conversation('trip')
  await collect(trip.chat({ message: 'What is the weather in Porto today?' }))
  await collect(trip.chat({ message: 'And tomorrow?' }))
  expect(searches[1]).toMatch(/And tomorrow\?.*Porto/)
})

test('of three web results, the best two are in the prompt', async () => {
  const model = scriptedModel(['Fine.'])
  const results = ['Gale warning for the coast.', 'Showers inland.', 'An almanac from 1931.'].map(
    (excerpt, i) => ({ title: `Result ${i}`, url: `https://weather.example/${i}`, excerpt }),
  )
  const memory = await openTemporary({
    languageModel: model,
    webSearch: { name: 'web', search: async () => results },
  })
  const events = await collect(
    memory.conversation('trip').chat({ message: 'What is the weather in Porto today?' }),
  )
  const sent = JSON.stringify(model.requests[0]?.messages)
  expect(sent).toContain('Gale warning')
  expect(sent).toContain('Showers inland')
  expect(sent).not.toContain('almanac')
  const searched = events.find(({ type }) => type === 'searched')
  expect(searched).toMatchObject({ notes: results.map(({ excerpt }) => ({ text: excerpt })) })
})
