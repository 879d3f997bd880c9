import type { ChatEvent } from '../chat/chat-event.ts'
import type { ChatOptions } from '../chat/chat-request.ts'
import type { ContextOptions } from '../context/accept-request.ts'
import {
  buildContext,
  type Context,
  type ContextDeps,
  findReceipt,
  readReceipts,
} from '../context/context.ts'
import type { Deriver } from '../derive/deriver.ts'
import { type RollingSummary, readRollingSummary } from '../derive/summaries/rolling-summary.ts'
import type { MadeSummary, SummaryOptions } from '../derive/summaries/summarize-conversation.ts'
import type { Conversation, ConversationChanges } from '../domain/conversation.ts'
import { definedFields } from '../domain/defined-fields.ts'
import { type ConversationId, messageId } from '../domain/ids.ts'
import type { Message, NewMessage } from '../domain/message.ts'
import type { Note } from '../domain/note.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import { acceptChanges } from '../record/accept-conversation.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { type ForkOptions, forkAt } from '../record/fork.ts'
import { type RecordOptions, record, type WorkspaceDeps } from '../record/record.ts'
import { readMessages } from '../store/read-pages.ts'
import type { Erased, MessageRange } from '../store/store.ts'
import { chatIn } from './chat.ts'
import { type ConversationKnowledge, openConversationKnowledge } from './knowledge.ts'
import { openTopics, type TopicsHandle } from './topics.ts'
import { noteFromWeb } from './web-notes.ts'

/** Which messages to read. Positions are exclusive at both ends. */
export interface MessageListOptions extends Pick<MessageRange, 'after' | 'before' | 'direction'> {
  /** @default 100 */
  readonly limit?: number
}

/** One conversation, whether it exists already or not: the first message makes it. */
export interface ConversationHandle extends TopicsHandle, ConversationKnowledge {
  readonly id: ConversationId
  /** Resolves when the message would survive a power cut. */
  record(message: NewMessage, options?: RecordOptions): Promise<Message>
  /** All of them or none. */
  record(messages: readonly NewMessage[], options?: RecordOptions): Promise<readonly Message[]>
  /** A stretch of the conversation, in order. */
  messages(options?: MessageListOptions): Promise<readonly Message[]>
  /** One message of it; undefined where it has none of this id. */
  message(id: string): Promise<Message | undefined>
  /** The whole conversation, or a stretch, read as you go. */
  stream(options?: Pick<MessageListOptions, 'after' | 'before'>): AsyncIterable<Message>
  /** What to hand to the model next, within the budget, and why. */
  context(query?: string, options?: ContextOptions): Promise<Context>
  /**
   * One whole turn: the question is recorded, the context made, the model answers in pieces, the answer is recorded.
   * Runs as it is read; who stops reading stops the answer, and what there was of it is kept.
   */
  chat(request: ChatOptions): AsyncGenerator<ChatEvent, void>
  /** What was said so far, made now: by the language model where there is one, else in its own sentences. */
  summary(options?: SummaryOptions): Promise<MadeSummary>
  /** What the earlier turns were condensed to, kept up as the conversation grows; undefined while it is short. */
  rollingSummary(): Promise<RollingSummary | undefined>
  /**
   * Notes from the web, two or three, for a question that asks for something recent; none for any other, or
   * where no web search was switched on.
   */
  searchWeb(question: string): Promise<readonly Note[]>
  /** Receipts of the contexts made, newest first. */
  receipts(options?: { readonly limit?: number }): Promise<readonly Receipt[]>
  /** One of them; undefined where there is none of this id, or it is not kept any more. */
  receipt(id: string): Promise<Receipt | undefined>
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
  readonly recorder: WorkspaceDeps
  readonly deriver: Deriver
  readonly options: ResolvedConfig
  readonly models: Models
  readonly contextMaker: ContextDeps
}

export function openConversation(
  { recorder, contextMaker, deriver, options, models }: HandleParts,
  id: ConversationId,
): ConversationHandle {
  const { store, workspace, limits, now } = recorder
  const key = { workspace, conversation: id }
  const accept = (changes: ConversationChanges) => acceptChanges(changes, { limits, now: now() })
  async function recordOneOrMany(messages: NewMessage | readonly NewMessage[], request: RecordOptions = {}) {
    const isMany = Array.isArray(messages)
    const list: readonly NewMessage[] = isMany ? messages : [messages as NewMessage]
    const result = await record(recorder, { ...request, conversation: id, messages: list })
    const isLater = request.isDerivedLater === true
    if (result.added > 0) await deriver.afterAppend(key, result, { isLater })
    return isMany ? result.messages : result.messages[0]
  }
  return {
    id,
    ...openTopics({ ...recorder, deriver, options }, key),
    record: recordOneOrMany as ConversationHandle['record'],
    messages: async ({ limit, ...range } = {}) =>
      store.messages({ ...key, ...range, limit: acceptLimit(limit, 100) }),
    message: async (one) => {
      const message = await store.findMessage(workspace, messageId(one))
      return message?.conversationId === id ? message : undefined
    },
    stream: (range = {}) => readMessages(store, { ...key, ...range }),
    context: (query, request = {}) =>
      buildContext(contextMaker, key, { ...request, ...definedFields({ query }) }),
    chat: (request) => chatIn({ recorder, contextMaker, deriver, options, models }, key, request),
    summary: async (request = {}) => {
      const { summarizeConversation } = await import('../derive/summaries/summarize-conversation.ts')
      const { count: countTokens } = await recorder.loadTokenizer()
      const source = { countTokens, maxTokens: options.convo.summaryMaxTokens, model: models.languageModel }
      return summarizeConversation({ ...source, messages: readMessages(store, key) }, request)
    },
    searchWeb: async (question) =>
      (await noteFromWeb({ recorder, options, models }, { conversation: id, question })) ?? [],
    rollingSummary: () => readRollingSummary(store, key, options.convo.summaryEveryNMessages),
    ...openConversationKnowledge(recorder, id, options),
    receipts: async ({ limit } = {}) => readReceipts(contextMaker, key, acceptLimit(limit, 20)),
    receipt: (receiptId) => findReceipt(contextMaker, key, receiptId),
    get: () => store.findConversation(key),
    create: async (fields = {}) =>
      store.createConversation({ ...key, fields: accept(fields), createdAt: now() }),
    change: async (changes) => store.changeConversation(key, accept(changes)),
    fork: (messageId, request = {}) => forkAt(recorder, { conversation: id, messageId }, request),
    erase: () => store.eraseConversations([key]),
  }
}
