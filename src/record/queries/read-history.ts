import { definedFields } from '../../domain/defined-fields.ts'
import type { PageState, Query } from '../../domain/page.ts'
import type { Paginated } from '../../domain/search.ts'
import type { ResolvedHistory } from '../../options/context-options.ts'
import type { PageKey, PageList, PageStore } from '../../store/page-store.ts'
import { acceptLimit } from '../accept-limit.ts'
import { findRelevant } from './find-relevant.ts'

export interface QueryListOptions {
  /** Selects the queries for this one: the first, the last, the important, and relevant ones in between. */
  readonly query?: string
  /** @default 50; with `query`, as many as the options `history` allow */
  readonly limit?: number
  /** `next` of the page before. */
  readonly cursor?: string
  /** Only queries after this position, oldest first; without it, a page holds the latest queries. */
  readonly after?: number
  /** Only queries before this position. */
  readonly before?: number
  /** Only flagged ones. @default false */
  readonly onlyImportant?: boolean
}

/** One page of the history, in order of position. */
export async function readHistory(
  store: PageStore,
  { options, ...key }: PageKey & { readonly options: ResolvedHistory },
  { query: question, limit, cursor, ...list }: QueryListOptions,
): Promise<Paginated<Query>> {
  if (question !== undefined)
    return { items: await selectFor(store, { ...key, options, question, ...definedFields({ limit }) }) }
  const isBackwards = list.after === undefined
  const size = acceptLimit(limit, 50)
  const found = await store.queries({
    ...key,
    ...definedFields(list),
    ...(cursor !== undefined && { [isBackwards ? 'before' : 'after']: Number(cursor) }),
    direction: isBackwards ? 'backwards' : 'forwards',
    // One more than the page holds shows whether there is another page.
    limit: size + 1,
  })
  const items = isBackwards ? found.slice(-size) : found.slice(0, size)
  const last = isBackwards ? items[0] : items.at(-1)
  return found.length > size && last !== undefined ? { items, next: String(last.position) } : { items }
}

interface Selection extends PageKey {
  readonly question: string
  readonly limit?: number
  readonly options: ResolvedHistory
}

async function selectFor(
  store: PageStore,
  { question, limit, options, ...key }: Selection,
): Promise<readonly Query[]> {
  const most = limit === undefined ? undefined : acceptLimit(limit, 1)
  const [page, first, last, flagged] = await Promise.all([
    store.findPage(key),
    store.queries({ ...key, limit: options.firstQueries }),
    store.queries({ ...key, limit: options.lastQueries, direction: 'backwards' }),
    store.queries({ ...key, limit: options.flaggedQueries, direction: 'backwards', onlyImportant: true }),
  ])
  if (page === undefined) return []
  const ranked = await findRelevant(store, { ...key, question, total: page.queryCount })
  const known = new Set([...first, ...last, ...flagged].map(({ position }) => position))
  const positions = ranked.filter((position) => !known.has(position)).slice(0, options.relevantQueries)
  const relevant = await readInOrder(store, key, positions)
  return selectQueries({ first, last, flagged, relevant }, most)
}

async function readInOrder(
  store: PageStore,
  key: PageKey,
  positions: readonly number[],
): Promise<readonly Query[]> {
  if (positions.length === 0) return []
  const queries = await store.queriesAt(key, positions)
  return queries.toSorted((a, b) => positions.indexOf(a.position) - positions.indexOf(b.position))
}

const PAGE_SIZE = 200

/** All pages of a workspace, read in batches. */
export async function* readPageStates(
  store: PageStore,
  { workspace }: Pick<PageList, 'workspace'>,
): AsyncGenerator<PageState> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.listPages({ workspace, limit: PAGE_SIZE, ...definedFields({ cursor }) })
    yield* page.items
    if (page.next === undefined) return
    cursor = page.next
  }
}

/** The whole history of a page, read in batches. */
export async function* readQueries(store: PageStore, key: PageKey): AsyncGenerator<Query> {
  for (let after = -1; ; ) {
    const queries = await store.queries({ ...key, after, limit: PAGE_SIZE })
    yield* queries
    const last = queries.at(-1)
    if (last === undefined || queries.length < PAGE_SIZE) return
    after = last.position
  }
}

// U-shaped selection: the first queries, the last ones, flagged ones, and from the middle those relevant to the
// question. Models attend more to the beginning and the end of a context, and a question seldom needs everything in
// between.

/** Candidates for a selection. A query may be in several lists. */
interface Candidates {
  readonly first: readonly Query[]
  readonly last: readonly Query[]
  readonly flagged: readonly Query[]
  /** Best first. */
  readonly relevant: readonly Query[]
}

/** Each query once, in order. With a limit, the last queries come before the first, and both before the rest. */
export function selectQueries(
  { first, last, flagged, relevant }: Candidates,
  most: number = Number.POSITIVE_INFINITY,
): readonly Query[] {
  const chosen = new Map<number, Query>()
  for (const query of [...newestFirst(last), ...first, ...newestFirst(flagged), ...relevant]) {
    if (chosen.size < most) chosen.set(query.position, query)
  }
  return [...chosen.values()].sort((a, b) => a.position - b.position)
}

const newestFirst = (queries: readonly Query[]): readonly Query[] =>
  queries.toSorted((a, b) => b.position - a.position)
