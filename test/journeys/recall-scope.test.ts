import { describe, expect, test } from 'vitest'
import type { Memory, NewMessage, RecallAnswer, RecallOptions } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { openTemporary } from '../support/open-temporary.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const clock = () => NOW
const at = (day: string, minute = 0): Date =>
  new Date(new Date(`${day}T10:00:00Z`).getTime() + minute * 60_000)

const user = (id: string, content: string, createdAt: Date = at('2026-06-01')): NewMessage => ({
  id,
  role: 'user',
  content,
  createdAt,
})

const idsOf = ({ items }: RecallAnswer) => items.map(({ id }) => id)
const messagesOf = async (memory: Memory, question: string, request: RecallOptions = {}) =>
  idsOf(await memory.recall(question, { kinds: ['message'], limit: 50, ...request }))

describe('recall searches', () => {
  async function openThree(): Promise<Memory> {
    const memory = await openTemporary({ clock })
    await memory.conversation('one').record(user('m1', 'The violin is red.'))
    await memory.conversation('two').record(user('m2', 'The violin is old.'))
    await memory.conversation('three').record(user('m3', 'The violin is at the luthier.'))
    return memory
  }

  test('all conversations, and those with memory off only if they are named', async () => {
    const memory = await openThree()
    expect((await messagesOf(memory, 'violin')).sort()).toEqual(['m1', 'm2', 'm3'])
    await memory.conversation('two').update({ isMemoryOn: false })
    expect((await messagesOf(memory, 'violin')).sort()).toEqual(['m1', 'm3'])
    expect(await messagesOf(memory, 'violin', { conversationId: 'two' })).toEqual(['m2'])
  })

  test('no notes or queries of a conversation with memory off', async () => {
    const memory = await openThree()
    await memory.notes.add({ text: 'A violin has four strings.', conversationId: 'two' })
    await memory.page('two').queries.add({ query: 'How many violins were sold?' })
    await memory.conversation('two').update({ isMemoryOn: false })
    for (const request of [{}, { currentConversationId: 'one' }])
      expect(
        JSON.stringify(await memory.recall('violin strings sold', { limit: 50, ...request })),
      ).not.toMatch(/four strings|violins were/)
    expect(
      (await memory.recall('violin strings', { conversationId: 'two' })).items.map(({ kind }) => kind),
    ).toContain('note')
  })

  test('one conversation, or several', async () => {
    const memory = await openThree()
    expect(await messagesOf(memory, 'violin', { conversationId: 'one' })).toEqual(['m1'])
    const both = await messagesOf(memory, 'violin', { conversationIds: ['one', 'three'] })
    expect(both.sort()).toEqual(['m1', 'm3'])
    const added = await messagesOf(memory, 'violin', { conversationId: 'two', conversationIds: ['one'] })
    expect(added.sort()).toEqual(['m1', 'm2'])
    expect(await messagesOf(memory, 'violin', { conversationIds: [] })).toEqual([])
    expect(await messagesOf(memory, 'violin', { conversationId: 'nowhere' })).toEqual([])
  })

  test('everything, and ranks the current conversation first', async () => {
    const memory = await openThree()
    for (const [conversation, id] of [
      ['one', 'm1'],
      ['two', 'm2'],
    ] as const)
      expect((await messagesOf(memory, 'the violin', { currentConversationId: conversation }))[0]).toBe(id)
  })
})

