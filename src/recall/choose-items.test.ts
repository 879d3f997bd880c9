import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageId } from '../domain/ids.ts'
import { type Choice, chooseItems } from './choose-items.ts'
import type { ScoredItem } from './scored-item.ts'

const WORDS = 'red green blue cyan olive coral ivory amber teal plum rose lime'.split(' ')
/** A different text for every number. */
const textOf = (seed: number, words = 6): string =>
  Array.from({ length: words }, (_, i) => `${WORDS[(seed * 7 + i * 5) % WORDS.length]}${seed}x${i}`).join(' ')

const aFound = (id: string, changes: Partial<ScoredItem> = {}): ScoredItem => ({
  kind: 'message',
  id,
  text: textOf(Number(id.slice(1)) || 0),
  score: 0.5,
  similarity: 0.8,
  why: [{ signal: 'words', score: 1, text: 'has "red"' }],
  messageIds: [messageId(id)],
  createdAt: new Date('2026-05-01'),
  ...changes,
})

const countTokens = (text: string): number => text.split(/\s+/).length
const choose = (found: readonly ScoredItem[], changes: Partial<Choice> = {}) =>
  chooseItems(found, {
    limit: 5,
    leastSimilarity: 0.25,
    countTokens,
    isVisible: () => false,
    ...changes,
  })
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)

describe('an answer has', () => {
  test('the best, in order, up to the limit, and reports what was over it', () => {
    const found = [1, 2, 3].map((n) => aFound(`m${n}`))
    const { items, leftOut } = choose(found, { limit: 2 })
    expect(idsOf(items)).toEqual(['m1', 'm2'])
    expect(leftOut).toMatchObject([{ id: 'm3', reason: 'over the limit' }])
  })

  test('what is like the question, and standing instructions whatever they say', () => {
    const found = [
      aFound('m1', { similarity: 0.2 }),
      aFound('m2', { similarity: 0.1, isInstruction: true }),
      aFound('m3', { similarity: 0.25 }),
    ]
    const { items, leftOut } = choose(found)
    expect(idsOf(items)).toEqual(['m2', 'm3'])
    expect(leftOut).toMatchObject([{ id: 'm1', reason: 'below the threshold' }])
  })

  test('nothing that is already visible', () => {
    const found = [aFound('m1'), aFound('m2', { isInstruction: true }), aFound('m3')]
    const { items, leftOut } = choose(found, { isVisible: ({ id }) => id !== 'm3' })
    expect(idsOf(items)).toEqual(['m3'])
    expect(leftOut.map(({ reason }) => reason)).toEqual(['already in the context', 'already in the context'])
  })

  test('nothing nearly twice', () => {
    const said = 'We paint the garden fence green on the first of May with Ana and Joao'
    const found = [
      aFound('m1', { text: said }),
      aFound('m2', { text: said.toUpperCase() }),
      aFound('m3', { text: `${said}, too` }),
      aFound('m4', { text: `${said}, but then it rained for a week and nothing came of it` }),
    ]
    const { items, leftOut } = choose(found)
    expect(idsOf(items)).toEqual(['m1', 'm4'])
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      'nearly the same as another',
      'nearly the same as another',
    ])
  })

  test('no fact beside the one message that says it, but one that several say', () => {
    const fact = { kind: 'fact', text: 'user: diet is vegetarian' } as const
    const found = [
      aFound('m1'),
      aFound('f1', { ...fact, messageIds: [messageId('m1')] }),
      aFound('f2', { ...fact, text: 'user: home is Porto', messageIds: [messageId('m1'), messageId('m7')] }),
    ]
    expect(idsOf(choose(found).items)).toEqual(['m1', 'f2'])
  })

  test('the smaller where the larger does not fit', () => {
    const found = [aFound('m1', { text: textOf(1, 50) }), aFound('m2', { text: textOf(2, 10) })]
    const { items, leftOut } = choose(found, { budgetTokens: 20 })
    expect(items).toMatchObject([{ id: 'm2', tokens: 10 }])
    expect(leftOut).toMatchObject([{ id: 'm1', reason: 'over the budget' }])
  })

  test('within a budget, of the tail the short ones, and still in order of rank', () => {
    const found = Array.from({ length: 30 }, (_, i) =>
      aFound(`m${i + 1}`, { text: textOf(i + 1, i >= 10 && i % 2 === 0 ? 40 : 5) }),
    )
    const { items } = choose(found, { budgetTokens: 110, limit: 100 })
    const short = [12, 14, 16, 18, 20, 22, 24, 26, 28, 30].map((n) => `m${n}`)
    expect(idsOf(items)).toEqual([...idsOf(found.slice(0, 10)), ...short])
    expect(idsOf(choose(found, { limit: 12 }).items)).toEqual(idsOf(found.slice(0, 12)))
  })

  test('the ten best however long they are, where they fit', () => {
    const found = Array.from({ length: 30 }, (_, i) =>
      aFound(`m${i + 1}`, { text: textOf(i + 1, i < 10 ? 40 : 2) }),
    )
    const { items } = choose(found, { budgetTokens: 410, limit: 100 })
    expect(idsOf(items)).toEqual(idsOf(found.slice(0, 15)))
  })

  test('no more of what was left out than can be read, the best of it', () => {
    const found = Array.from({ length: 60 }, (_, i) => aFound(`m${i + 1}`))
    const { leftOut } = choose(found, { limit: 1 })
    expect(idsOf(leftOut)).toEqual(found.slice(1, 21).map(({ id }) => id))
  })
})

