// BM25 of one text, over the words of a question and their synonyms.

import { listWords } from '../../domain/words.ts'
import type { Question, Term } from '../question/read-question.ts'
import type { WordEvidence } from './weigh-heads.ts'
import type { TermMatches } from './word-matches.ts'

/** The terms that a word of a text counts for, with their shares. */
export interface TermLookup {
  sharesOf(word: string, previous: string): readonly TermShare[]
}
type TermShare = readonly [term: number, share: number]

/** Longer texts are scored by their beginning; the relevant passage is found later. */
const READ_CHARACTERS = 20_000
const K1 = 1.2
const B = 0.75

/** Of the weight of a synonym. */
const DISTANT_SHARE = 0.5

/** Synonyms count a share of the word. */
export function lookupOf(matches: readonly Pick<TermMatches, 'term'>[], synonymWeight: number): TermLookup {
  const shares = new Map<string, TermShare[]>()
  const add = (word: string, share: TermShare) => {
    const known = shares.get(word)
    if (known === undefined) shares.set(word, [share])
    else known.push(share)
  }
  for (const [i, { term }] of matches.entries()) {
    for (const form of term.forms) add(form, [i, 1])
    if (synonymWeight === 0) continue
    for (const form of term.relatives) add(form, [i, synonymWeight])
    for (const form of term.distant) add(form, [i, synonymWeight * DISTANT_SHARE])
  }
  // Scripts without spaces are looked for by two characters in a row.
  const hasPairs = [...shares.keys()].some((word) => word.includes(' '))
  return {
    sharesOf: (word, previous) =>
      shares.get(word) ?? (hasPairs ? shares.get(`${previous} ${word}`) : undefined) ?? NO_SHARES,
  }
}

const NO_SHARES: readonly TermShare[] = []

/** How a text matches a question. */
export interface OwnWords {
  /** BM25, as a share of the question's weight. */
  readonly score: number
  /** The share of adjacent word pairs of the question found here. */
  readonly pairs: number
  /** The share of the question's weight found here. */
  readonly coverage: number
  readonly found: readonly string[]
}

export interface WordWeighing {
  readonly question: Question
  readonly evidence: WordEvidence
  /** The mean length of a text, in words. */
  readonly meanWords: number
}

export function weighWords(text: string, lookup: TermLookup, weighing: WordWeighing): OwnWords {
  const { matches, totalWeight } = weighing.evidence
  const counted = countTerms(text, lookup, matches.length)
  const norm = K1 * (1 - B + (B * counted.length) / weighing.meanWords)
  let [score, coverage] = [0, 0]
  const found: string[] = []
  for (const [i, { weight, term }] of matches.entries()) {
    const count = counted.counts[i] as number
    if (count === 0) continue
    score += (weight * count * (K1 + 1)) / (count + norm)
    coverage += weight * Math.min(1, counted.best[i] as number)
    found.push(term.word)
  }
  return {
    score: score / totalWeight,
    coverage: coverage / totalWeight,
    found,
    pairs: sharePairs(weighing.question, matches, counted.adjacent),
  }
}

interface Counted {
  /** Occurrences per term. */
  readonly counts: Float64Array
  /** Per term: 1 for the word itself, a share for a synonym. */
  readonly best: Float64Array
  /** Adjacent terms, encoded as first × number of terms + second. */
  readonly adjacent: ReadonlySet<number>
  /** In words. */
  readonly length: number
}

function countTerms(text: string, lookup: TermLookup, terms: number): Counted {
  const [counts, best] = [new Float64Array(terms), new Float64Array(terms)]
  const adjacent = new Set<number>()
  const words = listWords(text.length > READ_CHARACTERS ? text.slice(0, READ_CHARACTERS) : text)
  let before: readonly TermShare[] = []
  let previous = ''
  for (const word of words) {
    const entries = lookup.sharesOf(word, previous)
    for (const [i, share] of entries) {
      counts[i] = (counts[i] as number) + share
      best[i] = Math.max(best[i] as number, share)
      for (const [j] of before) adjacent.add(j * terms + i)
    }
    before = entries
    previous = word
  }
  return { counts, best, adjacent, length: words.length }
}

function sharePairs(
  { pairs, terms }: Question,
  matches: readonly TermMatches[],
  adjacent: ReadonlySet<number>,
): number {
  if (pairs.length === 0 || adjacent.size === 0) return 0
  const indexOf = new Map(matches.map(({ term }, i) => [term, i]))
  const there = pairs.filter(([one, other]) => {
    const [i, j] = [indexOf.get(terms[one] as Term), indexOf.get(terms[other] as Term)]
    return i !== undefined && j !== undefined && adjacent.has(i * matches.length + j)
  })
  return there.length / pairs.length
}
