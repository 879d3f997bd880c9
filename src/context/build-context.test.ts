import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversation, countCharacters, toMessages } from '../../test/support/conversation.arbitrary.ts'
import { effort } from '../../test/support/effort.ts'
import { BudgetError } from '../domain/errors.ts'
import type { Message } from '../domain/message.ts'
import { readableText } from '../domain/message.ts'
import type { PositionRun } from '../domain/receipt.ts'
import { countMessageTokens, countToolsTokens, PER_REQUEST } from '../domain/tokens.ts'
import { type BuiltContext, buildContext } from './build-context.ts'
import type { ContextMaterial } from './material.ts'
import { checkValidity } from './provider-validity.ts'

const counter = { tokenizer: 'characters', count: countCharacters }

function materialOf(history: readonly Message[], more: Partial<ContextMaterial> = {}): ContextMaterial {
  const systemMessages = history.filter(({ role, erasedAt }) => role === 'system' && erasedAt === undefined)
  return { history, systemMessages, tools: [], budgetTokens: 400, stepTokens: 50, counter, ...more }
}

/** Undefined where not even the live turn fits. */
function tryBuild(material: ContextMaterial): BuiltContext | undefined {
  try {
    return buildContext(material)
  } catch (error) {
    if (error instanceof BudgetError) return undefined
    throw error
  }
}

const extras = fc.record(
  {
    query: fc.constantFrom('Where should we eat?', 'tea'),
    system: fc.constantFrom('Be kind.', ' '),
    tools: fc.constant([{ name: 'look_up', parameters: { type: 'object' } }]),
    budgetTokens: fc.integer({ min: 1, max: 3000 }),
    stepTokens: fc.constantFrom(0, 1, 50, 400),
  },
  { requiredKeys: [] },
)

const positionsIn = (runs: readonly PositionRun[]): number[] =>
  runs.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))

