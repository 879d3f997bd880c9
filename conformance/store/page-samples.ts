// Pages and queries with defaults for everything a case does not care about.

import {
  type AcceptedQuery,
  type PageFields,
  type PageKey,
  type PageState,
  pageId,
  type QueriesAdded,
  type Query,
  queryId,
  type Store,
  type WordSearch,
  type WorkspaceId,
} from 'recollect/store'
import { at, HERE } from './samples.ts'

/** More than any case writes. */
const EVERYTHING = 100_000

export function aPageKey(page: string, workspace: WorkspaceId = HERE): PageKey {
  return { workspace, page: pageId(page) }
}

export function aPage(fields: Partial<PageFields> = {}): PageFields {
  return {
    activeFile: null,
    currentTopic: null,
    entities: {},
    preferences: {},
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  }
}

/** Changes fields of the page, based on its current state. */
export function save(store: Store, key: PageKey, fields: Partial<PageFields> = {}): Promise<PageState> {
  return store.savePage({ ...key, change: (page) => ({ ...(page ?? aPage()), ...fields }) })
}

export function aQuery(
  id: string,
  query = `how many ${id}`,
  more: Partial<AcceptedQuery> = {},
): AcceptedQuery {
  return {
    id: queryId(id),
    query,
    intent: 'data_query',
    sql: null,
    results: null,
    response: null,
    important: false,
    createdAt: at(1),
    ...more,
  }
}

export function manyQueries(prefix: string, count: number): readonly AcceptedQuery[] {
  return Array.from({ length: count }, (_, i) => aQuery(`${prefix}${i}`))
}

export function add(
  store: Store,
  key: PageKey,
  ...queries: readonly (AcceptedQuery | readonly AcceptedQuery[])[]
): Promise<QueriesAdded> {
  return store.addQueries({ ...key, queries: queries.flat(), newPage: aPage() })
}

export function readQueries(store: Store, key: PageKey): Promise<readonly Query[]> {
  return store.queries({ ...key, limit: EVERYTHING })
}

export const idsOf = (queries: readonly { readonly id: string }[]): readonly string[] =>
  queries.map(({ id }) => id)

/** The ids of the queries that have a word, newest first. */
export async function findQueryIds(
  store: Store,
  key: PageKey,
  search: Partial<WordSearch> & { readonly word: string },
): Promise<readonly string[]> {
  const { word, ...more } = search
  const [positions = []] = await store.findQueryPositions({ ...key, words: [word], limit: 100, ...more })
  return idsOf((await store.queriesAt(key, positions)).toReversed())
}

/** Every page of a workspace with its queries, to detect changes. */
export async function readPages(store: Store, workspace: WorkspaceId): Promise<unknown> {
  const { items } = await store.listPages({ workspace, limit: EVERYTHING })
  return Promise.all(
    items.map(async (page) => [page, await readQueries(store, { workspace, page: page.pageId })]),
  )
}
