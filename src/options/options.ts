// Every option, its default and the reason for it, group by group in options/. Filled in and checked once, when a memory
// is opened (resolve-options.ts); further in, nothing is missing. `docs/reference/options.md` is generated from here.

import { DEFAULT_WORKSPACE } from '../domain/ids.ts'
import { MODEL_DEFAULTS, type ModelConfig, type ResolvedModels } from '../model/model-options.ts'
import type { TokenizerName } from '../model/tokenizer.ts'
import {
  CHAT_DEFAULTS,
  type ChatConfig,
  CONTEXT_DEFAULTS,
  type ContextConfig,
  HISTORY_DEFAULTS,
  type HistoryConfig,
  type ResolvedContext,
  type ResolvedHistory,
  type ResolvedSummaries,
  SUMMARY_DEFAULTS,
  type SummaryConfig,
} from './context-options.ts'
import {
  DERIVE_DEFAULTS,
  type DeriveConfig,
  JOB_DEFAULTS,
  type JobConfig,
  NOTE_DEFAULTS,
  type NoteConfig,
  RETENTION_DEFAULTS,
  type ResolvedJobs,
  type ResolvedTopics,
  type RetentionConfig,
  TOPIC_DEFAULTS,
  type TopicConfig,
} from './derive-options.ts'
import { LIMIT_DEFAULTS, type LimitConfig, type ResolvedLimits } from './limit-options.ts'
import {
  RAG_DEFAULTS,
  type RagConfig,
  RECALL_DEFAULTS,
  type RecallConfig,
  type ResolvedRag,
  type ResolvedRecall,
} from './recall-options.ts'
import {
  POSTGRES_DEFAULTS,
  type PostgresConfig,
  type ResolvedVectors,
  VECTOR_DEFAULTS,
  type VectorConfig,
} from './store-options.ts'

export interface MemoryConfig {
  /** Whose memory it is. Several people or teams can share a store; none sees the others. @default "default" */
  readonly workspace?: string
  /** `full` survives a power cut; `relaxed` survives only a crash of the process, and writes faster. @default "full" */
  readonly durability?: 'full' | 'relaxed'
  /** How long to wait while another process writes, before giving up. @default 30000 */
  readonly busyTimeoutMs?: number
  /** `o200k` for OpenAI's current models, `cl100k` for older ones, `estimate` for Claude and Gemini. @default "o200k" */
  readonly tokenizer?: TokenizerName
  readonly context?: ContextConfig
  readonly convo?: SummaryConfig
  readonly topics?: TopicConfig
  readonly derive?: DeriveConfig
  readonly jobs?: JobConfig
  readonly retention?: RetentionConfig
  readonly notes?: NoteConfig
  readonly limits?: LimitConfig
  readonly models?: ModelConfig
  readonly history?: HistoryConfig
  readonly recall?: RecallConfig
  readonly rag?: RagConfig
  readonly chat?: ChatConfig
  readonly postgres?: PostgresConfig
  readonly vectors?: VectorConfig
}

/** Options with nothing left out. */
export interface ResolvedConfig extends Required<MemoryConfig> {
  readonly context: ResolvedContext
  readonly convo: ResolvedSummaries
  readonly topics: ResolvedTopics
  readonly derive: Required<DeriveConfig>
  readonly jobs: ResolvedJobs
  readonly retention: Required<RetentionConfig>
  readonly notes: Required<NoteConfig>
  readonly limits: ResolvedLimits
  readonly models: ResolvedModels
  readonly history: ResolvedHistory
  readonly recall: ResolvedRecall
  readonly rag: ResolvedRag
  readonly chat: Required<ChatConfig>
  readonly postgres: Required<PostgresConfig>
  readonly vectors: ResolvedVectors
}

/** What holds where nothing is said. */
export const DEFAULTS: ResolvedConfig = Object.freeze({
  workspace: DEFAULT_WORKSPACE,
  durability: 'full', // an acknowledged word must survive a power cut: docs/decisions/0003
  busyTimeoutMs: 30_000, // an erase or rebuild of a large file by another process takes seconds
  tokenizer: 'o200k', // the current OpenAI family; close to most open models
  context: CONTEXT_DEFAULTS,
  convo: SUMMARY_DEFAULTS,
  topics: TOPIC_DEFAULTS,
  derive: DERIVE_DEFAULTS,
  jobs: JOB_DEFAULTS,
  retention: RETENTION_DEFAULTS,
  notes: NOTE_DEFAULTS,
  limits: LIMIT_DEFAULTS,
  models: MODEL_DEFAULTS,
  history: HISTORY_DEFAULTS,
  recall: RECALL_DEFAULTS,
  rag: RAG_DEFAULTS,
  chat: CHAT_DEFAULTS,
  postgres: POSTGRES_DEFAULTS,
  vectors: VECTOR_DEFAULTS,
})
