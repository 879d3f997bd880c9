import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import type { Fact } from '../../domain/fact.ts'
import { conversationId, messageId } from '../../domain/ids.ts'
import { isSingleValued } from './attributes.ts'
import type { StoredExtractedFact } from './extracted-fact.ts'
import type { FactEdit, FactEditKind } from './fact-edits.ts'
import { keyOfFields } from './fact-edits.ts'
import { type FactFold, factsAsOf, foldFacts } from './fold-facts.ts'
import type { FactFields } from './mutable-fact.ts'

const day = (count: number): Date => new Date(Date.UTC(2026, 0, count))

function said(value: string, when: number, given: Partial<StoredExtractedFact> = {}): StoredExtractedFact {
  return {
    action: 'state',
    subject: 'user',
    attribute: 'home',
    value,
    kind: 'fact',
    validFrom: day(when),
    saidAt: day(when),
    confidence: 0.8,
    messageId: messageId(`message-${when}`),
    evidence: `It is ${value}.`,
    conversationId: conversationId('chat'),
    position: when,
    index: 0,
    madeBy: 'test',
    ...given,
  }
}

const fields = (value: string, given: Partial<FactFields> = {}): FactFields => ({
  subject: 'user',
  attribute: 'home',
  value,
  kind: 'fact',
  validFrom: day(1),
  ...given,
})

let edits = 0
function edit(
  kind: FactEditKind,
  when: number,
  given: Partial<FactEdit> & { value?: string } = {},
): FactEdit {
  edits++
  const { value = 'Porto', ...rest } = given
  return {
    id: edits,
    kind,
    at: day(when),
    key: keyOfFields(fields(value)),
    factId: `edit-${edits}`,
    sources: [],
    ...rest,
  }
}

const periods = ({ facts }: FactFold) =>
  facts.map(
    ({ value, validFrom, validUntil }) =>
      `${value} ${validFrom.getUTCDate()}-${validUntil === undefined ? '' : validUntil.getUTCDate()}`,
  )
const holding = (fold: FactFold, when: number) => factsAsOf(fold.facts, day(when)).map(({ value }) => value)
const historyOf = (fold: FactFold, value: string) => {
  const fact = fold.facts.find((one) => one.value === value)
  return fold.find(fact?.id ?? '')?.history.map(({ type }) => type)
}

describe('a fact that was said', () => {
  test('has a history with its messages', () => {
    const fold = foldFacts([said('Porto', 1), said('Porto', 2), said('Lisbon', 5)], [])
    const porto = fold.find(fold.facts[0]?.id ?? '')
    expect(porto?.history).toEqual([
      { type: 'stated', at: day(1), messageId: 'message-1', madeBy: 'test' },
      { type: 'confirmed', at: day(2), messageId: 'message-2', madeBy: 'test' },
      { type: 'superseded', at: day(5), messageId: 'message-5', madeBy: 'test', by: fold.facts[1]?.id },
    ])
    expect(porto?.conversationIds).toEqual(['chat'])
  })

  test('records that it ended or was corrected', () => {
    const ended = foldFacts([said('Porto', 1), said('Porto', 3, { action: 'end' })], [])
    expect(historyOf(ended, 'Porto')).toEqual(['stated', 'ended'])
    const right = {
      action: 'correct',
      attribute: '',
      shape: 'name',
      saidAt: day(1),
      validFrom: day(1),
    } as const
    const corrected = foldFacts([said('Porto', 1), said('Braga', 2, right)], [])
    expect(historyOf(corrected, 'Porto')).toEqual(['stated', 'corrected'])
    expect(holding(corrected, 9)).toEqual(['Braga'])
  })

  test('is not corrected from another conversation', () => {
    const elsewhere = { conversationId: conversationId('other'), saidAt: day(1), validFrom: day(1) }
    const right = { action: 'correct', attribute: '', shape: 'name', ...elsewhere } as const
    expect(holding(foldFacts([said('Porto', 1), said('Braga', 2, right)], []), 9)).toEqual(['Porto'])
  })

  test('is no more certain when it is copied into a fork', () => {
    const fork = { conversationId: conversationId('fork'), messageId: messageId('copy') }
    const fold = foldFacts([said('Porto', 1), said('Porto', 1, fork)], [])
    expect(fold.facts).toMatchObject([
      { confidence: 0.8, sources: ['message-1', 'copy'], conversationIds: ['chat', 'fork'] },
    ])
  })

  test('keeps its id when a fork comes first in the order', () => {
    const story = [said('Porto', 1)]
    const fork = {
      conversationId: conversationId('a fork'),
      messageId: messageId('copy'),
      copyOf: messageId('message-1'),
    }
    const fold = foldFacts([...story, said('Porto', 1, fork)], [])
    expect(fold.facts).toMatchObject([
      { id: foldFacts(story, []).facts[0]?.id, sources: ['copy', 'message-1'], confidence: 0.8 },
    ])
  })

  test('is corrected once, no matter how many forks there are', () => {
    const right = {
      action: 'correct',
      attribute: '',
      shape: 'name',
      saidAt: day(1),
      validFrom: day(1),
    } as const
    const story = [said('Porto', 1), said('Braga', 2, right)]
    const copies = story.map((one) => ({
      ...one,
      conversationId: conversationId('fork'),
      messageId: messageId(`copy of ${one.messageId}`),
    }))
    const fold = foldFacts([...story, ...copies], [])
    expect(periods(fold)).toEqual(['Porto 1-1', 'Braga 1-'])
    expect(fold.facts[1]?.sources).toHaveLength(2)
  })
})

