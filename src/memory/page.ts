import { definedFields } from '../domain/defined-fields.ts'
import { MemoryError } from '../domain/errors.ts'
import { type PageId, pageId, queryId } from '../domain/ids.ts'
import type { PageState, Query } from '../domain/page.ts'
import type { ResolvedHistory } from '../options/context-options.ts'
import { acceptFlag, acceptName } from '../record/accept.ts'
import { type PrunedQueries, pruneQueries, type QueryPruneOptions } from '../record/queries/prune-queries.ts'
import { type QueryListOptions, readHistory } from '../record/queries/read-history.ts'
import { acceptPageChanges, addQuery, emptyPage, mergePage } from '../record/queries/update-page.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { NewQuery, PageChanges } from '../schemas/page.ts'
import { checkLimit } from '../schemas/values.ts'
import type { PageKey } from '../store/page-store.ts'
import type { Erased } from '../store/store.ts'
import { type PageOptions, type PaginatedList, paginate, positionFrom } from './paginate.ts'

/** What to change about a query. */
export interface QueryChanges {
  /** Important queries are part of every selection. */
  readonly important: boolean
}

/**
 * The state of one page of your application and the history of its queries: `memory.page(id)`.
 *
 * @example
 * const page = memory.page('sales')
 * await page.save({ activeFile: { id: 'q2.csv' }, preferences: { currency: 'EUR' } })
 * const { activeFile } = await page.load()
 * const { id } = await page.queries.add({ query: 'revenue by month', sql: 'select …' })
 * await page.queries.update(id, { important: true })
 */
export interface PageMemory {
  readonly id: PageId
  /** The state of the page, created if missing. */
  load(): Promise<PageState>
  /** Merges changes into the state: fields and keys you leave out stay, `null` clears. */
  save(changes: PageChanges): Promise<PageState>
  readonly queries: PageQueries
  /** Erases the state and the queries for good. A conversation with the same id stays. */
  erase(): Promise<Erased>
}

/** The query history of a page: `memory.page(id).queries`. */
export interface PageQueries {
  /** Resolves when the query is durable. */
  add(query: NewQuery): Promise<Query>
  /**
   * A page holds the latest queries, in order; iterating yields the newest query first. With `query`, those relevant
   * to it, in order.
   */
  list(options?: QueryListOptions): PaginatedList<Query>
  get(id: string): Promise<Query | undefined>
  update(id: string, changes: QueryChanges): Promise<Query>
  erase(id: string): Promise<Erased>
}

export interface PageListOptions extends PageOptions {
  /** @default 50 */
  readonly limit?: number
}

/** The pages of a workspace: `memory.pages`. */
export interface Pages {
  /** Most recently used first. */
  list(options?: PageListOptions): PaginatedList<PageState>
  /** Clears a file as the active file of every page, for files that are not stored here. Returns the number of pages. */
  closeFile(documentId: string): Promise<number>
}

/** The queries of all pages of a workspace, by id: `memory.queries`. */
export interface Queries {
  get(id: string): Promise<Query | undefined>
  update(id: string, changes: QueryChanges): Promise<Query>
  erase(id: string): Promise<Erased>
  /** Erases queries that are older than a number of days; important ones stay. */
  prune(options: QueryPruneOptions): Promise<PrunedQueries>
}

export function createPages({ store, workspace, limits, now }: WorkspaceDeps): Pages {
  return {
    list: ({ limit, cursor } = {}) =>
      paginate(
        async (from) =>
          store.listPages({ workspace, limit: checkLimit(limit, 50), ...definedFields({ cursor: from }) }),
        { cursor },
      ),
    closeFile: async (id) => {
      const file = acceptName(id, { what: 'a document id', most: limits.idCharacters })
      return store.forgetDocument(workspace, file, now())
    },
  }
}

export function createQueries({ store, workspace, now }: WorkspaceDeps): Queries {
  return {
    get: (id) => store.findQuery(workspace, queryId(id)),
    update: async (id, { important }) =>
      store.flagQuery(workspace, queryId(id), acceptFlag(important, 'important')),
    erase: (id) => store.eraseQuery(workspace, queryId(id)),
    prune: async (request) => pruneQueries(store, { ...request, workspace, now: now() }),
  }
}

export function createPage(deps: WorkspaceDeps, history: ResolvedHistory, id: string): PageMemory {
  const { store, workspace, limits, now } = deps
  const page = pageId(acceptName(id, { what: 'a page id', most: limits.idCharacters }))
  const key: PageKey = { workspace, page }
  return {
    id: page,
    load: async () =>
      (await store.findPage(key)) ??
      store.savePage({ ...key, change: (current) => current ?? emptyPage(now()) }),
    async save(changes) {
      const accepted = acceptPageChanges(changes, limits)
      const rules = { limits, now: now() }
      return store.savePage({ ...key, change: (current) => mergePage(current, accepted, rules) })
    },
    queries: createPageQueries(deps, history, key),
    erase: () => store.erasePage(key),
  }
}

function createPageQueries(deps: WorkspaceDeps, options: ResolvedHistory, key: PageKey): PageQueries {
  const { store, workspace } = deps
  const queries = createQueries(deps)
  async function get(id: string): Promise<Query | undefined> {
    const query = await store.findQuery(workspace, queryId(id))
    return query?.pageId === key.page ? query : undefined
  }
  async function need(id: string): Promise<string> {
    if ((await get(id)) !== undefined) return id
    throw new MemoryError('not-found', `the page "${key.page}" has no query "${id}"`)
  }
  return {
    add: (query) => addQuery(deps, key, query),
    list: ({ cursor, ...list } = {}) =>
      paginate(
        async (from) => {
          const edge = from === undefined ? {} : { cursor: String(positionFrom(from)) }
          return readHistory(store, { ...key, options }, { ...list, ...edge })
        },
        {
          cursor,
          ...(list.after === undefined &&
            list.query === undefined && { order: (queries) => queries.toReversed() }),
        },
      ),
    get,
    update: async (id, changes) => queries.update(await need(id), changes),
    erase: async (id) => queries.erase(await need(id)),
  }
}