describe('for any conversation and any budget', () => {
  test('a context never costs more than the budget, counted again over all that is sent', () => {
    fc.assert(
      fc.property(conversation, extras, (history, more) => {
        const material = materialOf(history, more)
        const built = tryBuild(material)
        if (built === undefined) return
        const counted =
          PER_REQUEST +
          countToolsTokens(countCharacters, material.tools) +
          built.messages.reduce((sum, message) => sum + countMessageTokens(countCharacters, message), 0)
        expect(counted).toBeLessThanOrEqual(material.budgetTokens)
        expect(built.receipt.tokens).toBe(counted)
      }),
      { numRuns: effort({ short: 200, long: 1000 }) },
    )
  })

  test('every provider takes it', () => {
    fc.assert(
      fc.property(conversation, extras, (history, more) => {
        const built = tryBuild(materialOf(history, more))
        expect(built === undefined ? [] : checkValidity(built.messages)).toEqual([])
      }),
      { numRuns: effort({ short: 200, long: 1000 }) },
    )
  })

  test('the receipt accounts for every message once: sent, or left out with a reason', () => {
    fc.assert(
      fc.property(conversation, extras, (history, more) => {
        const receipt = tryBuild(materialOf(history, more))?.receipt
        if (receipt === undefined) return
        const accounted = [...receipt.parts, ...receipt.omitted].flatMap(({ runs }) => positionsIn(runs))
        expect(accounted.sort((a, b) => a - b)).toEqual(history.map(({ position }) => position))
        expect(receipt.omitted.every(({ reason }) => reason.length > 10)).toBe(true)
        const sections = receipt.parts.reduce((sum, { tokens }) => sum + tokens, PER_REQUEST)
        expect(sections).toBe(receipt.tokens)
      }),
      { numRuns: effort({ short: 200, long: 1000 }) },
    )
  })

  test('the same call gives the same bytes', () => {
    fc.assert(
      fc.property(conversation, extras, (history, more) => {
        const material = materialOf(history, more)
        expect(JSON.stringify(tryBuild(material))).toBe(JSON.stringify(tryBuild({ ...material })))
      }),
    )
  })

  test('what people and the assistant said stays in order', () => {
    const isText = ({ role, content }: Message) =>
      (role === 'user' || role === 'assistant') && typeof content === 'string' && content.trim() !== ''
    fc.assert(
      fc.property(conversation, extras, (history, more) => {
        const marked = history.map((message) =>
          isText(message) ? { ...message, content: `${message.content} #${message.position}#` } : message,
        )
        const built = tryBuild(materialOf(marked, more))
        const spoken = [...JSON.stringify(built?.messages ?? []).matchAll(/#(\d+)#/g)].map(([, position]) =>
          Number(position),
        )
        expect(spoken).toEqual([...new Set(spoken)].sort((a, b) => a - b))
      }),
    )
  })

  test('the live turn is whole and every system prompt is there, or a BudgetError says by how much it fails', () => {
    fc.assert(
      fc.property(conversation, fc.integer({ min: 1, max: 600 }), (history, budgetTokens) => {
        const material = materialOf(history, { budgetTokens, query: 'And now?' })
        const built = tryBuild(material)
        if (built !== undefined) {
          expect(readableText(built.messages.at(-1)?.content ?? '')).toContain('And now?')
          const prompts = material.systemMessages
            .map(({ content }) => content as string)
            .filter((text) => text.trim())
          for (const prompt of prompts) expect(built.messages[0]?.content).toContain(prompt)
          return
        }
        const needed = neededBy(material)
        expect(needed).toBeGreaterThan(budgetTokens)
        expect(tryBuild({ ...material, budgetTokens: needed })).toBeDefined()
        expect(tryBuild({ ...material, budgetTokens: needed - 1 })).toBeUndefined()
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('a context begins with the whole context of the turn before, unless the receipt says why not', () => {
    fc.assert(
      fc.property(conversation, extras, (history, { query: _, ...more }) => {
        let before: BuiltContext | undefined
        for (let turn = 1; turn <= history.length; turn++) {
          const previous = before && { previous: before.fingerprint }
          const now = tryBuild(materialOf(history.slice(0, turn), { ...more, ...previous }))
          if (now === undefined) continue
          if (before !== undefined) expectHonestPrefix(before, now)
          before = now
        }
      }),
      { numRuns: effort({ short: 60, long: 300 }) },
    )
  })
})

function neededBy(material: ContextMaterial): number {
  try {
    buildContext(material)
  } catch (error) {
    if (error instanceof BudgetError) return error.neededTokens
    throw error
  }
  return 0
}

function expectHonestPrefix(before: BuiltContext, now: BuiltContext): void {
  const isPrefix = before.messages.every(
    (message, i) => JSON.stringify(message) === JSON.stringify(now.messages[i]),
  )
  const { sharedPrefix } = now.receipt
  expect(sharedPrefix.brokenBecause === undefined).toBe(isPrefix)
  if (isPrefix) expect(sharedPrefix.messages).toBe(before.messages.length)
}

describe('over a long conversation', () => {
  const long = toMessages(
    Array.from({ length: 2000 }, (_, i) => ({
      role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `message ${i} ${'word '.repeat(10 + ((i * 7) % 30))}`,
    })),
  )

  function contextsOf(stepTokens: number): BuiltContext[] {
    const contexts: BuiltContext[] = []
    for (let turn = 1; turn <= long.length; turn += 2) {
      const previous = contexts.at(-1)
      const history = long.slice(Math.max(0, turn - 300), turn)
      contexts.push(
        buildContext(
          materialOf(history, {
            budgetTokens: 4000,
            stepTokens,
            ...(previous && { previous: previous.fingerprint }),
          }),
        ),
      )
    }
    return contexts
  }

  test('the prefix breaks once for every eighth of the budget that was said, not every turn', () => {
    const contexts = contextsOf(500)
    const breaks = contexts.filter(({ receipt }) => receipt.sharedPrefix.brokenBecause !== undefined).length
    const saidTokens = long.reduce((sum, { tokens }) => sum + tokens, 0)
    expect(breaks).toBeLessThanOrEqual(Math.ceil(saidTokens / 500))
    expect(breaks).toBeLessThan(contexts.length / 5)
    const withoutSteps = contextsOf(0).filter(
      ({ receipt }) => receipt.sharedPrefix.brokenBecause !== undefined,
    ).length
    expect(withoutSteps).toBeGreaterThan(breaks * 3)
  })

  test('the tail fills the budget, but for one step', () => {
    for (const { receipt } of contextsOf(500).slice(100)) {
      expect(receipt.tokens).toBeGreaterThan(4000 - 500 - 100)
      expect(receipt.omitted[0]?.reason).toContain('older than what fits')
    }
  })
})

describe('in particular', () => {
  const user = (content: string) => ({ role: 'user' as const, content })
  const assistant = (content: string) => ({ role: 'assistant' as const, content })
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: {} } as const
  const result = { type: 'tool-result', toolCallId: 'a', output: 'found' } as const
  const build = (...list: Parameters<typeof toMessages>[0]) => buildContext(materialOf(toMessages(list)))

  test('a question that was recorded just now is not asked twice', () => {
    const history = toMessages([user('hello'), assistant('hi'), user('Where?')])
    const { messages } = buildContext(materialOf(history, { query: 'Where?' }))
    expect(messages.map(({ content }) => content)).toEqual(['hello', 'hi', 'Where?'])
  })

  test('a question recorded afterwards in the same words keeps the prefix', () => {
    const history = toMessages([
      user('hello'),
      assistant('hi'),
      user('Where?'),
      assistant('There.'),
      user('When?'),
    ])
    const first = buildContext(materialOf(history.slice(0, 2), { query: 'Where?' }))
    const second = buildContext(materialOf(history, { previous: first.fingerprint }))
    expect(second.receipt.sharedPrefix).toEqual({ messages: 3, tokens: expect.any(Number) })
  })

  test('a result that came after somebody spoke moves up to its call, and the receipt says so', () => {
    const { messages, receipt } = build(
      user('look it up'),
      { role: 'assistant', content: [call] },
      user('hurry'),
      { role: 'tool', content: [result] },
    )
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(receipt.repairs[0]?.repair).toContain('moved up')
  })

  test('a call without a result gets a result that says so', () => {
    const { messages } = build(user('look it up'), { role: 'assistant', content: [call] })
    expect(JSON.stringify(messages.at(-1))).toContain('No result was recorded')
  })

  test('a call in the live turn survives the smallest budget that fits it', () => {
    const list = [
      user('old '.repeat(300)),
      assistant('answer'),
      user('look'),
      { role: 'assistant' as const, content: [call] },
      { role: 'tool' as const, content: [result] },
    ]
    const history = toMessages(list)
    const { messages } = buildContext(materialOf(history, { budgetTokens: 60 }))
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('a message with results for two turns is accounted for once', () => {
    const { receipt } = build(
      { role: 'assistant', content: [{ ...call, toolCallId: 'first' }] },
      {
        role: 'assistant',
        content: [
          { ...call, toolCallId: 'a' },
          { ...call, toolCallId: 'b' },
        ],
      },
      {
        role: 'tool',
        content: [
          { ...result, toolCallId: 'first' },
          { ...result, toolCallId: 'a' },
        ],
      },
      user('and b?'),
      { role: 'tool', content: [{ ...result, toolCallId: 'b' }] },
    )
    expect(receipt.parts.flatMap(({ messageIds }) => messageIds)).toEqual(['m0', 'm1', 'm2', 'm3', 'm4'])
  })

  test('a turn of which only the end was read is not sent', () => {
    const history = toMessages([
      user('one'),
      assistant('half'),
      user('two'),
      assistant('whole'),
      user('three'),
    ]).slice(1)
    const { messages } = buildContext(materialOf(history, { stepTokens: 0 }))
    expect(messages.map(({ content }) => content)).toEqual(['two', 'whole', 'three'])
  })

  test('two people in one turn are distinguished by name', () => {
    const { messages } = build({ ...user('tea'), name: 'Ana' }, { ...user('coffee'), name: 'Ben' })
    expect(readableText(messages[0]?.content ?? '')).toBe('Ana: tea\n\nBen: coffee')
  })

  test('reasoning is kept in the record and not sent', () => {
    const { messages } = build(
      user('hm'),
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'secret' },
          { type: 'text', text: 'yes' },
        ],
      },
      user('ok'),
    )
    expect(JSON.stringify(messages)).not.toContain('secret')
  })

  test('a system prompt of the call that is recorded too is sent once', () => {
    const history = toMessages([{ role: 'system', content: 'Be kind.' }, user('hello')])
    const { messages } = buildContext(materialOf(history, { system: 'Be kind.' }))
    expect(messages[0]).toEqual({ role: 'system', content: 'Be kind.' })
  })

  test('counts of another tokenizer are not trusted', () => {
    const [message] = toMessages([user('word '.repeat(100))])
    const history = [{ ...(message as Message), tokens: 1, tokenizer: 'other' }]
    expect(() => buildContext(materialOf(history, { budgetTokens: 20 }))).toThrow(BudgetError)
  })
})
