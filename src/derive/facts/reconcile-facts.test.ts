import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import type { Fact } from '../../domain/fact.ts'
import { messageId } from '../../domain/ids.ts'
import { isSingleValued } from './attributes.ts'
import type { ExtractedFact } from './extracted-fact.ts'
import { FactIndex } from './fact-index.ts'
import { identify } from './fact-key.ts'
import type { FactOperation } from './fact-operation.ts'
import { factsAsOf } from './fold-facts.ts'
import { toFact } from './mutable-fact.ts'
import { reconcile } from './reconcile-facts.ts'

const day = (count: number): Date => new Date(Date.UTC(2026, 0, count))

function said(given: Partial<ExtractedFact> & { day?: number }): ExtractedFact {
  const { day: when = 1, ...rest } = given
  return {
    action: 'state',
    subject: 'user',
    attribute: 'home',
    value: 'Porto',
    kind: 'fact',
    validFrom: day(when),
    saidAt: day(when),
    confidence: 0.8,
    messageId: messageId(`message-${when}`),
    evidence: '',
    ...rest,
  }
}

function learn(...facts: readonly ExtractedFact[]): readonly Fact[] {
  return factsOf(know(...facts))
}

function know(...facts: readonly ExtractedFact[]): FactIndex {
  const known = new FactIndex()
  take(known, facts)
  return known
}

function take(known: FactIndex, facts: readonly ExtractedFact[]): FactOperation[] {
  return facts.flatMap((fact) => {
    const operations = reconcile(known, fact)
    for (const operation of operations) known.apply(operation)
    return operations
  })
}

const factsOf = (known: FactIndex): readonly Fact[] => Array.from(known.all(), toFact)

const periods = (facts: readonly Fact[]) =>
  facts.map(({ value, validFrom, validUntil }) => [value, validFrom.getTime(), validUntil?.getTime()])

describe('a single-valued attribute', () => {
  test('closes the older value where a newer one begins', () => {
    const facts = learn(said({}), said({ value: 'Lisbon', day: 5 }))
    expect(periods(facts)).toEqual([
      ['Porto', day(1).getTime(), day(5).getTime()],
      ['Lisbon', day(5).getTime(), undefined],
    ])
  })

  test('ends an older value that is learned later where the newer one begins', () => {
    const facts = learn(said({ value: 'Lisbon', day: 5 }), said({ value: 'Porto', day: 2 }))
    expect(periods(facts)).toContainEqual(['Porto', day(2).getTime(), day(5).getTime()])
    expect(periods(facts)).toContainEqual(['Lisbon', day(5).getTime(), undefined])
  })

  test('counts the same value as more evidence, ignoring case and articles', () => {
    const facts = learn(said({}), said({ value: 'porto', day: 3 }))
    expect(facts).toHaveLength(1)
    expect(facts[0]?.sources).toHaveLength(2)
    expect(facts[0]?.confidence).toBeGreaterThan(0.8)
  })

  test('gets a second period when an old value returns', () => {
    const facts = learn(said({}), said({ value: 'Lisbon', day: 5 }), said({ day: 9 }))
    expect(periods(facts).filter(([value]) => value === 'Porto')).toEqual([
      ['Porto', day(1).getTime(), day(5).getTime()],
      ['Porto', day(9).getTime(), undefined],
    ])
  })
})

test('a multi-valued attribute keeps all values', () => {
  const facts = learn(
    said({ attribute: 'likes', value: 'jazz' }),
    said({ attribute: 'likes', value: 'hiking', day: 2 }),
  )
  expect(factsAsOf(facts, day(3))).toHaveLength(2)
})

test('a fact that ended is closed, not erased', () => {
  const facts = learn(said({}), said({ action: 'end', day: 7 }))
  expect(periods(facts)).toEqual([['Porto', day(1).getTime(), day(7).getTime()]])
})