describe('recall in topics', () => {
  const HOTEL = [
    'I need a hotel in Lisbon for two nights in May, close to the river.',
    'The Tejo Palace has a double room with a view of the river for 120 euros a night.',
    'Does the hotel have breakfast? I am vegetarian.',
    'Yes, breakfast is included, with vegetarian dishes for 12 euros.',
  ]
  const TAXES = [
    'Can you explain how the tax return for freelancers works in Portugal?',
    'Freelancers file the tax return between April and June and pay 214 euros of social security.',
    'Which expenses can a freelancer deduct from the tax?',
    'Software, travel and a share of the rent can be deducted, up to 4000 euros.',
  ]
  async function openTopics(): Promise<Memory> {
    const memory = await openTemporary({ clock })
    const chat = memory.conversation('chat')
    for (const [i, text] of [...HOTEL, ...TAXES].entries())
      await chat.record({
        id: `m${i}`,
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: text,
        createdAt: at('2026-06-01', i),
      })
    return memory
  }

  test('finds messages of these topics and no others', async () => {
    const memory = await openTopics()
    const topics = await memory.conversation('chat').topics.list().toArray()
    const ids = topics.map(({ id }) => id).sort()
    expect(ids).toEqual(['m0', 'm4'])
    const found = await messagesOf(memory, 'How many euros?', { topicIds: ['m4'] })
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((id) => Number(id.slice(1)) < 4)).toEqual([])
    expect((await messagesOf(memory, 'How many euros?', { topicIds: ids })).sort()).toEqual(
      expect.arrayContaining(['m1', 'm5']),
    )
    expect(await messagesOf(memory, 'euros', { topicIds: ['m1'] })).toEqual([])
    expect(await messagesOf(memory, 'euros', { topicIds: [] })).toEqual([])
    expect(await messagesOf(memory, 'euros', { topicIds: ['nowhere'] })).toEqual([])
  })

  test('returns nothing from outside of them', async () => {
    const memory = await openTopics()
    await memory.notes.add({ text: 'Breakfast costs 12 euros.', conversationId: 'chat', messageIds: ['m3'] })
    await memory.notes.add({ text: 'A coffee costs 1 euro.' })
    await memory.page('chat').queries.add({ query: 'How many euros did we pay?' })
    const ask = async (topicIds: readonly string[]) =>
      (await memory.recall('euros vegetarian', { topicIds, limit: 50 })).items
    expect((await ask(['m4'])).filter(({ kind }) => kind !== 'message')).toEqual([])
    const kinds = new Set((await ask(['m0'])).map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(['fact', 'message', 'note'].filter((kind) => kinds.has(kind as never)))
    expect(kinds.has('note')).toBe(true)
  })

  test('names the topic of each message', async () => {
    const memory = await openTopics()
    const { items } = await memory.recall('tax return of freelancers', { kinds: ['message'] })
    expect(items.length).toBeGreaterThan(0)
    for (const { id, topicId } of items)
      expect([id, topicId]).toEqual([id, Number(id.slice(1)) < 4 ? 'm0' : 'm4'])
  })

  test('finds compressed and archived topics like any other', async () => {
    const tuning = { maxActive: 1, archiveBelow: 0.05, compressAbove: 4, keepLive: 2 }
    const memory = await openTemporary(withTuning({ clock }, { topics: tuning }))
    const chat = memory.conversation('chat')
    const said = [...HOTEL, ...HOTEL.map((text) => `${text} Again.`)].map(
      (content, i): NewMessage => ({
        id: `m${i}`,
        role: i % 2 === 0 ? 'user' : 'assistant',
        content,
        createdAt: at('2026-01-01', i),
      }),
    )
    await chat.record(said)
    await chat.record(TAXES.map((content, i) => user(`t${i}`, content, at('2026-06-14', i))))
    await memory.whenDerived()
    const topics = await chat.topics.list().toArray()
    expect(topics.find(({ id }) => id === 'm0')?.state).toBe('archived')
    expect((await memory.statistics()).compressedMessages).toBeGreaterThan(0)
    const { items } = await memory.recall('Which hotel has a view of the river?', { kinds: ['message'] })
    expect(items.map(({ text }) => text).join('\n')).toContain('The Tejo Palace')
  })
})

