// One turn as it comes over the line, told piece by piece as what the turn is by then.

import type { ChatPart } from '../client/chat-stream.ts'
import { RequestError } from '../client/request-error.ts'
import type { Notice, Turn } from './conversation-view.ts'

/** What has become of a turn. */
export interface Progress {
  readonly turn: Turn
  readonly notices: readonly Notice[]
  /** What the model, or the server, failed with. */
  readonly error?: RequestError
}

/** The turn after one more part. */
export function advance(progress: Progress, part: ChatPart): Progress {
  const { turn } = progress
  switch (part.type) {
    case 'text-delta':
      return { ...progress, turn: withText(turn, part.delta) }
    case 'error': {
      const error = new RequestError('model-failed', part.errorText)
      return { ...progress, error: progress.error ?? error, turn: endedAs(turn, 'failed') }
    }
    case 'abort':
      return { ...progress, turn: endedAs(turn, 'stopped') }
    case 'data-recorded':
      return { ...progress, turn: withKeptQuestion(turn) }
    case 'data-receipt':
      return { ...progress, turn: withReceipt(turn, part.data) }
    case 'data-notice':
      return { ...progress, notices: [...progress.notices, part.data as Notice] }
    case 'start':
      return part.messageId === undefined ? progress : { ...progress, turn: named(turn, part.messageId) }
    default:
      return progress
  }
}

type Answer = NonNullable<Turn['answer']>

const answerOf = ({ answer }: Turn): Answer => answer ?? { text: '', state: 'answering' }

const named = (turn: Turn, id: string): Turn => ({
  ...withKeptQuestion(turn),
  answer: { ...answerOf(turn), id },
})

const withText = (turn: Turn, delta: string): Turn => {
  const answer = answerOf(turn)
  return { ...turn, answer: { ...answer, text: answer.text + delta } }
}

const withKeptQuestion = (turn: Turn): Turn =>
  turn.question ? { ...turn, question: { ...turn.question, state: 'kept' } } : turn

function withReceipt(turn: Turn, data: unknown): Turn {
  const { id } = (data ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? { ...turn, answer: { ...answerOf(turn), receiptId: id } } : turn
}

/** An answer without a word is none. */
export function endedAs(turn: Turn, state: 'stopped' | 'failed'): Turn {
  const { answer, ...rest } = turn
  return answer === undefined || answer.text === '' ? rest : { ...rest, answer: { ...answer, state } }
}