test('selling "the car" closes it without naming it', () => {
  const facts = learn(
    said({ attribute: 'car', value: 'Skoda' }),
    said({ attribute: 'car', value: 'car', action: 'end', day: 3 }),
  )
  expect(factsAsOf(facts, day(4))).toEqual([])
})

test('"my dog died" closes the dog and leaves the cat', () => {
  const facts = learn(
    said({ attribute: 'pet', value: 'Rex (dog)' }),
    said({ attribute: 'pet', value: 'Pixel (cat)' }),
    said({ attribute: 'pet', value: 'dog', action: 'end', day: 3 }),
  )
  expect(factsAsOf(facts, day(4)).map(({ value }) => value)).toEqual(['Pixel (cat)'])
})

test('ending an unknown fact changes nothing', () => {
  expect(reconcile(know(), said({ action: 'end' }))).toMatchObject([
    { type: 'ignore', reason: 'nothing to close' },
  ])
})

test('disliking something ends liking it', () => {
  const facts = learn(
    said({ attribute: 'likes', value: 'cilantro' }),
    said({ attribute: 'dislikes', value: 'Cilantro', day: 4 }),
  )
  expect(factsAsOf(facts, day(5)).map(({ attribute }) => attribute)).toEqual(['dislikes'])
})

describe('a correction', () => {
  const flight = said({ attribute: 'date of flight', value: '2026-01-13', validUntil: day(14) })
  const soon = new Date(day(1).getTime() + 60_000)
  const right = said({
    action: 'correct',
    attribute: '',
    value: '2026-01-14',
    shape: 'date',
    messageId: messageId('correction'),
    saidAt: soon,
    validFrom: soon,
    validUntil: day(15),
  })

  test('replaces the last value of its shape, which gets an empty period', () => {
    const facts = learn(said({}), flight, right)
    expect(factsAsOf(facts, day(2)).map(({ value }) => value)).toEqual(['Porto', '2026-01-14'])
    expect(periods(facts)).toContainEqual(['2026-01-13', day(1).getTime(), day(1).getTime()])
  })

  test('corrects nothing if it comes a day later', () => {
    const late = { ...right, saidAt: day(3), validFrom: day(3) }
    expect(reconcile(know(flight), late)).toMatchObject([{ type: 'ignore', reason: 'nothing to correct' }])
  })

  test('does not correct another subject', () => {
    const other = { ...right, subject: 'Ana' }
    expect(reconcile(know(flight), other)).toMatchObject([{ type: 'ignore' }])
  })
})

test('a rejected fact does not come back by itself', () => {
  const known = new FactIndex(new Map([[identify(said({}), 'Porto').key, day(2)]]))
  take(known, [said({})])
  expect(take(known, [said({ day: 3 })])).toMatchObject([{ type: 'repeat' }])
  expect(factsAsOf(factsOf(known), day(4))).toEqual([])
})

test('a rejected fact closes nothing', () => {
  const known = new FactIndex(new Map([[identify(said({}), 'Lisbon').key, day(9)]]))
  take(known, [said({}), said({ value: 'Lisbon', day: 5 })])
  expect(factsAsOf(factsOf(known), day(6)).map(({ value }) => value)).toEqual(['Porto'])
})

test('a fact that began in the past is valid when it is said, whatever was known in between', () => {
  const facts = learn(said({ day: 5 }), said({ value: 'Oslo', validFrom: day(2), saidAt: day(9), day: 9 }))
  expect(periods(facts)).toEqual([
    ['Porto', day(5).getTime(), day(9).getTime()],
    ['Oslo', day(2).getTime(), day(5).getTime()],
    ['Oslo', day(9).getTime(), undefined],
  ])
})

test('two periods with a gap between them stay separate', () => {
  const facts = learn(
    said({ attribute: 'plan', value: 'tennis', day: 9 }),
    said({ attribute: 'plan', value: 'tennis', day: 2, validUntil: day(4) }),
  )
  expect(periods(facts)).toHaveLength(2)
})

