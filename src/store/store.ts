// What every store promises. A store keeps the record and answers questions about it; it knows nothing of
// models, budgets or providers. `src/store/conformance/` has one case for each promise named here.
//
//  1. Durable first. `append` resolves after its messages would survive a crash of the process and, unless
//     the store was opened relaxed, a power cut. Whatever was not acknowledged is either wholly there or not.
//  2. Exact. What comes out is what went in, to the last character: NUL, emoji, any JSON.
//  3. In order. Positions of a conversation are 0, 1, 2 … without gaps or doubles, however many writers and
//     processes append at once.
//  4. Once. The same message id, or the same append key, written again returns what was first written; the
//     same id with other words is refused as a conflict and changes nothing.
//  5. All or nothing. Each call is one transaction.
//  6. A workspace sees only itself. Every call names its workspace, and nothing of another one is seen or
//     touched.
//  7. Found at once. A message can be found by its words as soon as `append` has resolved.
//  8. Forgotten for real. After an erase that reports `isScrubbed`, no byte of the erased words is left in
//     any file of the store.
//  9. Compressed or not, the same. `compress` changes how messages are kept, and nothing that can be read
//     or found; words that are damaged while compressed cost no other message.
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

/** A message that passed the door: complete, checked and counted; only its place is missing. */
export type AcceptedMessage = Omit<Message, 'conversationId' | 'position' | 'tokensBefore'>

export interface AppendRequest extends ConversationKey {
  readonly messages: readonly AcceptedMessage[]
  /** Makes a retry of the whole append return the first result; kept with each of the messages. */
  readonly appendKey?: string
  readonly now: Date
  /** Asked, within the transaction, while the conversation has no title. */
  readonly suggestTitle: (messages: readonly AcceptedMessage[]) => string | undefined
}

export interface AppendResult {
  /** In the order given; those that were already there as they were first written. */
  readonly messages: readonly Message[]
  readonly conversation: Conversation
  /** How many are new. */
  readonly added: number
}

/** A stretch of a conversation. Positions are exclusive at both ends. */
export interface MessageRange extends ConversationKey {
  readonly after?: number
  readonly before?: number
  readonly limit: number
  /** `backwards` starts at the end; the messages still come in order of position. @default forwards */
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
  /** Only those last used before this moment, and their page too, where they have one. */
  readonly unusedSince?: Date
  /** Only those whose title or tags have these. */
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
  /** The last message that the fork has. */
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
  /** What their words took before, and how much room is taken for them now. */
  readonly bytesBefore: number
  readonly bytesAfter: number
}

/** One thing that `check` looked at. */
export interface Finding {
  readonly check: string
  /** What is wrong, in a sentence; missing where all is well. */
  readonly problem?: string
  readonly remedy?: string
}

/** How a copy is that recall reads from. */
export interface ReplicaStatus {
  /** It answered when it was last asked. */
  readonly isUp: boolean
  /** How often it did not, since the store was opened; whoever asked got the answer elsewhere. */
  readonly failures: number
  readonly problem?: string
}

export interface StoreStatistics {
  readonly conversations: number
  readonly archivedConversations: number
  readonly messages: number
  readonly erasedMessages: number
  readonly compressedMessages: number
  /** How much less room the compressed messages take. */
  readonly savedBytes: number
  readonly tokens: number
  readonly receipts: number
  readonly pages: number
  readonly queries: number
  readonly documents: number
  readonly chunks: number
  /** As readers see them; so are entities, statements and summaries. */
  readonly topics: number
  readonly entities: number
  readonly statements: number
  readonly summaries: number
  readonly edits: number
  readonly waitingJobs: number
  readonly runningJobs: number
  /** Given up, until somebody revives them. */
  readonly deadJobs: number
  /** Of the whole store, all workspaces; all its files together. */
  readonly storageBytes: number
}

/** Called now and then during long work. */
export type OnProgress = (done: number, total: number) => void

/** What a store can do beyond the promises; a conformance case may ask for one of these. */
export interface StoreCapabilities {
  /** Survives the process. */
  readonly isPersistent: boolean
  /** Can write a copy of itself to a file. */
  readonly canBackUp: boolean
  /** An erase leaves nothing in the files; else `scrub` sees to that, and holds others up while it does. */
  readonly scrubsAtOnce: boolean
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
  /** Where the words lie, for people: a path, or an address without its password. */
  readonly location: string

  /** Creates the conversation and the workspace where they are missing. */
  append(request: AppendRequest): Promise<AppendResult>
  messages(range: MessageRange): Promise<readonly Message[]>
  /** The same stretch, ids only. */
  messageIds(range: MessageRange): Promise<readonly MessageId[]>
  /** Every system message of the conversation that is not erased, in order. */
  systemMessages(key: ConversationKey): Promise<readonly Message[]>
  findMessage(workspace: WorkspaceId, id: MessageId): Promise<Message | undefined>
  /** Newest first. */
  searchMessages(search: MessageSearch): Promise<Paginated<Message>>

  /** Returns the one that is there, unchanged, or makes it. */
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
   * Keeps the words of these messages compressed. Passed over: positions that are not there, messages that
   * are erased or compressed already, and those that would not get smaller.
   */
  compress(key: ConversationKey, positions: readonly number[]): Promise<Compressed>
  /** Which messages of a conversation are kept compressed, in order. */
  compressedPositions(key: ConversationKey): Promise<readonly number[]>

  /** Blanks the message and every copy of it in forks; positions stay. */
  eraseMessage(workspace: WorkspaceId, id: MessageId, now: Date): Promise<Erased>
  /**
   * With the pages of the same ids, and the documents that are attached to them only. All of them or none; one that is not there is an error, unless there is a
   * page of its id.
   */
  eraseConversations(keys: readonly ConversationKey[]): Promise<Erased>
  /** The state of the page and its queries; a conversation of the same id stays. */
  erasePage(key: PageKey): Promise<Erased>
  eraseQuery(workspace: WorkspaceId, id: QueryId): Promise<Erased>
  /** With its chunks; it is no page's active file and in no conversation's list any longer. */
  eraseDocument(key: DocumentKey, now: Date): Promise<Erased>
  eraseWorkspace(workspace: WorkspaceId): Promise<Erased>
  /** Finishes what an erase had to leave; true when nothing is left over. */
  scrub(): Promise<boolean>

  listWorkspaces(): Promise<readonly WorkspaceId[]>
  statistics(workspace: WorkspaceId): Promise<StoreStatistics>
  /** Looks for damage and disagreement; never changes anything. */
  check(): Promise<readonly Finding[]>
  /** Only where there can be one; undefined where none is named. */
  replica?(): ReplicaStatus | undefined
  /** Makes counts and search indexes anew from the messages, queries and chunks. */
  rebuild(onProgress?: OnProgress): Promise<void>
  /** Writes a copy, readable by its owner only, to a new file, and checks it, while others go on reading and writing. */
  backup(path: string, onProgress?: OnProgress): Promise<void>
  /** Waits for the calls under way; later ones fail as `store-closed`. */
  close(): Promise<void>
}
