import type {
  Context,
  ContextOptions,
  ConversationChanges,
  Entity,
  Erased,
  Fact,
  MadeSummary,
  NewMessage,
  Note,
  Receipt,
  RollingSummary,
} from '../../../index.ts'
import { type ChatCall, type ChatPart, readChat } from './chat-stream.ts'
import type { FactList } from './knowledge-calls.ts'
import type { CallOptions, Sender } from './send-request.ts'
import { openTopicCalls, type TopicCalls } from './topic-calls.ts'
import type { Listed, Wire, WireConversation, WireMessage } from './wire.ts'

type Signal = Pick<CallOptions, 'signal'>

export interface MessageList extends Signal {
  /** A position or a message id. */
  readonly after?: string | number
  readonly before?: string | number
  readonly direction?: 'forwards' | 'backwards'
  readonly limit?: number
}

/** One conversation over HTTP. */
export interface ConversationCalls {
  readonly id: string
  get(options?: Signal): Promise<WireConversation>
  change(changes: ConversationChanges): Promise<WireConversation>
  /** Erases the whole conversation permanently. */
  erase(): Promise<void>
  fork(messageId: string, fields?: ConversationChanges & { id?: string }): Promise<WireConversation>
  messages(options?: MessageList): Promise<Listed<'messages', WireMessage>>
  message(messageId: string, options?: Signal): Promise<WireMessage>
  record(...messages: readonly Wire<NewMessage>[]): Promise<readonly WireMessage[]>
  eraseMessage(messageId: string): Promise<Wire<Erased>>
  /** Runs one complete turn: records the message, recalls and answers. */
  chat(call: ChatCall, options?: Signal): Promise<AsyncGenerator<ChatPart>>
  context(request?: Wire<ContextOptions>, options?: Signal): Promise<Wire<Context>>
  receipts(options?: Signal & { readonly limit?: number }): Promise<readonly Wire<Receipt>[]>
  receipt(receiptId: string, options?: Signal): Promise<Wire<Receipt>>
  summary(options?: Signal & { readonly maxTokens?: number }): Promise<Wire<MadeSummary>>
  rollingSummary(options?: Signal): Promise<Wire<RollingSummary> | null>
  facts(list?: Omit<FactList, 'conversationId'>): Promise<Listed<'facts', Wire<Fact>>>
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
