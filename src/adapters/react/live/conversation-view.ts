// What is shown of a conversation: the messages that the server has, plus the running turn. Messages never
// change, except by erasure. A message that replaces another one says so in its metadata, under `recollect`;
// everything from the replaced position up to the new message is hidden.

import type { Content, Recalled, Role, Section } from '../../../index.ts'
import type { Wire } from '../../../schemas/wire.ts'
import type { WireMessage } from '../client/conversation-calls.ts'
import type { RequestError } from '../client/send-request.ts'

/**
 * - `sending`: the server does not have it yet
 * - `unsent`: the server was unreachable or rejected it
 * - `answering`: an answer that is still being streamed
 * - `stopped`, `failed`: an answer that was cut short, by the user or by the model
 * - `erased`: its text was deleted, from the record too
 * - `kept`: complete and recorded
 */
export type MessageState = 'sending' | 'unsent' | 'answering' | 'stopped' | 'failed' | 'erased' | 'kept'

export interface ShownMessage {
  readonly id: string
  readonly role: Role
  /** The text, without tool calls, images and reasoning. */
  readonly text: string
  readonly content: Content
  readonly name?: string
  readonly createdAt: string
  readonly state: MessageState
  /** Missing until the server has it. */
  readonly position?: number
  readonly topicId?: string
  /** For answers: the receipt of what the model was given, and why. */
  readonly receiptId?: string
  readonly model?: string
  /** Composed from memory without a model. */
  readonly isFromMemory?: true
}

/** Something that the user should know, but that did not stop the turn. */
export interface Notice {
  readonly code: string
  readonly text: string
  readonly hint?: string
}

/** What the running answer is based on, in short; the receipt has the details. */
export interface Remembered {
  /** Null if no receipt was saved. */
  readonly receiptId: string | null
  readonly tokens: number
  readonly budgetTokens: number
  readonly sections: readonly { readonly section: Section; readonly tokens: number }[]
  /** The question, rewritten to be self-contained if it was a follow-up. */
  readonly question?: string
  readonly recalled: readonly Pick<
    Wire<Recalled>,
    'kind' | 'id' | 'text' | 'score' | 'messageIds' | 'createdAt' | 'source' | 'conversationId'
  >[]
}

export interface ConversationView {
  /** In order, without replaced messages. */
  readonly messages: readonly ShownMessage[]
  /** `sending` until the question is recorded, `answering` until the answer is. */
  readonly status: 'loading' | 'ready' | 'sending' | 'answering'
  /** The last error; `retry` tries again. */
  readonly error: RequestError | undefined
  /** About the last answer. */
  readonly notices: readonly Notice[]
  /** For the last turn of this tab. */
  readonly remembered: Remembered | undefined
  /** Whether `loadEarlier` would load more. */
  readonly hasEarlier: boolean
  readonly isLoadingEarlier: boolean
}

/** A question and its answer, until the server has both. */
export interface Turn {
  readonly question?: {
    readonly id: string
    readonly text: string
    readonly state: 'sending' | 'unsent' | 'kept'
  }
  readonly answer?: {
    /** The id given by the server; missing until then. */
    readonly id?: string
    readonly text: string
    readonly state: 'answering' | 'stopped' | 'failed'
    readonly receiptId?: string
  }
  /** The turn replaces everything from this position on. */
  readonly replacesFrom?: number
  /** The last known position when the turn started. */
  readonly after: number
  readonly startedAt: string
}

/** What the server stores in a message's metadata. */
interface Stamp {
  readonly ending?: 'stopped' | 'failed'
  readonly model?: string
  readonly isFromMemory?: true
  readonly receiptId?: string
  readonly replaces?: { readonly id: string; readonly position: number }
}

/** Applications can write metadata too: anything that does not fit is ignored. */
function stampOf({ metadata }: WireMessage): Stamp {
  const stamp = metadata?.['recollect']
  return typeof stamp === 'object' && stamp !== null && !Array.isArray(stamp) ? (stamp as Stamp) : {}
}

