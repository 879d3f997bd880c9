import type { NewQuery, PageChanges, PageState, Query } from '../../../index.ts'
import type { CallOptions, Sender } from './send-request.ts'
import type { Wire } from './wire.ts'

export interface QueryList extends Pick<CallOptions, 'signal'> {
  /**
   * If set: returns the first, the last and the flagged queries, and those in between that relate to the
   * question.
   */
  readonly question?: string
  readonly limit?: number
  readonly after?: number
  readonly before?: number
  readonly onlyImportant?: boolean
}

/** Pages, their state and their queries, over HTTP. */
export interface PageCalls {
  /** Creates the page if it does not exist. */
  load(pageId: string, options?: Pick<CallOptions, 'signal'>): Promise<Wire<PageState>>
  /** Fields left out stay, null clears. Idempotent. */
  save(
    pageId: string,
    changes: PageChanges,
    options?: Pick<CallOptions, 'signal' | 'keepalive'>,
  ): Promise<Wire<PageState>>
  queries(pageId: string, list?: QueryList): Promise<readonly Wire<Query>[]>
  addQuery(pageId: string, query: Wire<NewQuery>): Promise<Wire<Query>>
  flagQuery(queryId: string, important: boolean): Promise<Wire<Query>>
  eraseQuery(queryId: string): Promise<void>
}

export function openPageCalls(sender: Sender): PageCalls {
  const one = (pageId: string, more = '') => `/api/context/${encodeURIComponent(pageId)}${more}`
  return {
    load: async (pageId, options) =>
      (await sender.request<{ context: Wire<PageState> }>('GET', one(pageId), options)).context,
    save: async (pageId, changes, options) => {
      const call = { ...options, body: changes, isRepeatable: true }
      return (await sender.request<{ context: Wire<PageState> }>('POST', one(pageId), call)).context
    },
    queries: async (pageId, { signal, ...query } = {}) => {
      const call = { query, signal }
      return (await sender.request<{ queries: Wire<Query>[] }>('GET', one(pageId, '/history'), call)).queries
    },
    addQuery: (pageId, query) =>
      sender.request('POST', one(pageId, '/history'), { body: query, isRepeatable: query.id !== undefined }),
    flagQuery: (queryId, important) =>
      sender.request('PATCH', `/api/queries/${encodeURIComponent(queryId)}`, { body: { important } }),
    eraseQuery: (queryId) => sender.request('DELETE', `/api/queries/${encodeURIComponent(queryId)}`),
  }
}
