import { describe, expect, test } from 'vitest'
import { openWithStore } from '../../test/support/open-with-store.ts'
import { isMemoryError } from '../domain/errors.ts'

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => (isMemoryError(error) ? error.code : String(error)),
  )

describe('preferences', () => {
  test('include what the user said and what the application set', async () => {
    const { memory, say } = await openWithStore()
    await say('chat', '2026-01-10', 'Always answer in German. I live in Porto.')
    await memory.preferences.update('theme', { dark: true })
    await memory.preferences.update('theme', { dark: false })
    await memory.preferences.update('__proto__', 1)
    const { facts, values } = await memory.preferences.get()
    expect(facts.map(({ value }) => value)).toEqual(['Always answer in German'])
    expect(Object.entries(values)).toEqual([
      ['theme', { dark: false }],
      ['__proto__', 1],
    ])
    expect((await memory.preferences.get({ subject: 'Ana' })).facts).toEqual([])
  })

  test('can be cleared', async () => {
    const { memory } = await openWithStore()
    await memory.preferences.update('theme', 'dark')
    expect(await memory.preferences.delete('theme')).toBe(true)
    expect(await memory.preferences.delete('theme')).toBe(false)
    expect((await memory.preferences.get()).values).toEqual({})
  })

  test.each<[string, string, unknown, string]>([
    ['no value', 'k', undefined, 'invalid-input'],
    ['an empty key', ' ', 1, 'invalid-input'],
    ['a value that JSON cannot hold', 'k', new Date(), 'invalid-input'],
    ['a large value', 'k', 'é'.repeat(2100), 'too-large'],
  ])('with %s are rejected', async (_, key, value, code) => {
    const { memory } = await openWithStore()
    expect(await codeOf(memory.preferences.update(key, value as never))).toBe(code)
  })
})

describe('notes', () => {
  const weather = {
    text: 'Rain in Porto until Friday.',
    source: { tool: 'search', url: 'https://example.org/w' },
  }

  test('are stored with source and time, newest first, until they expire', async () => {
    const { memory, setNow, store } = await openWithStore({ notes: { expireDays: 7 } })
    const note = await memory.notes.add(weather)
    expect(note).toMatchObject({ ...weather, expiresAt: new Date('2026-06-08T12:00:00Z'), messageIds: [] })
    await memory.notes.add({ text: 'It stays.', expiresAt: null, createdAt: '2026-05-01' })
    expect((await memory.notes.list().toArray()).map(({ text }) => text)).toEqual([weather.text, 'It stays.'])
    setNow('2026-06-09T12:00:00Z')
    expect((await memory.notes.list().toArray()).map(({ text }) => text)).toEqual(['It stays.'])
    await memory.notes.add({ text: 'Another.' })
    expect(await store.edits({ workspace: memory.workspaceId, kinds: ['note'] })).toHaveLength(2)
  })

  test('with the same text are merged, and the expiry is extended', async () => {
    const { memory, setNow } = await openWithStore({ notes: { expireDays: 7 } })
    const first = await memory.notes.add(weather)
    setNow('2026-06-05T12:00:00Z')
    const again = await memory.notes.add(weather)
    expect(again.id).toBe(first.id)
    expect(await memory.notes.list().toArray()).toMatchObject([
      { expiresAt: new Date('2026-06-12T12:00:00Z') },
    ])
  })

  test('belong to a conversation or to the workspace, and are erased with their messages', async () => {
    const { memory, say } = await openWithStore()
    const id = await say('chat', '2026-01-10', 'What about the weather?')
    await memory.notes.add({ ...weather, conversationId: 'chat', messageIds: [id] })
    await memory.notes.add({ text: 'For all.' })
    expect((await memory.conversation('chat').notes.list().toArray()).map(({ text }) => text)).toEqual([
      weather.text,
    ])
    expect(await memory.notes.list({ conversationId: null }).toArray()).toMatchObject([{ text: 'For all.' }])
    expect(await memory.notes.list().toArray()).toHaveLength(2)
    await memory.messages.erase(id)
    expect(await memory.notes.list().toArray()).toMatchObject([{ text: 'For all.' }])
  })

  test('can be deleted', async () => {
    const { memory } = await openWithStore()
    const { id } = await memory.notes.add(weather)
    expect(await memory.notes.delete(id)).toBe(true)
    expect(await memory.notes.delete(id)).toBe(false)
    expect(await memory.notes.list().toArray()).toEqual([])
  })

  test.each<[string, object, string]>([
    ['no text', { text: ' ' }, 'invalid-input'],
    ['a long text', { text: 'x'.repeat(2001) }, 'too-large'],
    [
      'an address that is no web address',
      { text: 'x', source: { url: 'javascript:alert(1)' } },
      'invalid-input',
    ],
    ['an unknown field', { text: 'x', tags: [] }, 'invalid-input'],
    ['an unknown source', { text: 'x', source: { author: 'Ana' } }, 'invalid-input'],
    ['an expiry that has passed', { text: 'x', expiresAt: '2026-05-31' }, 'invalid-input'],
    ['a conversation that is not there', { text: 'x', conversationId: 'no' }, 'not-found'],
  ])('with %s are rejected', async (_, note, code) => {
    const { memory } = await openWithStore()
    expect(await codeOf(memory.notes.add(note as never))).toBe(code)
    expect(await memory.notes.list().toArray()).toEqual([])
  })
})

