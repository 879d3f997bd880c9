// How a store keeps derived data. Only the derivers know what the artifacts mean; the store does not. It promises:
//
//  1. Written aside, then swapped. A derivation is one deriver's reading of one conversation. A new generation is
//     written next to the active one and replaces it in one transaction. Until then the active one stays in use and
//     accepts commits.
//  2. In step. A commit contains everything that a range of messages changed, together with the new cursor; it is
//     written completely or not at all. A commit that lost a race against another process changes nothing and
//     returns false.
//  3. Erased with its sources. Erasing a message drops every derivation of the conversations that contained it;
//     erasing a conversation or a workspace drops all of theirs. A commit based on data read before an erase is
//     refused; `erasureVersion` detects it.
//  4. Only with memory on. Switching off the memory of a conversation drops its derivations and jobs, and later
//     commits to it are refused.

import type { ConversationId, ConversationKey, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { JobTicket, NewJob } from './jobs.ts'

/** The deriver that reads messages for topics, entities and facts. */
export const READER: string = 'reading'

/** One deriver's work on one conversation. */
export interface DerivationKey extends ConversationKey {
  readonly deriver: string
}

export interface Derivation {
  readonly generation: number
  /** Version of the deriver's rules; changes whenever the rules do. */
  readonly version: string
  /** Readers see only the active generation. */
  readonly isActive: boolean
  /** 1 after the first commit, incremented by each further commit. */
  readonly revision: number
  /** Number of messages processed, counted from the first. */
  readonly cursor: number
  /** State that the deriver needs to continue. */
  readonly state: JsonValue
}

/** What a deriver found out about one message. */
export interface MessageAnnotation {
  readonly position: number
  /** Position of the first message of its topic. */
  readonly topic: number
  /** Stored with a precision of about 0.01 in cosine similarity. */
  readonly vector?: Float32Array
}

export type DerivedKind = 'topic' | 'summary' | 'statement' | 'entity' | 'note'

/** One derived artifact. */
export interface DerivedItem {
  readonly kind: DerivedKind
  /** Unique per kind within the derivation. Putting the same key again replaces the item. */
  readonly key: string
  readonly body: JsonObject
  /** Stored exactly. */
  readonly vector?: Float32Array
  /** Messages of the conversation that it was derived from. */
  readonly sources: readonly MessageId[]
  /** The model or built-in method, with its version. */
  readonly madeBy: string
  readonly madeAt: Date
  readonly tokens: number
}

export interface StoredItem extends DerivedItem {
  readonly conversationId: ConversationId
  /** Increases with every put. */
  readonly number: number
}

interface CommitFields extends DerivationKey {
  readonly generation: number
  readonly version: string
  /** The revision that this commit is based on; 0 starts the generation. */
  readonly revision: number
  readonly cursor: number
  readonly state: JsonValue
  /** Moves the annotations of one topic to another. Applied before `readings`. */
  readonly merges?: readonly { readonly from: number; readonly into: number }[]
  /** An annotation without a vector keeps the stored vector. */
  readonly readings?: readonly MessageAnnotation[]
  /** Items to drop. Applied before any put. */
  readonly drop?: readonly Pick<DerivedItem, 'kind' | 'key'>[]
  readonly put?: readonly DerivedItem[]
  /** The title of the conversation, unless a caller gave it one. */
  readonly title?: string
  /** Jobs to add with this commit. */
  readonly jobs?: readonly NewJob[]
  /** Makes this generation the active one and drops the others. An active generation stays active. */
  readonly isActive: boolean
  readonly now: Date
}

/**
 * Proof that none of the text was erased since it was read. Erasing deletes jobs too, so a held job is proof as
 * well.
 */
interface CommitBasis {
  /** The value of `erasureVersion` from before the messages, or the derivation this is based on, were read. */
  readonly erasureVersion: string
  /** The conversation's job that produced this commit. It must still be held, and is finished with the commit. */
  readonly finishes: JobTicket
}

export type DerivationCommit = CommitFields &
  Partial<CommitBasis> &
  (Pick<CommitBasis, 'erasureVersion'> | Pick<CommitBasis, 'finishes'>)

export interface ItemList {
  readonly workspace: WorkspaceId
  readonly conversation?: ConversationId
  /** @default all, if no conversation is given */
  readonly deriver?: string
  readonly kind: DerivedKind
  readonly key?: string
  /** A generation of one conversation that is not active yet. */
  readonly generation?: number
  /** Only items with a higher `number`. */
  readonly after?: number
  readonly limit?: number
  /** @default false */
  readonly withVectors?: boolean
}

/** Positions are exclusive at both ends. */
export interface ReadingList extends DerivationKey {
  /** A generation that is not active yet. @default the active one */
  readonly generation?: number
  readonly after?: number
  readonly before?: number
  readonly topic?: number
  /** @default false */
  readonly withVectors?: boolean
  readonly limit: number
}

export interface StaleList {
  readonly deriver: string
  /** Derivations of other versions count as unread. */
  readonly version: string
  /** Minimum number of unread messages. */
  readonly behind: number
  readonly limit: number
}

export interface DerivationStore {
  /** Changes whenever text of the workspace is erased or a derivation is dropped. Values never repeat. */
  erasureVersion(workspace: WorkspaceId): Promise<string>
  /** Returns the active generation, or the given one. */
  findDerivation(key: DerivationKey, generation?: number): Promise<Derivation | undefined>
  /** All generations, oldest first. */
  derivations(key: DerivationKey): Promise<readonly Derivation[]>
  /** The active derivations of one deriver in all conversations of a workspace, in any order. */
  activeDerivations(
    workspace: WorkspaceId,
    deriver: string,
  ): Promise<readonly (Derivation & { readonly conversation: ConversationId })[]>
  /**
   * Returns false and writes nothing if another commit came first, text was erased, the job is no longer held, the
   * conversation has fewer messages than were read, or its memory is off. Throws `not-found` if the conversation
   * does not exist.
   */
  commitDerivation(commit: DerivationCommit): Promise<boolean>
  /** Drops one generation, or all of them. */
  dropDerivation(key: DerivationKey, generation?: number): Promise<void>
  /** Items of active generations, in the order they were put. */
  derivedItems(list: ItemList): Promise<readonly StoredItem[]>
  /**
   * Changes whenever the result of `derivedItems` for this kind changes. As long as the part before the last colon
   * stays the same, nothing was removed: `after` returns all new and replaced items.
   */
  itemsVersion(list: Pick<ItemList, 'workspace' | 'kind'>): Promise<string>
  /** Annotations of the active generation, by position. */
  readings(list: ReadingList): Promise<readonly MessageAnnotation[]>
  /** Conversations with memory on that the deriver has not fully read, most recently used first. */
  listStale(wanted: StaleList): Promise<readonly ConversationKey[]>
}
