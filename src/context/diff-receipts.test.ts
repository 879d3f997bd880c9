import fc from 'fast-check'
import { expect, test } from 'vitest'
import { situation, tryBuild } from '../../test/support/situation.arbitrary.ts'
import { conversationId, messageId } from '../domain/ids.ts'
import type { Receipt, ReceiptItem, ReceiptPart } from '../domain/receipt.ts'
import { diffReceipts } from './diff-receipts.ts'

const at = new Date('2026-05-01T12:00:00Z')
const item = (kind: ReceiptItem['kind'], id: string, tokens: number): ReceiptItem => ({
  kind,
  id,
  tokens,
  reasons: [],
  messageIds: [messageId(id)],
})
const part = (
  section: ReceiptPart['section'],
  tokens: number,
  more: Partial<ReceiptPart> = {},
): ReceiptPart => ({
  section,
  tokens,
  reason: 'it is so',
  runs: [],
  messageIds: [],
  ...more,
})
const receipt = (id: string, parts: readonly ReceiptPart[], more: Partial<Receipt> = {}): Receipt => ({
  id,
  conversationId: conversationId('chat'),
  createdAt: at,
  messageCount: 10,
  budgetTokens: 800,
  tokens: 0,
  tokenizer: 'test',
  parts,
  omitted: [],
  repairs: [],
  sharedPrefix: { messages: 0, tokens: 0 },
  ...more,
})

test('lists what grew, was added, was removed and moved', () => {
  const before = receipt('r1', [
    part('memory', 30, { items: [item('fact', 'f1', 12)] }),
    part('tail', 400, { runs: [[0, 7]] }),
    part('recalled', 90, { items: [item('message', 'a', 40), item('fact', 'f2', 20)] }),
    part('live', 20, { runs: [[8, 8]] }),
  ])
  const after = receipt(
    'r2',
    [
      part('memory', 50, { items: [item('fact', 'f1', 12), item('fact', 'f2', 15)] }),
      part('tail', 380, { runs: [[3, 9]] }),
      part('recalled', 60, { runs: [[1, 1]], items: [item('message', 'b', 50)] }),
      part('live', 25, { runs: [[10, 10]] }),
    ],
    { sharedPrefix: { messages: 4, tokens: 200, previousId: 'r1', brokenAt: 'tail', brokenBecause: 'why' } },
  )
  const diff = diffReceipts(before, after)
  expect(diff.sections).toEqual([
    { section: 'memory', beforeTokens: 30, afterTokens: 50 },
    { section: 'tail', beforeTokens: 400, afterTokens: 380 },
    { section: 'recalled', beforeTokens: 90, afterTokens: 60 },
    { section: 'live', beforeTokens: 20, afterTokens: 25 },
  ])
  expect(diff.messages).toEqual([
    {
      from: 'tail',
      runs: [
        [0, 0],
        [2, 2],
      ],
    },
    { from: 'tail', to: 'recalled', runs: [[1, 1]] },
    { from: 'live', to: 'tail', runs: [[8, 8]] },
    { to: 'tail', runs: [[9, 9]] },
    { to: 'live', runs: [[10, 10]] },
  ])
  expect(diff.items).toEqual([
    { kind: 'message', id: 'a', tokens: 40, from: 'recalled' },
    { kind: 'fact', id: 'f2', tokens: 15, from: 'recalled', to: 'memory' },
    { kind: 'message', id: 'b', tokens: 50, to: 'recalled' },
  ])
  expect(diff.prefix).toMatchObject({ messages: 4, brokenBecause: 'why' })
})

test('says nothing about the prefix where other contexts lie between', () => {
  const sharedPrefix = { messages: 4, tokens: 200, previousId: 'r2' }
  expect(diffReceipts(receipt('r1', []), receipt('r3', [], { sharedPrefix })).prefix).toBeUndefined()
})

test('a receipt differs from itself in nothing, and what came one way goes the other', () => {
  const arbitrary = situation.map(({ material, found }) =>
    receipt('r', tryBuild(material, found)?.receipt.parts ?? []),
  )
  fc.assert(
    fc.property(arbitrary, arbitrary, (one, other) => {
      expect(diffReceipts(one, one)).toMatchObject({ messages: [], items: [] })
      const [there, back] = [diffReceipts(one, other), diffReceipts(other, one)]
      expect(new Set(there.items.map(({ kind, id }) => `${kind} ${id}`))).toEqual(
        new Set(back.items.map(({ kind, id }) => `${kind} ${id}`)),
      )
      const sum = (tokens: readonly number[]) => tokens.reduce((total, next) => total + next, 0)
      expect(sum(there.sections.map(({ afterTokens }) => afterTokens))).toBe(
        sum(other.parts.map(({ tokens }) => tokens)),
      )
    }),
  )
})
