// Every option with its default and the reason for it, one file per group. `MemoryConfig` is public: documented in
// `docs/reference/options.md` (generated from here) and settable by environment variables. Constants are internal: ranking
// weights, retry waits, sizes that only matter to people who change the code. Both are merged into `ResolvedConfig` once,
// when a memory is opened (resolve-options.ts).

import { DEFAULT_WORKSPACE } from '../domain/ids.ts'
import {
  MODEL_CONSTANTS,
  MODEL_DEFAULTS,
  type ModelConfig,
  type ModelDefaults,
  type ResolvedModels,
} from '../model/model-options.ts'
import type { TokenizerName } from '../model/models.ts'
import {
  CHAT_DEFAULTS,
  type ChatConfig,
  CONTEXT_CONSTANTS,
  CONTEXT_DEFAULTS,
  type ContextConfig,
  HISTORY_CONSTANTS,
  type ResolvedContext,
  type ResolvedHistory,
  type ResolvedSummaries,
  SUMMARY_CONSTANTS,
  SUMMARY_DEFAULTS,
  type SummaryConfig,
} from './context-options.ts'
import {
  DERIVE_CONSTANTS,
  DERIVE_DEFAULTS,
  type DeriveConfig,
  JOB_CONSTANTS,
  JOB_DEFAULTS,
  type JobConfig,
  NOTE_DEFAULTS,
  type NoteConfig,
  RETENTION_CONSTANTS,
  type ResolvedDerive,
  type ResolvedJobs,
  type ResolvedRetention,
  type ResolvedTopics,
  TOPIC_CONSTANTS,
} from './derive-options.ts'
import { LIMIT_CONSTANTS, LIMIT_DEFAULTS, type LimitConfig, type ResolvedLimits } from './limit-options.ts'
import {
  RAG_DEFAULTS,
  type RagConfig,
  RECALL_CONSTANTS,
  RECALL_DEFAULTS,
  type RecallConfig,
  type ResolvedRag,
  type ResolvedRecall,
} from './recall-options.ts'
import {
  type ChromaConfig,
  POSTGRES_CONSTANTS,
  POSTGRES_DEFAULTS,
  type PostgresConfig,
  type ResolvedPostgres,
  type ResolvedVectors,
  VECTOR_CONSTANTS,
  VECTOR_DEFAULTS,
  type VectorConfig,
} from './store-options.ts'

export interface MemoryConfig {
  /** The workspace (tenant): a user or a team. Workspaces share a store, and none sees another. @default "default" */
  readonly workspace?: string
  /** `full` survives a power cut; `relaxed` writes faster and survives only a crash of the process. @default "full" */
  readonly durability?: 'full' | 'relaxed'
  /** How tokens are counted: `o200k` for current OpenAI models, `cl100k` for older ones, `estimate` for Claude and Gemini. @default "o200k" */
  readonly tokenizer?: TokenizerName
  readonly postgres?: PostgresConfig
  readonly vectors?: VectorConfig
  readonly models?: ModelConfig
  readonly chat?: ChatConfig
  readonly context?: ContextConfig
  readonly summary?: SummaryConfig
  readonly recall?: RecallConfig
  readonly rag?: RagConfig
  readonly derive?: DeriveConfig
  readonly notes?: NoteConfig
  readonly jobs?: JobConfig
  readonly limits?: LimitConfig
}

/** Every public option filled in. */
export interface PublicConfig {
  readonly workspace: string
  readonly durability: 'full' | 'relaxed'
  readonly tokenizer: TokenizerName
  readonly postgres: Required<PostgresConfig>
  readonly vectors: Required<VectorConfig> & { readonly chroma: Required<ChromaConfig> }
  readonly models: ModelDefaults
  readonly chat: Required<ChatConfig>
  readonly context: Required<ContextConfig>
  readonly summary: Required<SummaryConfig>
  readonly recall: Required<RecallConfig>
  readonly rag: ResolvedRag
  readonly derive: Required<DeriveConfig>
  readonly notes: Required<NoteConfig>
  readonly jobs: Required<JobConfig>
  readonly limits: Required<LimitConfig>
}

/** Public options and internal constants, all filled in. */
export interface ResolvedConfig extends PublicConfig {
  /** How long to wait while another process writes to the database. */
  readonly busyTimeoutMs: number
  readonly postgres: ResolvedPostgres
  readonly derive: ResolvedDerive
  readonly retention: ResolvedRetention
  readonly vectors: ResolvedVectors
  readonly models: ResolvedModels
  readonly context: ResolvedContext
  readonly summary: ResolvedSummaries
  readonly recall: ResolvedRecall
  readonly topics: ResolvedTopics
  readonly jobs: ResolvedJobs
  readonly limits: ResolvedLimits
  readonly history: ResolvedHistory
}

export const PUBLIC_DEFAULTS: PublicConfig = Object.freeze({
  workspace: DEFAULT_WORKSPACE,
  durability: 'full', // an acknowledged message must survive a power cut: docs/decisions/0003
  tokenizer: 'o200k', // current OpenAI models; close to most open models
  postgres: POSTGRES_DEFAULTS,
  vectors: VECTOR_DEFAULTS,
  models: MODEL_DEFAULTS,
  chat: CHAT_DEFAULTS,
  context: CONTEXT_DEFAULTS,
  summary: SUMMARY_DEFAULTS,
  recall: RECALL_DEFAULTS,
  rag: RAG_DEFAULTS,
  derive: DERIVE_DEFAULTS,
  notes: NOTE_DEFAULTS,
  jobs: JOB_DEFAULTS,
  limits: LIMIT_DEFAULTS,
})

export const DEFAULTS: ResolvedConfig = Object.freeze({
  ...PUBLIC_DEFAULTS,
  busyTimeoutMs: 30_000, // an erase or rebuild of a large file by another process takes seconds
  postgres: { ...POSTGRES_DEFAULTS, ...POSTGRES_CONSTANTS },
  derive: { ...DERIVE_DEFAULTS, ...DERIVE_CONSTANTS },
  retention: RETENTION_CONSTANTS,
  vectors: { ...VECTOR_DEFAULTS, ...VECTOR_CONSTANTS },
  models: {
    ...MODEL_DEFAULTS,
    ...MODEL_CONSTANTS,
    chat: { ...MODEL_DEFAULTS.chat, ...MODEL_CONSTANTS.chat },
    embeddings: { ...MODEL_DEFAULTS.embeddings, ...MODEL_CONSTANTS.embeddings },
    rerank: { ...MODEL_DEFAULTS.rerank, ...MODEL_CONSTANTS.rerank },
    webSearch: { ...MODEL_DEFAULTS.webSearch, ...MODEL_CONSTANTS.webSearch },
  },
  context: { ...CONTEXT_DEFAULTS, ...CONTEXT_CONSTANTS },
  summary: { ...SUMMARY_DEFAULTS, ...SUMMARY_CONSTANTS },
  recall: { ...RECALL_DEFAULTS, ...RECALL_CONSTANTS },
  topics: TOPIC_CONSTANTS,
  jobs: { ...JOB_DEFAULTS, ...JOB_CONSTANTS },
  limits: { ...LIMIT_DEFAULTS, ...LIMIT_CONSTANTS },
  history: HISTORY_CONSTANTS,
})
