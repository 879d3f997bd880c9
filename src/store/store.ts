// What every store promises. A store keeps the record and answers questions about it; it knows nothing of
// models, budgets or providers. `conformance/store/` has one case for each promise named here.
//
//  1. Durable first. `append` resolves after its messages would survive a crash of the process and, unless
//     the store was opened relaxed, a power cut. A write that was not acknowledged is there completely or not at all.
//  2. Exact. Reads return what was written, to the last character: NUL, emoji, any JSON.
//  3. In order. Positions of a conversation are 0, 1, 2 … without gaps or doubles, however many writers and
//     processes append at once.
//  4. Once. The same message id, or the same append key, written again returns what was first written; the
//     same id with other content is refused as a conflict and changes nothing.
//  5. All or nothing. Each call is one transaction.
//  6. Workspaces are isolated. Every call names its workspace, and never reads or changes another one.
//  7. Found at once. A message can be found by its words as soon as `append` has resolved.
//  8. Erased for good. After an erase that reports `isScrubbed`, no byte of the erased text is left in any file
//     of the store.
//  9. Compression is invisible. `compress` changes how messages are stored, not what is read or found; a damaged
//     block loses no message but its own.
//
// Derived data, jobs, edits, recall, documents and keys have their promises in derivations.ts, jobs.ts, edits.ts,
// recall-store.ts, document-store.ts, key-store.ts and changes.ts.
// Failures are MemoryErrors. Rows, SQL and brand names stay inside the backend.

import type { Conversation, ForkPoint } from '../domain/conversation.ts'
import type { ConversationId, ConversationKey, MessageId, QueryId, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Message } from '../domain/message.ts'
import type { StoredReceipt } from '../domain/receipt.ts'
import type { Paginated, SearchTerm } from '../domain/search.ts'
import type { ActivityStore } from './activity-store.ts'
import type { ChangeStore } from './changes.ts'
import type { DerivationStore } from './derivations.ts'
import type { DocumentKey, DocumentStore } from './document-store.ts'
import type { EditStore } from './edits.ts'
import type { JobStore } from './jobs.ts'
import type { KeyStore } from './key-store.ts'
import type { PageKey, PageStore } from './page-store.ts'
import type { RecallStore } from './recall-store.ts'

export type { ConversationKey } from '../domain/ids.ts'

/** A message that was validated: complete, with its tokens counted; only its position is missing. */
export type AcceptedMessage = Omit<Message, 'conversationId' | 'position' | 'tokensBefore'>

export interface AppendRequest extends ConversationKey {
  readonly messages: readonly AcceptedMessage[]
  /** Makes a retry of the whole append return the first result; kept with each of the messages. */
  readonly appendKey?: string
  readonly now: Date
  /** Called within the transaction, while the conversation has no title. */
  readonly suggestTitle: (messages: readonly AcceptedMessage[]) => string | undefined
}

export interface AppendResult {
  /** In the order of the request; messages that existed already are returned as first written. */
  readonly messages: readonly Message[]
  readonly conversation: Conversation
  /** Number of new messages. */
  readonly added: number
}

/** A range of a conversation. Positions are exclusive at both ends. */
export interface MessageRange extends ConversationKey {
  readonly after?: number
  readonly before?: number
  readonly limit: number
  /** `backwards` starts at the end; the messages are still returned in order of position. @default forwards */
  readonly direction?: 'forwards' | 'backwards'
}

/** The fields of a conversation that a caller may set. */
export interface ConversationFields {
  readonly title?: string | null
  readonly isTitleGiven?: boolean
  readonly tags?: readonly string[]
  readonly isPinned?: boolean
  readonly archivedAt?: Date | null
  readonly isMemoryOn?: boolean
  readonly documents?: readonly string[]
  readonly metadata?: JsonObject
}

export interface NewConversation extends ConversationKey {
  readonly fields: ConversationFields
  readonly forkedFrom?: ForkPoint
  readonly createdAt: Date
}

export interface ConversationList {
  readonly workspace: WorkspaceId
  readonly archived: 'without' | 'only' | 'with'
  readonly tag?: string
  readonly isPinned?: boolean
  /** Only conversations last used before this time, including their page, if any. */
  readonly unusedSince?: Date
  /** Only conversations whose title or tags match these. */
  readonly terms?: readonly SearchTerm[]
  readonly limit: number
  readonly cursor?: string
}

export interface MessageSearch {
  readonly workspace: WorkspaceId
  readonly conversation?: ConversationId
  readonly terms: readonly SearchTerm[]
  readonly limit: number
  readonly cursor?: string
}

export interface ForkRequest extends ConversationKey {
  /** Position of the last message that the fork includes. */
  readonly at: number
  readonly into: ConversationId
  readonly fields: ConversationFields
  readonly now: Date
  readonly newId: () => MessageId
}

/** What an erase did. */
export interface Erased {
  readonly messages: number
  readonly conversations: number
  readonly pages: number
  readonly queries: number
  readonly documents: number
  /** False while a reader elsewhere keeps the old state alive; `scrub` finishes it. */
  readonly isScrubbed: boolean
  /** Other conversations, forks mostly, that still hold copies of the erased messages. */
  readonly copiesIn: readonly ConversationId[]
}

