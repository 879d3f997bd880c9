// The queries of a page that belong to a question, among any number of them. The index is asked for each word
// apart and for the newest that have it, so that a word in every query costs no more than a rare one. What is
// found is ranked by the words it shares. A word in more queries than were read counts also in the older ones
// that have a rare word: those are few, and can be asked for.

import { COMMON_WORDS, SMALL_WORDS } from '../../domain/common-words.ts'
import { findWords } from '../../domain/words.ts'
import type { PageKey, PageStore } from '../../store/page-store.ts'
import { rankPositions, type WordHits } from './rank-positions.ts'

/** More words narrow nothing, and each costs a look into the index. */
const WORDS_ASKED = 12
/** Enough to find some that share several words; to read so many takes a tenth of a millisecond. */
const READ_PER_WORD = 100
/** Of words in more queries than were read, the rarest tell most; each look for old ones costs three times as much. */
const LOOKED_FURTHER = 4

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
  const words = tellingWords(question)
  if (words.length === 0) return []
  const lists = await store.findQueryPositions({ ...key, words, limit: READ_PER_WORD })
  const hits = words
    .map((word, i) => toHit(word, lists[i] ?? [], total))
    .filter(({ positions }) => positions.length > 0)
  return rankPositions(await lookFurther(store, key, hits), total)
}

/** Folded words that say what a text is about; numbers are among them, since a year tells reports apart. */
function tellingWords(text: string): readonly string[] {
  const words = new Set(findWords(text).map(({ word }) => word))
  return [...words].filter((word) => !(SMALL_WORDS.has(word) || COMMON_WORDS.has(word))).slice(0, WORDS_ASKED)
}

interface Hit extends WordHits {
  readonly word: string
  /** There are more, and older, than were read. */
  readonly isCut: boolean
}

function toHit(word: string, positions: readonly number[], total: number): Hit {
  const isCut = positions.length === READ_PER_WORD
  // As if it went on as often as in the stretch that was read.
  const stretch = Math.max(1, total - (positions.at(-1) ?? 0))
  const count = isCut ? Math.min(total, (positions.length * total) / stretch) : positions.length
  return { word, positions, isCut, count: Math.max(count, positions.length) }
}

async function lookFurther(
  store: PageStore,
  key: PageKey,
  hits: readonly Hit[],
): Promise<readonly WordHits[]> {
  const rare = findRare(hits)
  const common = rarestFirst(hits.filter((hit) => hit.isCut && !rare.includes(hit))).slice(0, LOOKED_FURTHER)
  if (common.length === 0) return hits
  const lists = await store.findQueryPositions({
    ...key,
    words: common.map(({ word }) => word),
    withAnyOf: rare.map(({ word }) => word),
    limit: READ_PER_WORD,
  })
  const found = new Map(common.map((hit, i) => [hit, lists[i] ?? []]))
  return hits.map((hit) => {
    // A rare word that was cut is the only one, and so in all that was found.
    const more = found.get(hit) ?? (hit.isCut && rare.includes(hit) ? lists.flat() : [])
    return { ...hit, positions: [...hit.positions, ...more] }
  })
}

/** Words of which every query was read; where there is none, the rarest. */
function findRare(hits: readonly Hit[]): readonly Hit[] {
  const whole = hits.filter(({ isCut }) => !isCut)
  return whole.length > 0 ? whole : rarestFirst(hits).slice(0, 1)
}

const rarestFirst = (hits: readonly Hit[]): readonly Hit[] => hits.toSorted((a, b) => a.count - b.count)
