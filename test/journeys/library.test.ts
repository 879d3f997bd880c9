import { copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  BudgetError,
  checkValidity,
  isMemoryError,
  type Memory,
  openMemory,
  toOpenAi,
} from '../../src/index.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (isMemoryError(error) ? error.code : error),
  )

describe('a person tries it out', () => {
  test('messages of an earlier process are in the context of the next one', async () => {
    const path = join(temporaryFolder(), 'memory.db')
    const first = await openMemory(path)
    await first
      .conversation('trip')
      .record({ role: 'user', content: 'I am vegetarian, and we are in Lisbon in May.' })
    await first.close()

    const second = await openMemory(path)
    const { messages, receipt } = await second
      .conversation('trip')
      .context('Where should we eat?', { budgetTokens: 800 })
    await second.close()
    expect(toOpenAi(messages)).toEqual([
      { role: 'user', content: 'I am vegetarian, and we are in Lisbon in May.\n\nWhere should we eat?' },
    ])
    expect(receipt.tokens).toBeLessThanOrEqual(800)
  })

  test('closing waits for running work, after which the single file is complete', async () => {
    const folder = temporaryFolder()
    const memory = await openMemory(join(folder, 'memory.db'))
    const recording = memory
      .conversation('trip')
      .record({ role: 'user', content: 'We are in Lisbon in May.' })
    await memory.close()
    expect((await recording).position).toBe(0)
    copyFileSync(join(folder, 'memory.db'), join(folder, 'copy.db'))
    const copy = await openMemory(join(folder, 'copy.db'))
    expect((await copy.messages.search('lisbon')).items).toHaveLength(1)
    await copy.close()
  })

  test('an in-memory store leaves nothing behind', async () => {
    const one = await openMemory(':memory:')
    await one.conversation('a').record({ role: 'user', content: 'secret' })
    expect((await one.messages.search('secret')).items).toHaveLength(1)
    await one.close()
    const other = await openMemory(':memory:')
    expect((await other.conversations.list()).items).toEqual([])
    await other.close()
  })
})