describe('a rejected fact', () => {
  test('restores what it had closed', () => {
    const story = [said('Porto', 1), said('Lisbon', 5)]
    const fold = foldFacts(story, [edit('fact-reject', 6, { value: 'Lisbon' })])
    expect(holding(fold, 9)).toEqual(['Porto'])
    expect(historyOf(fold, 'Lisbon')).toEqual(['stated', 'rejected'])
  })

  test('does not come back when it is said again, and records that it was', () => {
    const fold = foldFacts([said('Porto', 1), said('Porto', 7)], [edit('fact-reject', 3)])
    expect(holding(fold, 9)).toEqual([])
    expect(historyOf(fold, 'Porto')).toEqual(['stated', 'rejected', 'repeated'])
  })

  test('stays rejected when its message is erased and it is said again', () => {
    const fold = foldFacts([said('Porto', 7)], [edit('fact-reject', 3)])
    expect(holding(fold, 9)).toEqual([])
    expect(historyOf(fold, 'Porto')).toEqual(['rejected', 'stated'])
  })

  test('is as if it had never been rejected after it is restored', () => {
    const story = [said('Porto', 1), said('Lisbon', 5), said('Porto', 7)]
    const marks = [edit('fact-reject', 3), edit('fact-restore', 8)]
    expect(foldFacts(story, marks).facts).toEqual(foldFacts(story, []).facts)
    expect(historyOf(foldFacts(story, marks), 'Porto')).toContain('restored')
  })

  test('comes back when the user adds it', () => {
    const given = edit('fact-add', 4, { fields: fields('Porto', { validFrom: day(4) }) })
    const fold = foldFacts([said('Porto', 1)], [edit('fact-reject', 3), given])
    expect(holding(fold, 9)).toEqual(['Porto'])
  })

  test('with several periods is found by any of its ids', () => {
    const story = [said('Porto', 1), said('Lisbon', 5), said('Porto', 7)]
    const ids = foldFacts(story, []).facts.map(({ id }) => id)
    const fold = foldFacts(story, [edit('fact-reject', 9)])
    expect([fold.find(ids[0] ?? '')?.value, fold.find(ids[2] ?? '')?.value]).toEqual(['Porto', 'Porto'])
  })
})

