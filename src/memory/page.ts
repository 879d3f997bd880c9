import { definedFields } from '../domain/defined-fields.ts'
import { pageId, queryId } from '../domain/ids.ts'
import type { NewQuery, PageChanges, PageState, Query } from '../domain/page.ts'
import type { Paginated } from '../domain/search.ts'
import type { ResolvedHistory } from '../options/context-options.ts'
import { acceptName } from '../record/accept-id.ts'
import { acceptLimit } from '../record/accept-limit.ts'
import { acceptPageChanges } from '../record/queries/accept-page.ts'
import { acceptFlag } from '../record/queries/accept-query.ts'
import { addQuery } from '../record/queries/add-query.ts'
import { emptyPage, mergePage } from '../record/queries/merge-page.ts'
import { type QueryListOptions, readHistory } from '../record/queries/read-history.ts'
import type { WorkspaceDeps } from '../record/record.ts'
import type { PageKey } from '../store/page-store.ts'
import type { Erased } from '../store/store.ts'

export interface PageListOptions {
  /** @default 50 */
  readonly limit?: number
  readonly cursor?: string
}

/** What a memory keeps for the pages of an application: their state, and the history of their queries. */
export interface PageMemory {
  /** The state of a page, by the id you chose for it; made if it is missing. */
  loadContext(pageId: string): Promise<PageState>
  /** Merges changes into the state: a field or key left out stays, null clears it. Nobody else's keys are lost. */
  saveContext(pageId: string, changes: PageChanges): Promise<PageState>
  /** Pages by last use, newest first. */
  pages(options?: PageListOptions): Promise<Paginated<PageState>>
  /** Adds to the history of a page; resolves when the query would survive a power cut. */
  addQuery(pageId: string, query: NewQuery): Promise<Query>
  /** The last queries of a page, in order; with a question, those that belong to it. */
  queries(pageId: string, options?: QueryListOptions): Promise<readonly Query[]>
  /** Flagged queries are part of every selection. */
  flagQuery(id: string, important?: boolean): Promise<Query>
  /** Erases one query, for good. */
  eraseQuery(id: string): Promise<Erased>
  /** Erases the state of a page and its queries, for good; a conversation of the same id stays. */
  erasePage(pageId: string): Promise<Erased>
  /** For files that are not kept here: it is no page's active file any longer. Returns of how many it was. */
  forgetDocument(documentId: string): Promise<number>
}

export function createPageMemory(recorder: WorkspaceDeps, options: ResolvedHistory): PageMemory {
  const { store, workspace, limits, now } = recorder
  const toName = (id: string, what: string) => acceptName(id, { what, most: limits.idCharacters })
  const toKey = (id: string): PageKey => ({ workspace, page: pageId(toName(id, 'a page id')) })
  return {
    loadContext: async (id) => {
      const key = toKey(id)
      const make = () => store.savePage({ ...key, change: (page) => page ?? emptyPage(now()) })
      return (await store.findPage(key)) ?? make()
    },
    saveContext: async (id, changes) => {
      const accepted = acceptPageChanges(changes, limits)
      const rules = { limits, now: now() }
      return store.savePage({ ...toKey(id), change: (page) => mergePage(page, accepted, rules) })
    },
    pages: async ({ limit, cursor } = {}) =>
      store.listPages({ workspace, limit: acceptLimit(limit, 50), ...definedFields({ cursor }) }),
    addQuery: async (id, query) => addQuery(recorder, toKey(id), query),
    queries: async (id, list = {}) => readHistory(store, { ...toKey(id), options }, list),
    flagQuery: async (id, important = true) => store.flagQuery(workspace, queryId(id), acceptFlag(important)),
    eraseQuery: (id) => store.eraseQuery(workspace, queryId(id)),
    erasePage: async (id) => store.erasePage(toKey(id)),
    forgetDocument: async (id) => store.forgetDocument(workspace, toName(id, 'a document id'), now()),
  }
}
