import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WireMessage } from '../client/conversation-calls.ts'
import { joinMessages, showMessages, type Turn, withoutReplaced } from './conversation-view.ts'

interface Said {
  readonly role?: 'user' | 'assistant'
  readonly replaces?: number
}

const said = (position: number, { role = 'user', replaces }: Said = {}): WireMessage =>
  ({
    id: `m${position}`,
    conversationId: 'trip',
    position,
    role,
    content: `words ${position}`,
    createdAt: '2026-05-01T00:00:00.000Z',
    topicId: null,
    ...(replaces !== undefined && {
      metadata: { recollect: { replaces: { id: `m${replaces}`, position: replaces } } },
    }),
  }) as unknown as WireMessage

const answer = (position: number, replaces?: number) =>
  said(position, { role: 'assistant', ...(replaces !== undefined && { replaces }) })

const idsOf = (messages: readonly { readonly id: string }[]) => messages.map(({ id }) => id)
const turn = (more: Partial<Turn>): Turn => ({ after: 1, startedAt: '2026-05-01T00:00:00.000Z', ...more })

test('a regenerated answer is shown in place of the earlier one', () => {
  expect(idsOf(withoutReplaced([said(0), answer(1), answer(2, 1)]))).toEqual(['m0', 'm2'])
  expect(idsOf(withoutReplaced([said(0), answer(1), answer(2, 1), answer(3, 1)]))).toEqual(['m0', 'm3'])
})

test('an edited message hides everything after the original', () => {
  const messages = [said(0), answer(1), said(2), answer(3), said(4, { replaces: 0 }), answer(5)]
  expect(idsOf(withoutReplaced(messages))).toEqual(['m4', 'm5'])
})

test('a question is shown at once, and only once after the server has it', () => {
  const question = { id: 'm2', text: 'words 2', state: 'sending' } as const
  const kept = [said(0), answer(1)]
  expect(showMessages(kept, turn({ question })).at(-1)).toMatchObject({ id: 'm2', state: 'sending' })
  expect(idsOf(showMessages([...kept, said(2)], turn({ question })))).toEqual(['m0', 'm1', 'm2'])
})

test('regenerating an answer hides the old one at once', () => {
  const kept = [said(0), answer(1)]
  expect(idsOf(showMessages(kept, turn({ replacesFrom: 1 })))).toEqual(['m0'])
  const coming = turn({ replacesFrom: 1, answer: { text: 'Well', state: 'answering' } })
  expect(showMessages(kept, coming).map(({ text }) => text)).toEqual(['words 0', 'Well'])
  expect(idsOf(showMessages([...kept, answer(2, 1)], coming))).toEqual(['m0', 'm2'])
})

test('ranges joined in any order form one conversation in order, without duplicates', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(30))), (stretches) => {
      const joined = stretches.reduce<readonly WireMessage[]>(
        (known, positions) =>
          joinMessages(
            known,
            positions.map((position) => said(position)),
          ),
        [],
      )
      const positions = [...new Set(stretches.flat())].sort((one, other) => one - other)
      expect(joined.map(({ position }) => position)).toEqual(positions)
    }),
  )
})