describe('a fact added by the user', () => {
  test('overrides what was said before, and is closed by what is said later', () => {
    const given = edit('fact-add', 5, { fields: fields('Lisbon', { validFrom: day(5) }) })
    expect(periods(foldFacts([said('Porto', 1), said('Oslo', 9)], [given]))).toEqual([
      'Porto 1-5',
      'Lisbon 5-9',
      'Oslo 9-',
    ])
  })

  test('overrides an earlier period too, and leaves nothing of what it covers', () => {
    const given = edit('fact-add', 5, { fields: fields('Lisbon', { validFrom: day(1) }) })
    const fold = foldFacts([said('Porto', 3)], [given])
    expect(periods(fold)).toEqual(['Porto 3-3', 'Lisbon 1-'])
    expect(historyOf(fold, 'Porto')).toEqual(['stated', 'superseded'])
  })

  test('with a past period leaves what came after it', () => {
    const given = edit('fact-add', 9, { fields: fields('Lisbon', { validFrom: day(1), validUntil: day(4) }) })
    expect(periods(foldFacts([said('Porto', 3)], [given]))).toEqual(['Porto 4-', 'Lisbon 1-4'])
  })

  test('that was already known is more evidence', () => {
    const given = edit('fact-add', 5, { fields: fields('porto', { validFrom: day(5) }) })
    const fold = foldFacts([said('Porto', 1)], [given])
    expect(fold.facts).toMatchObject([
      { origin: 'given', confidence: 1, sources: ['message-1'], validFrom: day(1) },
    ])
    expect(fold.find(given.factId)?.id).toBe(fold.facts[0]?.id)
    expect(historyOf(fold, 'porto')).toEqual(['stated', 'added'])
  })

  test('ends its opposite', () => {
    const given = edit('fact-add', 5, {
      fields: fields('jazz', { attribute: 'dislikes', validFrom: day(5) }),
    })
    expect(periods(foldFacts([said('jazz', 1, { attribute: 'likes' })], [given]))).toEqual([
      'jazz 1-5',
      'jazz 5-',
    ])
  })
})

describe('a change', () => {
  const story = [said('Jhon', 1, { attribute: 'name' })]
  const target = foldFacts(story, []).facts[0] as Fact
  const change = edit('fact-change', 3, {
    key: target.key,
    factId: target.id,
    fields: fields('John', { attribute: 'name' }),
  })

  test('keeps the id, the sources and the previous value', () => {
    const fold = foldFacts(story, [change])
    expect(fold.facts).toMatchObject([
      { id: target.id, value: 'John', origin: 'given', sources: ['message-1'] },
    ])
    expect(fold.find(target.id)?.history.at(-1)).toMatchObject({ type: 'changed', before: { value: 'Jhon' } })
  })

  test('keeps the position of the fact in the list', () => {
    const more = [...story, said('Porto', 2)]
    expect(foldFacts(more, [change]).facts.map(({ value }) => value)).toEqual(['John', 'Porto'])
  })

  test('keeps the pin', () => {
    const pin = edit('fact-pin', 2, { key: target.key })
    const fold = foldFacts(story, [pin, change])
    expect(fold.facts).toMatchObject([{ value: 'John', pinnedAt: day(2) }])
    const unpin = edit('fact-unpin', 4, { key: fold.facts[0]?.key ?? '' })
    expect(foldFacts(story, [pin, change, unpin]).facts[0]).not.toHaveProperty('pinnedAt')
  })

  test('applies even if the clock that stamped the message runs ahead', () => {
    const ahead = [said('Jhon', 9, { attribute: 'name' })]
    const late = { ...change, factId: foldFacts(ahead, []).facts[0]?.id ?? '', at: day(9) }
    expect(holding(foldFacts(ahead, [late]), 10)).toEqual(['John'])
  })

  test('that makes a fact equal to another merges both', () => {
    const both = [said('jaz', 1, { attribute: 'likes' }), said('jazz', 2, { attribute: 'likes' })]
    const [wrong] = foldFacts(both, []).facts as [Fact]
    const right = edit('fact-change', 3, {
      key: wrong.key,
      factId: wrong.id,
      fields: fields('jazz', { attribute: 'likes' }),
    })
    const fold = foldFacts(both, [right])
    expect(fold.facts).toMatchObject([{ id: wrong.id, value: 'jazz', sources: ['message-1', 'message-2'] }])
  })

  test('can be changed again by either id', () => {
    const again = edit('fact-change', 5, {
      key: 'gone',
      factId: target.id,
      fields: fields('Johnny', { attribute: 'name' }),
    })
    expect(foldFacts(story, [change, again]).facts).toMatchObject([{ id: target.id, value: 'Johnny' }])
  })
})

