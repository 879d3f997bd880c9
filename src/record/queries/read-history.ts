import { definedFields } from '../../domain/defined-fields.ts'
import type { PageState, Query } from '../../domain/page.ts'
import type { Paginated } from '../../domain/search.ts'
import { COMMON_WORDS, findWords, SMALL_WORDS } from '../../domain/words.ts'
import type { ResolvedHistory } from '../../options/context-options.ts'
import { checkLimit } from '../../schemas/values.ts'
import type { PageKey, PageList, PageStore } from '../../store/page-store.ts'

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
  const size = checkLimit(limit, 50)
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
  const most = limit === undefined ? undefined : checkLimit(limit, 1)
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

// Finds the queries of a page that are relevant to a question, among any number of them. The index is asked for the
// newest queries with each word separately, so a word in every query costs no more than a rare one. Results are ranked
// by the words they share. For words with more hits than were read, a second lookup finds older queries that also have
// one of the rare words.

/** More words do not improve the result, and each costs an index lookup. */
const MAX_QUERY_WORDS = 12
/** Enough to find queries that share several words; reading them takes 0.1 ms. */
const MAX_HITS_PER_WORD = 100
/** Words with a second lookup, rarest first; it costs three times as much as the first. */
const MAX_EXTENDED_WORDS = 4

interface RelevanceSearch extends PageKey {
  readonly question: string
  /** How many queries the page has. */
  readonly total: number
}

/** Positions, best first. */
export async function findRelevant(
  store: PageStore,
  { question, total, ...key }: RelevanceSearch,
): Promise<readonly number[]> {
  const words = contentWords(question)
  if (words.length === 0) return []
  const lists = await store.findQueryPositions({ ...key, words, limit: MAX_HITS_PER_WORD })
  const hits = words
    .map((word, i) => toHit(word, lists[i] ?? [], total))
    .filter(({ positions }) => positions.length > 0)
  return rankPositions(await findOlder(store, key, hits), total)
}

/** Content words, including numbers, since a year distinguishes reports. */
function contentWords(text: string): readonly string[] {
  const words = new Set(findWords(text).map(({ word }) => word))
  return [...words]
    .filter((word) => !(SMALL_WORDS.has(word) || COMMON_WORDS.has(word)))
    .slice(0, MAX_QUERY_WORDS)
}

interface Hit extends WordHits {
  readonly word: string
  /** There are older hits that were not read. */
  readonly isCut: boolean
}

function toHit(word: string, positions: readonly number[], total: number): Hit {
  const isCut = positions.length === MAX_HITS_PER_WORD
  // Extrapolated from the frequency in the range that was read.
  const stretch = Math.max(1, total - (positions.at(-1) ?? 0))
  const count = isCut ? Math.min(total, (positions.length * total) / stretch) : positions.length
  return { word, positions, isCut, count: Math.max(count, positions.length) }
}

async function findOlder(store: PageStore, key: PageKey, hits: readonly Hit[]): Promise<readonly WordHits[]> {
  const rare = findRare(hits)
  const common = rarestFirst(hits.filter((hit) => hit.isCut && !rare.includes(hit))).slice(
    0,
    MAX_EXTENDED_WORDS,
  )
  if (common.length === 0) return hits
  const lists = await store.findQueryPositions({
    ...key,
    words: common.map(({ word }) => word),
    withAnyOf: rare.map(({ word }) => word),
    limit: MAX_HITS_PER_WORD,
  })
  const found = new Map(common.map((hit, i) => [hit, lists[i] ?? []]))
  return hits.map((hit) => {
    // If a rare word was cut, it is the only rare word and in all results.
    const more = found.get(hit) ?? (hit.isCut && rare.includes(hit) ? lists.flat() : [])
    return { ...hit, positions: [...hit.positions, ...more] }
  })
}

/** Words whose hits were all read; if there is none, the rarest word. */
function findRare(hits: readonly Hit[]): readonly Hit[] {
  const whole = hits.filter(({ isCut }) => !isCut)
  return whole.length > 0 ? whole : rarestFirst(hits).slice(0, 1)
}

const rarestFirst = (hits: readonly Hit[]): readonly Hit[] => hits.toSorted((a, b) => a.count - b.count)

/** The positions of a question word in the history of a page. */
interface WordHits {
  readonly positions: readonly number[]
  /** How many queries have the word; not all of them need be in `positions`. */
  readonly count: number
}

/** Queries below this share of the total word weight are dropped, unless no query has more. */
const MIN_WEIGHT_SHARE = 0.25

/**
 * The positions that share words with a question, best first: rare words weigh more, and newer queries win ties.
 * `total` is the number of queries.
 */
export function rankPositions(hits: readonly WordHits[], total: number): readonly number[] {
  const scores = new Map<number, number>()
  let whole = 0
  for (const { positions, count } of hits) {
    if (positions.length === 0) continue
    const weight = Math.log(1 + total / count)
    whole += weight
    for (const position of new Set(positions)) scores.set(position, (scores.get(position) ?? 0) + weight)
  }
  const best = [...scores.values()].reduce((most, score) => Math.max(most, score), 0)
  const least = Math.min(best, whole * MIN_WEIGHT_SHARE)
  return [...scores]
    .filter(([, score]) => score >= least)
    .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || b - a)
    .map(([position]) => position)
}
