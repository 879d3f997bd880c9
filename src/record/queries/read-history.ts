import { definedFields } from '../../domain/defined-fields.ts'
import type { Query } from '../../domain/page.ts'
import type { ResolvedHistory } from '../../options/context-options.ts'
import type { PageKey, PageStore } from '../../store/page-store.ts'
import { acceptLimit } from '../accept-limit.ts'
import { findRelevant } from './find-relevant.ts'
import { selectQueries } from './select-queries.ts'

export interface QueryListOptions {
  /** Selects for this question: the first, the last, the flagged, and the relevant ones between. */
  readonly question?: string
  /** The most. @default 50; with a question, as many as the options `history` allow */
  readonly limit?: number
  /** Only queries after this position, the first of them; otherwise the last ones. */
  readonly after?: number
  /** Only queries before this position. */
  readonly before?: number
  /** Only flagged ones. @default false */
  readonly onlyImportant?: boolean
}

/** In order. */
export async function readHistory(
  store: PageStore,
  { options, ...key }: PageKey & { readonly options: ResolvedHistory },
  { question, limit, ...list }: QueryListOptions,
): Promise<readonly Query[]> {
  if (question !== undefined)
    return selectFor(store, { ...key, options, question, ...definedFields({ limit }) })
  const direction = list.after === undefined ? 'backwards' : 'forwards'
  return store.queries({ ...key, ...definedFields(list), direction, limit: acceptLimit(limit, 50) })
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
