// The state that a live conversation holds between two renders.

import type { RequestError } from '../client/request-error.ts'
import type { WireMessage } from '../client/wire.ts'
import {
  type ConversationView,
  type Notice,
  type Remembered,
  showMessages,
  type Turn,
} from './conversation-view.ts'

export interface ConversationState {
  readonly kept: readonly WireMessage[]
  readonly turn: Turn | undefined
  /** A turn that is running in another tab. */
  readonly elsewhere: Turn | undefined
  readonly status: ConversationView['status']
  readonly error: RequestError | undefined
  readonly notices: readonly Notice[]
  readonly remembered: Remembered | undefined
  readonly hasEarlier: boolean
  readonly isLoadingEarlier: boolean
}

export const EMPTY: ConversationState = {
  kept: [],
  turn: undefined,
  elsewhere: undefined,
  status: 'loading',
  error: undefined,
  notices: [],
  remembered: undefined,
  hasEarlier: false,
  isLoadingEarlier: false,
}

export const toView = ({ kept, turn, elsewhere, ...rest }: ConversationState): ConversationView => ({
  ...rest,
  messages: showMessages(kept, turn ?? elsewhere),
})

export const statusOf = ({ question }: Turn): ConversationView['status'] =>
  question === undefined || question.state === 'kept' ? 'answering' : 'sending'

/** A question that the server did not acknowledge can be sent again. */
export const asUnsent = (turn: Turn): Turn =>
  turn.question?.state === 'sending' ? { ...turn, question: { ...turn.question, state: 'unsent' } } : turn
