// Every option, its default and the reason for it, group by group in options/. Filled in and checked once, when a memory
// is opened (resolve-options.ts); further in, nothing is missing. `docs/reference/options.md` is generated from here.

import { DEFAULT_WORKSPACE } from '../domain/ids.ts'
import { MODEL_DEFAULTS, type ModelOptions, type ResolvedModelOptions } from '../model/model-options.ts'
import type { TokenizerName } from '../model/tokenizer.ts'
import {
  CHAT_DEFAULTS,
  type ChatOptions,
  CONTEXT_DEFAULTS,
  type ContextOptions,
  HISTORY_DEFAULTS,
  type HistoryOptions,
  type ResolvedContext,
  type ResolvedHistory,
  type ResolvedSummaries,
  SUMMARY_DEFAULTS,
  type SummaryOptions,
} from './context-options.ts'
import {
  DERIVE_DEFAULTS,
  type DeriveOptions,
  JOB_DEFAULTS,
  type JobOptions,
  NOTE_DEFAULTS,
  type NoteOptions,
  RETENTION_DEFAULTS,
  type ResolvedJobs,
  type ResolvedTopics,
  type RetentionOptions,
  TOPIC_DEFAULTS,
  type TopicOptions,
} from './derive-options.ts'
import { LIMIT_DEFAULTS, type LimitOptions, type ResolvedLimits } from './limit-options.ts'
import {
  RAG_DEFAULTS,
  type RagOptions,
  RECALL_DEFAULTS,
  type RecallOptions,
  type ResolvedRag,
  type ResolvedRecall,
} from './recall-options.ts'
import {
  POSTGRES_DEFAULTS,
  type PostgresOptions,
  type ResolvedVectors,
  VECTOR_DEFAULTS,
  type VectorOptions,
} from './store-options.ts'

export interface MemoryOptions {
  /** Whose memory it is. Several people or teams can share a store; none sees the others. @default "default" */
  readonly workspace?: string
  /** `full` survives a power cut; `relaxed` survives only a crash of the process, and writes faster. @default "full" */
  readonly durability?: 'full' | 'relaxed'
  /** How long to wait while another process writes, before giving up. @default 30000 */
  readonly busyTimeoutMs?: number
  /** `o200k` for OpenAI's current models, `cl100k` for older ones, `estimate` for Claude and Gemini. @default "o200k" */
  readonly tokenizer?: TokenizerName
  readonly context?: ContextOptions
  readonly convo?: SummaryOptions
  readonly topics?: TopicOptions
  readonly derive?: DeriveOptions
  readonly jobs?: JobOptions
  readonly retention?: RetentionOptions
  readonly notes?: NoteOptions
  readonly limits?: LimitOptions
  readonly models?: ModelOptions
  readonly history?: HistoryOptions
  readonly recall?: RecallOptions
  readonly rag?: RagOptions
  readonly chat?: ChatOptions
  readonly postgres?: PostgresOptions
  readonly vectors?: VectorOptions
}

/** Options with nothing left out. */
export interface ResolvedOptions extends Required<MemoryOptions> {
  readonly context: ResolvedContext
  readonly convo: ResolvedSummaries
  readonly topics: ResolvedTopics
  readonly derive: Required<DeriveOptions>
  readonly jobs: ResolvedJobs
  readonly retention: Required<RetentionOptions>
  readonly notes: Required<NoteOptions>
  readonly limits: ResolvedLimits
  readonly models: ResolvedModelOptions
  readonly history: ResolvedHistory
  readonly recall: ResolvedRecall
  readonly rag: ResolvedRag
  readonly chat: Required<ChatOptions>
  readonly postgres: Required<PostgresOptions>
  readonly vectors: ResolvedVectors
}

/** What holds where nothing is said. */
export const DEFAULTS: ResolvedOptions = Object.freeze({
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
