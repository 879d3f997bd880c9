import { definedFields } from '../../domain/defined-fields.ts'
import type { PageState, Query } from '../../domain/page.ts'
import type { PageKey, PageList, PageStore } from '../../store/page-store.ts'

const PAGE = 200

/** All pages of a workspace, a few at a time. */
export async function* readPageStates(
  store: PageStore,
  { workspace }: Pick<PageList, 'workspace'>,
): AsyncGenerator<PageState> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.listPages({ workspace, limit: PAGE, ...definedFields({ cursor }) })
    yield* page.items
    if (page.next === undefined) return
    cursor = page.next
  }
}

/** The whole history of a page, a few at a time. */
export async function* readQueries(store: PageStore, key: PageKey): AsyncGenerator<Query> {
  for (let after = -1; ; ) {
    const queries = await store.queries({ ...key, after, limit: PAGE })
    yield* queries
    const last = queries.at(-1)
    if (last === undefined || queries.length < PAGE) return
    after = last.position
  }
}
