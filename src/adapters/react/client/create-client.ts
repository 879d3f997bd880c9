// A browser client for the server's routes, based on fetch alone. The names are the same as in the library.

import type { z } from 'zod'
import type {
  Conversation,
  ConversationHit,
  Explanation,
  MessageHit,
  RecallAnswer,
  StoreStatistics,
} from '../../../index.ts'
import type { NewConversation } from '../../../schemas/conversation.ts'
import type {
  conversationList,
  conversationSearch,
  health,
  ListQuery,
  messageSearch,
} from '../../../schemas/lists.ts'
import type { ExplainRequest, RecallRequest } from '../../../schemas/recall.ts'
import type { Wire } from '../../../schemas/wire.ts'
import { type ConversationCalls, openConversationCalls } from './conversation-calls.ts'
import { type KnowledgeCalls, openKnowledgeCalls, openPageCalls, type PageCalls } from './knowledge-calls.ts'
import type { Listed } from './send-request.ts'
import { type CallOptions, type ClientOptions, createSender, type Sender } from './send-request.ts'

type Signal = Pick<CallOptions, 'signal'>

export type ConversationListCall = ListQuery<typeof conversationList> & Signal

export type SearchCall = ListQuery<typeof messageSearch> & Signal

export type RecallCall = Wire<RecallRequest>

export type Health = z.output<typeof health>

/** A Recollect server, as a page sees it. Use `request` for routes without a method. */
export interface RecollectClient extends Sender, KnowledgeCalls {
  /** Identifies the server and workspace: tabs with the same name stay in sync. */
  readonly name: string
  conversation(id: string): ConversationCalls
  conversations(list?: ConversationListCall): Promise<Listed<'conversations', Wire<Conversation>>>
  createConversation(fields?: NewConversation): Promise<Wire<Conversation>>
  readonly pages: PageCalls
  recall(request: RecallCall, options?: Signal): Promise<Wire<RecallAnswer>>
  explain(request: Wire<ExplainRequest>, options?: Signal): Promise<Wire<Explanation>>
  searchMessages(search: SearchCall): Promise<Listed<'hits', Wire<MessageHit>>>
  searchConversations(
    search: ListQuery<typeof conversationSearch> & Signal,
  ): Promise<Listed<'hits', Wire<ConversationHit>>>
  health(options?: Signal): Promise<Health>
  statistics(options?: Signal): Promise<{ workspace: string; statistics: StoreStatistics }>
}

export function createClient(options: ClientOptions = {}): RecollectClient {
  const sender = createSender(options)
  return {
    ...sender,
    name: `${options.url ?? ''} ${options.workspace ?? ''}`.trim(),
    conversation: (id) => openConversationCalls(sender, id),
    conversations: ({ signal, ...query } = {}) =>
      sender.request('GET', '/api/conversations', { query, signal }),
    createConversation: (fields = {}) =>
      sender.request('POST', '/api/conversations', { body: fields, isRepeatable: fields.id !== undefined }),
    pages: openPageCalls(sender),
    ...openKnowledgeCalls(sender),
    recall: (request, { signal } = {}) =>
      sender.request('POST', '/api/recall', { body: request, signal, isRepeatable: true }),
    explain: (request, { signal } = {}) =>
      sender.request('POST', '/api/recall/explain', { body: request, signal, isRepeatable: true }),
    searchMessages: ({ signal, ...query }) =>
      sender.request('GET', '/api/search/messages', { query, signal }),
    searchConversations: ({ signal, ...query }) =>
      sender.request('GET', '/api/search/conversations', { query, signal }),
    health: (call) => sender.request('GET', '/api/health', call),
    statistics: (call) => sender.request('GET', '/api/stats', call),
  }
}
