import { describe, expect, test } from 'vitest'
import { openWithStore } from '../../test/support/open-with-store.ts'
import { readConversation } from '../../test/support/read-conversation.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { Fact } from '../domain/fact.ts'
import { conversationId } from '../domain/ids.ts'
import type { NewFact } from '../schemas/knowledge.ts'

const words = (facts: readonly Fact[]) => facts.map(({ attribute, value }) => `${attribute}: ${value}`)

describe('facts', () => {
  test('hold until a newer value is stated, and can be listed as of a date', async () => {
    const { memory, say } = await openWithStore()
    await say('one', '2026-01-10', 'I live in Porto. I am vegetarian.')
    await say('two', '2026-03-10', 'I moved to Lisbon.')
    expect(words(await memory.facts.list().toArray())).toEqual(['diet: vegetarian', 'home: Lisbon'])
    expect(words(await memory.facts.list({ asOf: '2026-02-01', attribute: 'home' }).toArray())).toEqual([
      'home: Porto',
    ])
    expect(words(await memory.facts.list({ includeClosed: true, attribute: 'HOME' }).toArray())).toEqual([
      'home: Porto',
      'home: Lisbon',
    ])
    expect(words(await memory.conversation('two').facts.list().toArray())).toEqual(['home: Lisbon'])
    expect(words(await memory.facts.list({ kind: 'instruction' }).toArray())).toEqual([])
  })

  test('are erased with the message that stated them, and the facts they had closed hold again', async () => {
    const { memory, store, say } = await openWithStore()
    await say('one', '2026-01-10', 'I live in Porto.')
    const id = await say('two', '2026-03-10', 'I moved to Lisbon.')
    await memory.messages.erase(id)
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Porto'])
    await readConversation(store, { workspace: memory.workspaceId, conversation: conversationId('two') })
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Porto'])
  })

  test('of another workspace are not visible', async () => {
    const { memory, say } = await openWithStore()
    await say('one', '2026-01-10', 'I live in Porto.')
    await memory.workspace('other').facts.add({ attribute: 'home', value: 'Oslo' })
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Porto'])
    expect(words(await memory.workspace('other').facts.list().toArray())).toEqual(['home: Oslo'])
  })

  test('of a fork are those of the original, with the same ids, and stay when the original is erased', async () => {
    const { memory, say } = await openWithStore()
    const id = await say('trip', '2026-01-10', 'I live in Porto.')
    const [before] = await memory.facts.list().toArray()
    await memory.conversation('trip').fork(id, { id: 'a fork' })
    await memory.whenDerived()
    expect(await memory.facts.list().toArray()).toMatchObject([
      { id: before?.id, confidence: before?.confidence },
    ])
    expect(words(await memory.conversation('a fork').facts.list().toArray())).toEqual(['home: Porto'])
    await memory.conversation('trip').erase()
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Porto'])
  })

  test('written by another process are visible', async () => {
    const { memory, say, store } = await openWithStore()
    await say('one', '2026-01-10', 'I live in Porto.')
    await memory.facts.list().toArray()
    const edits = await store.edits({ workspace: memory.workspaceId, kinds: ['fact-add'] })
    expect(edits).toEqual([])
    await store.saveEdit(
      memory.workspaceId,
      {
        kind: 'fact-add',
        key: 'k',
        body: {
          fact: 'f',
          fields: {
            subject: 'user',
            attribute: 'home',
            value: 'Oslo',
            kind: 'fact',
            validFrom: '2026-04-01T00:00:00.000Z',
          },
        },
      },
      { now: new Date('2026-04-01') },
    )
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Oslo'])
  })

  test('read concurrently are the same for all callers', async () => {
    const { memory, say } = await openWithStore()
    await say('one', '2026-01-10', 'I live in Porto.')
    const saying = say('one', '2026-02-10', 'I moved to Braga.')
    const lists = await Promise.all(Array.from({ length: 5 }, () => memory.facts.list().toArray()))
    await saying
    for (const list of lists) expect(list.length).toBe(1)
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Braga'])
  })
})

