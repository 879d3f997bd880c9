import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ImportFormat, isMemoryError, type Memory, openMemory } from '../../src/index.ts'
import { NO_COUNTS } from '../../src/record/import/imported.ts'
import { effort } from '../support/effort.ts'
import { importFixture, readFixture } from '../support/import-fixtures.ts'
import { collectText, inPieces, openTemporary } from '../support/open-temporary.ts'

interface NodePlan {
  /** The number of the node before it; its own number and higher ones mean none. */
  readonly parent: number
  readonly isSilent: boolean
}

const plan: fc.Arbitrary<NodePlan> = fc.record({
  parent: fc.integer({ min: 0, max: 14 }),
  isSilent: fc.boolean(),
})
const tree = fc.record({
  nodes: fc.array(plan, { minLength: 1, maxLength: 14 }),
  current: fc.nat(13),
})
type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never

const parentOf = ({ nodes }: Tree, i: number): number | undefined => {
  const parent = nodes[i]?.parent ?? i
  return parent < i ? parent : undefined
}

/** A ChatGPT conversation with these nodes, or the first few of them. */
function toConversation(planned: Tree, id: string, count = planned.nodes.length) {
  const nodes = planned.nodes.slice(0, count)
  const mapping = nodes.map(({ isSilent }, i) => {
    const parent = parentOf(planned, i)
    const message = {
      id: `n${i}`,
      author: { role: i % 2 === 0 ? 'user' : 'assistant' },
      create_time: 1_714_560_000 + i,
      content: { content_type: 'text', parts: [`${id} says n${i}`] },
      metadata: {},
      recipient: 'all',
    }
    const fields = { id: `n${i}`, parent: parent === undefined ? null : `n${parent}`, children: [] }
    return [`n${i}`, { ...fields, message: isSilent ? null : message }]
  })
  return {
    conversation_id: id,
    title: `About ${id}`,
    create_time: 1_714_560_000,
    current_node: `n${planned.current % count}`,
    mapping: Object.fromEntries(mapping),
  }
}

/** What the messages up to and with this node say. */
function wordsTo(planned: Tree, id: string, last: number): readonly string[] {
  const words: string[] = []
  for (let i: number | undefined = last; i !== undefined; i = parentOf(planned, i)) {
    if (planned.nodes[i]?.isSilent === false) words.unshift(`${id} says n${i}`)
  }
  return words
}

async function readAll(memory: Memory) {
  const { items } = await memory.conversations.list({ limit: 1000 })
  return Promise.all(
    items.map(async (conversation) => ({
      conversation,
      messages: (await memory.conversation(conversation.id).messages.list({ limit: 1000 })).items,
    })),
  )
}

/** Every node once, every conversation a way from the beginning to one of its ends. */
async function expectWhole(memory: Memory, trees: readonly Tree[]): Promise<void> {
  const all = await readAll(memory)
  const originals = all.flatMap(({ messages }) => messages.filter(({ copyOf }) => copyOf === undefined))
  const expected = trees.flatMap(({ nodes }, t) =>
    nodes.flatMap(({ isSilent }, i) => (isSilent ? [] : [`t${t} says n${i}`])),
  )
  expect(originals.map(({ content }) => content).toSorted()).toEqual(expected.toSorted())
  for (const { messages } of all) {
    const last = String(messages.at(-1)?.content)
    const [, t, i] = (/^t(\d+) says n(\d+)$/.exec(last) ?? []).map(Number)
    const planned = trees[t as number] as Tree
    expect(messages.map(({ content }) => content)).toEqual(wordsTo(planned, `t${t}`, i as number))
  }
  expect((await memory.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
}

const quiet = { derive: { when: 'never' } } as const
const toText = (trees: readonly Tree[], counts: readonly number[] = []) =>
  JSON.stringify(trees.map((planned, t) => toConversation(planned, `t${t}`, counts[t])))

test('any tree of messages is imported once, importing it again adds nothing, and a dry run predicts the result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 4 }), async (trees) => {
      const memory = await openMemory(':memory:', quiet)
      const text = toText(trees)
      const told = await memory.import(inPieces(text), { dryRun: true })
      expect((await memory.conversations.list()).items).toEqual([])
      const imported = await memory.import(inPieces(text))
      expect(imported).toEqual(told)
      await expectWhole(memory, trees)
      const before = await collectText(memory.export())
      const again = await memory.import(inPieces(text))
      expect(again).toMatchObject({ conversations: 0, messages: 0, forks: 0, known: imported.messages })
      const withoutMoment = (exported: string) => ({ ...JSON.parse(exported), exportedAt: '' })
      expect(withoutMoment(await collectText(memory.export()))).toEqual(withoutMoment(before))
      await memory.close()
    }),
    { numRuns: effort({ short: 20, long: 60 }) },
  )
})

