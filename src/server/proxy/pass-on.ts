import { AnswerReader, type ReadAnswer } from './answer-reader.ts'

/** An answer that was passed through, and how it ended. */
export interface PassedAnswer extends ReadAnswer {
  readonly ending: 'complete' | 'stopped' | 'failed'
}

interface Passing {
  readonly contentType: string | null
  /** Called when the client disconnects: the rest is not needed. */
  readonly leave: () => void
  /** Closes the connection to the client, so that a partial answer does not look complete. */
  readonly breakOff?: () => void
  readonly onEnd: (answer: PassedAnswer) => void
}

/** Passes bytes through on demand and reads them on the way. */
export function passOn(
  body: ReadableStream<Uint8Array>,
  { contentType, leave, breakOff, onEnd }: Passing,
): ReadableStream<Uint8Array> {
  const source = body.getReader()
  const answer = new AnswerReader(contentType)
  let isOver = false
  const end = (ending: PassedAnswer['ending']) => {
    if (isOver) return
    isOver = true
    const read = answer.end()
    onEnd({ ...read, ending: ending === 'complete' && !read.isWhole ? 'failed' : ending })
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read()
        if (done) {
          end('complete')
          controller.close()
        } else {
          answer.take(value)
          controller.enqueue(value)
        }
      } catch (error) {
        end('failed')
        // Otherwise the server would append an error to the answer's bytes and end it as if it were complete.
        if (breakOff === undefined) controller.error(error)
        else breakOff()
      }
    },
    cancel() {
      end('stopped')
      leave()
    },
  })
}
