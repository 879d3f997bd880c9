import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { conversationId, messageId } from '../../domain/ids.ts'
import { conversationNumberOf, toLocator } from '../../domain/locator.ts'
import type { MessageMeta } from '../../store/recall-store.ts'
import { findSittings, type Sitting } from './sittings.ts'

const HOUR = 3_600_000
const head = (conversation: number, position: number, hour: number): MessageMeta => ({
  locator: toLocator(conversation, position),
  id: messageId(`${conversation}-${position}`),
  conversationId: conversationId(String(conversation)),
  role: 'user',
  createdAt: new Date(hour * HOUR),
  tokens: 10,
})

describe('sittings', () => {
  test('end at a pause and at the end of a conversation', () => {
    const heads = [head(1, 0, 0), head(1, 3, 1), head(1, 9, 8), head(2, 0, 8)]
    const sittings = findSittings(heads, 3 * HOUR)
    const [first, second, third, other] = heads.map(({ locator }) => sittings.get(locator))
    expect(first).toEqual({ from: toLocator(1, 0), to: toLocator(1, 3) })
    expect(second).toBe(first)
    expect(third).toEqual({ from: toLocator(1, 9), to: toLocator(1, 9) })
    expect(other).not.toBe(third)
  })

  test('depend on the positions of messages, not on their order', () => {
    const heads = [head(1, 5, 2), head(1, 0, 0), head(1, 2, 1)]
    expect(new Set(findSittings(heads, 3 * HOUR).values()).size).toBe(1)
  })

  test('hold every message once, never two conversations, and never overlap', () => {
    const aHead = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 30 }), fc.nat(100))
    fc.assert(
      fc.property(fc.array(aHead, { maxLength: 30 }), (given) => {
        const heads = [...new Map(given.map((one) => [`${one[0]}-${one[1]}`, head(...one)])).values()]
        const sittings = findSittings(heads, 3 * HOUR)
        expect(sittings.size).toBe(heads.length)
        for (const [place, { from, to }] of sittings) {
          expect(from <= place && place <= to).toBe(true)
          expect(conversationNumberOf(from)).toBe(conversationNumberOf(to))
        }
        const spans = [...new Set<Sitting>(sittings.values())].sort((one, other) => one.from - other.from)
        for (const [i, { from }] of spans.entries())
          if (i > 0) expect(from).toBeGreaterThan((spans[i - 1] as Sitting).to)
      }),
    )
  })
})
