// What recall asks of a store: which messages have a word, were said at a time, or are near in meaning. Answers
// are places (src/domain/locator.ts) and bounded by a limit, so that a word in every second of a million messages
// costs no more than a rare one. The store promises:
//
//  1. Found at once. A place is found as soon as `append` has resolved, compressed or not, derived or not.
//  2. Within its bounds. The cost grows with the limit, not with the store: a conversation in a store of a
//     million messages is searched as fast as alone.
//  3. A workspace sees only itself, in counts too.
//  4. Only what is remembered. Where no conversations are named, those whose memory is off are left out.
//  5. Erased words are found no more.

import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { MessageLocator } from '../domain/locator.ts'
import type { Message, Role } from '../domain/message.ts'

export interface RecallScope {
  readonly workspace: WorkspaceId
  /** @default all of the workspace whose memory is on */
  readonly conversations?: readonly ConversationId[]
}

export interface TimedScope extends RecallScope {
  /** Said at or after this moment, and before the other. */
  readonly from?: Date
  readonly to?: Date
}

export interface WordLookup extends TimedScope {
  /**
   * Folded words (src/domain/words.ts), or several with spaces between them that have to follow one another. A
   * message counts if it has a word of every group. What cannot be a word is in no message; without groups nothing
   * is found.
   */
  readonly allOf: readonly (readonly string[])[]
  readonly limit: number
}

export interface TimeLookup extends TimedScope {
  readonly limit: number
}

export interface FoundLocators {
  /** The highest first: of a conversation, the newest. */
  readonly locators: readonly MessageLocator[]
  /** How many there are in the scope; an estimate where that is more than the limit. */
  readonly count: number
}

export interface VectorLookup extends RecallScope {
  /** The deriver whose vectors are meant, and by which embedder: vectors of others cannot be compared. */
  readonly deriver: string
  /** @default any */
  readonly version?: string
  readonly vector: Float32Array
  readonly limit: number
  /** Farther ones stay out. */
  readonly leastSimilarity: number
}

/** A message without its words. */
export interface MessageMeta {
  readonly locator: MessageLocator
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly role: Role
  readonly name?: string
  readonly createdAt: Date
  readonly tokens: number
  readonly importance?: number
  /** The position of the message that began its topic, where it was read. */
  readonly topic?: number
}

export interface MessageMetaOptions {
  /** Whoever does not need the topics saves half of the time; a store may tell them all the same. @default true */
  readonly includeTopics?: boolean
}

export interface ScopeSize {
  readonly conversations: number
  readonly messages: number
  readonly tokens: number
}

/** What was said at a place. */
export interface LocatedContent extends Pick<Message, 'content' | 'metadata'> {
  readonly locator: MessageLocator
}

export interface RecallStore {
  findByWords(lookup: WordLookup): Promise<FoundLocators>
  /** Messages by the time they were said at. Where the limit cuts off a conversation, those said last are kept. */
  findByTime(lookup: TimeLookup): Promise<FoundLocators>
  /** Best first. Exact up to a bound on the vectors compared; beyond it, near enough. */
  findNearest(
    lookup: VectorLookup,
  ): Promise<readonly { readonly place: MessageLocator; readonly similarity: number }[]>
  /** In the order of the places; those that are not there, erased or of another workspace are left out. */
  getMessageMeta(
    workspace: WorkspaceId,
    places: readonly MessageLocator[],
    options?: MessageMetaOptions,
  ): Promise<readonly MessageMeta[]>
  /** The words of messages, in the order of the places, those of compressed ones too; the same are left out. */
  getContents(workspace: WorkspaceId, places: readonly MessageLocator[]): Promise<readonly LocatedContent[]>
  /** The places of messages that are named by id, in this order; unknown and erased ones are left out. */
  locate(workspace: WorkspaceId, ids: readonly MessageId[]): Promise<readonly MessageLocator[]>
  scopeSize(scope: RecallScope): Promise<ScopeSize>
}