describe('a chat application', () => {
  const turn = async (memory: Memory, id: string, question: string) => {
    const chat = memory.conversation(id)
    await chat.record({ role: 'user', content: question })
    const context = await chat.context({ system: 'Be kind.', budgetTokens: 2000 })
    await chat.record({ role: 'assistant', content: `Answer to: ${question}` })
    return context
  }

  test('every turn shares its prefix with the previous one, and its receipt can be read later', async () => {
    const memory = await openTemporary()
    const contexts = []
    for (let i = 0; i < 5; i++) contexts.push(await turn(memory, 'chat', `Question ${i} about tea`))
    for (const [i, { messages, receipt }] of contexts.entries()) {
      expect(checkValidity(messages)).toEqual([])
      if (i > 0) expect(receipt.sharedPrefix.messages).toBe(contexts[i - 1]?.messages.length)
    }
    const receipts = (await memory.conversation('chat').receipts.list({ limit: 3 })).items
    expect(receipts).toEqual(
      contexts
        .map(({ receipt }) => receipt)
        .reverse()
        .slice(0, 3),
    )
    expect(receipts.map(({ messageCount }) => messageCount)).toEqual([9, 7, 5])
  })

  test('a retry writes nothing twice', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    const first = await chat.record(
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
      { key: 'request-1' },
    )
    const again = await chat.record(
      [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ],
      { key: 'request-1' },
    )
    expect(again).toEqual(first)
    const one = await chat.record({ id: 'm1', role: 'user', content: 'c' })
    expect(await chat.record({ id: 'm1', role: 'user', content: 'c' })).toEqual(one)
    expect(await codeOf(chat.record({ id: 'm1', role: 'user', content: 'other' }))).toBe('conflict')
    expect(await codeOf(chat.record([{ role: 'user', content: 'x' }], { key: 'request-1' }))).toBe('conflict')
    expect(await chat.messages.list().toArray()).toHaveLength(3)
  })

  test('a batch that is too large or empty is rejected completely', async () => {
    const memory = await openTemporary({ limits: { batchMessages: 3 } })
    const chat = memory.conversation('chat')
    const batch = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ role: 'user' as const, content: `${i}` }))
    const error = await chat.record(batch(4)).catch((reason) => reason)
    expect(error).toMatchObject({ code: 'too-large', hint: expect.stringContaining('limits.batchMessages') })
    expect(await codeOf(chat.record([]))).toBe('invalid-input')
    expect(await chat.get()).toBeUndefined()
    expect(await chat.record(batch(3))).toHaveLength(3)
  })

  test('conversations are listed by last use, found, renamed, tagged, pinned and archived', async () => {
    let now = Date.parse('2026-05-01T12:00:00Z') / 60_000
    const memory = await openTemporary({ clock: () => new Date(now++ * 60_000) })
    for (const id of ['one', 'two', 'three'])
      await memory.conversation(id).record({ role: 'user', content: `Tea in ${id}` })
    await memory.conversation('one').record({ role: 'user', content: 'Again' })
    const list = async (options?: object) =>
      (await memory.conversations.list(options)).items.map(({ id }) => id)
    expect(await list()).toEqual(['one', 'three', 'two'])

    const page = await memory.conversations.list({ limit: 2 })
    expect(await list({ limit: 2, cursor: page.next })).toEqual(['two'])

    await memory.conversation('two').update({ title: 'Café plans', tags: ['food'], isPinned: true })
    expect(await list({ tag: 'food' })).toEqual(['two'])
    expect(await list({ isPinned: true })).toEqual(['two'])
    expect((await memory.conversations.search('cafe')).items).toMatchObject([
      { conversation: { id: 'two' }, snippet: { text: 'Café plans food', highlights: [[0, 4]] } },
    ])

    await memory.conversation('three').update({ isArchived: true })
    expect(await list()).toEqual(['one', 'two'])
    expect(await list({ archived: 'only' })).toEqual(['three'])
    await memory.conversation('three').update({ isArchived: false })
    expect(await list()).toEqual(['one', 'three', 'two'])
  })

  test('a title that was set stays; cleared, it is generated again', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    await chat.getOrCreate({ title: 'My title' })
    await chat.record({ role: 'user', content: 'Plan a week in the Azores' })
    expect((await chat.get())?.title).toBe('My title')
    await chat.update({ title: null })
    await chat.record({ role: 'user', content: 'Hiking on Pico in June' })
    expect((await chat.get())?.title).toBe('Hiking on Pico in June')
  })

  test('a fork contains the conversation up to a message and continues independently', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    const [, second] = await chat.record(
      ['one', 'two', 'three'].map((content) => ({ role: 'user' as const, content })),
    )
    const fork = await chat.fork(second?.id ?? '', { id: 'fork' })
    expect(fork).toMatchObject({
      id: 'fork',
      messageCount: 2,
      forkedFrom: { conversationId: 'chat', position: 1 },
    })
    await memory.conversation('fork').record({ role: 'user', content: 'other' })
    const contents = async (id: string) =>
      (await memory.conversation(id).messages.list().toArray()).map(({ content }) => content)
    expect(await contents('fork')).toEqual(['one', 'two', 'other'])
    expect(await contents('chat')).toEqual(['one', 'two', 'three'])
    expect(await codeOf(chat.fork('nobody'))).toBe('not-found')
  })

  test('a fork gets its title from the messages that it contains', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    const greeting = await chat.record({ role: 'user', content: 'hi' })
    await chat.record({ role: 'user', content: 'My collection of Vexillology4711 flags' })
    expect((await chat.fork(greeting.id)).title).toBeUndefined()
  })

  test('long conversations are read as a stream, forwards and backwards', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    await chat.record(Array.from({ length: 1234 }, (_, i) => ({ role: 'user' as const, content: `${i}` })))
    const streamed: number[] = []
    for await (const { position } of chat.messages.list()) streamed.push(position)
    expect(streamed).toEqual(Array.from({ length: 1234 }, (_, i) => i))
    const last = (await chat.messages.list({ limit: 3, direction: 'backwards', before: 1000 })).items
    expect(last.map(({ position }) => position)).toEqual([997, 998, 999])
  })

  test('a conversation is summarized in the third person, only from what people said', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    const said = await chat.record([
      { role: 'system', content: 'The secret word is xyzzy.' },
      {
        role: 'user',
        name: 'Ana',
        content: 'I am vegetarian. I have booked a table at Tati for Friday at eight.',
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'plugh' },
          { type: 'text', text: 'Great, enjoy it!' },
        ],
      },
      { role: 'user', name: 'Ben', content: 'I will bring my sister Clara.' },
    ])
    const summary = await chat.summary({ maxTokens: 60 })
    expect(summary.text).toContain('Ana has booked a table at Tati')
    expect(summary.text).not.toMatch(/xyzzy|plugh/)
    expect(summary.tokens).toBeLessThanOrEqual(60)
    expect(said.map(({ id }) => id)).toEqual(expect.arrayContaining([...summary.messageIds]))
    await expect(chat.summary({ maxTokens: 0 })).rejects.toMatchObject({ code: 'invalid-input' })
    expect((await memory.conversation('empty').summary()).text).toBe('')
  })

  test('a budget that cannot hold the live turn says by how much', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    await chat.record({ role: 'user', content: 'word '.repeat(1000) })
    const error = await chat.context({ budgetTokens: 100 }).catch((reason) => reason)
    expect(error).toBeInstanceOf(BudgetError)
    expect(error.neededTokens).toBeGreaterThan(1000)
    expect(error.message).toContain(`${error.neededTokens - 100} too many`)
    expect((await chat.context({ budgetTokens: error.neededTokens })).receipt.tokens).toBe(error.neededTokens)
  })

  test.each([
    ['12k', 12_000],
    ['128k', 120_000],
    ['262k', 260_000],
    [5000, 5000],
  ] as const)('the window %s leaves %i tokens', async (window, usable) => {
    const memory = await openTemporary()
    expect((await memory.conversation('c').context('hi', { window })).receipt.budgetTokens).toBe(usable)
  })
})