/** What compressing did. Messages that were left as they are do not count. */
export interface Compressed {
  readonly messages: number
  /** Size of their content before and after. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** The result of one check. */
export interface Finding {
  readonly check: string
  /** What is wrong, in a sentence; missing if the check passed. */
  readonly problem?: string
  readonly remedy?: string
}

/** The state of a replica that recall reads from. */
export interface ReplicaStatus {
  /** Its last answer was not an error. */
  readonly isUp: boolean
  /** Failed reads since the store was opened; each was answered by the primary. */
  readonly failures: number
  readonly problem?: string
}

export interface StoreStatistics {
  readonly conversations: number
  readonly archivedConversations: number
  readonly messages: number
  /** Messages of users, without erased ones. */
  readonly turns: number
  /** Sum over all conversations of the time from their creation to their last use. */
  readonly conversationSeconds: number
  readonly erasedMessages: number
  readonly compressedMessages: number
  /** Bytes saved by compressing messages. */
  readonly savedBytes: number
  readonly tokens: number
  readonly receipts: number
  readonly pages: number
  readonly queries: number
  readonly documents: number
  readonly chunks: number
  /** From active generations, like entities, statements and summaries. */
  readonly topics: number
  readonly entities: number
  readonly statements: number
  readonly summaries: number
  readonly edits: number
  readonly waitingJobs: number
  readonly runningJobs: number
  /** Failed permanently, until they are revived. */
  readonly deadJobs: number
  /** Total of all workspaces and all files. */
  readonly storageBytes: number
}

/** Called from time to time during long work. */
export type OnProgress = (done: number, total: number) => void

/**
 * What a store can do. A conformance case that requires a capability is skipped if the store declares it as false.
 * `missing-parts.ts` has the methods for parts that a store leaves out.
 */
export interface StoreCapabilities {
  /** Data survives the process. */
  readonly isPersistent: boolean
  /** Can write a copy of itself to a file. */
  readonly canBackUp: boolean
  /** An erase leaves nothing in the files; otherwise `scrub` removes it, and blocks other writers meanwhile. */
  readonly scrubsAtOnce: boolean
  /** @default true */
  readonly hasDocuments?: boolean
  /** Pages and their queries. @default true */
  readonly hasPages?: boolean
  /** API keys. @default true */
  readonly hasKeys?: boolean
  /** Daily sums. @default true */
  readonly hasActivity?: boolean
  /** `compress` makes messages smaller. @default true */
  readonly canCompress?: boolean
}

export interface Store
  extends ActivityStore,
    DerivationStore,
    EditStore,
    JobStore,
    PageStore,
    RecallStore,
    DocumentStore,
    KeyStore,
    ChangeStore {
  readonly capabilities: StoreCapabilities
  /** Where the data is stored, for display: a path, or an address without its password. */
  readonly location: string

  /** Creates the conversation and the workspace where they are missing. */
  append(request: AppendRequest): Promise<AppendResult>
  messages(range: MessageRange): Promise<readonly Message[]>
  /** The same range, ids only. */
  messageIds(range: MessageRange): Promise<readonly MessageId[]>
  /** Every system message of the conversation that is not erased, in order. */
  systemMessages(key: ConversationKey): Promise<readonly Message[]>
  findMessage(workspace: WorkspaceId, id: MessageId): Promise<Message | undefined>
  /** Newest first. */
  searchMessages(search: MessageSearch): Promise<Paginated<Message>>

  /** Returns the existing conversation unchanged, or creates it. */
  createConversation(conversation: NewConversation): Promise<Conversation>
  findConversation(key: ConversationKey): Promise<Conversation | undefined>
  changeConversation(key: ConversationKey, fields: ConversationFields): Promise<Conversation>
  /** By last use, newest first. */
  listConversations(list: ConversationList): Promise<Paginated<Conversation>>
  fork(request: ForkRequest): Promise<Conversation>

  /** Keeps the newest `keep` receipts of the conversation. */
  saveReceipt(workspace: WorkspaceId, receipt: StoredReceipt, keep: number): Promise<void>
  /** Newest first. */
  receipts(key: ConversationKey, limit: number): Promise<readonly StoredReceipt[]>

  /**
   * Compresses the content of these messages. Skips positions that do not exist, messages that are erased or
   * compressed already, and those that would not get smaller.
   */
  compress(key: ConversationKey, positions: readonly number[]): Promise<Compressed>
  /** Positions of the compressed messages of a conversation, in order. */
  compressedPositions(key: ConversationKey): Promise<readonly number[]>

  /** Blanks the message and every copy of it in forks; positions stay. */
  eraseMessage(workspace: WorkspaceId, id: MessageId, now: Date): Promise<Erased>
  /**
   * Includes the pages with the same ids, and documents attached only to these conversations. All or nothing; a
   * conversation that does not exist is an error, unless there is a page with its id.
   */
  eraseConversations(keys: readonly ConversationKey[]): Promise<Erased>
  /** Erases the state of the page and its queries; a conversation with the same id stays. */
  erasePage(key: PageKey): Promise<Erased>
  eraseQuery(workspace: WorkspaceId, id: QueryId): Promise<Erased>
  /** Includes its chunks. The document is removed as the active file of pages and from the lists of conversations. */
  eraseDocument(key: DocumentKey, now: Date): Promise<Erased>
  eraseWorkspace(workspace: WorkspaceId): Promise<Erased>
  /** Finishes erases that could not complete; true when nothing is left. */
  scrub(): Promise<boolean>

  listWorkspaces(): Promise<readonly WorkspaceId[]>
  statistics(workspace: WorkspaceId): Promise<StoreStatistics>
  /** Looks for damage and inconsistencies; changes nothing. */
  check(): Promise<readonly Finding[]>
  /** Only for stores that support replicas; undefined if none is configured. */
  replica?(): ReplicaStatus | undefined
  /** Rebuilds counts and search indexes from the messages, queries and chunks. */
  rebuild(onProgress?: OnProgress): Promise<void>
  /**
   * Writes a copy to a new file, readable by its owner only, and verifies it, while others keep reading and
   * writing.
   */
  backup(path: string, onProgress?: OnProgress): Promise<void>
  /** Waits for the calls in progress; later ones fail as `store-closed`. */
  close(): Promise<void>
}
