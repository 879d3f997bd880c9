// Runs one turn and yields its state after each part of the stream.

import type { ChatPart } from '../client/chat-stream.ts'
import { RequestError } from '../client/send-request.ts'
import type { Notice, Remembered, Turn } from './conversation-view.ts'

/** The state of a turn. */
export interface Progress {
  readonly turn: Turn
  readonly notices: readonly Notice[]
  readonly remembered?: Remembered
  /** The error of the model or the server. */
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
    case 'start':
      return { ...progress, turn: begun(turn, part.messageId) }
    default:
      return part.type.startsWith('data-') ? withData(progress, part as DataPart) : progress
  }
}

type DataPart = Extract<ChatPart, { readonly data: unknown }>

function withData(progress: Progress, { type, data }: DataPart): Progress {
  if (type === 'data-notice') return { ...progress, notices: [...progress.notices, data as Notice] }
  if (type === 'data-failure') return { ...progress, error: toFailure(data as Failure) }
  if (type !== 'data-memory') return progress
  const remembered = data as Remembered
  return { ...progress, remembered, turn: withReceipt(progress.turn, remembered.receiptId) }
}

interface Failure {
  readonly code: string
  readonly message: string
  readonly hint?: string
}

const toFailure = ({ code, message, hint }: Failure): RequestError =>
  new RequestError(code, message, { hint })

type Answer = NonNullable<Turn['answer']>

const answerOf = ({ answer }: Turn): Answer => answer ?? { text: '', state: 'answering' }

/** The server records the question before it sends anything. */
const begun = ({ question, ...turn }: Turn, id: string | undefined): Turn => ({
  ...turn,
  ...(question && { question: { ...question, state: 'kept' } }),
  answer: { ...answerOf(turn), ...(id !== undefined && { id }) },
})

const withText = (turn: Turn, delta: string): Turn => {
  const answer = answerOf(turn)
  return { ...turn, answer: { ...answer, text: answer.text + delta } }
}

const withReceipt = (turn: Turn, receiptId: string | null): Turn =>
  receiptId === null ? turn : { ...turn, answer: { ...answerOf(turn), receiptId } }

/** An empty answer is dropped. */
export function endedAs(turn: Turn, state: 'stopped' | 'failed'): Turn {
  const { answer, ...rest } = turn
  return answer === undefined || answer.text === '' ? rest : { ...rest, answer: { ...answer, state } }
}
