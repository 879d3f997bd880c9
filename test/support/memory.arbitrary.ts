// Any memory: facts and settings with any words, what recall finds here and elsewhere, visible or not,
// notes, summaries; texts that try to get out of their marks.

import fc from 'fast-check'
import type { MemoryLimits, MemoryMaterial, RecallResult } from '../../src/context/material.ts'
import type { StandingItem } from '../../src/context/memory/standing.ts'
import { conversationId, messageId } from '../../src/domain/ids.ts'
import type { Note } from '../../src/domain/note.ts'
import type { Recalled } from '../../src/domain/recall.ts'
import type { EarlierSummary } from '../../src/domain/topic.ts'
import { hostileText } from './hostile-text.arbitrary.ts'

/** Part of every text of memory, and of no message. */
export const REMEMBERED = 'REMEMBERED'

const text: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('home: Lisbon', 'We land at noon.', 'a dog called Rex') },
      { weight: 3, arbitrary: hostileText },
      {
        weight: 1,
        arbitrary: fc.integer({ min: 1, max: 300 }).map((times) => 'a long story '.repeat(times)),
      },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 900 }).map((times) => '長'.repeat(times)) },
    ),
    fc.boolean(),
  )
  .map(([words, isFirst]) => (isFirst ? `${REMEMBERED} ${words}` : `${words} ${REMEMBERED}`).toWellFormed())

const time = fc.integer({ min: 0, max: 100_000 }).map((seconds) => new Date(seconds * 1000))
const sources = fc.array(
  fc.nat({ max: 60 }).map((position) => messageId(`m${position}`)),
  { maxLength: 3 },
)

function standing(kind: StandingItem['kind']): fc.Arbitrary<readonly StandingItem[]> {
  const item = fc.record({ id: fc.nat().map(String), text, since: time, messageIds: sources })
  return fc
    .uniqueArray(item, { maxLength: 6, selector: ({ id }) => id })
    .map((items) => items.map((one) => ({ ...one, kind, reason: 'it stands' })))
}

const here = conversationId('chat')
const recalledTurn: fc.Arbitrary<Partial<Recalled>> = fc.nat({ max: 60 }).map((position) => ({
  kind: 'message',
  id: `m${position}`,
  position,
  messageIds: [messageId(`m${position}`)],
  conversationId: here,
}))
const recalledElsewhere: fc.Arbitrary<Partial<Recalled>> = fc
  .tuple(fc.constantFrom<Recalled['kind']>('message', 'summary', 'fact', 'note', 'chunk', 'query'), fc.nat())
  .map(([kind, number]) => ({
    kind,
    id: `${kind}${number}`,
    position: number,
    messageIds: kind === 'chunk' ? [] : [messageId(`other${number}`)],
    conversationId: conversationId('other'),
  }))

const recalled: fc.Arbitrary<Recalled> = fc
  .record({
    from: fc.oneof({ weight: 2, arbitrary: recalledTurn }, { weight: 3, arbitrary: recalledElsewhere }),
    text,
    createdAt: time,
    source: fc.option(hostileText, { nil: undefined }),
    isPassage: fc.boolean(),
  })
  .map(({ from, source, isPassage, ...rest }) => ({
    ...(from as Recalled),
    ...rest,
    ...(source !== undefined && { source }),
    ...(isPassage && { passage: { start: 5, end: 50, of: 500 } }),
    role: 'user',
    score: 0.5,
    why: [{ signal: 'words', score: 0.5, text: `has "${REMEMBERED}"` }],
    tokens: 1,
  }))

export const found: fc.Arbitrary<RecallResult> = fc
  .tuple(
    fc.uniqueArray(recalled, { maxLength: 16, selector: ({ kind, id }) => `${kind} ${id}` }),
    hostileText,
  )
  .map(([items, title]) => ({
    answer: {
      question: { asked: '' },
      items: items.map((item, i) => ({ ...item, score: 1 - i / 20 })),
      leftOut: [{ kind: 'message', id: 'far', score: 0.1, reason: 'below the threshold', why: [] }],
      words: [],
      notices: [],
    },
    titles: new Map([['other', `${title} ${REMEMBERED}`]]),
  }))

const note: fc.Arbitrary<Note> = fc
  .record({ id: fc.nat().map(String), text, createdAt: time, url: hostileText })
  .map(({ url, ...rest }) => ({ ...rest, source: { url }, messageIds: [] }))

const summary: fc.Arbitrary<EarlierSummary | undefined> = fc
  .option(
    fc.array(fc.record({ text, messageId: fc.nat({ max: 60 }).map((n) => messageId(`m${n}`)) }), {
      maxLength: 8,
    }),
    { nil: undefined },
  )
  .map((sentences) => sentences && { sentences, through: 20, madeBy: 'test' })

const count = fc.nat({ max: 5 })
export const limits: fc.Arbitrary<MemoryLimits> = fc.record({
  memoryTokens: fc.constantFrom(0, 40, 150, 400, 800, 800, 2000),
  summaryTokens: fc.constantFrom(0, 100, 400, 400),
  firstTurns: fc.nat({ max: 3 }),
  minRecentMessages: fc.nat({ max: 6 }),
  facts: count,
  notes: count,
  finalChunks: count,
})

export const memory: fc.Arbitrary<MemoryMaterial> = fc
  .record({
    limits,
    wishes: standing('instruction'),
    blocks: standing('block'),
    pinned: standing('fact'),
    facts: standing('fact'),
    preferences: standing('preference'),
    summary,
    notes: fc.array(note, { maxLength: 3 }),
  })
  .map(({ limits: most, summary: earlier, notes, ...stands }) => ({
    limits: most,
    standing: stands,
    notes,
    beginning: [],
    summaryBefore: (position) =>
      earlier && { ...earlier, through: Math.min(earlier.through, Math.max(0, position)) },
  }))