describe('the user', () => {
  test('adds a fact, which later messages may close', async () => {
    const { memory, say } = await openWithStore()
    const added = await memory.facts.add({ attribute: 'home', value: 'Porto', validFrom: '2026-01-01' })
    expect(added).toMatchObject({ subject: 'user', origin: 'given', confidence: 1, sources: [] })
    expect(added.history).toMatchObject([{ type: 'added', editId: expect.any(Number) }])
    await say('chat', '2026-06-02', 'I moved to Lisbon.')
    expect(await memory.facts.get(added.id)).toMatchObject({ validUntil: new Date('2026-06-02T10:00:00Z') })
  })

  test('changes a fact, and the history has the previous value', async () => {
    const { memory, say } = await openWithStore()
    await say('chat', '2026-01-10', 'My name is Jhon.')
    const [fact] = await memory.facts.list().toArray()
    const changed = await memory.facts.update(fact?.id ?? '', { value: 'John' })
    expect(changed).toMatchObject({ id: fact?.id, value: 'John', origin: 'given' })
    expect(changed.history.at(-1)).toMatchObject({ type: 'changed', before: { value: 'Jhon' } })
    expect(words(await memory.facts.list().toArray())).toEqual(['name: John'])
    const closed = await memory.facts.update(changed.id, { validUntil: '2026-05-01' })
    expect(closed.validUntil).toEqual(new Date('2026-05-01'))
    expect(await memory.facts.update(changed.id, { validUntil: null })).not.toHaveProperty('validUntil')
  })

  test('takes precedence over messages with a clock that runs ahead', async () => {
    const { memory, say } = await openWithStore()
    await say('chat', '2026-06-02', 'My name is Jhon. I live in Porto.')
    const asOf = '2026-06-03'
    const [fact] = await memory.facts.list({ asOf, attribute: 'name' }).toArray()
    await memory.facts.update(fact?.id ?? '', { value: 'John' })
    await memory.facts.add({ attribute: 'home', value: 'Lisbon' })
    expect(words(await memory.facts.list({ asOf }).toArray())).toEqual(['name: John', 'home: Lisbon'])
  })

  test('changes a fact, and the change is erased with the message', async () => {
    const { memory, store, say } = await openWithStore()
    const id = await say('chat', '2026-01-10', 'My name is Jhon.')
    const [fact] = await memory.facts.list().toArray()
    await memory.facts.update(fact?.id ?? '', { value: 'John' })
    await memory.messages.erase(id)
    expect(await memory.facts.list({ includeClosed: true, includeRejected: true }).toArray()).toEqual([])
    expect(await store.edits({ workspace: memory.workspaceId, kinds: ['fact-change'] })).toEqual([])
  })

  test('rejects a fact, and it stays rejected even if stated again, until it is restored', async () => {
    const { memory, store, say } = await openWithStore()
    const id = await say('chat', '2026-01-10', 'I live in Porto.')
    const [fact] = await memory.facts.list().toArray()
    await memory.facts.delete(fact?.id ?? '')
    await say('other', '2026-06-02', 'I live in Porto.')
    expect(await memory.facts.list().toArray()).toEqual([])
    await memory.messages.erase(id)
    await readConversation(store, { workspace: memory.workspaceId, conversation: conversationId('chat') })
    expect(await memory.facts.list().toArray()).toEqual([])
    const [rejected] = await memory.facts.list({ includeRejected: true, includeClosed: true }).toArray()
    await memory.facts.restore(rejected?.id ?? '')
    expect(await memory.facts.list({ asOf: '2026-06-03' }).toArray()).toHaveLength(1)
  })

  test('pins and unpins a fact, once however often it is stated', async () => {
    const { memory, say } = await openWithStore()
    await say('chat', '2026-01-10', 'I live in Porto.')
    const id = (await memory.facts.list().toArray())[0]?.id ?? ''
    await memory.facts.pin(id)
    const pinned = await memory.facts.pin(id)
    expect(pinned.pinnedAt).toEqual(new Date('2026-06-01T12:00:00Z'))
    expect(pinned.history.filter(({ type }) => type === 'pinned')).toHaveLength(1)
    expect(await memory.facts.unpin(id)).not.toHaveProperty('pinnedAt')
  })

  test('undoes edits', async () => {
    const { memory, say } = await openWithStore()
    await say('chat', '2026-01-10', 'I live in Porto.')
    const id = (await memory.facts.list().toArray())[0]?.id ?? ''
    const { history } = await memory.facts.delete(id)
    await memory.facts.undo(history.at(-1)?.editId ?? 0)
    expect(await memory.facts.get(id)).toMatchObject({ history: [{ type: 'stated' }] })
    const added = await memory.facts.add({ attribute: 'pet', value: 'Rex' })
    await memory.facts.update(added.id, { value: 'Max' })
    await memory.facts.undo(added.history[0]?.editId ?? 0)
    expect(words(await memory.facts.list().toArray())).toEqual(['home: Porto'])
  })

  test('adds a fact to a conversation, which is erased with it', async () => {
    const { memory, say } = await openWithStore()
    await say('chat', '2026-01-10', 'Hello!')
    await memory.facts.add({ attribute: 'pet', value: 'Rex', conversationId: 'chat' })
    expect(words(await memory.conversation('chat').facts.list().toArray())).toEqual(['pet: Rex'])
    await memory.conversation('chat').erase()
    expect(await memory.facts.list().toArray()).toEqual([])
  })
})

