/** Exports of `recollect/react`: a browser client, and hooks for it. */

export { ChatSidebar, type ChatSidebarProps } from './chat-sidebar/chat-sidebar.tsx'
export type { ChatSidebarLabels } from './chat-sidebar/labels.ts'
export type { ChatCall, ChatPart } from './client/chat-stream.ts'
export type { ConversationCalls, MessageList } from './client/conversation-calls.ts'
export {
  type ConversationListCall,
  createClient,
  type Health,
  type RecallCall,
  type RecollectClient,
  type SearchCall,
} from './client/create-client.ts'
export type { EntityList, FactCalls, FactList, KnowledgeCalls } from './client/knowledge-calls.ts'
export type { PageCalls, QueryList } from './client/page-calls.ts'
export { isRequestError, RequestError, type RequestErrorCode } from './client/request-error.ts'
export type { CallOptions, ClientOptions, Method, Sender } from './client/send-request.ts'
export type { CurveSpan, TopicCalls } from './client/topic-calls.ts'
export type { Listed, Wire, WireConversation, WireMessage } from './client/wire.ts'
export type {
  ConversationView,
  MessageState,
  Notice,
  Remembered,
  ShownMessage,
} from './live/conversation-view.ts'
export {
  type FollowOptions,
  followChanges,
  type ServerChange,
} from './live/follow-changes.ts'
export type { TurnOptions } from './live/live-conversation.ts'
export type { PageView } from './live/live-page.ts'
export type { ReadState } from './live/live-read.ts'
export type { PageContext } from './live/page-changes.ts'
export { RecollectProvider, type RecollectProviderProps, useRecollect } from './provider.tsx'
export { type UsedConversation, useConversation } from './use-conversation.ts'
export { type UsedPageContext, usePageContext } from './use-page-context.ts'
export { type UseRecallOptions, useRecall } from './use-recall.ts'
export { type RemoteSource, type UsedRemote, useRemote } from './use-remote.ts'
export { type UsedTopics, useTopics } from './use-topics.ts'