describe('feedback', () => {
  test('changes the importance of a message, explains it, and can be undone', async () => {
    const { memory, say } = await openWithStore()
    const item = { kind: 'message', id: await say('chat', '2026-01-10', 'I live in Porto.') } as const
    expect(await memory.feedback.importanceOf(item)).toMatchObject({ importance: 0.5, learned: 0 })
    const { importance } = await memory.feedback.give(item, 'helpful')
    expect(importance).toBeGreaterThan(0.5)
    expect(await memory.feedback.give(item, 'not-helpful')).toMatchObject({
      given: 0.5,
      helpful: 1,
      unhelpful: 1,
      importance: 0.5,
    })
    expect(await memory.feedback.undo(item)).toMatchObject({ importance, helpful: 1, unhelpful: 0 })
    await memory.feedback.undo(item)
    expect(await codeOf(memory.feedback.undo(item))).toBe('not-found')
  })

  test('starts from the importance that was given', async () => {
    const { memory } = await openWithStore()
    const { id } = await memory
      .conversation('chat')
      .record({ role: 'user', content: 'Remember this!', importance: 0.9 })
    expect(await memory.feedback.importanceOf({ kind: 'message', id })).toMatchObject({ given: 0.9 })
  })

  test('on a fact survives erasing the message that first stated it', async () => {
    const { memory, say } = await openWithStore()
    const first = await say('one', '2026-01-10', 'I live in Porto.')
    await say('two', '2026-02-10', 'I live in Porto.')
    const [fact] = await memory.facts.list().toArray()
    await memory.feedback.give({ kind: 'fact', id: fact?.id ?? '' }, 'helpful')
    await memory.messages.erase(first)
    const [same] = await memory.facts.list().toArray()
    expect(await memory.feedback.importanceOf({ kind: 'fact', id: same?.id ?? '' })).toMatchObject({
      helpful: 1,
    })
  })

  test('on a message is erased with it', async () => {
    const { memory, store, say } = await openWithStore()
    const id = await say('chat', '2026-01-10', 'I live in Porto.')
    await memory.feedback.give({ kind: 'message', id }, 'helpful')
    await memory.messages.erase(id)
    expect(await store.edits({ workspace: memory.workspaceId, kinds: ['feedback'] })).toEqual([])
  })

  test('on an unknown item, or with an unknown verdict, is rejected', async () => {
    const { memory, say } = await openWithStore()
    const began = await say('chat', '2026-01-10', 'I live in Porto.')
    const give = (kind: string, id: string, verdict = 'helpful') =>
      codeOf(memory.feedback.give({ kind, id } as never, verdict as never))
    expect(await give('message', 'no')).toBe('not-found')
    expect(await give('fact', 'no')).toBe('not-found')
    expect(await give('note', 'no')).toBe('not-found')
    expect(await give('rumour', 'x')).toBe('invalid-input')
    expect(await give('topic', '')).toBe('invalid-input')
    expect(await give('topic', 'x', 'great')).toBe('invalid-input')
    expect(await give('topic', 'chat:0')).toBe('not-found')
    expect(await give('topic', began)).toBe('done')
  })
})