describe('recall in a time range', () => {
  const MONTHS = ['2026-02-10', '2026-03-10', '2026-04-10', '2026-05-10']

  async function openMonths(): Promise<Memory> {
    const memory = await openTemporary({ clock })
    const said = MONTHS.map((month, i) =>
      user(`m${i}`, `The violin lesson number ${i} went well.`, at(month)),
    )
    await memory.conversation('chat').record(said)
    return memory
  }

  test('finds messages at or after `from` and before `to`', async () => {
    const memory = await openMonths()
    const find = async (request: RecallOptions) => (await messagesOf(memory, 'violin lesson', request)).sort()
    expect(await find({ from: '2026-03-01' })).toEqual(['m1', 'm2', 'm3'])
    expect(await find({ to: '2026-03-01' })).toEqual(['m0'])
    expect(await find({ from: at(MONTHS[1] as string), to: at(MONTHS[2] as string) })).toEqual(['m1'])
    expect(await find({ from: '2027-01-01' })).toEqual([])
  })

  test('finds a word that is very common outside of it', async () => {
    const memory = await openTemporary({ clock })
    const chat = memory.conversation('chat')
    const say = (i: number, day: string) =>
      user(`${day}-${i}`, `The violin lesson number ${i} went well.`, at(day, i))
    await chat.record(Array.from({ length: 30 }, (_, i) => say(i, '2026-01-05')))
    await chat.record(Array.from({ length: 900 }, (_, i) => say(i, '2026-03-05')))
    const early = await messagesOf(memory, 'violin lesson', { to: '2026-02-01', limit: 50 })
    expect(early).toHaveLength(30)
    expect(early.filter((id) => !id.startsWith('2026-01-05'))).toEqual([])
    const asOf = await messagesOf(memory, 'violin lesson', { asOf: '2026-02-01', limit: 50 })
    expect(asOf).toHaveLength(30)
  })

  test('returns no notes, queries or facts from outside of it', async () => {
    const memory = await openMonths()
    await memory.notes.add({ text: 'A violin lesson takes an hour.', createdAt: at('2026-06-01') })
    await memory.page('chat').queries.add({ query: 'How many violin lessons?' })
    await memory.facts.add({ attribute: 'hobby', value: 'violin lessons' })
    const { items } = await memory.recall('violin lesson', { to: '2026-06-01', limit: 50 })
    expect(new Set(items.map(({ kind }) => kind))).toEqual(new Set(['message']))
  })

  test('as of a date: returns nothing later, of any kind', async () => {
    const memory = await openMonths()
    await memory.notes.add({ text: 'A violin lesson takes an hour.', createdAt: at('2026-06-01') })
    await memory.page('chat').queries.add({ query: 'How many violin lessons?' })
    await memory.facts.add({ attribute: 'hobby', value: 'violin lessons', validFrom: '2020-01-01' })
    const { items } = await memory.recall('violin lesson', { asOf: '2026-04-01', limit: 50 })
    expect(items.map(({ id }) => id).sort()).toEqual(['m0', 'm1'])
  })

  test('as of a date: returns facts that were valid and known then', async () => {
    const memory = await openTemporary({ clock })
    await memory
      .conversation('chat')
      .record([
        user('m0', 'I live in Porto.', at('2026-01-10')),
        user('m1', 'I live in Lisbon now.', at('2026-03-10')),
        user('m2', 'I live in Lisbon.', at('2026-05-10')),
      ])
    const homes = async (asOf?: string) => {
      const request = asOf === undefined ? {} : { asOf }
      const { items } = await memory.recall('Where do I live, Porto or Lisbon?', {
        kinds: ['fact'],
        ...request,
      })
      return items.map(({ text }) => text)
    }
    expect(await homes()).toEqual([expect.stringContaining('Lisbon')])
    expect(await homes('2026-02-01')).toEqual([expect.stringContaining('Porto')])
    expect(await homes('2026-04-01')).toEqual([expect.stringContaining('Lisbon')])
    expect(await homes('2025-12-01')).toEqual([])
  })

  test('as of a date: "last May" is relative to that date', async () => {
    const memory = await openTemporary({ clock })
    await memory
      .conversation('chat')
      .record([
        user('m0', 'Ana came for a visit.', at('2024-05-12')),
        user('m1', 'Joao came for a visit.', at('2025-05-12')),
      ])
    expect((await messagesOf(memory, 'Who came last May?', { asOf: '2025-03-01' }))[0]).toBe('m0')
    expect((await messagesOf(memory, 'Who came in May 2025?'))[0]).toBe('m1')
  })
})

