import type {
  Context,
  Conversation,
  ConversationChanges,
  Entity,
  Erased,
  Fact,
  MadeSummary,
  Message,
  NewMessage,
  Note,
  Receipt,
  RollingSummary,
  Summary,
  Topic,
  TopicChanges,
  TopicCurve,
} from '../../../index.ts'
import type { ContextRequest } from '../../../schemas/chat.ts'
import type { ForkRequest } from '../../../schemas/conversation.ts'
import type { conversationFactList, ListQuery, messageList, topicCurves } from '../../../schemas/lists.ts'
import type { Wire } from '../../../schemas/wire.ts'
import { type ChatCall, type ChatPart, readChat } from './chat-stream.ts'
import type { CallOptions, Listed, Sender } from './send-request.ts'

type Signal = Pick<CallOptions, 'signal'>

/** A message with the id of its topic, once that is known. */
export type WireMessage = Wire<Message> & { readonly topicId: string | null }
export type WireConversation = Wire<Conversation>

export type MessageList = ListQuery<typeof messageList> & Signal

/** One conversation over HTTP. */
export interface ConversationCalls {
  readonly id: string
  get(options?: Signal): Promise<WireConversation>
  change(changes: ConversationChanges): Promise<WireConversation>
  /** Erases the whole conversation permanently. */
  erase(): Promise<void>
  fork(messageId: string, fields?: Omit<ForkRequest, 'messageId'>): Promise<WireConversation>
  messages(options?: MessageList): Promise<Listed<'messages', WireMessage>>
  message(messageId: string, options?: Signal): Promise<WireMessage>
  record(...messages: readonly Wire<NewMessage>[]): Promise<readonly WireMessage[]>
  eraseMessage(messageId: string): Promise<Wire<Erased>>
  /** Runs one complete turn: records the message, recalls and answers. */
  chat(call: ChatCall, options?: Signal): Promise<AsyncGenerator<ChatPart>>
  context(request?: Wire<ContextRequest>, options?: Signal): Promise<Wire<Context>>
  receipts(options?: Signal & { readonly limit?: number }): Promise<readonly Wire<Receipt>[]>
  receipt(receiptId: string, options?: Signal): Promise<Wire<Receipt>>
  summary(options?: Signal & { readonly maxTokens?: number }): Promise<Wire<MadeSummary>>
  rollingSummary(options?: Signal): Promise<Wire<RollingSummary> | null>
  facts(list?: ListQuery<typeof conversationFactList> & Signal): Promise<Listed<'facts', Wire<Fact>>>
  entities(options?: Signal): Promise<Listed<'entities', Wire<Entity>>>
  notes(options?: Signal): Promise<Listed<'notes', Wire<Note>>>
  /** The download URL of the conversation. */
  exportAddress(format?: 'json' | 'markdown'): string
  readonly topics: TopicCalls
}

export function openConversationCalls(sender: Sender, id: string): ConversationCalls {
  const at = `/api/conversations/${encodeURIComponent(id)}`
  const get = <T>(path: string, { signal, ...query }: Signal = {}) =>
    sender.request<T>('GET', at + path, { query, signal })
  return {
    id,
    get: (options) => get('', options),
    change: (changes) => sender.request('PATCH', at, { body: changes }),
    erase: () => sender.request('DELETE', at),
    fork: (messageId, fields) => sender.request('POST', `${at}/fork`, { body: { ...fields, messageId } }),
    topics: openTopicCalls(sender, at),
    exportAddress: (format = 'json') => sender.address(`${at}/export`, { format }),
    ...openMessageCalls(sender, at),
    ...openContextCalls(sender, at),
    rollingSummary: async (options) =>
      (await get<{ summary: Wire<RollingSummary> | null }>('/summary', options)).summary,
    facts: (list) => get('/facts', list),
    entities: (options) => get('/entities', options),
    notes: (options) => get('/notes', options),
  }
}

type MessageCalls = Pick<ConversationCalls, 'messages' | 'message' | 'record' | 'eraseMessage'>

