import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countCharacters, toMessages } from '../../test/support/conversation.arbitrary.ts'
import { effort } from '../../test/support/effort.ts'
import { found, limits, memory, REMEMBERED } from '../../test/support/memory.arbitrary.ts'
import { materialOf, situation, tryBuild } from '../../test/support/situation.arbitrary.ts'
import { withoutInjected } from '../domain/injected.ts'
import type { ContextMessage } from '../domain/message.ts'
import { partsOf, readableText } from '../domain/message.ts'
import type { PositionRun, Section } from '../domain/receipt.ts'
import { countMessageTokens, countToolsTokens, PER_REQUEST } from '../domain/tokens.ts'
import { loadTokenizer } from '../model/built-in/load-tokenizer.ts'
import { type BuiltContext, buildContext } from './build-context.ts'
import type { ContextMaterial, MemoryLimits, MemoryMaterial } from './material.ts'
import { checkValidity } from './provider-validity.ts'

const positionsIn = (runs: readonly PositionRun[]): number[] =>
  runs.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))

const MEMORY: readonly Section[] = ['memory', 'recalled', 'notes', 'chunks']
const tokensIn = (built: BuiltContext | undefined, sections: readonly Section[]): number =>
  (built?.receipt.parts ?? [])
    .filter(({ section }) => sections.includes(section))
    .reduce((sum, { tokens }) => sum + tokens, 0)

const withoutMemory = (messages: readonly ContextMessage[]): string =>
  messages
    .flatMap(({ content }) => partsOf(content))
    .map((part) => ('text' in part ? withoutInjected(part.text) : JSON.stringify(part)))
    .join('\n')

describe('for any conversation, any memory and any budget', () => {
  test('a context never costs more than the budget, nor memory more than its share, counted again over all that is sent', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const built = tryBuild(material, what)
        if (built === undefined) return
        const counted =
          PER_REQUEST +
          countToolsTokens(countCharacters, material.tools) +
          built.messages.reduce((sum, message) => sum + countMessageTokens(countCharacters, message), 0)
        expect(counted).toBeLessThanOrEqual(material.budgetTokens)
        expect(built.receipt.tokens).toBe(counted)
        const { memoryTokens, summaryTokens } = (material.memory as MemoryMaterial).limits
        expect(tokensIn(built, MEMORY)).toBeLessThanOrEqual(memoryTokens)
        expect(tokensIn(built, ['summary'])).toBeLessThanOrEqual(summaryTokens)
        const sections = built.receipt.parts.reduce((sum, { tokens }) => sum + tokens, PER_REQUEST)
        expect(sections).toBe(counted)
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })

  test('every provider takes it', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const built = tryBuild(material, what)
        expect(built === undefined ? [] : checkValidity(built.messages)).toEqual([])
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })

  test('the system prompt is as it was, and the live turn whole', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const asked = { ...material, query: 'And now, after all?' }
        const built = tryBuild(asked, what)
        const { memory: _, ...plain } = asked
        const alone = tryBuild(plain)
        expect(built === undefined).toBe(alone === undefined)
        if (built === undefined || alone === undefined) return
        const systemOf = ({ messages }: BuiltContext) => messages.filter(({ role }) => role === 'system')
        expect(systemOf(built)).toEqual(systemOf(alone))
        expect(readableText(built.messages.at(-1)?.content ?? '')).toMatch(/And now, after all\?$/)
      }),
      { numRuns: effort({ short: 50, long: 250 }) },
    )
  })

  test('the receipt accounts for every message once, and names whatever was remembered or dropped', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what, history }) => {
        const receipt = tryBuild(material, what)?.receipt
        if (receipt === undefined) return
        const accounted = [...receipt.parts, ...receipt.omitted].flatMap(({ runs }) => positionsIn(runs))
        expect(accounted.sort((a, b) => a - b)).toEqual(history.map(({ position }) => position))
        expect(receipt.omitted.every(({ reason }) => reason.length > 10)).toBe(true)
        for (const { section, tokens, items } of receipt.parts) {
          if (MEMORY.includes(section)) expect(items?.length).toBeGreaterThan(0)
          expect((items ?? []).reduce((sum, item) => sum + item.tokens, 0)).toBeLessThanOrEqual(tokens)
        }
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })

  test('the same call gives the same bytes', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        expect(JSON.stringify(tryBuild(material, what))).toBe(JSON.stringify(tryBuild({ ...material }, what)))
      }),
    )
  })

  test('nothing that is remembered gets out of its marks', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const built = tryBuild(material, what)
        if (built === undefined) return
        expect(withoutMemory(built.messages)).not.toContain(REMEMBERED)
        const all = JSON.stringify(built.messages)
        const marks = [...all.matchAll(/<(\/?)recollect-memory/gi)].map(([, slash]) => slash)
        expect(marks.every((slash, i) => slash === (i % 2 === 0 ? '' : '/'))).toBe(true)
        expect(marks.length % 2).toBe(0)
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })

  test('no line of what is remembered looks like one of ours', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const built = tryBuild(material, what)
        const parts = built?.receipt.parts ?? []
        const itemsIn = (...sections: Section[]) =>
          parts.filter(({ section }) => sections.includes(section)).flatMap(({ items }) => items ?? []).length
        const blocks = [
          ...JSON.stringify(built?.messages ?? []).matchAll(/<recollect-memory>.*?<\/recollect-memory>/g),
        ]
        const lines = blocks.flatMap(([block]) =>
          (JSON.parse(`"${block}"`) as string).split(/[\n\r\v\f\u0085\u2028\u2029]/),
        )
        expect(lines.filter((line) => line.startsWith('[')).length).toBe(
          itemsIn('recalled', 'notes', 'chunks'),
        )
        expect(lines.filter((line) => line.startsWith('- ')).length).toBe(itemsIn('memory'))
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })

  test('a counter that counts the whole higher than its parts leads to less, not to too much', () => {
    const count = (text: string) => countCharacters(text) + Math.floor((text.length / 200) ** 2)
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const built = tryBuild({ ...material, counter: { tokenizer: 'other', count } }, what)
        if (built === undefined) return
        const counted =
          PER_REQUEST +
          countToolsTokens(count, material.tools) +
          built.messages.reduce((sum, message) => sum + countMessageTokens(count, message), 0)
        expect(counted).toBeLessThanOrEqual(material.budgetTokens)
        expect(tokensIn(built, MEMORY)).toBeLessThanOrEqual(material.memory?.limits.memoryTokens ?? 0)
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })

  test('the same holds with a real tokenizer', async () => {
    const tokenizer = await loadTokenizer('o200k')
    const count = (text: string) => tokenizer.count(text)
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const built = tryBuild({ ...material, counter: { tokenizer: tokenizer.name, count } }, what)
        if (built === undefined) return
        const counted =
          PER_REQUEST +
          countToolsTokens(count, material.tools) +
          built.messages.reduce((sum, message) => sum + countMessageTokens(count, message), 0)
        expect(built.receipt.tokens).toBe(counted)
        expect(counted).toBeLessThanOrEqual(material.budgetTokens)
        expect(tokensIn(built, MEMORY)).toBeLessThanOrEqual(material.memory?.limits.memoryTokens ?? 0)
      }),
      { numRuns: effort({ short: 50, long: 200 }) },
    )
  })

  test('what the model sees in a turn is not recalled to it', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const parts = tryBuild(material, what)?.receipt.parts ?? []
        const seen = new Set(
          parts
            .filter(({ section }) => ['head', 'tail', 'live', 'system'].includes(section))
            .flatMap((part) => part.messageIds),
        )
        const items = parts
          .filter(({ section }) => section === 'recalled')
          .flatMap((part) => part.items ?? [])
        for (const { kind, messageIds } of items) {
          if (kind !== 'summary') expect(messageIds.filter((id) => seen.has(id))).toEqual([])
        }
      }),
      { numRuns: effort({ short: 50, long: 250 }) },
    )
  })

  test('no summary if every message is sent, and no head that repeats the tail', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const receipt = tryBuild(material, what)?.receipt
        if (receipt === undefined) return
        const isWhole = !receipt.omitted.some(({ reason }) => reason.startsWith('older than'))
        const sections = receipt.parts.map(({ section }) => section)
        const recalled = receipt.parts.find(({ section }) => section === 'recalled')?.runs ?? []
        if (isWhole && recalled.length === 0) expect(sections).not.toContain('summary')
      }),
      { numRuns: effort({ short: 50, long: 250 }) },
    )
  })

  test('where memory is off, a context is what it is without any', () => {
    fc.assert(
      fc.property(situation, ({ material, found: what }) => {
        const { memory: _, ...off } = material
        const built = tryBuild(off, what)
        expect(JSON.stringify(built)).toBe(JSON.stringify(tryBuild(off)))
        expect(
          built?.receipt.parts.every(({ section }) =>
            ['tools', 'system', 'tail', 'live'].includes(section),
          ) ?? true,
        ).toBe(true)
      }),
    )
  })
})

