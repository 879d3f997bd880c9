// The part of the contract that keeps pages: their state, and the history of their queries. The promises of
// store.ts hold here too: durable, exact, in order, once, all or nothing, within a workspace, found at once.

import type { PageId, QueryId, WorkspaceId } from '../domain/ids.ts'
import type { PageState, Query } from '../domain/page.ts'
import type { Paginated } from '../domain/search.ts'

/** One page of one workspace. */
export interface PageKey {
  readonly workspace: WorkspaceId
  readonly page: PageId
}

/** A page's state as it is to be kept; the rest the store works out. */
export type PageFields = Omit<PageState, 'pageId' | 'queryCount' | 'lastUsedAt'>

export interface PageSave extends PageKey {
  /**
   * Called within the transaction, with the page as it is then or undefined, so that no other writer comes in
   * between. Returns what is to be kept; where that is the page itself, nothing is written. What it throws
   * undoes the call.
   */
  readonly change: (page: PageState | undefined) => PageFields
}

export interface PageList {
  readonly workspace: WorkspaceId
  readonly limit: number
  readonly cursor?: string
}

/** A query that passed the door: complete and checked; only its place is missing. */
export type AcceptedQuery = Omit<Query, 'pageId' | 'position'>

export interface QueryAddition extends PageKey {
  readonly queries: readonly AcceptedQuery[]
  /** What the page begins with where it is missing. */
  readonly newPage: PageFields
}

export interface QueriesAdded {
  /** In the order given; those that were already there as they are. */
  readonly queries: readonly Query[]
  /** How many are new. */
  readonly added: number
}

/** A stretch of a page's history. Positions are exclusive at both ends. */
export interface QueryRange extends PageKey {
  readonly after?: number
  readonly before?: number
  readonly limit: number
  /** `backwards` starts at the end; the queries still come in order. @default forwards */
  readonly direction?: 'forwards' | 'backwards'
  /** Only flagged ones. @default false */
  readonly onlyImportant?: boolean
}

export interface WordSearch extends PageKey {
  /** Folded, as in words.ts. */
  readonly words: readonly string[]
  /** Only queries that have one of these as well. */
  readonly withAnyOf?: readonly string[]
  /** For each word. */
  readonly limit: number
}

export interface PageStore {
  findPage(key: PageKey): Promise<PageState | undefined>
  /** Makes the page and the workspace where they are missing. */
  savePage(save: PageSave): Promise<PageState>
  /** By last use, newest first. */
  listPages(list: PageList): Promise<Paginated<PageState>>
  /** No page of the workspace has the document as its active file any longer; returns how many had. */
  forgetDocument(workspace: WorkspaceId, documentId: string, now: Date): Promise<number>

  /** Makes the page and the workspace where they are missing. An id that is there with other words is a conflict. */
  addQueries(addition: QueryAddition): Promise<QueriesAdded>
  queries(range: QueryRange): Promise<readonly Query[]>
  /** Those at these positions, in order; where there is none, none. */
  queriesAt(key: PageKey, positions: readonly number[]): Promise<readonly Query[]>
  /** For each of the words: the positions of the newest queries that have it, newest first. */
  findQueryPositions(search: WordSearch): Promise<readonly (readonly number[])[]>
  flagQuery(workspace: WorkspaceId, id: QueryId, important: boolean): Promise<Query>
  /** On whatever page of the workspace it stands. */
  findQuery(workspace: WorkspaceId, id: QueryId): Promise<Query | undefined>
}
