/** The front door: all that users may import. */

export type {
  AnswerRecorded,
  AnswerText,
  ChatEvent,
  ChatFailure,
  ChatNotice,
  ChatNoticeCode,
  ContextRemembered,
  QuestionRecorded,
  WebSearched,
} from './chat/chat-event.ts'
export type { Context, InjectedMemory } from './context/context.ts'
export {
  diffReceipts,
  type ItemChange,
  type MessageChange,
  type ReceiptDiff,
  type ReceiptName,
  type SectionChange,
} from './context/diff-receipts.ts'
export { checkValidity, type Provider, type ValidityOptions } from './context/provider-validity.ts'
export {
  type AnthropicAnswer,
  type AnthropicRequest,
  fromAnthropic,
  toAnthropic,
} from './context/providers/anthropic.ts'
export { fromGemini, type GeminiAnswer, type GeminiRequest, toGemini } from './context/providers/gemini.ts'
export { fromOpenAi, type OpenAiAnswer, type OpenAiMessage, toOpenAi } from './context/providers/openai.ts'
export type { DeriveFailure } from './derive/derive-failures.ts'
export type { DeriveStatus } from './derive/deriver.ts'
export type { Importance } from './derive/importance/learn-importance.ts'
export type { FeedbackItem, FeedbackKind, Verdict } from './derive/importance/read-feedback.ts'
export type { RollingSummary } from './derive/summaries/rolling-summary.ts'
export type { MadeSummary, SummaryOptions } from './derive/summaries/summarize-conversation.ts'
export type { Summary, SummarySentence } from './derive/summaries/summary.ts'
export type { CurvePoint, TopicCurve } from './derive/topics/topic-curves.ts'
export type { Conversation, ForkPoint } from './domain/conversation.ts'
export type { Chunk, Document, DocumentFormat } from './domain/document.ts'
export { ENTITY_TYPES, type Entity, type EntityType, type WorkspaceEntity } from './domain/entity.ts'
export { BudgetError, isMemoryError, MemoryError, type MemoryErrorCode } from './domain/errors.ts'
export type { Fact, FactEvent, FactEventType, FactKind, FactWithHistory } from './domain/fact.ts'
export type { ConversationId, DocumentId, MessageId, PageId, QueryId, WorkspaceId } from './domain/ids.ts'
export { withoutInjected } from './domain/injected.ts'
export type { JsonObject, JsonValue } from './domain/json.ts'
export type { Key, KeyScope } from './domain/key.ts'
export type {
  Content,
  ContextMessage,
  FilePart,
  ImagePart,
  Message,
  Part,
  ReasoningPart,
  Role,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from './domain/message.ts'
export { readableText, withCurrentPartNames } from './domain/message.ts'
export type { Note, NoteSource } from './domain/note.ts'
export type { ActiveFile, Intent, PageState, Query, TruncatedResults } from './domain/page.ts'
export type {
  Explanation,
  LeftOut,
  Reason,
  RecallAnswer,
  Recalled,
  RecallKind,
  SearchedQuestion,
  SearchedWord,
  Signal,
} from './domain/recall.ts'
export { RECALL_KINDS, SIGNALS } from './domain/recall.ts'
export type {
  PositionRun,
  Receipt,
  ReceiptItem,
  ReceiptItemKind,
  ReceiptOmission,
  ReceiptPart,
  ReceiptReason,
  ReceiptRepair,
  Section,
  SharedPrefix,
} from './domain/receipt.ts'
export { SECTIONS } from './domain/receipt.ts'
export {
  type AnswerEnding,
  type RecollectMetadata,
  type Replaced,
  recollectMetadataOf,
} from './domain/recollect-metadata.ts'
export type { ReceiptScope, Scope, ScopeName } from './domain/scope.ts'
export { SCOPE_NAMES } from './domain/scope.ts'
export type { ConversationHit, MessageHit, Paginated, Snippet } from './domain/search.ts'
export type { MemoryType, Topic, TopicState } from './domain/topic.ts'
export type { BlockTool, MemoryBlock, MemoryBlocks } from './memory/blocks.ts'
export type { ConversationMemory, ReceiptListOptions, Receipts } from './memory/conversation.ts'
export type {
  ConversationListOptions,
  ConversationSearchOptions,
  Conversations,
  CreateConversationOptions,
} from './memory/conversations.ts'
export type { CopiedWorkspace, CopyOptions } from './memory/copy.ts'
export type {
  AttachOptions,
  ChunkListOptions,
  ConversationDocuments,
  DetachOptions,
  DocumentListOptions,
  Documents,
} from './memory/documents.ts'
export type { ConversationEntities, Entities, EntityListOptions } from './memory/entities.ts'
export type { ConversationFacts, FactListOptions, Facts } from './memory/facts.ts'
export type { Feedback } from './memory/feedback.ts'
export type { ImportInput } from './memory/import-file/import-file.ts'
export type { KeyListOptions, KeyOptions, Keys, NewKey } from './memory/keys.ts'
export type { Activity, ActivityDay, JobListOptions, Jobs, Maintenance } from './memory/maintenance.ts'
export type { Memory, Workspaces } from './memory/memory.ts'
export type {
  ConversationMessages,
  MessageListOptions,
  MessageSearchOptions,
  Messages,
} from './memory/messages.ts'
export type { ConfiguredModels, ModelCheck, ModelInUse, ModelsInUse } from './memory/models.ts'
export type { ConversationNotes, NoteListOptions, Notes } from './memory/notes.ts'
export { type OpenOptions, openMemory } from './memory/open.ts'
export type { PageListOptions, PageMemory, PageQueries, Pages, Queries, QueryChanges } from './memory/page.ts'
export type { PageOptions, PaginatedList } from './memory/paginate.ts'
export type { PreferenceSet, Preferences } from './memory/preferences.ts'
export type { ExplainOptions, Recall, RecallQuery } from './memory/recall.ts'
export type { TopicContext } from './memory/topic-context.ts'
export type { CurveOptions, TopicContextOptions, Topics } from './memory/topics.ts'
export type { VectorStoreStatus } from './memory/vector-mirror.ts'
export type { MemoryChange, Workspace } from './memory/workspace.ts'
export type { CustomModels } from './model/connect-models.ts'
export type {
  ChatModelConfig,
  EmbeddingConfig,
  ModelConfig,
  RerankConfig,
  WebSearchConfig,
} from './model/model-options.ts'
export type {
  CompletionRequest,
  Embedder,
  EmbeddingUse,
  EmbedOptions,
  LanguageModel,
  ModelCalls,
  Reranker,
  TokenizerName,
  WebSearch,
  WebSearchResult,
} from './model/models.ts'
export type {
  ChatConfig,
  ContextConfig,
  SummaryConfig,
  WindowName,
} from './options/context-options.ts'
export type {
  DeriveConfig,
  JobConfig,
  NoteConfig,
} from './options/derive-options.ts'
export { configFromEnvironment } from './options/from-environment.ts'
export type { LimitConfig } from './options/limit-options.ts'
export type { MemoryConfig } from './options/options.ts'
export type { RagConfig, RecallConfig } from './options/recall-options.ts'
export type { ChromaConfig, PostgresConfig, VectorConfig } from './options/store-options.ts'
export type { NewDocument, ReplacingDocument, SavedDocument } from './record/documents/add-document.ts'
export type { DocumentProgress, OnDocumentProgress } from './record/documents/pace.ts'
export type { ExportOptions } from './record/export/export.ts'
export type {
  ImportCounts,
  Imported,
  ImportedConversation,
  ImportFormat,
  ImportOptions,
  ImportProblem,
} from './record/import/imported.ts'
export { IMPORT_FORMATS } from './record/import/imported.ts'
export type { Pruned, PruneOptions } from './record/prune.ts'
export type { PrunedQueries, QueryPruneOptions } from './record/queries/prune-queries.ts'
export type { QueryListOptions } from './record/queries/read-history.ts'
export type { ForkOptions, RecordOptions } from './record/record.ts'
export type { ChatMessage, ChatOptions, ContextOptions } from './schemas/chat.ts'
export type { ConversationChanges, TopicChanges } from './schemas/conversation.ts'
export type { BlockChanges, FactChanges, NewFact, NewNote } from './schemas/knowledge.ts'
export type { NewMessage } from './schemas/message.ts'
export type { NewQuery, PageChanges } from './schemas/page.ts'
export type { RecallOptions } from './schemas/recall.ts'
export type { Job, JobState } from './store/jobs.ts'
export type { Erased, Finding, OnProgress, ReplicaStatus, StoreStatistics } from './store/store.ts'
export type { VectorStore } from './store/vector-store.ts'
