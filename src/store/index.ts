// `recollect/store`: the interfaces a custom store implements. `recollect/store/conformance` checks that it keeps
// the promises, and `openMemory({ store })` uses it.

export type { Conversation, ForkPoint } from '../domain/conversation.ts'
export type { Chunk, Document, DocumentText } from '../domain/document.ts'
export { isMemoryError, MemoryError, type MemoryErrorCode } from '../domain/errors.ts'
export {
  type ConversationId,
  type ConversationKey,
  conversationId,
  type DocumentId,
  documentId,
  type MessageId,
  messageId,
  type PageId,
  pageId,
  type QueryId,
  queryId,
  type VectorKind,
  type WorkspaceId,
  workspaceId,
} from '../domain/ids.ts'
export type { JsonObject, JsonValue } from '../domain/json.ts'
export { type MessageLocator, POSITIONS_PER_CONVERSATION, toLocator } from '../domain/locator.ts'
export { type Content, type Message, type Part, type Role, readableText } from '../domain/message.ts'
export type { PageState, Query } from '../domain/page.ts'
export type { StoredReceipt } from '../domain/receipt.ts'
export type { Paginated, SearchTerm } from '../domain/search.ts'
export { indexableWords } from '../domain/words.ts'
export type * from './activity-store.ts'
export type {
  Change,
  ChangeKind,
  ChangeStore,
  Commit,
  CommitListener,
  CommitMethod,
  Watch,
} from './changes.ts'
export {
  CommitHook,
  chunksCommit,
  conversationCommit,
  deletedEditsCommit,
  derivationCommit,
  documentCommit,
  eraseCommit,
  forkCommit,
  knowledgeCommit,
  pageCommit,
} from './commits.ts'
export type * from './derivations.ts'
export { READER } from './derivations.ts'
export type * from './document-store.ts'
export type * from './edits.ts'
export type * from './jobs.ts'
export type * from './key-store.ts'
export { noActivity, noCompression, noDocuments, noKeys, noPages } from './missing-parts.ts'
export type * from './page-store.ts'
export type * from './recall-store.ts'
export type * from './store.ts'
export type * from './vector-store.ts'
