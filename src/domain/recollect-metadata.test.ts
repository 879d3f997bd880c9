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

/** Steps back to any earlier place, as a conversation would make them. */
const conversation = fc
  .array(fc.option(fc.nat({ max: 30 })), { maxLength: 30 })
  .map((steps) =>
    steps.map((step, position) => at(position, step === null || step >= position ? undefined : step)),
  )

/** What stands after each message, told as one would tell it. */
function replay(messages: readonly Placed[]): readonly Placed[] {
  let line: readonly Placed[] = []
  for (const message of messages) {
    const from = recollectMetadataOf(message).replaces?.position ?? message.position
    line = [...line.filter(({ position }) => position < from), message]
  }
  return line
}

describe('a conversation as it is now', () => {
  test('is what is left when each step back is taken in turn', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        expect(withoutReplaced(messages)).toEqual(replay(messages))
      }),
    )
  })

  test('is the same however it is cut into pages', () => {
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

test('what takes the place of a replacement names what stood there first', () => {
  expect(originalOf(at(4))).toEqual({ id: 'm4', position: 4 })
  expect(originalOf(at(4, 1))).toEqual({ id: 'm1', position: 1 })
})

test('whatever stands in metadata, it is read as a stamp or as none', () => {
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

test('a stamp comes out as it went in, and leaves other metadata alone', () => {
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
