// A context is never worse than the plain conversation: whatever memory adds, it does not push out turns that fit.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Context,
  type Memory,
  type NewMessage,
  type PositionRun,
  type Receipt,
  readableText,
} from '../../src/index.ts'
import { effort } from '../support/effort.ts'
import { openTemporary } from '../support/open-temporary.ts'

const textOf = ({ messages }: Pick<Context, 'messages'>) =>
  messages.map(({ content }) => readableText(content)).join('\n')

const positionsIn = (runs: readonly PositionRun[]): number[] =>
  runs.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))

const TURNS = ['head', 'tail', 'live']
const sentIn = ({ parts }: Receipt): ReadonlySet<number> =>
  new Set(parts.filter(({ section }) => TURNS.includes(section)).flatMap(({ runs }) => positionsIn(runs)))

const PLANTS = ['beans', 'basil', 'leeks', 'chard', 'mint', 'peas', 'kale', 'onions', 'garlic', 'beets']

/** Exchanges that have something in common and differ. */
const exchanges = (count: number): NewMessage[] =>
  Array.from({ length: count }, (_, i) => [
    {
      role: 'user' as const,
      content: `Plot ${i} of the garden gets ${PLANTS[i % 10]} beside tomatoes, planted by neighbour ${i * 7}.`,
    },
    {
      role: 'assistant' as const,
      content: `Noted. ${PLANTS[(i * 3) % 10]} needs ${i + 2} litres of water there, and shade after ${i % 12} o'clock.`,
    },
  ]).flat()

async function withKnowledge(memory: Memory): Promise<void> {
  await memory
    .conversation('elsewhere')
    .record([
      { role: 'user', content: 'I am allergic to tomatoes. Always answer in German. I live in Porto.' },
      ...exchanges(12),
    ])
}

test('a conversation that fits is sent completely, even if memory has to shrink', async () => {
  const memory = await openTemporary()
  await withKnowledge(memory)
  const garden = memory.conversation('garden')
  await garden.record(exchanges(30))
  await memory.whenDerived()
  const query = 'Which plot of the garden gets tomatoes?'
  const plain = await garden.context(query, { memory: false })
  for (const spare of [0, 16, 100, 400]) {
    const { receipt } = await garden.context(query, { budgetTokens: plain.receipt.tokens + spare })
    expect([...sentIn(receipt)]).toHaveLength(60)
    expect(receipt.omitted.flatMap(({ runs }) => runs)).toEqual([])
  }
})

test('everything sent without memory is also sent with it, or the receipt says what replaced it', async () => {
  const turn = fc.record({
    isUser: fc.boolean(),
    words: fc.integer({ min: 1, max: 60 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 70 }),
      fc.integer({ min: 200, max: 2500 }),
      async (turns, budgetTokens) => {
        const memory = await openTemporary()
        await withKnowledge(memory)
        const chat = memory.conversation('chat')
        await chat.record(
          turns.map(({ isUser, words }, i) => ({
            role: isUser ? ('user' as const) : ('assistant' as const),
            content: `Part ${i}: ${Array.from({ length: words }, (_, n) => `tomatoes${i}x${n}`).join(' ')} garden.`,
          })),
        )
        await memory.whenDerived()
        const query = 'Which plot of the garden gets tomatoes?'
        const plain = await chat.context(query, { budgetTokens, memory: false })
        const full = await chat.context(query, { budgetTokens })
        const recalled = full.receipt.parts.filter(({ section }) => section === 'recalled')
        const sent = new Set([...sentIn(full.receipt), ...recalled.flatMap(({ runs }) => positionsIn(runs))])
        const replaced = new Map(
          full.receipt.omitted.flatMap(({ runs, replacedBy, reason }) =>
            replacedBy === undefined ? [] : positionsIn(runs).map((at) => [at, { replacedBy, reason }]),
          ),
        )
        const sections = full.receipt.parts.map(({ section }) => section)
        for (const position of sentIn(plain.receipt)) {
          if (sent.has(position)) continue
          const why = replaced.get(position)
          expect(why, `position ${position}`).toBeDefined()
          expect(sections).toEqual(expect.arrayContaining([...(why?.replacedBy ?? [])]))
          expect(why?.replacedBy.length).toBeGreaterThan(0)
        }
        await memory.close()
      },
    ),
    { numRuns: effort({ short: 8, long: 60 }), endOnFailure: true },
  )
})

test('each message is sent, covered by the summary that is sent, or counted as reachable by recall', async () => {
  const memory = await openTemporary()
  const garden = memory.conversation('garden')
  for (let i = 0; i < 6; i++) {
    await garden.record(exchanges(10))
    await memory.whenDerived()
    for (const budgetTokens of [300, 700, 1500]) {
      const { receipt } = await garden.context('Which plot gets basil?', { budgetTokens })
      const sent = sentIn(receipt)
      const recalled = receipt.parts
        .filter(({ section }) => section === 'recalled')
        .flatMap(({ runs }) => positionsIn(runs))
      const covered = receipt.omitted
        .filter(({ coverage }) => coverage !== undefined)
        .flatMap(({ runs }) => positionsIn(runs))
      const all = [...sent, ...recalled, ...covered].sort((a, b) => a - b)
      expect(all).toEqual(Array.from({ length: receipt.messageCount }, (_, position) => position))
      const bySummary = receipt.omitted.filter(({ coverage }) => coverage === 'summary')
      const through = Number(receipt.parts.find(({ section }) => section === 'summary')?.items?.[0]?.id ?? 0)
      for (const { runs } of bySummary) expect(Math.max(...positionsIn(runs))).toBeLessThan(through)
    }
  }
})