describe('recall returns', () => {
  async function openKinds(): Promise<Memory> {
    const memory = await openTemporary({ clock })
    const chat = memory.conversation('shop')
    const texts = [
      'We sell violins and cellos in our shop in Porto.',
      'The violin repairs are done by Marguerite on Mondays.',
      'Last month we sold 14 violins and 3 cellos.',
      'A cello takes about six months to be built.',
    ]
    const said = Array.from({ length: 16 }, (_, i) =>
      user(`m${i}`, `${texts[i % 4]} Part ${i}.`, at('2026-06-01', i)),
    )
    await chat.record(said)
    await memory.facts.add({ attribute: 'instrument', value: 'violin' })
    await memory.notes.add({
      text: 'Violin strings are made of gut or steel.',
      source: { title: 'Strings', url: 'https://example.org/strings' },
    })
    await memory.page('shop').queries.add({
      query: 'How many violins did we sell?',
      sql: 'select count(*) from sale',
      response: '14 violins.',
    })
    await memory.whenDerived()
    return memory
  }

  test('messages, facts, notes, summaries and queries, each with its source', async () => {
    const memory = await openKinds()
    const { items } = await memory.recall('violin strings sell instrument', { limit: 100 })
    const kinds = new Set(items.map(({ kind }) => kind))
    expect([...kinds].sort()).toEqual(['fact', 'message', 'note', 'query', 'summary'])
    const one = (kind: string) => items.find((item) => item.kind === kind)
    expect(one('fact')).toMatchObject({
      text: expect.stringContaining('instrument is violin'),
      source: 'user',
    })
    expect(one('note')).toMatchObject({ text: 'Violin strings are made of gut or steel.', source: 'Strings' })
    expect(one('query')?.text).toBe('How many violins did we sell?\nselect count(*) from sale\n14 violins.')
    expect(one('summary')).toMatchObject({ id: 'shop', conversationId: 'shop' })
    expect(one('summary')?.messageIds.length).toBeGreaterThan(0)
  })

  test('only the requested kinds', async () => {
    const memory = await openKinds()
    for (const kind of ['message', 'fact', 'note', 'query', 'summary'] as const) {
      const { items } = await memory.recall('violin strings sell instrument', { kinds: [kind], limit: 100 })
      expect(items.length).toBeGreaterThan(0)
      expect(new Set(items.map((item) => item.kind))).toEqual(new Set([kind]))
    }
    expect((await memory.recall('violin', { kinds: [] })).items).toEqual([])
  })

  test('queries of the current page, even without messages', async () => {
    const memory = await openTemporary({ clock })
    await memory.conversation('elsewhere').record(user('m0', 'The weather is fine.'))
    await memory.page('page').queries.add({ query: 'How many violins did we sell?', response: '14' })
    const { items } = await memory.recall('violins that we sell', { currentConversationId: 'page' })
    expect(items).toMatchObject([{ kind: 'query', conversationId: 'page' }])
  })

  test('facts added by a user, even without a message', async () => {
    const memory = await openTemporary({ clock })
    await memory.facts.add({ attribute: 'allergy', value: 'peanuts' })
    const { items } = await memory.recall('Do I have an allergy?')
    expect(items).toMatchObject([{ kind: 'fact', text: expect.stringContaining('peanuts') }])
  })
})