describe('erasing', () => {
  const day = 86_400_000

  async function withOldConversations(): Promise<Memory> {
    const memory = await openTemporary()
    for (const [id, days] of [
      ['old', 40],
      ['pinned', 40],
      ['new', 1],
    ] as const) {
      await memory
        .conversation(id)
        .record({ role: 'user', content: id, createdAt: new Date(Date.now() - days * day) })
    }
    await memory.conversation('pinned').update({ isPinned: true })
    return memory
  }

  const pruned = async (memory: Memory, options?: object) =>
    (await memory.prune(options)).conversations.map(({ id }) => id)

  test('unused conversations are archived after 30 days, pinned ones never, and a dry run changes nothing', async () => {
    const memory = await withOldConversations()
    expect(await pruned(memory, { dryRun: true })).toEqual(['old'])
    expect((await memory.conversations.list()).items).toHaveLength(3)
    expect(await pruned(memory)).toEqual(['old'])
    expect((await memory.conversations.list({ archived: 'only' })).items.map(({ id }) => id)).toEqual(['old'])
    expect(await pruned(memory)).toEqual([])
  })

  test('unused conversations are erased on request', async () => {
    const memory = await withOldConversations()
    expect(await pruned(memory, { action: 'erase', unusedDays: 0.5 })).toEqual(['new', 'old'])
    expect((await memory.conversations.list({ archived: 'with' })).items.map(({ id }) => id)).toEqual([
      'pinned',
    ])
  })

  test('erasing a small conversation in a large file leaves no trace of it, and the rest is still found', async () => {
    const folder = temporaryFolder()
    const memory = await openMemory(join(folder, 'memory.db'))
    const many = Array.from({ length: 700 }, (_, i) => ({
      role: 'user' as const,
      content: `garden number ${i}`,
    }))
    await memory.conversation('large').record(many)
    await memory
      .conversation('small')
      .record(['xyzzyplugh one', 'Plughxyzzy two'].map((content) => ({ role: 'user' as const, content })))
    expect(await memory.conversation('small').erase()).toMatchObject({ messages: 2, isScrubbed: true })
    const bytes = readdirSync(folder).map((name) =>
      readFileSync(join(folder, name)).toString('latin1').toLowerCase(),
    )
    expect(bytes.join('')).not.toMatch(/xyzzy|plugh/)
    expect((await memory.messages.search('garden')).items).toHaveLength(20)
    expect((await memory.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
    await memory.close()
  })

  test('an erased message is blank, not found and not sent, and the title is generated again', async () => {
    const memory = await openTemporary()
    const chat = memory.conversation('chat')
    const secret = await chat.record({ role: 'user', content: 'My PIN is 4711 for the Visa card' })
    await chat.record([
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'Recipes for pumpkin soup' },
    ])
    expect((await memory.messages.erase(secret.id)).messages).toBe(1)
    expect((await chat.get())?.title).toBe('Recipes for pumpkin soup')
    expect((await memory.messages.search('4711')).items).toEqual([])
    expect(JSON.stringify(await chat.context())).not.toContain('4711')
    expect((await chat.messages.list().toArray())[0]).toMatchObject({
      position: 0,
      content: '',
      erasedAt: expect.any(Date),
    })
    expect((await memory.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
  })
})

test('with chat.persist off, nothing is written to disk', async () => {
  const folder = temporaryFolder()
  const memory = await openMemory(join(folder, 'memory.db'), { chat: { persist: 'off' } })
  await memory.conversation('trip').record({ role: 'user', content: 'I am vegetarian.' })
  expect((await memory.messages.search('vegetarian')).items).toHaveLength(1)
  await memory.close()
  expect(readdirSync(folder)).toEqual([])
  const postgres = openMemory('postgres://localhost/memory', { chat: { persist: 'off' } })
  expect(await codeOf(postgres)).toBe('invalid-input')
})

test('workspaces in one file see only themselves', async () => {
  const memory = await openTemporary()
  const other = memory.workspace('team')
  const mine = await memory.conversation('chat').record({ role: 'user', content: 'mine alone' })
  expect((await other.messages.search('mine')).items).toEqual([])
  expect((await other.conversations.list()).items).toEqual([])
  expect(await codeOf(other.messages.erase(mine.id))).toBe('not-found')
  await other.conversation('chat').record({ role: 'user', content: 'theirs' })
  expect(await memory.workspaces.list().toArray()).toEqual(['default', 'team'])
  await other.erase()
  expect((await memory.conversation('chat').messages.list().toArray())[0]?.content).toBe('mine alone')
})

test.each([
  ['', 'invalid-input'],
  ['mysql://localhost/db', 'invalid-input'],
  ['/proc/nowhere/memory.db', 'store-failed'],
])('opening "%s" fails with a hint', async (location, code) => {
  const error = await openMemory(location).catch((reason) => reason)
  expect(error.code).toBe(code)
  expect(error.hint).toBeTruthy()
})