describe('for anything that was found', () => {
  const someFound = fc
    .array(
      fc.record({
        seed: fc.nat(30),
        words: fc.integer({ min: 1, max: 40 }),
        similarity: fc.double({ min: 0, max: 1, noNaN: true }),
        isInstruction: fc.boolean(),
        isSeen: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    .map((list) =>
      list.map(({ seed, words, similarity, isInstruction, isSeen }, i) => ({
        ...aFound(`m${i}`, { text: textOf(seed, words), similarity }),
        ...(isInstruction && { isInstruction: true as const }),
        source: isSeen ? 'seen' : 'unseen',
      })),
    )
  const isVisible = ({ source }: ScoredItem) => source === 'seen'
  const tokensOf = (items: readonly { readonly tokens: number }[]) =>
    items.reduce((sum, { tokens }) => sum + tokens, 0)

  test('limit and budget hold, nothing visible is repeated, nothing is lost, and the order stays', () => {
    fc.assert(
      fc.property(someFound, fc.integer({ min: 1, max: 10 }), fc.nat(120), (found, limit, budgetTokens) => {
        const { items, leftOut } = choose(found, { limit, budgetTokens, isVisible })
        expect(items.length).toBeLessThanOrEqual(limit)
        expect(tokensOf(items)).toBeLessThanOrEqual(budgetTokens)
        for (const { text, tokens } of items) expect(tokens).toBe(countTokens(text))
        const seen = new Set(idsOf(found.filter(isVisible)))
        expect(idsOf(items).filter((id) => seen.has(id))).toEqual([])
        const told = new Set(idsOf([...items, ...leftOut]))
        if (leftOut.length < 20) expect(told.size).toBe(found.length)
        expect(told.size).toBe(items.length + leftOut.length)
        expect(idsOf(items)).toEqual(idsOf(found).filter((id) => idsOf(items).includes(id)))
      }),
    )
  })

  test('a tighter budget never gives more tokens', () => {
    fc.assert(
      fc.property(someFound, fc.nat(600), fc.nat(600), (found, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        const chosen = (budgetTokens: number) => choose(found, { budgetTokens, limit: 30 }).items
        expect(tokensOf(chosen(less))).toBeLessThanOrEqual(tokensOf(chosen(more)))
      }),
    )
  })

  test('a lower limit takes nothing else, and never more tokens', () => {
    fc.assert(
      fc.property(someFound, fc.nat(600), fc.integer({ min: 1, max: 30 }), (found, budgetTokens, limit) => {
        const chosen = (most: number) => choose(found, { budgetTokens, limit: most }).items
        expect(idsOf(chosen(limit + 1))).toEqual(expect.arrayContaining(idsOf(chosen(limit))))
      }),
    )
  })
})