test('facts can be queried as of a past moment', () => {
  const facts = learn(said({}), said({ value: 'Lisbon', day: 150 }))
  expect(factsAsOf(facts, day(130)).map(({ value }) => value)).toEqual(['Porto'])
})

const anyFact = fc
  .record({
    subject: fc.constantFrom('user', 'Ana'),
    attribute: fc.constantFrom('home', 'likes', 'dislikes', 'employer', 'favourite book'),
    value: fc.constantFrom('A', 'B', 'C'),
    action: fc.constantFrom(
      'state' as const,
      'state' as const,
      'state' as const,
      'end' as const,
      'correct' as const,
    ),
    when: fc.integer({ min: 1, max: 12 }),
    message: fc.integer({ min: 1, max: 40 }),
    length: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  })
  .map(({ when, message, length, action, ...rest }) => {
    const until = length === undefined ? {} : { validUntil: day(when + length) }
    const shape = action === 'correct' ? { shape: 'name' as const, attribute: '' } : {}
    return said({ ...rest, action, day: when, messageId: messageId(`m${message}`), ...until, ...shape })
  })
const anyStory = fc.array(anyFact, { maxLength: 25 })
const keyOf = ({ subject, attribute }: Fact): string => `${subject}/${attribute}`

describe('for any facts', () => {
  test('a single-valued attribute has at most one value at any moment', () => {
    fc.assert(
      fc.property(anyStory, fc.integer({ min: 0, max: 20 }), (story, when) => {
        const holding = factsAsOf(learn(...story), day(when)).filter(({ attribute }) =>
          isSingleValued(attribute),
        )
        expect(new Set(holding.map(keyOf)).size).toBe(holding.length)
      }),
      { numRuns: effort({ short: 400, long: 2000 }) },
    )
  })

  test('no fact disappears, and ids are unique', () => {
    fc.assert(
      fc.property(anyStory, anyStory, (before, after) => {
        const known = know(...before)
        const first = factsOf(known)
        take(known, after)
        const ids = new Set(factsOf(known).map(({ id }) => id))
        expect(first.every(({ id }) => ids.has(id))).toBe(true)
        expect(ids.size).toBe(factsOf(known).length)
      }),
      { numRuns: effort({ short: 200, long: 1000 }) },
    )
  })

  test('a period never ends before it begins', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const facts = learn(...story)
        expect(
          facts.every(({ validFrom, validUntil }) => validUntil === undefined || validUntil >= validFrom),
        ).toBe(true)
      }),
      { numRuns: effort({ short: 200, long: 1000 }) },
    )
  })

  test('processing a message twice changes nothing the second time', () => {
    fc.assert(
      fc.property(anyStory, fc.nat(), (story, which) => {
        const inOrder = story.map((fact, place) => {
          const saidAt = day(place + 1)
          const validFrom = new Date(Math.min(fact.validFrom.getTime(), saidAt.getTime()))
          const { validUntil: _, ...rest } = fact
          return { ...rest, messageId: messageId(`m${place}`), saidAt, validFrom }
        })
        const known = know(...inOrder)
        const once = factsOf(known)
        const again = inOrder[which % Math.max(1, inOrder.length)]
        if (again !== undefined) take(known, [again])
        expect(factsOf(known)).toEqual(once)
      }),
      { numRuns: effort({ short: 600, long: 3000 }) },
    )
  })

  test('the order of unrelated keys does not matter', () => {
    fc.assert(
      fc.property(anyStory, anyStory, (left, right) => {
        const mine = left.map((fact) => ({ ...fact, subject: 'user' }))
        const theirs = right.map((fact) => ({ ...fact, subject: 'Ana' }))
        const sorted = (facts: readonly Fact[]) =>
          [...facts].sort((one, other) => one.id.localeCompare(other.id))
        expect(sorted(learn(...mine, ...theirs))).toEqual(sorted(learn(...theirs, ...mine)))
      }),
      { numRuns: effort({ short: 200, long: 1000 }) },
    )
  })
})
