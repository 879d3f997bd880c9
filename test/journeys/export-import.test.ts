import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMemoryError, type Memory, type NewMessage, openMemory } from '../../src/index.ts'
import { collectText, inPieces, openTemporary } from '../support/open-temporary.ts'

const word = fc.constantFrom('tea', 'Lisbon', '😀', '\u0000', '"quoted"', '漢字', '\\', '\u2028', '</script>')
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
const id = fc.uuid()
const message: fc.Arbitrary<NewMessage> = fc.oneof(
  fc.record(
    {
      role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
      content: text,
      id,
      name: fc.constant('Ana Ó'),
      importance: fc.double({ min: 0, max: 1, noNaN: true }).map((number) => number + 0),
      metadata: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.parse(JSON.stringify(value))),
      createdAt: fc.date({ min: new Date(0), max: new Date('2026-01-01'), noInvalidDate: true }),
    },
    { requiredKeys: ['role', 'content'] },
  ),
  fc.jsonValue().map(
    (result): NewMessage => ({
      role: 'tool',
      content: [{ type: 'tool-result', callId: 'a', result: JSON.parse(JSON.stringify(result)) }],
    }),
  ),
)
const conversation = fc.record({
  title: fc.option(fc.constantFrom('A title', 'Ein Titel'), { nil: undefined }),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b c'), { maxLength: 2 }),
  isPinned: fc.boolean(),
  isArchived: fc.boolean(),
  isMemoryOn: fc.boolean(),
  messages: fc.array(message, { maxLength: 8 }),
  eraseFirst: fc.boolean(),
  fork: fc.boolean(),
})

/** An export without the moment it was made. */
async function dump(memory: Memory): Promise<unknown> {
  const { exportedAt: _, conversations, ...rest } = JSON.parse(await collectText(memory.export()))
  const byId = conversations.sort((a: Dumped, b: Dumped) => (a.conversation.id < b.conversation.id ? -1 : 1))
  return { ...rest, conversations: byId }
}

interface Dumped {
  readonly conversation: { readonly id: string }
}

async function fill(
  memory: Memory,
  plans: readonly (typeof conversation extends fc.Arbitrary<infer T> ? T : never)[],
) {
  for (const [i, { messages, title, eraseFirst, fork, ...fields }] of plans.entries()) {
    const handle = memory.conversation(`c${i}`)
    await handle.create({ ...fields, ...(title !== undefined && { title }) })
    const unique = messages.map((item) => (item.id === undefined ? item : { ...item, id: `${i}-${item.id}` }))
    if (unique.length > 0) await handle.record(unique, { key: `batch ${i}` })
    const [first, second] = await handle.messages()
    if (fork && second !== undefined) await handle.fork(second.id, { id: `fork of c${i}` })
    if (eraseFirst && first !== undefined) await memory.eraseMessage(first.id)
    await handle.context('hello', { budgetTokens: 5000 })
  }
}

test('what is exported as JSON imports back to the same workspace, and a second time adds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(conversation, { maxLength: 4 }),
      fc.integer({ min: 1, max: 5000 }),
      async (plans, size) => {
        const source = await openMemory(':memory:')
        const target = await openMemory(':memory:')
        await fill(source, plans)
        const exported = await collectText(source.export())
        await target.import(inPieces(exported, size))
        expect(await dump(target)).toEqual(await dump(source))
        expect((await target.check()).filter(({ problem }) => problem)).toEqual([])
        expect(await target.import(inPieces(exported))).toMatchObject({ conversations: 0, messages: 0 })
        expect(await dump(target)).toEqual(await dump(source))
        await Promise.all([source.close(), target.close()])
      },
    ),
    { numRuns: 60 },
  )
})

