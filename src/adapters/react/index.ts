/** Exports of `recollect/react`: a browser client, and hooks for it. */

export type { Wire } from '../../schemas/wire.ts'
export { ChatSidebar, type ChatSidebarProps } from './chat-sidebar/chat-sidebar.tsx'
export type { ChatSidebarLabels } from './chat-sidebar/labels.ts'
export type { ChatCall, ChatPart } from './client/chat-stream.ts'
export type {
  ConversationCalls,
  CurveSpan,
  MessageList,
  TopicCalls,
  WireConversation,
  WireMessage,
} from './client/conversation-calls.ts'
export {
  type ConversationListCall,
  createClient,
  type Health,
  type RecallCall,
  type RecollectClient,
  type SearchCall,
} from './client/create-client.ts'
export type {
  EntityList,
  FactCalls,
  FactList,
  KnowledgeCalls,
  PageCalls,
  QueryList,
} from './client/knowledge-calls.ts'
export type { CallOptions, ClientOptions, Listed, Method, Sender } from './client/send-request.ts'
export { isRequestError, RequestError, type RequestErrorCode } from './client/send-request.ts'
export {
  RecollectProvider,
  type RecollectProviderProps,
  type RemoteSource,
  type UsedConversation,
  type UsedPageContext,
  type UsedRemote,
  type UsedTopics,
  type UseRecallOptions,
  useConversation,
  usePageContext,
  useRecall,
  useRecollect,
  useRemote,
  useTopics,
} from './hooks.tsx'
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
export type { ReadState } from './live/live.ts'
export type { TurnOptions } from './live/live-conversation.ts'
export type { PageView } from './live/live-page.ts'
export type { PageContext } from './live/page-changes.ts'