const anyExtracted = fc
  .record({
    subject: fc.constantFrom('user', 'Ana'),
    attribute: fc.constantFrom('home', 'likes', 'dislikes', 'employer'),
    value: fc.constantFrom('A', 'B', 'C'),
    action: fc.constantFrom('state' as const, 'state' as const, 'end' as const, 'correct' as const),
    when: fc.integer({ min: 2, max: 12 }),
    since: fc.integer({ min: 0, max: 4 }),
    place: fc.integer({ min: 1, max: 30 }),
    conversation: fc.constantFrom('one', 'two'),
  })
  .map(({ when, since, place, conversation, action, ...rest }) =>
    said(rest.value, when, {
      ...rest,
      action,
      position: place,
      conversationId: conversationId(conversation),
      messageId: messageId(`${conversation}-${place}`),
      evidence: `${conversation}-${place}`,
      validFrom: day(Math.max(1, when - since)),
      ...(action === 'correct' && { shape: 'name' as const, attribute: '' }),
    }),
  )
/** Every message is said once, as in a real record. */
const anyStory = fc.uniqueArray(anyExtracted, { maxLength: 25, selector: ({ messageId: id }) => id })
const anyEdits = fc.uniqueArray(
  fc
    .record({
      id: fc.integer({ min: 1, max: 1000 }),
      kind: fc.constantFrom<FactEditKind>(
        'fact-add',
        'fact-change',
        'fact-pin',
        'fact-unpin',
        'fact-reject',
        'fact-restore',
      ),
      target: fc.constantFrom('A', 'B', 'C'),
      attribute: fc.constantFrom('home', 'likes', 'dislikes'),
      value: fc.constantFrom('A', 'B', 'C'),
      when: fc.integer({ min: 1, max: 12 }),
      from: fc.integer({ min: 1, max: 12 }),
      length: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    })
    .map(({ id, kind, target, attribute, value, when, from, length }): FactEdit => {
      const until = length === undefined ? {} : { validUntil: day(from + length) }
      const given = fields(value, { attribute, validFrom: day(from), ...until })
      const isGiven = kind === 'fact-add' || kind === 'fact-change'
      return {
        id,
        kind,
        at: day(when),
        key: keyOfFields(kind === 'fact-change' ? fields(target, { attribute }) : given),
        factId: `given-${id}`,
        sources: [],
        ...(isGiven && { fields: given }),
      }
    }),
  { maxLength: 6, selector: ({ id }) => id },
)
const withHistory = (fold: FactFold) => fold.facts.map(({ id }) => fold.find(id))

