// Which messages have the words of a question. Each word is looked up on its own, up to a limit, so the cost does not
// grow with the store. A word with more matches than the limit is common and weighs little; it is looked up again
// together with the other common words, because messages with two of them are worth finding.

import { definedFields } from '../../domain/defined-fields.ts'
import type { MessageLocator } from '../../domain/locator.ts'
import type { RecallStore, ScopeSize, TimedScope } from '../../store/recall-store.ts'
import type { Question, Term } from '../question/read-question.ts'
import { merge, toWordPlaces, type WordPlaces } from './word-places.ts'

/** The messages that have one word of the question. */
export interface TermMatches extends WordPlaces {
  readonly term: Term
  /** Rare words weigh more. */
  readonly weight: number
  /** Number of messages that have it; an estimate if there are many. */
  readonly count: number
}

/** From this many exact matches on, synonyms are not looked up. */
const MIN_EXACT_MATCHES = 60
/** A word in a larger share of the messages is ignored. */
const MAX_MESSAGE_SHARE = 0.2
const MANY_MESSAGES = 1000
/** The rarest common word is looked up together with each of the next ones; this many in all. */
const MAX_COMMON_WORDS = 3

export interface WordSearch {
  readonly store: RecallStore
  readonly scope: TimedScope
  readonly limit: number
  /** Share of a word's weight that its synonyms get. */
  readonly synonymWeight: number
}

/** The word matches of a question in a scope. */
export interface WordMatches {
  /** Includes words without a match: they weigh most, and facts or documents may have them. */
  readonly matches: readonly TermMatches[]
  readonly size: ScopeSize
  /** All messages of a small scope, which need no word of the question to be compared; undefined for larger scopes. */
  readonly smallScope?: readonly MessageLocator[]
}

/** A scope with at most this many messages is compared as a whole. */
const SMALL_SCOPE = 200

export async function findWordMatches(question: Question, search: WordSearch): Promise<WordMatches> {
  const [{ size, smallScope }, looked] = await Promise.all([
    findScope(search, question.terms.length > 0),
    Promise.all(question.terms.map((term) => findTerm(term, search))),
  ])
  const found = looked.map((one) => ({ ...one, weight: one.term.weight * rarity(one.count, size.messages) }))
  const matches = await addPairs(dropEverywhere(found, size), search)
  return { matches, size, ...definedFields({ smallScope }) }
}

async function findScope(
  { store, scope }: WordSearch,
  hasTerms: boolean,
): Promise<Pick<WordMatches, 'size' | 'smallScope'>> {
  const size = await store.scopeSize(scope)
  if (!hasTerms || size.messages > SMALL_SCOPE) return { size }
  return { size, smallScope: (await store.findByTime({ ...scope, limit: SMALL_SCOPE })).locators }
}

interface FoundTerm extends TermMatches {
  readonly isComplete: boolean
}

async function findTerm(term: Term, search: WordSearch): Promise<Omit<FoundTerm, 'weight'>> {
  const { store, scope, limit, synonymWeight: share } = search
  const look = (words: readonly string[]) => store.findByWords({ ...scope, allOf: [words], limit })
  const exact = await look(term.forms)
  const others = [...term.relatives, ...term.distant]
  const isNeeded = share > 0 && others.length > 0 && exact.locators.length < MIN_EXACT_MATCHES
  const { locators: related } = isNeeded ? await look(others) : { locators: [] }
  return {
    ...toWordPlaces(exact.locators, { places: related, share }),
    term,
    count: exact.count,
    isComplete: exact.count <= exact.locators.length,
  }
}

/** The inverse document frequency of BM25. */
export const rarity = (count: number, messages: number): number =>
  Math.log(1 + (Math.max(messages, count) - count + 0.5) / (count + 0.5))

/** The positions with most of the words, best first. */
export function nearestFirst(matches: readonly TermMatches[], limit: number): readonly MessageLocator[] {
  const sums = new Map<MessageLocator, number>()
  for (const { weight, places, presences } of matches) {
    for (const [i, place] of places.entries())
      sums.set(
        place as MessageLocator,
        (sums.get(place as MessageLocator) ?? 0) + weight * (presences[i] as number),
      )
  }
  return [...sums]
    .sort(([place, sum], [otherPlace, otherSum]) => otherSum - sum || otherPlace - place)
    .slice(0, limit)
    .map(([place]) => place)
}

/** Drops words that occur in too many messages, unless there are no others. */
function dropEverywhere(found: readonly FoundTerm[], { messages }: ScopeSize): readonly FoundTerm[] {
  if (messages < MANY_MESSAGES) return found
  const telling = found.filter(({ count }) => count < messages * MAX_MESSAGE_SHARE)
  return telling.some(({ places }) => places.length > 0) ? telling : found
}

async function addPairs(
  found: readonly FoundTerm[],
  { store, scope, limit }: WordSearch,
): Promise<readonly TermMatches[]> {
  const [rarest, ...others] = found
    .filter(({ isComplete }) => !isComplete)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_COMMON_WORDS)
  if (rarest === undefined) return found
  const pairs = await Promise.all(
    others.map(async (other) => {
      const allOf = [rarest.term.forms, other.term.forms]
      return [other, toWordPlaces((await store.findByWords({ ...scope, allOf, limit })).locators)] as const
    }),
  )
  return found.map((one) => {
    let places: WordPlaces = one
    for (const [other, both] of pairs) if (one === other || one === rarest) places = merge(both, places)
    return { ...one, ...places }
  })
}
