import { describe, expect, test } from 'vitest'
import { resolveConfig } from '../../../options/resolve-options.ts'
import type { ForeignMessage } from '../foreign/foreign.ts'
import { fitMetadata, prepareMessage, toConversationId, toLine, toMessageId } from './prepare-message.ts'

const { limits } = resolveConfig()
const now = new Date('2026-05-01T12:00:00Z')
const time = new Date('2026-04-01T12:00:00Z')
const prepare = (message: Partial<ForeignMessage>) =>
  prepareMessage({ id: 'a', role: 'user', content: 'Hello', ...message }, { limits, now, time })

describe('a message of another program', () => {
  test('that is fine stays as it is', () => {
    const createdAt = new Date('2025-01-01')
    expect(prepare({ createdAt, name: 'Ana', metadata: { model: 'x' } })).toEqual({
      message: { role: 'user', content: 'Hello', createdAt, name: 'Ana', metadata: { model: 'x' } },
      changes: [],
    })
  })

  test('without a time gets one silently; an impossible time is reported', () => {
    expect(prepare({})).toMatchObject({ message: { createdAt: time }, changes: [] })
    for (const createdAt of [new Date(-1), new Date('2027-01-01'), new Date(8e15)]) {
      expect(prepare({ createdAt })).toMatchObject({ message: { createdAt: time } })
      expect(prepare({ createdAt }).changes).toHaveLength(1)
    }
  })

  test('with half a character in it is mended, wherever that is', () => {
    const parts = [
      { type: 'text' as const, text: 'cut \ud83d' },
      { type: 'tool-call' as const, toolCallId: 'c', toolName: 't', input: { 'k\ud83d': ['v\ud83d'] } },
    ]
    expect(prepare({ content: parts })).toMatchObject({
      message: { content: [{ text: 'cut \ufffd' }, { input: { 'k\ufffd': ['v\ufffd'] } }] },
      changes: ['replaced an unpaired surrogate'],
    })
  })

  test('keeps of its metadata what there is room for', () => {
    const metadata = { model: 'x', citations: 'y'.repeat(70_000) }
    expect(prepare({ metadata })).toMatchObject({ message: { metadata: { model: 'x' } } })
    let deep: object = {}
    for (let i = 0; i < 100_000; i++) deep = { deep }
    expect(fitMetadata({ model: 'x', deep } as never, limits)).toEqual({ model: 'x' })
  })
})

test('ids are made of foreign ids, and of their digests where those cannot be ids', () => {
  const id = toConversationId('chatgpt', 'abc', limits)
  expect(id).toBe('chatgpt-abc')
  expect(toMessageId(id, 'm1', limits)).toBe('chatgpt-abc.m1')
  for (const odd of ['x'.repeat(500), 'line\nend', 'half \ud83d']) {
    const made = toConversationId('claude', odd, limits)
    expect(made).toMatch(/^claude-[\w.]+$/)
    expect(made).toBe(toConversationId('claude', odd, limits))
    expect(made).not.toBe(toConversationId('claude', `${odd}!`, limits))
  }
})

test('titles fit on a line', () => {
  expect(toLine(' Two\nlines\t', 100)).toBe('Two lines')
  expect(toLine('abc😀', 4)).toBe('abc\ufffd')
  expect(toLine(' \n ', 10)).toBeUndefined()
})
