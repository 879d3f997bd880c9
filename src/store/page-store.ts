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

/** The stored state of a page; the store computes the other fields. */
export type PageFields = Omit<PageState, 'pageId' | 'queryCount' | 'lastUsedAt'>

export interface PageSave extends PageKey {
  /**
   * Called within the transaction with the current page, or undefined, so that no other writer can interfere.
   * Returns the state to store; if it returns the page itself, nothing is written. If it throws, the call is rolled
   * back.
   */
  readonly change: (page: PageState | undefined) => PageFields
}

export interface PageList {
  readonly workspace: WorkspaceId
  readonly limit: number
  readonly cursor?: string
}

/** A query that was validated; only its position is missing. */
export type AcceptedQuery = Omit<Query, 'pageId' | 'position'>

export interface QueryAddition extends PageKey {
  readonly queries: readonly AcceptedQuery[]
  /** Initial state of the page, if it does not exist. */
  readonly newPage: PageFields
}

export interface QueriesAdded {
  /** In the order given; queries that existed already are returned as first written. */
  readonly queries: readonly Query[]
  /** Number of new queries. */
  readonly added: number
}

/** A range of a page's history. Positions are exclusive at both ends. */
export interface QueryRange extends PageKey {
  readonly after?: number
  readonly before?: number
  readonly limit: number
  /** `backwards` starts at the end; the queries are still returned in order. @default forwards */
  readonly direction?: 'forwards' | 'backwards'
  /** Only queries flagged as important. @default false */
  readonly onlyImportant?: boolean
}

export interface WordSearch extends PageKey {
  /** Folded, as in words.ts. */
  readonly words: readonly string[]
  /** Only queries that also have one of these words. */
  readonly withAnyOf?: readonly string[]
  /** Per word. */
  readonly limit: number
}

export interface PageStore {
  findPage(key: PageKey): Promise<PageState | undefined>
  /** Creates the page and the workspace if they are missing. */
  savePage(save: PageSave): Promise<PageState>
  /** By last use, newest first. */
  listPages(list: PageList): Promise<Paginated<PageState>>
  /** Clears the document as the active file of all pages of the workspace; returns how many had it. */
  forgetDocument(workspace: WorkspaceId, documentId: string, now: Date): Promise<number>

  /** Creates the page and the workspace if they are missing. An existing id with other text is a conflict. */
  addQueries(addition: QueryAddition): Promise<QueriesAdded>
  queries(range: QueryRange): Promise<readonly Query[]>
  /** The queries at these positions, in order; positions without a query are left out. */
  queriesAt(key: PageKey, positions: readonly number[]): Promise<readonly Query[]>
  /** For each word: the positions of the newest queries that contain it, newest first. */
  findQueryPositions(search: WordSearch): Promise<readonly (readonly number[])[]>
  flagQuery(workspace: WorkspaceId, id: QueryId, important: boolean): Promise<Query>
  /** Searches all pages of the workspace. */
  findQuery(workspace: WorkspaceId, id: QueryId): Promise<Query | undefined>
}
