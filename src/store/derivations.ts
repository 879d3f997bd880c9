// What is worked out from the record, as a store keeps it. The store does not know what the artifacts mean: the
// derivers do. It promises:
//
//  1. Beside, then swapped. A derivation is one reading of one conversation by one deriver. A new generation
//     is written beside the one that readers see, and takes its place in one transaction. Until then the old
//     one goes on, commits to it included.
//  2. In step. A commit carries everything that a stretch of messages changed, with the cursor behind it; all
//     of it is written or nothing. One that was outrun by another process changes nothing and says so.
//  3. Gone with its words. Erasing a message drops every derivation of the conversations that had it;
//     erasing a conversation or a workspace drops all of theirs. What was read before an erase and is
//     committed after it is refused: `epoch` tells.
//  4. Only where it is wanted. Switching the memory of a conversation off drops its derivations and jobs, and
//     commits to it are refused.

import type { ConversationId, ConversationKey, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { JobTicket, NewJob } from './jobs.ts'

/** The deriver that reads messages: their topics, entities and extracted facts. */
export const READER: string = 'reading'

/** One deriver's work on one conversation. */
export interface DerivationKey extends ConversationKey {
  readonly deriver: string
}

export interface Derivation {
  readonly generation: number
  /** The rules it was made by; other rules, other version. */
  readonly version: string
  /** Readers see this generation and no other. */
  readonly isActive: boolean
  /** 1 after the first commit, and one more with every other. */
  readonly revision: number
  /** How many messages it has taken in, from the first. */
  readonly cursor: number
  /** What the deriver needs to go on. */
  readonly state: JsonValue
}

/** What was read off one message. */
export interface MessageAnnotation {
  readonly position: number
  /** The position of the message that began its topic. */
  readonly topic: number
  /** Kept to about a hundredth of a cosine. */
  readonly vector?: Float32Array
}

export type DerivedKind = 'topic' | 'summary' | 'statement' | 'entity' | 'note'

/** A thing that was worked out. */
export interface DerivedItem {
  readonly kind: DerivedKind
  /** Unique among those of its kind in the derivation: putting it again replaces it. */
  readonly key: string
  readonly body: JsonObject
  /** Kept exactly. */
  readonly vector?: Float32Array
  /** Messages of the conversation. */
  readonly sources: readonly MessageId[]
  /** Which model or built-in means, and which version of it. */
  readonly madeBy: string
  readonly madeAt: Date
  readonly tokens: number
}

export interface StoredItem extends DerivedItem {
  readonly conversationId: ConversationId
  /** Higher for what was put later. */
  readonly number: number
}

interface CommitFields extends DerivationKey {
  readonly generation: number
  readonly version: string
  /** The revision that this goes on from; 0 begins the generation. */
  readonly revision: number
  readonly cursor: number
  readonly state: JsonValue
  /** Readings of one topic that become another's, before the readings below. */
  readonly merges?: readonly { readonly from: number; readonly into: number }[]
  /** A reading without a vector leaves the vector that is there. */
  readonly readings?: readonly MessageAnnotation[]
  /** Dropped before anything is put. */
  readonly drop?: readonly Pick<DerivedItem, 'kind' | 'key'>[]
  readonly put?: readonly DerivedItem[]
  /** Work that this calls for. */
  readonly jobs?: readonly NewJob[]
  /** Readers are to see this generation from now on; the others are dropped. One that they see stays seen. */
  readonly isActive: boolean
  readonly now: Date
}

/** What shows that none of the words was erased since they were read: erasing takes jobs away, too. */
interface CommitBasis {
  /** What `erasureVersion` returned before the messages, or the derivation that this goes on from, were read. */
  readonly erasureVersion: string
  /** The job of the conversation that this is the result of: it must still be held, and is finished with the commit. */
  readonly finishes: JobTicket
}

export type DerivationCommit = CommitFields &
  Partial<CommitBasis> &
  (Pick<CommitBasis, 'erasureVersion'> | Pick<CommitBasis, 'finishes'>)

export interface ItemList {
  readonly workspace: WorkspaceId
  readonly conversation?: ConversationId
  /** @default all, where no conversation is given */
  readonly deriver?: string
  readonly kind: DerivedKind
  readonly key?: string
  /** Of one conversation: a generation that readers do not see yet. */
  readonly generation?: number
  /** Only items with a higher number. */
  readonly after?: number
  readonly limit?: number
  /** @default false */
  readonly withVectors?: boolean
}

/** Positions are exclusive at both ends. */
export interface ReadingList extends DerivationKey {
  /** One that readers do not see yet. @default the active one */
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
  /** What another version made counts as not read. */
  readonly version: string
  /** So many messages behind, at least. */
  readonly behind: number
  readonly limit: number
}

export interface DerivationStore {
  /** Changes whenever words of the workspace are erased, or a derivation is dropped. Never says the same twice. */
  erasureVersion(workspace: WorkspaceId): Promise<string>
  /** The one that readers see, or a generation of it. */
  findDerivation(key: DerivationKey, generation?: number): Promise<Derivation | undefined>
  /** The generations there are, oldest first. */
  derivations(key: DerivationKey): Promise<readonly Derivation[]>
  /** Of all conversations of a workspace: those by one deriver that readers see, in any order. */
  activeDerivations(
    workspace: WorkspaceId,
    deriver: string,
  ): Promise<readonly (Derivation & { readonly conversation: ConversationId })[]>
  /**
   * False, and nothing is written, where another was faster, words were erased, the job is not held any more,
   * the conversation has fewer messages than were read, or its memory is off. No such conversation: not found.
   */
  commitDerivation(commit: DerivationCommit): Promise<boolean>
  /** Drops a generation that is not wanted any more, or all of them. */
  dropDerivation(key: DerivationKey, generation?: number): Promise<void>
  /** Of active generations, in the order in which they were put. */
  derivedItems(list: ItemList): Promise<readonly StoredItem[]>
  /**
   * Changes whenever `derivedItems` of this kind would. As long as the part before the last colon stays the
   * same, nothing has gone: what is new, or was put again, is found with `after`.
   */
  itemsVersion(list: Pick<ItemList, 'workspace' | 'kind'>): Promise<string>
  /** Of the active generation, in order of position. */
  readings(list: ReadingList): Promise<readonly MessageAnnotation[]>
  /** Conversations with memory on that the deriver has yet to read, last used first. */
  listStale(wanted: StaleList): Promise<readonly ConversationKey[]>
}