function openMessageCalls(sender: Sender, at: string): MessageCalls {
  const one = (messageId: string) => `${at}/messages/${encodeURIComponent(messageId)}`
  return {
    messages: ({ signal, ...query } = {}) => sender.request('GET', `${at}/messages`, { query, signal }),
    message: (messageId, options) => sender.request('GET', one(messageId), options),
    async record(...messages) {
      const isRepeatable = messages.every(({ id }) => id !== undefined)
      const call = { body: { messages }, isRepeatable }
      return (await sender.request<{ messages: WireMessage[] }>('POST', `${at}/messages`, call)).messages
    },
    eraseMessage: async (messageId) =>
      (await sender.request<{ erased: Wire<Erased> }>('DELETE', one(messageId))).erased,
  }
}

type ContextCalls = Pick<ConversationCalls, 'chat' | 'context' | 'receipts' | 'receipt' | 'summary'>

function openContextCalls(sender: Sender, at: string): ContextCalls {
  return {
    async chat(call, { signal } = {}) {
      return readChat(await sender.open('POST', `${at}/chat`, { body: call, signal }), signal)
    },
    context: (request = {}, { signal } = {}) =>
      sender.request('POST', `${at}/context`, { body: request, signal }),
    receipts: async ({ signal, limit } = {}) => {
      const path = `${at}/receipts`
      const call = { query: { limit }, signal }
      return (await sender.request<{ receipts: Wire<Receipt>[] }>('GET', path, call)).receipts
    },
    receipt: (receiptId, options) =>
      sender.request('GET', `${at}/receipts/${encodeURIComponent(receiptId)}`, options),
    summary: async ({ signal, maxTokens } = {}) => {
      const call = { body: { ...(maxTokens && { maxTokens }) }, signal, isRepeatable: true }
      return (await sender.request<{ summary: Wire<MadeSummary> }>('POST', `${at}/summary`, call)).summary
    },
  }
}

export type CurveSpan = ListQuery<typeof topicCurves> & Signal

/** The topics of one conversation over HTTP. */
export interface TopicCalls {
  /** By last use, newest first; including archived ones. */
  list(options?: Signal): Promise<readonly Wire<Topic>[]>
  curves(span?: CurveSpan): Promise<readonly Wire<TopicCurve>[]>
  get(topicId: string, options?: Signal): Promise<Wire<Topic>>
  messages(topicId: string, options?: Signal): Promise<readonly WireMessage[]>
  summary(topicId: string, options?: Signal): Promise<Wire<Summary>>
  change(topicId: string, changes: TopicChanges): Promise<Wire<Topic>>
  /** Moves all messages of `fromId` to `intoId`. */
  merge(intoId: string, fromId: string): Promise<Wire<Topic>>
  /** Moves messages of one topic to a new topic. */
  split(messageIds: readonly string[]): Promise<Wire<Topic>>
  move(messageId: string, topicId: string): Promise<Wire<Topic>>
  /** Restores a faded topic, as if it had just been mentioned. */
  restore(topicId: string): Promise<Wire<Topic>>
  /** Undoes the last restore, until the topic is used again. */
  undoRestore(topicId: string): Promise<Wire<Topic>>
}

function openTopicCalls(sender: Sender, conversation: string): TopicCalls {
  const all = `${conversation}/topics`
  const one = (topicId: string) => `${all}/${encodeURIComponent(topicId)}`
  return {
    list: async (options) => (await sender.request<{ topics: Wire<Topic>[] }>('GET', all, options)).topics,
    curves: async ({ signal, ...query } = {}) => {
      const path = `${conversation}/topic-curves`
      return (await sender.request<{ curves: Wire<TopicCurve>[] }>('GET', path, { query, signal })).curves
    },
    get: (topicId, options) => sender.request('GET', one(topicId), options),
    messages: async (topicId, options) =>
      (await sender.request<{ messages: WireMessage[] }>('GET', `${one(topicId)}/messages`, options))
        .messages,
    summary: async (topicId, options) =>
      (await sender.request<{ summary: Wire<Summary> }>('GET', `${one(topicId)}/summary`, options)).summary,
    change: (topicId, changes) => sender.request('PATCH', one(topicId), { body: changes }),
    merge: (intoId, fromId) => sender.request('POST', `${one(intoId)}/merge`, { body: { from: fromId } }),
    split: (messageIds) => sender.request('POST', all, { body: { messageIds } }),
    move: (messageId, topicId) => sender.request('POST', `${one(topicId)}/messages`, { body: { messageId } }),
    restore: (topicId) => sender.request('POST', `${one(topicId)}/restore`),
    undoRestore: (topicId) => sender.request('DELETE', `${one(topicId)}/restore`),
  }
}