/** The messages that were not replaced. */
export function withoutReplaced(messages: readonly WireMessage[]): readonly WireMessage[] {
  let replacedFrom = Number.POSITIVE_INFINITY
  const standing: WireMessage[] = []
  for (const message of messages.toReversed()) {
    if (message.position >= replacedFrom) continue
    standing.push(message)
    const from = stampOf(message).replaces?.position
    if (typeof from === 'number' && from < message.position) replacedFrom = from
  }
  return standing.reverse()
}

const shown = new WeakMap<WireMessage, ShownMessage>()

/** Cached per message, so that components don't render again with every chunk of an answer. */
function toShown(message: WireMessage): ShownMessage {
  const known = shown.get(message)
  if (known !== undefined) return known
  const made = makeShown(message)
  shown.set(message, made)
  return made
}

function makeShown(message: WireMessage): ShownMessage {
  const { id, role, content, name, createdAt, position, topicId, erasedAt } = message
  const { ending, model, isFromMemory, receiptId } = stampOf(message)
  return {
    id,
    role,
    content: content as Content,
    text: wordsOf(content as Content),
    createdAt,
    position,
    state: erasedAt === undefined ? (ending ?? 'kept') : 'erased',
    ...(name !== undefined && { name }),
    ...(topicId !== null && { topicId }),
    ...(receiptId !== undefined && { receiptId }),
    ...(model !== undefined && { model }),
    ...(isFromMemory && { isFromMemory }),
  }
}

function wordsOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** The messages to show: the recorded ones, plus the part of the running turn that is not recorded yet. */
export function showMessages(kept: readonly WireMessage[], turn: Turn | undefined): readonly ShownMessage[] {
  const standing = withoutReplaced(kept)
  if (turn === undefined) return standing.map(toShown)
  const { question, answer, after, replacesFrom = Number.POSITIVE_INFINITY } = turn
  const stands = ({ position }: WireMessage) => position < replacesFrom || position > after
  const coming: ShownMessage[] = []
  if (question && !isQuestionKept(turn, kept)) coming.push(toComing(turn, { ...question, role: 'user' }))
  if (answer && !isAnswerKept(turn, kept))
    coming.push(toComing(turn, { ...answer, id: answer.id ?? UNNAMED, role: 'assistant' }))
  return [...standing.filter(stands).map(toShown), ...coming]
}

/** The id of an answer until the server assigns one. */
const UNNAMED = 'answer'

export const isQuestionKept = ({ question }: Turn, kept: readonly WireMessage[]): boolean =>
  question === undefined || kept.some(({ id }) => id === question.id)

export const isAnswerKept = ({ answer, after }: Turn, kept: readonly WireMessage[]): boolean =>
  answer === undefined ||
  kept.some(({ id, role, position }) =>
    answer.id === undefined ? role === 'assistant' && position > after : id === answer.id,
  )

type Coming = Pick<ShownMessage, 'id' | 'role' | 'text' | 'state'> & { readonly receiptId?: string }

const toComing = ({ startedAt }: Turn, message: Coming): ShownMessage => ({
  ...message,
  content: message.text,
  createdAt: startedAt,
})

/** Joins two ranges of a conversation in order, without duplicates. */
export function joinMessages(
  known: readonly WireMessage[],
  more: readonly WireMessage[],
): readonly WireMessage[] {
  const byPosition = new Map(known.map((message) => [message.position, message]))
  for (const message of more) byPosition.set(message.position, message)
  return [...byPosition.values()].sort((one, other) => one.position - other.position)
}

// The state that a live conversation holds between two renders.

export interface ConversationState {
  readonly kept: readonly WireMessage[]
  readonly turn: Turn | undefined
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
  status: 'loading',
  error: undefined,
  notices: [],
  remembered: undefined,
  hasEarlier: false,
  isLoadingEarlier: false,
}

export const toView = ({ kept, turn, ...rest }: ConversationState): ConversationView => ({
  ...rest,
  messages: showMessages(kept, turn),
})

export const statusOf = ({ question }: Turn): ConversationView['status'] =>
  question === undefined || question.state === 'kept' ? 'answering' : 'sending'

/** A question that the server did not acknowledge can be sent again. */
export const asUnsent = (turn: Turn): Turn =>
  turn.question?.state === 'sending' ? { ...turn, question: { ...turn.question, state: 'unsent' } } : turn