test('importing a newer export adds new messages on any branch, whichever is current', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(), fc.nat(), async (planned, first, second) => {
      const memory = await openMemory(':memory:', quiet)
      const most = planned.nodes.length
      const [less, more] = [1 + (first % most), 1 + (second % most)].sort((a, b) => a - b) as [number, number]
      await memory.import(inPieces(toText([planned], [less])))
      const text = toText([planned], [more])
      const told = await memory.import(inPieces(text), { dryRun: true })
      expect(await memory.import(inPieces(text))).toEqual(told)
      await memory.import(inPieces(toText([planned])))
      await expectWhole(memory, [planned])
      expect(await memory.import(inPieces(text))).toMatchObject({ messages: 0, forks: 0, conversations: 0 })
      await memory.close()
    }),
    { numRuns: effort({ short: 26, long: 80 }) },
  )
})

const imports = (name: string) => createReadStream(importFixture(name))
const contentsOf = async (memory: Memory, id: string) =>
  (await memory.conversation(id).messages.list({ limit: 1000 })).items.map(({ content }) => content)

describe('importing', () => {
  const LISBON = 'chatgpt-6631d1c0-0001-8000-8000-000000000001'

  test('ChatGPT chats keeps titles, times and tools, turns branches into forks, and reports damage', async () => {
    const memory = await openTemporary(quiet)
    const imported = await memory.import(imports('chatgpt-conversations.json'))
    expect(imported).toEqual({
      ...NO_COUNTS,
      format: 'chatgpt',
      conversations: 2,
      messages: 13,
      facts: 2,
      forks: 1,
      skipped: 1,
      problems: [
        { place: 'conversation 2', reason: 'missing "mapping" with messages', isSkipped: true },
        {
          place: 'conversation 3, node 4',
          reason: 'unknown content type "map_widget"; its text was kept',
          isSkipped: false,
        },
      ],
    })
    const lisbon = await memory.conversation(LISBON).get()
    expect(lisbon).toMatchObject({
      title: 'Where to eat in Lisbon',
      createdAt: new Date(1_714_560_000_250),
      lastUsedAt: new Date(1_714_560_043_000),
      isPinned: true,
      tags: ['chatgpt'],
      metadata: { importedFrom: 'chatgpt', customInstructions: { instructions: 'Be brief.' } },
    })
    const fork = await memory.conversation(`${LISBON}.a1-old`).get()
    expect(fork).toMatchObject({
      title: 'Where to eat in Lisbon (branch)',
      tags: ['chatgpt', 'branch'],
      forkedFrom: { conversationId: LISBON, messageId: `${LISBON}.u1`, position: 0 },
      createdAt: new Date(1_714_560_002_000),
    })
    expect(await contentsOf(memory, `${LISBON}.a1-old`)).toEqual([
      'I am vegetarian. Where should we eat in Lisbon?',
      'Try a seafood place by the river.',
      'I said vegetarian.',
    ])
    const untitled = await memory.conversation('chatgpt-6631d1c0-0001-8000-8000-000000000003').get()
    expect(untitled).toMatchObject({ title: 'Walk through Alfama', isTitleGiven: false })
    expect(untitled?.archivedAt).toBeInstanceOf(Date)
    expect((await memory.messages.search('Tiled Kitchen')).items).toHaveLength(1)
  })

  test('ChatGPT chats adds saved memories and the latest custom instructions as facts and preferences', async () => {
    const memory = await openTemporary(quiet)
    const chat = (id: string, month: number, nodes: readonly object[]) => {
      const messages = nodes.map((message, i) => [`n${i}`, { id: `n${i}`, message }])
      const update_time = Date.UTC(2025, month, 1) / 1000
      return { id, update_time, mapping: Object.fromEntries(messages) }
    }
    const settings = (user_profile: string, user_instructions: string) => ({
      author: { role: 'user' },
      content: { content_type: 'user_editable_context', user_profile, user_instructions },
    })
    const saved = {
      author: { role: 'assistant' },
      recipient: 'bio',
      create_time: Date.UTC(2025, 2, 5) / 1000,
      content: { content_type: 'text', parts: ['Keeps bees on a roof in Lyon.'] },
    }
    const snapshot = {
      author: { role: 'system' },
      content: {
        content_type: 'model_editable_context',
        model_set_context:
          '1. [2025-01-07]. Plays the cello.\n\n2. [2025-03-05]. Keeps bees on a roof in Lyon.',
      },
    }
    const chats = [
      chat('new', 5, [settings('Beekeeper.', 'Use metric units.\nNo emojis.'), snapshot]),
      chat('old', 2, [settings('Student.', 'Use rhymes.'), saved]),
    ]
    const text = JSON.stringify(chats)
    expect(await memory.import(inPieces(text))).toMatchObject({ facts: 5, problems: [] })
    const facts = (await memory.facts.list()).items.map(({ kind, value, validFrom }) => [
      kind,
      value,
      validFrom.toISOString().slice(0, 10),
    ])
    expect(facts.sort()).toEqual([
      ['fact', 'Beekeeper.', '2025-06-01'],
      ['fact', 'Keeps bees on a roof in Lyon.', '2025-03-05'],
      ['fact', 'Plays the cello.', '2025-01-07'],
      ['preference', 'No emojis.', '2025-06-01'],
      ['preference', 'Use metric units.', '2025-06-01'],
    ])
    expect(await memory.import(inPieces(text))).toMatchObject({ facts: 0 })
    const { messages } = await memory.conversation('today').context('Hello')
    expect(JSON.stringify(messages)).toContain('Use metric units.')
  })

  test('ChatGPT chats without branches creates no forks', async () => {
    const memory = await openTemporary(quiet)
    const { messages, forks } = await memory.import(imports('chatgpt-conversations.json'), {
      branches: 'none',
    })
    expect([messages, forks]).toEqual([11, 0])
  })

  test.each([
    ['claude-conversations.json', { format: 'claude', conversations: 2, messages: 8, forks: 1, skipped: 1 }],
    ['librechat-flat.json', { format: 'librechat', conversations: 1, messages: 5, forks: 1, skipped: 1 }],
    ['librechat-tree.json', { format: 'librechat', conversations: 1, messages: 4, forks: 1, skipped: 0 }],
    ['open-webui.json', { format: 'open-webui', conversations: 2, messages: 10, forks: 1, skipped: 1 }],
    [
      'openai-conversations.jsonl',
      { format: 'openai', conversations: 4, messages: 11, forks: 0, skipped: 1 },
    ],
    ['openai-messages.jsonl', { format: 'openai', conversations: 2, messages: 4, forks: 0, skipped: 0 }],
    ['claude-memories.json', { format: 'claude', conversations: 0, messages: 0, facts: 4, skipped: 0 }],
    ['mem0.json', { format: 'mem0', conversations: 0, messages: 0, facts: 2, skipped: 1 }],
  ])('%s detects the format, previews the result, and adds everything once', async (name, counts) => {
    const memory = await openTemporary(quiet)
    const told = await memory.import(imports(name), { dryRun: true })
    expect(told).toMatchObject(counts)
    expect(await memory.import(imports(name))).toEqual(told)
    const { format } = counts as { format: ImportFormat }
    const again = await memory.import(imports(name), { format })
    expect(again).toMatchObject({ conversations: 0, messages: 0, forks: 0, facts: 0 })
    expect(again.known).toBe(told.messages + told.facts)
    expect((await memory.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
  })

  test('memories creates facts with their times and current text', async () => {
    const memory = await openTemporary(quiet)
    await memory.import(imports('mem0.json'))
    const facts = await memory.facts.list().toArray()
    expect(facts.map(({ value, validFrom }) => [value, validFrom])).toEqual([
      ['Is vegetarian', new Date('2025-06-01T17:00:00Z')],
      ['Works in Porto', new Date('2025-07-02T10:00:00Z')],
    ])
    expect(facts[1]).toMatchObject({ validUntil: new Date('2030-01-01') })
    await memory.facts.delete(facts[0]?.id ?? '')
    const text = await readFile(importFixture('mem0.json'), 'utf8')
    const changed = text.replace('Works in Porto', 'Works in Lisbon').replace('2025-07-02', '2025-08-02')
    expect(await memory.import(inPieces(changed))).toMatchObject({ facts: 1, known: 1 })
    expect((await memory.facts.list().toArray()).map(({ value }) => value)).toEqual(['Works in Lisbon'])
  })

  test('JSON lines that have grown adds the new messages', async () => {
    const memory = await openTemporary(quiet)
    const lines = Array.from({ length: 2500 }, (_, i) =>
      JSON.stringify({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: `line ${i}`,
        thread_id: `t${i % 3}`,
      }),
    )
    const first = await memory.import(inPieces(lines.slice(0, 2100).join('\n')))
    expect(first).toMatchObject({ conversations: 3, messages: 2100, forks: 0 })
    const told = await memory.import(inPieces(lines.join('\n')), { dryRun: true })
    const second = await memory.import(inPieces(lines.join('\n')))
    expect(second).toEqual(told)
    expect(second).toMatchObject({ conversations: 0, messages: 400, known: 2100, forks: 0 })
    expect((await memory.conversation('openai-t1').get())?.messageCount).toBe(833)
    const dry = await openTemporary(quiet, 'dry.db')
    expect(await dry.import(inPieces(lines.join('\n')), { dryRun: true })).toMatchObject({
      messages: 2500,
      forks: 0,
    })
  })

  test('a file that contains a conversation twice adds it once', async () => {
    const memory = await openTemporary(quiet)
    const [lisbon] = readFixture('chatgpt-conversations.json')
    const text = JSON.stringify([lisbon, lisbon])
    const told = await memory.import(inPieces(text), { dryRun: true })
    expect(await memory.import(inPieces(text))).toEqual(told)
    expect(told).toMatchObject({ conversations: 1, messages: 9, known: 9, forks: 1 })
  })
})

describe('a record that cannot be imported', () => {
  const chat = (id: string, mapping: object) => ({ id, title: id, mapping, current_node: 'a' })
  const says = (parts: unknown[], more: object = {}) => ({
    id: 'a',
    parent: null,
    message: { author: { role: 'user' }, content: { content_type: 'text', parts }, metadata: {}, ...more },
  })

  test('is reported with its place, and the rest is imported', async () => {
    const memory = await openTemporary({ ...quiet, limits: { messageBytes: 1000 } })
    const good = JSON.stringify(chat('good', { a: says(['Fine']) }))
    const records = [
      good,
      'null',
      '{"title":"x","mapping":{"a":',
      JSON.stringify(chat('large', { a: says(['x'.repeat(2000)]), b: { ...says(['small']), parent: 'a' } })),
      JSON.stringify(chat('late', { a: says(['From the future'], { create_time: 4e9 }) })),
      JSON.stringify(chat('half', { a: says(['cut \ud83d here']) })),
      JSON.stringify(chat('last', { a: says(['Last']) })),
    ]
    const { problems, conversations, skipped } = await memory.import(inPieces(`[${records.join(',\n')}]`))
    expect(conversations).toBe(5)
    expect(skipped).toBe(3)
    expect(problems.map(({ place, isSkipped }) => [place, isSkipped])).toEqual([
      ['conversation 2', true],
      [expect.stringMatching(/^conversation 3 \(byte \d+\)$/), true],
      ['conversation 4, message 1', true],
      ['conversation 5, message 1', false],
      ['conversation 6, message 1', false],
    ])
    expect(await contentsOf(memory, 'chatgpt-large')).toEqual(['small'])
    expect(await contentsOf(memory, 'chatgpt-half')).toEqual(['cut \ufffd here'])
    const [late] = await memory.conversation('chatgpt-late').messages.list().toArray()
    expect(late?.createdAt.getTime()).toBeLessThanOrEqual(Date.now())
  })

  test('because the file was cut off is reported, and everything before it is imported', async () => {
    const memory = await openTemporary(quiet)
    const text = JSON.stringify([1, 2, 3].map((i) => chat(`c${i}`, { a: says([`Number ${i}`]) })))
    const { problems, conversations } = await memory.import(inPieces(text.slice(0, -20)))
    expect(conversations).toBe(2)
    expect(problems).toMatchObject([{ reason: 'the file ends inside it', isSkipped: true }])
    expect(await memory.import(inPieces(text))).toMatchObject({ conversations: 1, known: 2 })
  })

  test('stops the import if the caller asks for it', async () => {
    const memory = await openTemporary(quiet)
    const onProblem = () => {
      throw new Error('enough')
    }
    const imported = memory.import(inPieces(`[${JSON.stringify(chat('a', { a: says(['x']) }))},null]`), {
      onProblem,
    })
    await expect(imported).rejects.toThrow('enough')
  })

  test('because its format is unknown gives an error with the supported formats', async () => {
    const memory = await openTemporary(quiet)
    for (const text of ['[{"some":"thing"}]', '{"a":1}', 'Dear diary', '[1,2,3]', '[{"broken":']) {
      const error = await memory.import(inPieces(text)).catch((reason) => reason)
      expect(isMemoryError(error) && error.code).toBe('invalid-input')
      expect(error.hint).toMatch(/chatgpt.*claude.*librechat.*open-webui.*openai.*mem0/s)
    }
    expect(await memory.import(inPieces('[]'))).toMatchObject({ conversations: 0, problems: [] })
    const error = await memory
      .import(inPieces('[]'), { format: 'myspace' as never })
      .catch((reason) => reason)
    expect(error.message).toContain('the format of an import must be one of')
  })

  test('because it changed after the first import stays unchanged and is reported', async () => {
    const memory = await openTemporary(quiet)
    await memory.import(inPieces(JSON.stringify([chat('c', { a: says(['First words']) })])))
    const { problems, known } = await memory.import(
      inPieces(JSON.stringify([chat('c', { a: says(['Other words']) })])),
    )
    expect(known).toBe(1)
    expect(problems).toEqual([
      {
        place: 'conversation 1, message 1',
        reason: 'its text differs from the version imported earlier; the stored version is kept',
        isSkipped: false,
      },
    ])
    expect(await contentsOf(memory, 'chatgpt-c')).toEqual(['First words'])
  })

  test('whose conversation continued here becomes a fork', async () => {
    const memory = await openTemporary(quiet)
    const first = { a: says(['One']) }
    await memory.import(inPieces(JSON.stringify([chat('c', first)])))
    await memory.conversation('chatgpt-c').record({ role: 'user', content: 'Said here' })
    const grown = {
      ...chat('c', { ...first, b: { ...says(['Said there']), id: 'b', parent: 'a' } }),
      current_node: 'b',
    }
    const { problems, forks } = await memory.import(inPieces(JSON.stringify([grown])))
    expect(forks).toBe(1)
    expect(problems).toEqual([
      {
        place: 'conversation 1',
        reason: 'its current branch continues in the fork "chatgpt-c.b"',
        isSkipped: false,
      },
    ])
    expect(await contentsOf(memory, 'chatgpt-c')).toEqual(['One', 'Said here'])
    expect(await contentsOf(memory, 'chatgpt-c.b')).toEqual(['One', 'Said there'])
  })

  test('because the import stopped after creating a fork is imported the next time', async () => {
    const memory = await openTemporary(quiet)
    const id = 'chatgpt-6631d1c0-0001-8000-8000-000000000001'
    await memory.import(imports('chatgpt-conversations.json'), { branches: 'none' })
    await memory.conversation(id).fork(`${id}.u1`, { id: `${id}.a1-old` })
    expect(await memory.import(imports('chatgpt-conversations.json'))).toMatchObject({
      messages: 2,
      forks: 0,
    })
    expect(await contentsOf(memory, `${id}.a1-old`)).toHaveLength(3)
  })

  test('because its conversation was erased is imported again next to the remaining fork', async () => {
    const memory = await openTemporary(quiet)
    await memory.import(imports('chatgpt-conversations.json'))
    const id = 'chatgpt-6631d1c0-0001-8000-8000-000000000001'
    await memory.conversation(id).erase()
    const again = await memory.import(imports('chatgpt-conversations.json'))
    expect(again).toMatchObject({ conversations: 1, messages: 7, forks: 0 })
    expect((await memory.conversation(id).get())?.messageCount).toBe(7)
  })
})

describe('hostile exports', () => {
  const user = (id: string, parent: string | null, words = id) => [
    id,
    {
      id,
      parent,
      children: [],
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: [words] }, metadata: {} },
    },
  ]
  const importTree = async (entries: (readonly unknown[])[], current: string) => {
    const memory = await openTemporary(quiet)
    const mapping = Object.fromEntries(entries as [string, unknown][])
    const imported = await memory.import(
      inPieces(JSON.stringify([{ id: 'c', title: 'c', current_node: current, mapping }]), 65_536),
    )
    return { memory, imported }
  }

  test('a chain of 30,000 messages is imported', async () => {
    const entries = Array.from({ length: 30_000 }, (_, i) => user(`n${i}`, i === 0 ? null : `n${i - 1}`))
    const { imported } = await importTree(entries, 'n29999')
    expect(imported).toMatchObject({ messages: 30_000, forks: 0 })
  }, 60_000)

  test('a branch at every message does not cause endless copies', async () => {
    const entries = Array.from({ length: 260 }, (_, i) => [
      user(`n${i}`, i === 0 ? null : `n${i - 1}`),
      user(`b${i}`, `n${i}`),
    ]).flat()
    const { imported, memory } = await importTree(entries, 'n259')
    expect(imported).toMatchObject({ messages: 520, forks: 259 })
    const { messages } = await memory.statistics()
    expect(messages).toBeLessThan(520 * 51)
    expect((await memory.maintenance.check()).filter(({ problem }) => problem)).toEqual([])
  }, 60_000)

  test('names that are special in JavaScript are plain names', async () => {
    const ids = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const entries = ids.map((id, i) => user(id, i === 0 ? null : (ids[i - 1] as string)))
    const text = `{${entries.map(([id, value]) => `${JSON.stringify(id)}:${JSON.stringify(value)}`).join(',')}}`
    const memory = await openTemporary(quiet)
    const imported = await memory.import(inPieces(`[{"id":"__proto__","title":"x","mapping":${text}}]`))
    expect(imported).toMatchObject({ messages: 4, conversations: 1, forks: 0 })
    expect((Object.prototype as { polluted?: unknown }).polluted).toBeUndefined()
  })

  test('only extremely nested arguments are left out', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const calls = `[{"id":"c","function":{"name":"f","arguments":${deep}}}]`
    const line = `{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls":${calls}}],"conversation_id":"x"}`
    const memory = await openTemporary(quiet)
    expect(await memory.import(inPieces(`${line}\n${line}`))).toMatchObject({
      messages: 1,
      skipped: 2,
      known: 1,
    })
  })
})
