// Every option, its default and the reason for it. Filled in and checked once, when a memory is opened
// (resolve-options.ts); further in, nothing is missing. `docs/reference/options.md` is generated from this file.

import { DEFAULT_WORKSPACE } from './domain/ids.ts'
import { MODEL_DEFAULTS, type ModelOptions, type ResolvedModelOptions } from './model/model-options.ts'
import type { TokenizerName } from './model/tokenizer.ts'

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

/** For vectors in a server beside the store. The store keeps its own: what is there can always be put again. */
export interface VectorOptions {
  readonly chroma?: ChromaOptions
  /** How long a question waits for the vector store, before words and the store's own vectors answer alone. @default 2000 */
  readonly timeoutMs?: number
  /** How long everything else may take there. @default 60000 */
  readonly writeTimeoutMs?: number
  /** How often it is looked whether the vector store still has everything. @default 60000 */
  readonly checkEveryMs?: number
}

/** A Chroma server, 1.0 or later. */
export interface ChromaOptions {
  /** Its address, such as http://localhost:8000. Empty: none. @default "" */
  readonly url?: string
  /** Sent as a bearer token, and as Chroma's own. @default "" */
  readonly key?: string
  /** Whose collections they are, in Chroma's words. @default "default_tenant" */
  readonly tenant?: string
  /** Which of its databases they lie in. @default "default_database" */
  readonly database?: string
  /** How the names of all collections begin. Each memory that shares the server needs its own. @default "recollect" */
  readonly prefix?: string
}

/** For a memory in a PostgreSQL database. */
export interface PostgresOptions {
  /** The schema that all tables are in; made if it is missing. @default "recollect" */
  readonly schema?: string
  /** The most connections that one process opens, to the primary and to a replica each. @default 10 */
  readonly poolSize?: number
  /** How long to wait for a connection. @default 10000 */
  readonly connectTimeoutMs?: number
  /** A statement that takes longer is ended. 0: never. @default 60000 */
  readonly statementTimeoutMs?: number
  /** The address of a copy that recall may read from, though it may be a moment behind. Empty: none. @default "" */
  readonly replicaUrl?: string
  /** Whether a pooler is in between that hands every transaction to another session (PgBouncer); `auto` finds out. @default "auto" */
  readonly pooling?: 'auto' | 'session' | 'transaction'
  /** The address of the server itself where a pooler is in between: to hear of what other servers write, and for upkeep. Empty: none. @default "" */
  readonly directUrl?: string
}

export interface ContextOptions {
  /** How much a model takes: "12k", "128k" (120,000 and 8,000 for the answer), "262k" (260,000) or a number of tokens. @default "128k" */
  readonly window?: WindowName | number
  /** The tail's beginning moves in steps of this share of the budget, so that prompt caches hit in between. 0: every turn as much as fits. @default 0.125 */
  readonly tailStep?: number
  /** How many receipts are kept for each conversation. 0: none, and contexts know nothing of the one before. @default 100 */
  readonly receiptsKept?: number
  /** How many turns from the beginning stay when the conversation no longer fits. @default 2 */
  readonly firstTurns?: number
  /** So many of the last messages come in before memory takes its share, if they fit. @default 5 */
  readonly tailLeast?: number
  /** The most facts that stand in front beside preferences, instructions and what is pinned; and the most that recall adds. @default 3 */
  readonly facts?: number
  /** The most earlier turns, queries and summaries that recall adds. @default 5 */
  readonly recalledTurns?: number
  /** The most notes of tools and web searches. @default 2 */
  readonly notes?: number
}

export interface SummaryOptions {
  /** The earlier turns are condensed after so many new messages. @default 12 */
  readonly summaryEveryNMessages?: number
  /** … or when messages outside the summary take more than this share of the window. @default 0.5 */
  readonly summaryTailShare?: number
  /** Above this share of the window, they are condensed whatever the count. @default 0.95 */
  readonly summaryWindowShare?: number
  /** The newest messages that stay whole. @default 5 */
  readonly summaryKeepMessages?: number
  /** Shorter conversations are never condensed. @default 4 */
  readonly summaryLeastMessages?: number
  /** The longest rolling summary. @default 400 */
  readonly summaryMaxTokens?: number
}

