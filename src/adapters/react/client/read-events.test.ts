import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents, type StreamEvent } from './chat-stream.ts'

/** A stream of chunks with these lengths, repeated. */
function inPieces(text: string, lengths: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let turn = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const length = lengths[turn++ % lengths.length] ?? 1
      controller.enqueue(bytes.slice(at, at + length))
      at += length
    },
  })
}

async function collect(body: ReadableStream<Uint8Array>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of readEvents(body)) events.push(event)
  return events
}

const line = fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n]/g, ' '))
const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 })

test('events survive any chunk boundaries and line endings', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.record({ data: line }), fc.record({ comment: line }))),
      fc.constantFrom('\n', '\r\n'),
      lengths,
      async (events, end, cut) => {
        const text = events
          .map((event) => ('data' in event ? `data: ${event.data}${end}${end}` : `:${event.comment}${end}`))
          .join('')
        const expected = events.map((event) =>
          'data' in event ? event : { comment: event.comment.trimStart() },
        )
        expect(await collect(inPieces(text, cut))).toEqual(expected)
      },
    ),
    { numRuns: 50 },
  )
})

test('several data lines form one event, and other fields are ignored', async () => {
  const body = inPieces('event: message\nid: 7\ndata: one\ndata: two\n\n', [3])
  expect(await collect(body)).toEqual([{ data: 'one\ntwo' }])
})
