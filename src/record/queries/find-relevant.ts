// Finds the queries of a page that are relevant to a question, among any number of them. The index is asked for the
// newest queries with each word separately, so a word in every query costs no more than a rare one. Results are ranked
// by the words they share. For words with more hits than were read, a second lookup finds older queries that also have
// one of the rare words.

import { COMMON_WORDS, findWords, SMALL_WORDS } from '../../domain/words.ts'
import type { PageKey, PageStore } from '../../store/page-store.ts'

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
