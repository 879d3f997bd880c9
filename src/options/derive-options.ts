// What is derived from messages, when, and by which means.

/** Internal: how topics are found, fade and are compressed. */
export interface ResolvedTopics {
  /** The cosine similarity above which two texts are about the same subject. 0: the embedder's own value. */
  readonly sameSimilarity: number
  /** After a pause of this length, a new topic is more likely. */
  readonly pauseMs: number
  /** How much the weight of a topic's recent messages decays with each further message. */
  readonly recencyDecay: number
  /** How much of the similarity to the current topic is similarity to the whole topic, not to its recent messages. */
  readonly wholeShare: number
  /** How much the next message counts when a message is assigned to a topic. */
  readonly nextMessageShare: number
  readonly firstHalfLifeDays: number
  readonly maxHalfLifeDays: number
  /** Number of accesses that double the half-life. */
  readonly accessesToDouble: number
  /** Importance of a topic that has none set, from 0 to 1. */
  readonly importance: number
  /** Number of newest messages of a topic that stay uncompressed. */
  readonly keepLive: number
  /** Topics are archived only in conversations with more active topics than this. */
  readonly maxActive: number
  /** Topics with a priority below this may be archived. */
  readonly archiveBelow: number
  /** A topic with more uncompressed messages than this is compressed. */
  readonly compressAbove: number
}

export const TOPIC_CONSTANTS: ResolvedTopics = Object.freeze({
  sameSimilarity: 0, // every embedder has its own scale
  pauseMs: 3 * 3_600_000, // sessions are separated by three hours
  recencyDecay: 0.8, // three messages back counts half
  wholeShare: 0.5, // topics drift: recent messages count as much as the whole topic
  nextMessageShare: 0.7, // a reply repeats the subject it answers, often in better words
  firstHalfLifeDays: 1,
  maxHalfLifeDays: 30,
  accessesToDouble: 5,
  importance: 1, // so that a topic falls below archiveBelow after four to five half-lives
  keepLive: 4, // two exchanges
  maxActive: 20, // as many as a person can still look through
  archiveBelow: 0.05,
  compressAbove: 12,
})

export interface DeriveConfig {
  /** When topics, entities and facts are derived: before `record` returns (`at-once`), right after it (`background`), or `never`. @default "at-once" */
  readonly when?: 'at-once' | 'background' | 'never'
  /** How summaries are written and facts are extracted: with the language model, if one is configured, or only with the built-in methods. @default "model" */
  readonly by?: 'model' | 'built-in'
  /** How often to look for messages that were not derived because a process died or something failed. 0: never. @default 30000 */
  readonly rescanIntervalMs?: number
}

export const DERIVE_DEFAULTS: Required<DeriveConfig> = Object.freeze({
  when: 'at-once', // so that a recall right after a `record` finds it
  by: 'model', // a model that is configured should be used
  rescanIntervalMs: 30_000, // one query; somebody waits for the result
})

export interface DeriveConstants {
  /** Number of long conversations whose derivation state is cached in memory; up to 16 times as many short ones. */
  readonly cachedConversations: number
}

export type ResolvedDerive = Required<DeriveConfig> & DeriveConstants

export const DERIVE_CONSTANTS: DeriveConstants = Object.freeze({
  cachedConversations: 64, // a long one, of 8,000 messages and more, takes a megabyte or two
})

/** Work that needs a model. */
export interface JobConfig {
  /** A job whose process died is retried after this time; a running job renews its lease. @default 60000 */
  readonly leaseMs?: number
}

export interface JobConstants {
  /** The wait after the first failure; it doubles with each further one. */
  readonly firstWaitMs: number
  readonly maxWaitMs: number
  /** Number of jobs that run at the same time in one process. */
  readonly concurrency: number
  /** After this many failures a job is given up and shown as dead. */
  readonly maxAttempts: number
}

export type ResolvedJobs = Required<JobConfig> & JobConstants

export const JOB_DEFAULTS: Required<JobConfig> = Object.freeze({
  leaseMs: 60_000, // four chances to renew it; longer than a live process is ever suspended
})

export const JOB_CONSTANTS: JobConstants = Object.freeze({
  firstWaitMs: 5000,
  maxWaitMs: 3_600_000,
  concurrency: 2, // local models answer one or two requests at a time
  maxAttempts: 8, // with the waits below, about ten minutes of trying
})

/** Internal: `prune` takes the number of days as an argument. */
export interface ResolvedRetention {
  /** Number of days without use after which `prune` removes a conversation. */
  readonly unusedDays: number
}

export const RETENTION_CONSTANTS: ResolvedRetention = Object.freeze({
  unusedDays: 30,
})

export interface NoteConfig {
  /** Number of days after which a note expires, unless it has its own expiry. 0: never. @default 30 */
  readonly expireDays?: number
}

export const NOTE_DEFAULTS: Required<NoteConfig> = Object.freeze({
  expireDays: 30, // search results are stale after a month, if not before
})
