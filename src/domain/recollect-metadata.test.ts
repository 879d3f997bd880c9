import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageId } from './ids.ts'
import type { JsonValue } from './json.ts'
import type { Message } from './message.ts'
import {
  isSaid,
  originalOf,
  ReplacementFilter,
  recollectMetadataOf,
  withoutReplaced,
  withRecollectMetadata,
} from './recollect-metadata.ts'

type Placed = Pick<Message, 'id' | 'position' | 'metadata'>

const at = (position: number, from?: number): Placed => ({
  id: messageId(`m${position}`),
  position,
  ...(from !== undefined && {
    metadata: withRecollectMetadata({ own: true }, { replaces: { id: `m${from}`, position: from } }),
  }),
})

/** Replacements of any earlier position, as a conversation would make them. */
const conversation = fc
  .array(fc.option(fc.nat({ max: 30 })), { maxLength: 30 })
  .map((steps) =>
    steps.map((step, position) => at(position, step === null || step >= position ? undefined : step)),
  )

/** The expected messages after each step, by a straightforward implementation. */
function replay(messages: readonly Placed[]): readonly Placed[] {
  let line: readonly Placed[] = []
  for (const message of messages) {
    const from = recollectMetadataOf(message).replaces?.position ?? message.position
    line = [...line.filter(({ position }) => position < from), message]
  }
  return line
}

describe('the current state of a conversation', () => {
  test('is what remains after applying each replacement in turn', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(withoutReplaced(messages)).toEqual(replay(messages))
      }),
    )
  })

  test('is the same however it is split into pages', () => {
    fc.assert(
      fc.property(conversation, fc.array(fc.nat({ max: 30 }), { maxLength: 5 }), (messages, cuts) => {
        const reading = new ReplacementFilter()
        const edges = [...new Set([0, ...cuts, messages.length])].sort((a, b) => a - b)
        const pages = edges.slice(1).map((end, i) => messages.slice(edges[i], end))
        const parted = pages.toReversed().map((page) => reading.part(page))
        expect(parted.toReversed().flatMap(({ current }) => current)).toEqual(withoutReplaced(messages))
        const all = parted.flatMap(({ current, replaced }) => [...current, ...replaced])
        expect(all.length).toBe(messages.length)
      }),
    )
  })
})

test('a replacement of a replacement names the original message', () => {
  expect(originalOf(at(4))).toEqual({ id: 'm4', position: 4 })
  expect(originalOf(at(4, 1))).toEqual({ id: 'm1', position: 1 })
})

test('any value in metadata is read as valid Recollect metadata or ignored', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const stamp = recollectMetadataOf({ metadata: { recollect: value as JsonValue } })
      expect(Object.values(stamp).every((one) => one !== undefined)).toBe(true)
      isSaid({ metadata: { recollect: value as JsonValue } })
    }),
  )
  expect(recollectMetadataOf({ metadata: { recollect: { replaces: { id: 'a', position: -1 } } } })).toEqual(
    {},
  )
})

test('Recollect metadata round-trips, and leaves other metadata unchanged', () => {
  const stamp = {
    ending: 'stopped',
    model: 'small',
    isFromMemory: true,
    receiptId: 'r',
    replaces: { id: 'a', position: 3 },
  } as const
  const metadata = withRecollectMetadata({ mine: 1 }, stamp)
  expect(metadata['mine']).toBe(1)
  expect(recollectMetadataOf({ metadata })).toEqual(stamp)
})