describe('for any facts and edits', () => {
  test('the order of deriving does not matter', () => {
    const shuffled = fc.tuple(anyStory, anyEdits).chain(([story, changes]) =>
      fc.record({
        story: fc.constant(story),
        changes: fc.constant(changes),
        otherStory: fc.shuffledSubarray(story, { minLength: story.length }),
        otherChanges: fc.shuffledSubarray(changes, { minLength: changes.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ story, changes, otherStory, otherChanges }) => {
        expect(withHistory(foldFacts(otherStory, otherChanges))).toEqual(
          withHistory(foldFacts(story, changes)),
        )
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('adding later facts to a fold gives the same result as folding everything', () => {
    fc.assert(
      fc.property(anyStory, anyEdits, fc.nat(), (story, changes, cut) => {
        const ordered = story.toSorted((left, right) => left.saidAt.getTime() - right.saidAt.getTime())
        const place = cut % (ordered.length + 1)
        const fold = foldFacts(ordered.slice(0, place), changes)
        const before = withHistory(fold)
        if (fold.addLater(ordered.slice(place)))
          expect(withHistory(fold)).toEqual(withHistory(foldFacts(story, changes)))
        else expect(withHistory(fold)).toEqual(before)
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('the facts at a moment do not depend on earlier queries', () => {
    const moments = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(anyStory, anyEdits, moments, (story, changes, days) => {
        const fold = foldFacts(story, changes)
        for (const when of days) expect(fold.factsAt(day(when))).toEqual(factsAsOf(fold.facts, day(when)))
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('a single-valued attribute has at most one value at any moment, and no period ends before it begins', () => {
    fc.assert(
      fc.property(anyStory, anyEdits, fc.integer({ min: 0, max: 20 }), (story, changes, when) => {
        const { facts } = foldFacts(story, changes)
        const single = factsAsOf(facts, day(when)).filter(({ attribute }) => isSingleValued(attribute))
        expect(new Set(single.map(({ subject, attribute }) => `${subject}/${attribute}`)).size).toBe(
          single.length,
        )
        expect(facts.every(({ validFrom, validUntil = validFrom }) => validUntil >= validFrom)).toBe(true)
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('no fact is valid twice at the same time', () => {
    fc.assert(
      fc.property(anyStory, anyEdits, fc.integer({ min: 0, max: 20 }), (story, changes, when) => {
        const keys = factsAsOf(foldFacts(story, changes).facts, day(when)).map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('the last fact added by the user is valid, unless something was said after it', () => {
    fc.assert(
      fc.property(anyStory, anyEdits, fc.constantFrom('A', 'B', 'C'), (story, changes, value) => {
        const given = edit('fact-add', 20, { fields: fields(value, { validFrom: day(13) }), value })
        expect(holding(foldFacts(story, [...changes, given]), 21)).toContain(value)
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })

  test('a rejected fact is never valid, and restoring it leaves no trace but its history', () => {
    fc.assert(
      fc.property(anyStory, anyEdits, fc.nat(), (story, changes, which) => {
        const { facts } = foldFacts(story, changes)
        const fact = facts[which % Math.max(1, facts.length)]
        if (fact === undefined || fact.rejectedAt !== undefined) return
        const reject = edit('fact-reject', 20, { key: fact.key })
        const rejected = foldFacts(story, [...changes, reject])
        const left = rejected.facts.filter(({ key }) => key === fact.key)
        expect(left.every(({ rejectedAt }) => rejectedAt?.getTime() === day(20).getTime())).toBe(true)
        // A changed fact, or one that corrects a rejected one, may have another key.
        const isPlain =
          story.every(({ action }) => action !== 'correct') &&
          changes.every(({ kind }) => kind !== 'fact-change')
        if (isPlain) expect([left.length, rejected.find(fact.id)?.key]).toEqual([1, fact.key])
        const restore = edit('fact-restore', 21, { key: fact.key })
        expect(foldFacts(story, [...changes, reject, restore]).facts).toEqual(facts)
      }),
      { numRuns: effort({ short: 100, long: 500 }) },
    )
  })
})

test('ten thousand facts of any kind are folded in linear time', () => {
  const many = (make: (place: number) => StoredExtractedFact): StoredExtractedFact[] =>
    Array.from({ length: 10_000 }, (_, place) => make(place))
  const at = (place: number) => {
    const moment = new Date(day(1).getTime() + place * 60_000)
    return { saidAt: moment, validFrom: moment, messageId: messageId(`m${place}`), position: place }
  }
  const stories = [
    many((place) => said(`City ${place}`, 1, at(place))),
    many((place) => said(`City ${place % 2}`, 1, { ...at(place), validFrom: day(1) })),
    many(() => said('Porto', 1)).map((one, place) => ({ ...one, ...at(place) })),
    many((place) => said(`thing ${place}`, 1, { ...at(place), attribute: 'likes' })),
    many((place) =>
      said(`thing ${place >> 1}`, 1, {
        ...at(place),
        attribute: 'likes',
        action: place % 2 ? 'end' : 'state',
      }),
    ),
    many((place) =>
      said(`Name ${place}`, 1, {
        ...at(place),
        ...(place % 2 ? { action: 'correct', attribute: '', shape: 'name' } : { attribute: 'pet' }),
      }),
    ),
  ]
  const workMs = () => process.cpuUsage().user / 1000
  for (const story of stories) {
    const start = workMs()
    expect(foldFacts(story, []).facts.length).toBeGreaterThan(0)
    // Quadratic work takes minutes, linear work a tenth of a second on an idle machine.
    expect(workMs() - start).toBeLessThan(4000)
  }
})
