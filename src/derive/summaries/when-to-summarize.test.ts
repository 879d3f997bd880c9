import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULTS } from '../../options/options.ts'
import { type ConversationState, whenToSummarize as whenBySettings } from './rolled.ts'

const whenToSummarize = (state: ConversationState) => whenBySettings(state, DEFAULTS.summary)

const calm = {
  messageCount: 10,
  summarizedCount: 0,
  countAtSummary: 0,
  tailTokens: 100,
  usedTokens: 200,
  windowTokens: 12_000,
}

describe('a conversation is condensed', () => {
  test('not before twelve messages', () => {
    expect(whenToSummarize(calm)).toBeUndefined()
  })

  test('every twelve messages, keeping the last five in full', () => {
    expect(whenToSummarize({ ...calm, messageCount: 12 })).toEqual({ reason: 'count', through: 7 })
    const later = { ...calm, summarizedCount: 7, countAtSummary: 12 }
    expect(whenToSummarize({ ...later, messageCount: 23 })).toBeUndefined()
    expect(whenToSummarize({ ...later, messageCount: 24 })).toEqual({ reason: 'count', through: 19 })
  })

  test('when the messages outside the summary exceed their share of the window', () => {
    expect(whenToSummarize({ ...calm, tailTokens: 6001 })).toEqual({ reason: 'tail', through: 5 })
  })

  test('above 95 % of the window, whatever the number of messages', () => {
    expect(whenToSummarize({ ...calm, messageCount: 6, usedTokens: 11_401 })).toEqual({
      reason: 'window',
      through: 1,
    })
    expect(whenToSummarize({ ...calm, messageCount: 6, usedTokens: 11_400 })).toBeUndefined()
  })

  test('except for the last exchange if a few huge messages fill the window', () => {
    expect(whenToSummarize({ ...calm, messageCount: 4, usedTokens: 12_000 })).toEqual({
      reason: 'window',
      through: 2,
    })
  })

  test('never below four messages', () => {
    expect(
      whenToSummarize({ ...calm, messageCount: 3, usedTokens: 99_000, tailTokens: 99_000 }),
    ).toBeUndefined()
  })

  test('never if nothing new could be condensed', () => {
    const state = { ...calm, summarizedCount: 5, countAtSummary: 10, usedTokens: 12_000 }
    expect(whenToSummarize(state)).toBeUndefined()
  })
})

test('always condenses something new and keeps the newest messages in full', () => {
  const count = fc.nat({ max: 60 })
  fc.assert(
    fc.property(
      count,
      count,
      count,
      fc.nat({ max: 20_000 }),
      (messageCount, summarizedCount, countAtSummary, tokens) => {
        const state = {
          ...calm,
          messageCount,
          summarizedCount,
          countAtSummary,
          tailTokens: tokens,
          usedTokens: tokens,
        }
        const due = whenToSummarize(state)
        if (due === undefined) return
        expect(due.through).toBeGreaterThan(summarizedCount)
        expect(messageCount - due.through).toBeGreaterThanOrEqual(messageCount > 5 ? 5 : 2)
      },
    ),
  )
})