test('the summary reaches the tail: no turn is lost between them', async () => {
  const memory = await openTemporary()
  const garden = memory.conversation('garden')
  await garden.record(exchanges(60))
  await memory.whenDerived()
  for (const budgetTokens of [1200, 1500, 2000, 2500]) {
    const { receipt } = await garden.context('Which plot gets basil?', { budgetTokens })
    const uncovered = receipt.omitted.filter(
      ({ runs, coverage }) => runs.length > 0 && coverage !== 'summary',
    )
    expect(uncovered).toEqual([])
  }
})

test('if all messages are from the user, the last one is the live turn', async () => {
  const memory = await openTemporary()
  const inbox = memory.conversation('inbox')
  await inbox.record(
    Array.from({ length: 50 }, (_, i) => ({
      role: 'user' as const,
      name: i % 2 === 0 ? 'Ana' : 'Ben',
      content: `Entry ${i}: the parcel for house ${i} was left with the neighbour, who signed for it at noon.`,
    })),
  )
  const { messages, receipt } = await inbox.context({ budgetTokens: 1000 })
  expect(receipt.tokens).toBeLessThanOrEqual(1000)
  expect(receipt.parts.find(({ section }) => section === 'live')?.runs).toEqual([[49, 49]])
  expect(textOf({ messages })).toContain('Entry 49')
  expect(textOf({ messages })).toContain('Entry 48')
})

test('a chat without a model continues for 60 turns within a small budget', async () => {
  const memory = await openTemporary()
  const log = memory.conversation('log')
  for (let i = 0; i < 60; i++) {
    const events = []
    const message = `Day ${i}: the greenhouse had ${i} degrees, and the tomatoes on the left side look better now.`
    for await (const event of log.chat({ message, budgetTokens: 1000 })) events.push(event)
    expect(events.at(-1)).toMatchObject({ type: 'answered', ending: 'complete' })
  }
})

test('relevant items fill the memory budget, not a count of five', async () => {
  const memory = await openTemporary()
  await memory.conversation('recipes').record(
    Array.from({ length: 12 }, (_, i) => ({
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Grandmother's soup, step ${i}: ${'abcdefghijkl'[i]}-type beans are added.`,
    })),
  )
  await memory.whenDerived()
  const { receipt } = await memory.conversation('new').context("Which beans are in grandmother's soup?")
  const recalled = receipt.parts.find(({ section }) => section === 'recalled')
  expect(recalled?.items?.length).toBeGreaterThan(8)
  expect(receipt.omitted.map(({ reason }) => reason)).not.toContain('over the limit of its kind')
})

test('tokens set aside for items that the longer tail sends anyway go to the tail as well', async () => {
  const chat = (await openTemporary()).conversation('advice')
  const subjects = ['bike', 'garden', 'taxes', 'piano', 'bread', 'camping']
  for (let i = 0; i < 60; i += 2)
    await chat.record([
      {
        role: 'user',
        content: `Question ${i}: what should I do about the ${subjects[(i + 1) % 6]}, given that my budget is ${i * 10} euros and I live in Leiden?`,
      },
      {
        role: 'assistant',
        content: `Answer ${i + 1}: for the ${subjects[(i + 1) % 6]} I would wait until next week and then look at the price again, since it often drops.`,
      },
    ])
  for (const budgetTokens of [800, 1400, 1600]) {
    const { receipt } = await chat.context('What about the piano?', { budgetTokens })
    const [step, turn] = [budgetTokens / 8, 60]
    expect(budgetTokens - receipt.tokens).toBeLessThan(step + turn)
  }
})

test('earlier questions, replies from memory and fillers are not recalled', async () => {
  const memory = await openTemporary()
  const first = memory.conversation('first')
  await first.record([
    { role: 'user', content: 'Which plot gets the purple beans?' },
    { role: 'assistant', content: 'Let me think about the purple beans.' },
    { role: 'user', content: 'The purple beans go to plot 7.' },
  ])
  for await (const _ of first.chat({ message: 'Which plot gets the purple beans?' }));
  await memory.whenDerived()
  const { messages, receipt } = await memory
    .conversation('second')
    .context('Which plot gets the purple beans?')
  const recalled = receipt.parts.find(({ section }) => section === 'recalled')
  expect(textOf({ messages })).toContain('The purple beans go to plot 7.')
  expect(recalled?.items).toHaveLength(1)
  expect(receipt.omitted.map(({ reason }) => reason)).toContain('an earlier question')
  const { items } = await memory.messages.search('purple beans')
  expect(items.map(({ snippet }) => snippet.text).join()).not.toContain('No language model')
  expect(items).toHaveLength(4)
})
