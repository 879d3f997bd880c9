import {
  type Context,
  type ContextMaker,
  type ContextRequest,
  makeContext,
  readReceipts,
} from './context/context.ts'
import type { SummaryRequest } from './derive/summaries/summarize-conversation.ts'
import type { Summary } from './derive/summaries/summary.ts'
import type { Conversation, ConversationChanges } from './domain/conversation.ts'
import type { ConversationId } from './domain/ids.ts'
import type { Message, NewMessage } from './domain/message.ts'
import type { Receipt } from './domain/receipt.ts'
import { given } from './given.ts'
import { type ConversationKnowledge, openConversationKnowledge } from './knowledge.ts'
import { acceptChanges } from './record/accept-conversation.ts'
import { acceptLimit } from './record/accept-limit.ts'
import { type ForkOptions, forkAt } from './record/fork.ts'
import { readMessages } from './record/read-pages.ts'
import { type Recorder, type RecordOptions, record } from './record/record.ts'
import type { Erased, MessageRange } from './store/store.ts'

/** Which messages to read. Positions are exclusive at both ends. */
export interface MessageListOptions extends Pick<MessageRange, 'after' | 'before' | 'direction'> {
  /** @default 100 */
  readonly limit?: number
}

/** One conversation, whether it exists already or not: the first message makes it. */
export interface ConversationHandle extends ConversationKnowledge {
  readonly id: ConversationId
  /** Resolves when the message would survive a power cut. */
  record(message: NewMessage, options?: RecordOptions): Promise<Message>
  /** All of them or none. */
  record(messages: readonly NewMessage[], options?: RecordOptions): Promise<readonly Message[]>
  /** A stretch of the conversation, in order. */
  messages(options?: MessageListOptions): Promise<readonly Message[]>
  /** The whole conversation, or a stretch, read as you go. */
  stream(options?: Pick<MessageListOptions, 'after' | 'before'>): AsyncIterable<Message>
  /** What to hand to the model next, within the budget, and why. */
  context(query?: string, options?: ContextRequest): Promise<Context>
  /** What was said so far, in its own sentences, with the messages they come from; made now, without a model. */
  summary(options?: SummaryRequest): Promise<Summary>
  /** Receipts of the contexts made, newest first. */
  receipts(options?: { readonly limit?: number }): Promise<readonly Receipt[]>
  /** Title, tags, counts; undefined while there is no such conversation. */
  get(): Promise<Conversation | undefined>
  /** Gets the conversation, or makes it with these fields. */
  create(fields?: ConversationChanges): Promise<Conversation>
  change(changes: ConversationChanges): Promise<Conversation>
  /** A new conversation with everything up to and including a message. */
  fork(messageId: string, options?: ForkOptions): Promise<Conversation>
  /** Erases every word of it, for good. */
  erase(): Promise<Erased>
}

export interface HandleParts {
  readonly recorder: Recorder
  readonly contextMaker: ContextMaker
}

export function openConversation(
  { recorder, contextMaker }: HandleParts,
  id: ConversationId,
): ConversationHandle {
  const { store, workspace, limits, now } = recorder
  const key = { workspace, conversation: id }
  const accept = (changes: ConversationChanges) => acceptChanges(changes, { limits, now: now() })
  async function recordOneOrMany(messages: NewMessage | readonly NewMessage[], options: RecordOptions = {}) {
    const isMany = Array.isArray(messages)
    const list: readonly NewMessage[] = isMany ? messages : [messages as NewMessage]
    const result = await record(recorder, { ...options, conversation: id, messages: list })
    return isMany ? result.messages : result.messages[0]
  }
  return {
    id,
    record: recordOneOrMany as ConversationHandle['record'],
    messages: async ({ limit, ...range } = {}) =>
      store.messages({ ...key, ...range, limit: acceptLimit(limit, 100) }),
    stream: (range = {}) => readMessages(store, { ...key, ...range }),
    context: (query, options = {}) => makeContext(contextMaker, key, { ...options, ...given({ query }) }),
    summary: async (options = {}) => {
      const { count } = await recorder.loadTokenizer()
      const { summarizeConversation } = await import('./derive/summaries/summarize-conversation.ts')
      return summarizeConversation({ messages: readMessages(store, key), countTokens: count }, options)
    },
    ...openConversationKnowledge(recorder, id),
    receipts: async ({ limit } = {}) => readReceipts(contextMaker, key, acceptLimit(limit, 20)),
    get: () => store.findConversation(key),
    create: async (fields = {}) =>
      store.createConversation({ ...key, fields: accept(fields), createdAt: now() }),
    change: async (changes) => store.changeConversation(key, accept(changes)),
    fork: (messageId, options = {}) => forkAt(recorder, { conversation: id, messageId }, options),
    erase: () => store.eraseConversations([key]),
  }
}