describe('validation rejects', () => {
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error) => (isMemoryError(error) ? error.code : String(error)),
    )

  test.each<[string, unknown, string]>([
    ['no value', { attribute: 'home' }, 'invalid-input'],
    ['an empty attribute', { attribute: ' ', value: 'x' }, 'invalid-input'],
    ['a value of several lines', { attribute: 'home', value: 'a\nb' }, 'invalid-input'],
    ['half of a character', { attribute: 'home', value: '\ud83d' }, 'invalid-input'],
    ['a long value', { attribute: 'home', value: 'x'.repeat(501) }, 'too-large'],
    ['an unknown kind', { attribute: 'home', value: 'x', kind: 'rumour' }, 'invalid-input'],
    ['an unknown field', { attribute: 'home', value: 'x', confidence: 1 }, 'invalid-input'],
    [
      'a time without a zone',
      { attribute: 'home', value: 'x', validFrom: '2026-01-01T10:00' },
      'invalid-input',
    ],
    ['no date', { attribute: 'home', value: 'x', validFrom: 'May' }, 'invalid-input'],
    [
      'an end before the beginning',
      { attribute: 'home', value: 'x', validFrom: '2026-02-01', validUntil: '2026-01-01' },
      'invalid-input',
    ],
    ['messages that are no list', { attribute: 'home', value: 'x', messageIds: 'm' }, 'invalid-input'],
    [
      'a conversation that is not there',
      { attribute: 'home', value: 'x', conversationId: 'no' },
      'not-found',
    ],
    ['no object', null, 'invalid-input'],
  ])('a fact with %s', async (_, fact, code) => {
    const { memory } = await openWithStore()
    expect(await codeOf(memory.facts.add(fact as NewFact))).toBe(code)
    expect(await memory.facts.list({ includeClosed: true, includeRejected: true }).toArray()).toEqual([])
  })

  test('unknown facts, and changes without effect', async () => {
    const { memory } = await openWithStore()
    const { id } = await memory.facts.add({ attribute: 'home', value: 'Porto' })
    expect(await memory.facts.get('nothing')).toBeUndefined()
    expect(await codeOf(memory.facts.pin('nothing'))).toBe('not-found')
    expect(await codeOf(memory.facts.update('nothing', { value: 'x' }))).toBe('not-found')
    expect(await codeOf(memory.facts.update(id, {}))).toBe('invalid-input')
    expect(await codeOf(memory.facts.undo(99))).toBe('not-found')
  })

  test('lists with invalid options', async () => {
    const { memory } = await openWithStore()
    const list = (options: object) => codeOf(memory.facts.list(options).toArray())
    expect(await list({ kind: 'rumour' })).toBe('invalid-input')
    expect(await list({ asof: '2026-01-01' })).toBe('invalid-input')
    expect(await list({ asOf: 'yesterday' })).toBe('invalid-input')
    expect(await list({ subject: 5 })).toBe('invalid-input')
    expect(await list({ includeClosed: 'yes' })).toBe('invalid-input')
  })
})