describe('an export', () => {
  const filled = async () => {
    const memory = await openTemporary()
    await memory.conversation('trip').record([
      { role: 'user', name: 'Ana', content: 'We are in Lisbon in May.', createdAt: '2026-04-01T10:00:00Z' },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', callId: 'a', tool: 'climate', arguments: { city: 'Lisbon' } }],
        createdAt: '2026-04-01T10:01:00Z',
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', callId: 'a', result: '```warm```' }],
        createdAt: '2026-04-01T10:02:00Z',
      },
    ])
    await memory.conversation('other').record({ role: 'user', content: 'Something else' })
    return memory
  }

  test('as Markdown reads well', async () => {
    const memory = await filled()
    expect(await collectText(memory.export({ format: 'markdown', conversationId: 'trip' }))).toBe(
      [
        '# Lisbon in May',
        'Conversation `trip` · begun 2026-04-01 10:00',
        '## Ana · 2026-04-01 10:00',
        'We are in Lisbon in May.',
        '## Assistant · 2026-04-01 10:01',
        'Calls `climate`:',
        '```json\n{\n  "city": "Lisbon"\n}\n```',
        '## Tool · 2026-04-01 10:02',
        'Result:',
        '````\n```warm```\n````\n\n',
      ].join('\n\n'),
    )
  })

  test('of one conversation has only that one', async () => {
    const memory = await filled()
    const { conversations } = JSON.parse(await collectText(memory.export({ conversationId: 'trip' })))
    expect(conversations.map((entry: Dumped) => entry.conversation.id)).toEqual(['trip'])
    const error = await collectText(memory.export({ conversationId: 'nobody' })).catch((reason) => reason)
    expect(error.code).toBe('not-found')
  })

  test('that was formatted by another program imports as well', async () => {
    const memory = await filled()
    const pretty = JSON.stringify(JSON.parse(await collectText(memory.export())), null, 4)
    const target = await openTemporary({}, 'target.db')
    expect(await target.import(inPieces(pretty, 7))).toMatchObject({
      conversations: 2,
      messages: 4,
      known: 0,
    })
  })

  test('that was cut off brings in what is whole, says so, and goes on when it comes again', async () => {
    const memory = await filled()
    const whole = await collectText(memory.export())
    const target = await openTemporary({}, 'target.db')
    const error = await target.import(inPieces(whole.slice(0, -400))).catch((reason) => reason)
    expect(isMemoryError(error) && error.message).toContain('ends too early')
    await target.import(inPieces(whole))
    expect(await dump(target)).toEqual(await dump(memory))
  })

  test('in a dry run tells what would come and writes nothing', async () => {
    const memory = await filled()
    const target = await openTemporary({}, 'target.db')
    const told = await target.import(inPieces(await collectText(memory.export())), { isDryRun: true })
    expect(told).toMatchObject({ conversations: 2, messages: 4 })
    expect((await target.conversations()).items).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['no JSON', 'hello'],
    ['another program’s export', '{"format":"other","conversations":[]}'],
    ['a later version', '{"format":"recollect","version":2,"conversations":[]}'],
    ['no head', '{"conversations":[{"conversation":{"id":"a"},"messages":[]}]}'],
    [
      'a broken message',
      '{"format":"recollect","version":1,"conversations":[{"conversation":{"id":"a","createdAt":"2026-01-01T00:00:00Z"},"messages":[{"role":"bot"}]}]}',
    ],
  ])('of %s is refused with a clear error', async (_, text) => {
    const target = await openTemporary()
    const error = await target.import(inPieces(text)).catch((reason) => reason)
    expect(isMemoryError(error) && error.code).toBe('invalid-input')
  })

  test('with a broken message names its place, and what came before it is in', async () => {
    const memory = await filled()
    const broken = (await collectText(memory.export({ conversationId: 'trip' }))).replace(
      '"role":"tool"',
      '"role":"bot"',
    )
    const target = await openTemporary({}, 'target.db')
    const error = await target.import(inPieces(broken)).catch((reason) => reason)
    expect(error.message).toContain('message 2 of "trip": a message cannot have the role "bot"')
  })
})
