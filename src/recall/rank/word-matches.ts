// Which messages have the words of a question. Each word is looked up by itself, up to a limit, so that the cost
// does not grow with the store. A word that is found more often than that is common, weighs little, and is looked
// up once more together with the other common ones: what has two of them is worth finding.

import type { MessageLocator } from '../../domain/locator.ts'
import type { RecallStore, ScopeSize, TimedScope } from '../../store/recall-store.ts'
import type { Question, Term } from '../question/read-question.ts'
import { merge, toWordPlaces, type WordPlaces } from './word-places.ts'

/** Where one word of the question stands. */
export interface TermMatches extends WordPlaces {
  readonly term: Term
  /** How much it tells: rare words tell more. */
  readonly weight: number
  /** How many messages have it; about, where there are many. */
  readonly count: number
}

/** For a word that is there so often, nothing has to stand in. */
const OFTEN = 60
/** A word in more than this share of many messages tells nothing. */
const EVERYWHERE = 0.2
const MANY_MESSAGES = 1000
/** The rarest of the common words is looked up together with each of the next ones, so many in all. */
const PAIRED = 3

export interface WordSearch {
  readonly store: RecallStore
  readonly scope: TimedScope
  readonly limit: number
  /** What stands in for a word counts this share. */
  readonly synonymWeight: number
}

/** What the words of a question find in a scope. */
export interface WordMatches {
  /** Words that are nowhere are among them: they weigh most, and other kinds of things may have them. */
  readonly matches: readonly TermMatches[]
  readonly size: ScopeSize
}

export async function findWordMatches(question: Question, search: WordSearch): Promise<WordMatches> {
  const { store, scope } = search
  const [size, stands] = await Promise.all([
    store.scopeSize(scope),
    Promise.all(question.terms.map((term) => findTerm(term, search))),
  ])
  const found = stands.map((one) => ({ ...one, weight: one.term.weight * rarity(one.count, size.messages) }))
  return { matches: await addPairs(dropEverywhere(found, size), search), size }
}

interface FoundTerm extends TermMatches {
  readonly isComplete: boolean
}

async function findTerm(term: Term, search: WordSearch): Promise<Omit<FoundTerm, 'weight'>> {
  const { store, scope, limit, synonymWeight: share } = search
  const look = (words: readonly string[]) => store.findByWords({ ...scope, allOf: [words], limit })
  const exact = await look(term.forms)
  const isNeeded = share > 0 && term.relatives.length > 0 && exact.locators.length < OFTEN
  const { locators: related } = isNeeded ? await look(term.relatives) : { locators: [] }
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

/** The places with most of the words, best first. */
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

/** Words that are everywhere are left out, unless there are no others. */
function dropEverywhere(found: readonly FoundTerm[], { messages }: ScopeSize): readonly FoundTerm[] {
  if (messages < MANY_MESSAGES) return found
  const telling = found.filter(({ count }) => count < messages * EVERYWHERE)
  return telling.some(({ places }) => places.length > 0) ? telling : found
}

async function addPairs(
  found: readonly FoundTerm[],
  { store, scope, limit }: WordSearch,
): Promise<readonly TermMatches[]> {
  const [rarest, ...others] = found
    .filter(({ isComplete }) => !isComplete)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, PAIRED)
  if (rarest === undefined) return found
  const pairs = await Promise.all(
    others.map(async (other) => {
      const allOf = [rarest.term.forms, other.term.forms]
      return [other, toWordPlaces((await store.findByWords({ ...scope, allOf, limit })).locators)] as const
    }),
  )
  return found.map((one) => {
    let stands: WordPlaces = one
    for (const [other, both] of pairs) if (one === other || one === rarest) stands = merge(both, stands)
    return { ...one, ...stands }
  })
}
