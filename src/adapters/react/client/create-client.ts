// A browser client for the server's routes, based on fetch alone. The names are the same as in the library.

import type {
  Conversation,
  ConversationChanges,
  ConversationHit,
  Explanation,
  MessageHit,
  RecallAnswer,
  RecallOptions,
  StoreStatistics,
} from '../../../index.ts'
import { type ConversationCalls, openConversationCalls } from './conversation-calls.ts'
import { type KnowledgeCalls, openKnowledgeCalls } from './knowledge-calls.ts'
import { openPageCalls, type PageCalls } from './page-calls.ts'
import { type CallOptions, type ClientOptions, createSender, type Sender } from './send-request.ts'
import type { Listed, Wire } from './wire.ts'

type Signal = Pick<CallOptions, 'signal'>

export interface ConversationListCall extends Signal {
  readonly archived?: 'without' | 'only' | 'with'
  readonly tag?: string
  readonly pinned?: boolean
  readonly limit?: number
  readonly cursor?: string
}

export interface SearchCall extends Signal {
  readonly q: string
  readonly conversationId?: string
  readonly limit?: number
  readonly cursor?: string
}

export type RecallCall = Omit<Wire<RecallOptions>, 'signal'> & { readonly query: string }

export interface Health {
  readonly status: 'ok' | 'degraded'
  readonly pendingJobs: number
  readonly deadJobs: number
  readonly failures: number
}

/** A Recollect server, as a page sees it. Use `request` for routes without a method. */
export interface RecollectClient extends Sender, KnowledgeCalls {
  /** Identifies the server and workspace: tabs with the same name stay in sync. */
  readonly name: string
  conversation(id: string): ConversationCalls
  conversations(list?: ConversationListCall): Promise<Listed<'conversations', Wire<Conversation>>>
  createConversation(fields?: ConversationChanges & { readonly id?: string }): Promise<Wire<Conversation>>
  readonly pages: PageCalls
  recall(request: RecallCall, options?: Signal): Promise<Wire<RecallAnswer>>
  explain(request: RecallCall & { readonly messageId?: string }, options?: Signal): Promise<Wire<Explanation>>
  searchMessages(search: SearchCall): Promise<Listed<'hits', Wire<MessageHit>>>
  searchConversations(
    search: Omit<SearchCall, 'conversationId'>,
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
