// The lookups that recall needs: messages by word, by time and by meaning. They return locators
// (src/domain/locator.ts) up to a limit, so that a word in half of a million messages costs no more than a rare
// one. The store promises:
//
//  1. Found at once. A message can be found as soon as `append` has resolved, compressed or not, derived or not.
//  2. Bounded cost. The cost grows with the limit, not with the store: a conversation in a store of a million
//     messages is searched as fast as if it were the only one.
//  3. Workspaces are isolated, in counts too.
//  4. Only with memory on. If no conversations are named, those with memory off are left out.
//  5. Erased text is no longer found.

import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import type { MessageLocator } from '../domain/locator.ts'
import type { Message, Role } from '../domain/message.ts'

export interface RecallScope {
  readonly workspace: WorkspaceId
  /** @default all conversations of the workspace with memory on */
  readonly conversations?: readonly ConversationId[]
}

export interface TimedScope extends RecallScope {
  /** Created at or after `from`, and before `to`. */
  readonly from?: Date
  readonly to?: Date
}

export interface WordLookup extends TimedScope {
  /**
   * Folded words (src/domain/words.ts), or phrases with words separated by spaces. A message matches if it contains
   * a word of every group. A text that cannot be a word matches nothing; without groups nothing is found.
   */
  readonly allOf: readonly (readonly string[])[]
  readonly limit: number
}

export interface TimeLookup extends TimedScope {
  readonly limit: number
}

export interface FoundLocators {
  /** Highest first: within a conversation, newest first. */
  readonly locators: readonly MessageLocator[]
  /** Number of matches in scope; an estimate if it exceeds the limit. */
  readonly count: number
}

export interface VectorLookup extends RecallScope {
  /** The deriver whose vectors are compared. Only vectors of the same embedder can be compared. */
  readonly deriver: string
  /** @default any */
  readonly version?: string
  readonly vector: Float32Array
  readonly limit: number
  /** Minimum similarity. */
  readonly leastSimilarity: number
}

/** A message without its content. */
export interface MessageMeta {
  readonly locator: MessageLocator
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly role: Role
  readonly name?: string
  readonly createdAt: Date
  readonly tokens: number
  readonly importance?: number
  /** Position of the first message of its topic, if the message was read. */
  readonly topic?: number
}

export interface MessageMetaOptions {
  /** Leaving out topics halves the time; a store may return them anyway. @default true */
  readonly includeTopics?: boolean
}

export interface ScopeSize {
  readonly conversations: number
  readonly messages: number
  readonly tokens: number
}

/** The content of the message at a locator. */
export interface LocatedContent extends Pick<Message, 'content' | 'metadata'> {
  readonly locator: MessageLocator
}

export interface RecallStore {
  findByWords(lookup: WordLookup): Promise<FoundLocators>
  /** Messages by creation time. Where the limit cuts off a conversation, its latest messages are kept. */
  findByTime(lookup: TimeLookup): Promise<FoundLocators>
  /** Best first. Exact up to a bound on the number of vectors compared; approximate beyond it. */
  findNearest(
    lookup: VectorLookup,
  ): Promise<readonly { readonly place: MessageLocator; readonly similarity: number }[]>
  /** In the order of `places`. Messages that do not exist, are erased or belong to another workspace are left out. */
  getMessageMeta(
    workspace: WorkspaceId,
    places: readonly MessageLocator[],
    options?: MessageMetaOptions,
  ): Promise<readonly MessageMeta[]>
  /** Content of messages, including compressed ones, in the order of `places`. Leaves out the same messages. */
  getContents(workspace: WorkspaceId, places: readonly MessageLocator[]): Promise<readonly LocatedContent[]>
  /** Locators of messages by id, in this order. Unknown and erased messages are left out. */
  locate(workspace: WorkspaceId, ids: readonly MessageId[]): Promise<readonly MessageLocator[]>
  scopeSize(scope: RecallScope): Promise<ScopeSize>
}
