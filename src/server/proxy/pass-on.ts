import { AnswerReader, type ReadAnswer } from './answer-reader.ts'

/** How an answer that passed by came to its end. */
export interface PassedAnswer extends ReadAnswer {
  readonly ending: 'complete' | 'stopped' | 'failed'
}

interface Passing {
  readonly contentType: string | null
  /** The client went away: nobody needs the rest. */
  readonly leave: () => void
  /** Cuts the connection to the client, so that half an answer does not look like a whole one. */
  readonly breakOff?: () => void
  readonly onEnd: (answer: PassedAnswer) => void
}

/** Hands bytes on as they are asked for, and reads them on their way. */
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
        // The server would write its error behind the bytes of the answer, and end it as if it were whole.
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