export interface TopicOptions {
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

export interface DeriveOptions {
  /** Topics, entities and facts are worked out before `record` returns, right after it, or `never`. @default "at-once" */
  readonly when?: 'at-once' | 'background' | 'never'
  /** Who writes summaries and finds facts: the language model, where there is one, or built-in means alone. @default "model" */
  readonly by?: 'model' | 'built-in'
  /** Of so many long conversations, what is needed to read on is kept in memory; of short ones, up to 16 times as many. @default 64 */
  readonly cachedConversations?: number
  /** How often it is looked for what another process left unread when it died, or what failed. 0: never. @default 30000 */
  readonly leftoversMs?: number
}

/** Work that needs a model. */
export interface JobOptions {
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

export interface RetentionOptions {
  /** `prune` takes conversations that were not used for so many days. Nothing is pruned unless asked for. @default 30 */
  readonly unusedDays?: number
}

export interface NoteOptions {
  /** After how many days a note expires, unless it says so itself. 0: never. @default 30 */
  readonly expireDays?: number
}

export interface LimitOptions {
  /** The largest message, as JSON. @default 4194304 */
  readonly messageBytes?: number
  /** The most messages recorded in one call. @default 10000 */
  readonly batchMessages?: number
  /** The most parts of one message. @default 1000 */
  readonly messageParts?: number
  /** The longest id of a conversation, message, workspace or document, the longest key, speaker name and tag. @default 200 */
  readonly idCharacters?: number
  /** The longest title. @default 300 */
  readonly titleCharacters?: number
  /** The most tags of a conversation, and the most attached documents. @default 100 */
  readonly tags?: number
  /** The largest metadata, as JSON. @default 65536 */
  readonly metadataBytes?: number
  /** How deep metadata, tool arguments and tool results may nest. @default 32 */
  readonly depth?: number
  /** How far ahead of this machine's clock a message's time may lie. @default 86400000 */
  readonly futureMs?: number
  /** The longest query of a page, and the longest SQL. @default 20000 */
  readonly queryCharacters?: number
  /** The longest response to a query. @default 200000 */
  readonly responseCharacters?: number
  /** How much of a query's results is kept, as JSON: of larger ones the first rows, and a note of how many there were. @default 65536 */
  readonly resultBytes?: number
  /** The most entities of a page, and the most preferences. @default 1000 */
  readonly pageKeys?: number
  /** The largest entities of a page, as JSON, and the largest preferences. @default 65536 */
  readonly pageBytes?: number
  /** The longest value of a fact that is added or changed. @default 500 */
  readonly factCharacters?: number
  /** The longest note. @default 2000 */
  readonly noteCharacters?: number
  /** The largest preference set by the application, as JSON. @default 4096 */
  readonly preferenceBytes?: number
  /** The largest conversation of another program that is imported, as JSON. @default 268435456 */
  readonly importBytes?: number
  /** The largest file that is taken as a document. @default 52428800 */
  readonly documentBytes?: number
  /** The most chunks of a document. @default 20000 */
  readonly documentChunks?: number
}

export interface HistoryOptions {
  /** How many queries from the beginning are in a selection for a question. @default 2 */
  readonly firstQueries?: number
  /** How many from the end. @default 5 */
  readonly lastQueries?: number
  /** The most that are there because they are flagged as important; the newest of them. @default 20 */
  readonly flaggedQueries?: number
  /** The most that are there because they share words with the question. @default 5 */
  readonly relevantQueries?: number
}

/** How things are found again. Weights say what a signal adds to a score; 0 switches it off. */
export interface RecallOptions {
  /** The most items of an answer, where no budget is given. @default 5 */
  readonly limit?: number
  /** Of each word, so many messages are looked at: of a common one the newest. @default 200 */
  readonly wordMatches?: number
  /** So many messages are weighed by speaker, sitting and time. @default 200 */
  readonly candidates?: number
  /** The best so many of them are read. @default 100 */
  readonly read?: number
  /** What is less like the question than this stays out: by its words, the words around it, or its meaning. @default 0.25 */
  readonly leastSimilarity?: number
  /** Messages with less than this between them belong to one sitting. @default 10800000 */
  readonly pauseMs?: number
  /** The words of the message itself. @default 1 */
  readonly wordsWeight?: number
  /** What stands in for a word of the question, related words and synonyms, counts this share of it. @default 0.5 */
  readonly relativesWeight?: number
  /** Words side by side as in the question. @default 1 */
  readonly phraseWeight?: number
  /** The words in it and around it. @default 3.5 */
  readonly neighboursWeight?: number
  /** The words of its sitting. @default 0.5 */
  readonly sessionWeight?: number
  /** Said in the conversation in which the question is asked. @default 0.5 */
  readonly conversationWeight?: number
  /** Nearness of the vectors. @default 2 */
  readonly meaningWeight?: number
  /** Said by somebody whom the question names. @default 2 */
  readonly speakerWeight?: number
  /** Said by a person, not by an assistant. @default 3 */
  readonly personWeight?: number
  /** Said at the time that the question names. @default 4 */
  readonly timeWeight?: number
  /** Among the newest, where the question asks for the latest, or the oldest, where it asks for the first. @default 0.5 */
  readonly recencyWeight?: number
  /** Has a time where one is asked for, or a number. @default 1 */
  readonly answerWeight?: number
  /** Says what somebody prefers, where advice is asked for. @default 2 */
  readonly preferenceWeight?: number
  /** Follows a question that has the words. @default 1 */
  readonly replyWeight?: number
  /** Longer than a word or two. @default 2 */
  readonly substanceWeight?: number
  /** Taken off a short turn that only asks. @default 0.5 */
  readonly bareQuestionWeight?: number
  /** The topic has not faded, and the importance that was given or learned. @default 0.5 */
  readonly importanceWeight?: number
}

/** How documents are cut into chunks, and how many chunks answer a question. */
export interface RagOptions {
  /** The most tokens of a chunk; most have at least two thirds of it. `rebuild` cuts documents that are there already. @default 300 */
  readonly chunkSize?: number
  /** About how many tokens a chunk shares with the one before it, within a section. @default 50 */
  readonly chunkOverlap?: number
  /** How many chunks are found for a question. @default 5 */
  readonly topK?: number
  /** Chunks that are less similar to the question than this stay out. @default 0.25 */
  readonly threshold?: number
  /** So many of the best are read once more together with the question. @default 20 */
  readonly rerankTop?: number
  /** The most chunks in a context. @default 3 */
  readonly finalChunks?: number
  /** The most tokens that memory, notes and chunks take together in a context. @default 800 */
  readonly memoryBudget?: number
}

/** Whole turns: `conversation.chat`, the chat over HTTP. */
export interface ChatOptions {
  /** The longest answer of the model. 0: as long as the model allows. @default 0 */
  readonly maxTokens?: number
}

/** Usable tokens: what is left of the window after room for the answer. */
export const WINDOWS: Readonly<Record<WindowName, number>> = Object.freeze({
  '12k': 12_000,
  '128k': 120_000, // 8,000 kept for the answer
  '262k': 260_000, // of 262,144
})
export type WindowName = '12k' | '128k' | '262k'

export type ResolvedLimits = Required<LimitOptions>
export type ResolvedContext = Required<ContextOptions>
export type ResolvedSummaries = Required<SummaryOptions>
export type ResolvedTopics = Required<TopicOptions>
export type ResolvedJobs = Required<JobOptions>
export type ResolvedHistory = Required<HistoryOptions>
export type ResolvedRecall = Required<RecallOptions>
export type ResolvedRag = Required<RagOptions>

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
  readonly vectors: Required<VectorOptions> & { readonly chroma: Required<ChromaOptions> }
}

/** What holds where nothing is said. */
export const DEFAULTS: ResolvedOptions = Object.freeze({
  workspace: DEFAULT_WORKSPACE,
  durability: 'full', // an acknowledged word must survive a power cut: docs/decisions/0003
  busyTimeoutMs: 30_000, // an erase or rebuild of a large file by another process takes seconds
  tokenizer: 'o200k', // the current OpenAI family; close to most open models
  context: Object.freeze({
    window: '128k', // what most hosted models take
    tailStep: 0.125, // the prefix then holds for an eighth of the budget: docs/decisions/0005
    receiptsKept: 100, // up to three kilobytes each: no more than the turns themselves
    firstTurns: 2, // what it is all about
    tailLeast: 5, // two exchanges and what led to them
    facts: 3, // who it is; what matters to a question is recalled for it
    recalledTurns: 5, // beyond the best few, what is found is seldom needed
    notes: 2, // short results of a search: the first two say most of it
  }),
  convo: Object.freeze({
    summaryEveryNMessages: 12, // six exchanges: about a screen
    summaryTailShare: 0.5, // the other half is for instructions, memory and what recall finds
    summaryWindowShare: 0.95, // what is left is within the error of counting tokens
    summaryKeepMessages: 5, // two exchanges and the live question
    summaryLeastMessages: 4, // below two exchanges there is nothing to condense
    summaryMaxTokens: 400,
  }),
  topics: Object.freeze({
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
  }),
  derive: Object.freeze({
    when: 'at-once', // so that whoever recorded finds it
    by: 'model', // whoever names one wants its work
    cachedConversations: 64, // a long one, of 8,000 messages and more, takes a megabyte or two
    leftoversMs: 30_000, // one look-up; somebody waits for what was left
  }),
  jobs: Object.freeze({
    atOnce: 2, // local models answer one or two at a time
    attempts: 8, // with the waits below, about ten minutes of trying
    firstWaitMs: 5000,
    longestWaitMs: 3_600_000,
    leaseMs: 60_000, // four chances to renew it; longer than a process stands still that is alive
  }),
  retention: Object.freeze({
    unusedDays: 30,
  }),
  notes: Object.freeze({
    expireDays: 30, // what a search found is stale after a month, if not before
  }),
  limits: Object.freeze({
    messageBytes: 4 * 1024 * 1024, // a book; files are references
    batchMessages: 10_000, // one transaction of about a second
    messageParts: 1000,
    idCharacters: 200,
    titleCharacters: 300,
    tags: 100,
    metadataBytes: 64 * 1024,
    depth: 32, // deeper is a loop or an attack
    futureMs: 86_400_000, // time zones mistaken for UTC stay within a day
    queryCharacters: 20_000, // ten pages of a pasted question, or SQL over dozens of tables
    responseCharacters: 200_000, // longer than any model answers
    resultBytes: 64 * 1024, // some hundred rows: a history is no copy of the data
    pageKeys: 1000,
    pageBytes: 64 * 1024, // loading a page reads it all, and should take no time
    factCharacters: 500, // a sentence; what is longer is a document
    noteCharacters: 2000, // two or three excerpts, about 500 tokens
    preferenceBytes: 4096, // settings, not files: all of them may go into a prompt
    importBytes: 256 * 1024 * 1024, // some hundred thousand messages; one at a time is held in memory
    documentBytes: 50 * 1024 * 1024, // a scanned book with its pictures
    documentChunks: 20_000, // five million tokens, longer than any book; one transaction of some seconds
  }),
  history: Object.freeze({
    firstQueries: 2, // what the page is about
    lastQueries: 5, // what is going on
    flaggedQueries: 20, // somebody marked them one by one
    relevantQueries: 5, // as many as recall keeps
  }),
  // Each weight switched off in turn: docs/guide/recall.md has what it costs. All are round, and plain for both kinds of chat.
  recall: Object.freeze({
    limit: 5,
    wordMatches: 200, // more find no more in conversations of a thousand turns, and take longer: docs/decisions/0016
    candidates: 200,
    read: 100,
    leastSimilarity: 0.25,
    pauseMs: 3 * 3_600_000, // sessions are told apart by three hours
    wordsWeight: 1,
    relativesWeight: 0.5,
    phraseWeight: 1,
    neighboursWeight: 3.5,
    sessionWeight: 0.5,
    conversationWeight: 0.5, // of two that say the same, the one from here
    meaningWeight: 2,
    speakerWeight: 2,
    personWeight: 3,
    timeWeight: 4,
    recencyWeight: 0.5,
    answerWeight: 1,
    preferenceWeight: 2,
    replyWeight: 1,
    substanceWeight: 2,
    bareQuestionWeight: 0.5,
    importanceWeight: 0.5,
  }),
  rag: Object.freeze({
    chunkSize: 300, // a screen of text: three of them still leave room for everything else
    chunkOverlap: 50, // two sentences
    topK: 5,
    threshold: 0.25, // below this, noise grows faster than recall
    rerankTop: 20,
    finalChunks: 3, // three of 250 tokens fill the share
    memoryBudget: 800, // a page: more costs attention before it adds anything
  }),
  chat: Object.freeze({
    maxTokens: 0, // models differ by a factor of thirty, and refuse more than they have
  }),
  models: MODEL_DEFAULTS,
  postgres: Object.freeze({
    schema: 'recollect', // beside the tables of the application, in none of their ways
    poolSize: 10, // ten processes fill the hundred that a server allows unless told otherwise
    connectTimeoutMs: 10_000, // longer than a failover of a hosted server's address
    statementTimeoutMs: 60_000, // no statement of ours but upkeep takes a second; a minute is a plan gone wrong
    replicaUrl: '',
    pooling: 'auto', // one question for each new connection
    directUrl: '',
  }),
  vectors: Object.freeze({
    chroma: Object.freeze({
      url: '',
      key: '',
      tenant: 'default_tenant', // as Chroma has them unless told otherwise
      database: 'default_database',
      prefix: 'recollect',
    }),
    timeoutMs: 2000, // ten times what a query takes on a busy machine; who asks should hardly notice
    writeTimeoutMs: 60_000, // some hundred vectors, with their index, on a busy machine
    checkEveryMs: 60_000, // nobody waits for it: an answer that fails is looked into at once
  }),
})

/** The tokens that a window leaves for the request. */
export function usableTokens(window: WindowName | number): number {
  return typeof window === 'number' ? window : WINDOWS[window]
}
