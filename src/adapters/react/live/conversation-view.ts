// What is shown of a conversation: the messages that the server has, and on top of them the turn that is under way.
// Messages never change, but for being erased. One that takes the place of another says so in its metadata, under `recollect`; from the
// place that it names up to itself, nothing is shown any more.

import type { Content, Recalled, Role, Section } from '../../../index.ts'
import type { RequestError } from '../client/request-error.ts'
import type { Wire, WireMessage } from '../client/wire.ts'

/**
 * - `sending`: the server does not have it yet
 * - `unsent`: the server could not be reached, or refused it
 * - `answering`: an answer that is still coming
 * - `stopped`, `failed`: an answer that was cut short, by the reader or by the model
 * - `erased`: its words are gone, from the record too
 * - `kept`: whole, and in the record
 */
export type MessageState = 'sending' | 'unsent' | 'answering' | 'stopped' | 'failed' | 'erased' | 'kept'

export interface ShownMessage {
  readonly id: string
  readonly role: Role
  /** The words, without calls of tools, images and thoughts. */
  readonly text: string
  readonly content: Content
  readonly name?: string
  readonly createdAt: string
  readonly state: MessageState
  /** Missing until the server has it. */
  readonly position?: number
  readonly topicId?: string
  /** Of an answer: what the model was given for it, and why. */
  readonly receiptId?: string
  readonly model?: string
  /** Put together from what is remembered, by no model. */
  readonly isFromMemory?: true
}

/** Something that the reader should know, and that did not stop the turn. */
export interface Notice {
  readonly code: string
  readonly text: string
  readonly hint?: string
}

/** What the answer under way was written from, in short; the receipt has all of it. */
export interface Remembered {
  /** Null where no receipt was kept. */
  readonly receiptId: string | null
  readonly tokens: number
  readonly budgetTokens: number
  readonly sections: readonly { readonly section: Section; readonly tokens: number }[]
  /** The question, made to stand alone where it leaned on what came before. */
  readonly question?: string
  readonly recalled: readonly Pick<
    Wire<Recalled>,
    'kind' | 'id' | 'text' | 'score' | 'messageIds' | 'createdAt' | 'source' | 'conversationId'
  >[]
}

export interface ConversationView {
  /** In order, without those that others stand in for. */
  readonly messages: readonly ShownMessage[]
  /** `sending` until the question is kept, `answering` until the answer is. */
  readonly status: 'loading' | 'ready' | 'sending' | 'answering'
  /** What went wrong last; `retry` tries it again. */
  readonly error: RequestError | undefined
  /** About the last answer. */
  readonly notices: readonly Notice[]
  /** Of the last turn of this tab. */
  readonly remembered: Remembered | undefined
  /** Whether `loadEarlier` brings more. */
  readonly hasEarlier: boolean
  readonly isLoadingEarlier: boolean
}

/** A question and its answer, as long as the server does not have both. */
export interface Turn {
  readonly question?: {
    readonly id: string
    readonly text: string
    readonly state: 'sending' | 'unsent' | 'kept'
  }
  readonly answer?: {
    /** As the server names it; missing until it does. */
    readonly id?: string
    readonly text: string
    readonly state: 'answering' | 'stopped' | 'failed'
    readonly receiptId?: string
  }
  /** From this position on, the turn stands in for what was said before. */
  readonly replacesFrom?: number
  /** The last position that was known when it began. */
  readonly after: number
  readonly startedAt: string
}

/** What the server knows of a message of its own. */
interface Stamp {
  readonly ending?: 'stopped' | 'failed'
  readonly model?: string
  readonly isFromMemory?: true
  readonly receiptId?: string
  readonly replaces?: { readonly id: string; readonly position: number }
}

/** Metadata is anybody's: what is no stamp is read as none. */
function stampOf({ metadata }: WireMessage): Stamp {
  const stamp = metadata?.['recollect']
  return typeof stamp === 'object' && stamp !== null && !Array.isArray(stamp) ? (stamp as Stamp) : {}
}

/** Those that still stand. */
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

/** Made once for each message: a component that shows it need not be made anew with every word of an answer. */
export function toShown(message: WireMessage): ShownMessage {
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

/** The messages to show: what is kept, and the turn under way as far as it is not kept yet. */
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

/** What an answer is called until the server names it. */
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

/** Two stretches of a conversation as one, in order, each message once. */
export function joinMessages(
  known: readonly WireMessage[],
  more: readonly WireMessage[],
): readonly WireMessage[] {
  const byPosition = new Map(known.map((message) => [message.position, message]))
  for (const message of more) byPosition.set(message.position, message)
  return [...byPosition.values()].sort((one, other) => one.position - other.position)
}