const KNOBS = ['facts', 'notes', 'finalChunks'] as const

describe('tightening a knob', () => {
  const withLimits = (material: ContextMaterial, changed: Partial<MemoryLimits>): ContextMaterial => {
    const before = material.memory as MemoryMaterial
    return { ...material, memory: { ...before, limits: { ...before.limits, ...changed } } }
  }

  test('fewer facts, turns, notes or chunks never make a context longer, in all or in memory', () => {
    fc.assert(
      fc.property(
        situation,
        fc.constantFrom(...KNOBS),
        fc.nat({ max: 5 }),
        ({ material, found: what }, knob, most) => {
          const loose = tryBuild(withLimits(material, { [knob]: most + 1 }), what)
          const tight = tryBuild(withLimits(material, { [knob]: most }), what)
          expect(tokensIn(tight, MEMORY)).toBeLessThanOrEqual(tokensIn(loose, MEMORY))
          // If nothing is left of memory, the recent turns get its tokens.
          const isLeft = tokensIn(tight, [...MEMORY, 'summary', 'head']) > 0
          if (isLeft) expect(tight?.receipt.tokens ?? 0).toBeLessThanOrEqual(loose?.receipt.tokens ?? 0)
        },
      ),
      { numRuns: effort({ short: 120, long: 600 }) },
    )
  })

  test('a lower limit never gives more tokens of memory, as long as the same messages are sent', () => {
    const twoTurns = toMessages([{ role: 'user', content: 'tea' }])
    fc.assert(
      fc.property(memory, found, limits, fc.nat({ max: 1000 }), (remembered, what, most, memoryTokens) => {
        const build = (tokens: number) =>
          buildContext(
            materialOf(twoTurns, {
              budgetTokens: 100_000,
              memory: { ...remembered, limits: { ...most, memoryTokens: tokens } },
            }),
            what,
          )
        expect(tokensIn(build(memoryTokens), MEMORY)).toBeLessThanOrEqual(
          tokensIn(build(memoryTokens + 37), MEMORY),
        )
      }),
      { numRuns: effort({ short: 80, long: 400 }) },
    )
  })
})
