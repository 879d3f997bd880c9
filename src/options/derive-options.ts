// What is worked out from messages, when, and by whom.

export interface TopicConfig {
  /** The cosine from which on two texts are about one subject. 0: what the embedder declares. @default 0 */
  readonly sameSimilarity?: number
  /** A pause after which people tend to begin something new. @default 10800000 */
  readonly pauseMs?: number
  /** How much a topic's last words fade with each further message. @default 0.8 */
  readonly recentKept?: number
  /** How much of the likeness to the current topic is likeness to all of it, not to its last words. @default 0.5 */
  readonly wholeShare?: number
  /** How much the next message counts when it is weighed what a message is about. @default 0.7 */
  readonly nextMessageShare?: number
  /** The half-life of a topic that was hardly used. @default 1 */
  readonly firstHalfLifeDays?: number
  /** No topic fades slower than this. @default 30 */
  readonly longestHalfLifeDays?: number
  /** So many accesses double the half-life. @default 5 */
  readonly accessesToDouble?: number
  /** Importance of a topic that was given none, from 0 to 1. @default 1 */
  readonly importance?: number
  /** Up to so many topics of a conversation nothing is archived. @default 20 */
  readonly live?: number
  /** Topics with a priority below this may be archived. @default 0.05 */
  readonly archiveBelow?: number
  /** A topic with more live messages than this is compressed … @default 12 */
  readonly compressAbove?: number
  /** … but for the newest so many. @default 4 */
  readonly keepLive?: number
}

export type ResolvedTopics = Required<TopicConfig>

export const TOPIC_DEFAULTS: ResolvedTopics = Object.freeze({
  sameSimilarity: 0, // every embedder has its own scale
  pauseMs: 3 * 3_600_000, // sessions are told apart by three hours
  recentKept: 0.8, // three messages back counts half
  wholeShare: 0.5, // topics drift: what was said last counts as much as all of it
  nextMessageShare: 0.7, // a reply takes up the words it answers, in better words
  firstHalfLifeDays: 1,
  longestHalfLifeDays: 30,
  accessesToDouble: 5,
  importance: 1, // so that a topic falls under archiveBelow after four to five half-lives
  live: 20, // what one can still look through
  archiveBelow: 0.05,
  compressAbove: 12,
  keepLive: 4, // two exchanges
})

export interface DeriveConfig {
  /** Topics, entities and facts are worked out before `record` returns, right after it, or `never`. @default "at-once" */
  readonly when?: 'at-once' | 'background' | 'never'
  /** Who writes summaries and finds facts: the language model, where there is one, or built-in means alone. @default "model" */
  readonly by?: 'model' | 'built-in'
  /** Of so many long conversations, what is needed to read on is kept in memory; of short ones, up to 16 times as many. @default 64 */
  readonly cachedConversations?: number
  /** How often it is looked for what another process left unread when it died, or what failed. 0: never. @default 30000 */
  readonly leftoversMs?: number
}

export const DERIVE_DEFAULTS: Required<DeriveConfig> = Object.freeze({
  when: 'at-once', // so that whoever recorded finds it
  by: 'model', // whoever names one wants its work
  cachedConversations: 64, // a long one, of 8,000 messages and more, takes a megabyte or two
  leftoversMs: 30_000, // one look-up; somebody waits for what was left
})

/** Work that needs a model. */
export interface JobConfig {
  /** How many run at the same time in one process. @default 2 */
  readonly atOnce?: number
  /** A job that failed so often is given up, and shown as dead. @default 8 */
  readonly attempts?: number
  /** The wait after the first failure; it doubles with each. @default 5000 */
  readonly firstWaitMs?: number
  /** The longest wait between two tries. @default 3600000 */
  readonly longestWaitMs?: number
  /** A job whose process died is free again after this; whoever is at work renews it. @default 60000 */
  readonly leaseMs?: number
}

export type ResolvedJobs = Required<JobConfig>

export const JOB_DEFAULTS: ResolvedJobs = Object.freeze({
  atOnce: 2, // local models answer one or two at a time
  attempts: 8, // with the waits below, about ten minutes of trying
  firstWaitMs: 5000,
  longestWaitMs: 3_600_000,
  leaseMs: 60_000, // four chances to renew it; longer than a process stands still that is alive
})

export interface RetentionConfig {
  /** `prune` takes conversations that were not used for so many days. Nothing is pruned unless asked for. @default 30 */
  readonly unusedDays?: number
}

export const RETENTION_DEFAULTS: Required<RetentionConfig> = Object.freeze({
  unusedDays: 30,
})

export interface NoteConfig {
  /** After how many days a note expires, unless it says so itself. 0: never. @default 30 */
  readonly expireDays?: number
}

export const NOTE_DEFAULTS: Required<NoteConfig> = Object.freeze({
  expireDays: 30, // what a search found is stale after a month, if not before
})
