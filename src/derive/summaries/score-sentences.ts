// Scores how much a sentence matters, from 0 to 1, on a scale that is stable from one roll to the next.
//
// Half of the weight is the subject: the mean weight of the sentence's content words, where a word's weight is
// its frequency here, relative to the sentence with the highest weight. A mean, so that long sentences do not win
// by length. The other half are cues: the speech act (people report wants, plans, requests and suggestions rather
// than remarks), statements worth keeping, decisions, figures, and being at the start, where a conversation says what it is about. A
// sentence that depends on another ("It is too big.") or contains a generic "you" loses.

import { findStatements, type StatementDetails } from '../facts/statements/find-statements.ts'
import { supersedes } from '../facts/statements/supersede.ts'
import { meanWeight } from './content-words.ts'
import type { SentenceCandidate } from './find-sentences.ts'
import type { Turn } from './summary.ts'

type CueName =
  | 'statement'
  | 'weakStatement'
  | 'opening'
  | 'decision'
  | 'figure'
  | 'name'
  | 'leaning'
  | 'vagueYou'
  | 'machine'

const CENTRALITY = 1
const ACTS: Readonly<Record<SentenceCandidate['act'], number>> = Object.freeze({
  request: 0.3, // requests are what a conversation is for
  suggest: 0.3,
  own: 0.2, // about the speaker: wants, plans, problems
  ask: 0.1, // shows what is being discussed, if not the answer
  tell: 0,
  quote: -0.2, // reads worse than a report
})
const CUES: Readonly<Record<CueName, number>> = Object.freeze({
  opening: 0.4, // the purpose is usually stated first
  statement: 0.3, // a decision, plan, figure or name that lasts (facts/statements)
  weakStatement: 0.1,
  decision: 0.2,
  figure: 0.1,
  name: 0.1,
  leaning: -0.2,
  vagueYou: -0.2,
  machine: -0.3, // a model can repeat its part; what its user wants is said only once
})
/** The highest possible sum, so that a weight is at most 1. */
const MOST =
  CENTRALITY + ACTS.request + CUES.opening + CUES.decision + CUES.figure + CUES.name + CUES.statement
/** No sentence weighs nothing, unless it is outdated. */
const LEAST = 0.01

/** The first exchange: one sentence from each side. */
const OPENING_SENTENCES = 2
const DECISION =
  /\b(?:we will|we'll|i will|i'll|going to|decided?|decision|booked|reserved|agreed?|deal|promised?|confirm(?:ed)?|settled|chosen?|chose|plan(?:ned)? to|deadline)\b/i
const FIGURE =
  /\p{N}|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|june|july|august|september|october|november|december|tomorrow|tonight|noon|midnight)\b/iu
const LEANING =
  /^\p{L}[^“]*? (?:says|thinks|asks(?: \S+)? (?:whether|why|how|when|where)) (?:it|that|this|these|those|they|he|she|then|because)\b/u

/** A capital inside a sentence. */
const NAME = /\p{Ll},? (?!I\b)\p{Lu}/u
const GENERIC_YOU = /\b(?:because|when|if|where|that|so) you\b/i

interface Weighing {
  readonly weightOf: (word: string) => number
  /** Whether the turns begin the conversation. */
  readonly isOpening: boolean
  /** Whether a later message supersedes it. */
  readonly isOutdated: (candidate: SentenceCandidate) => boolean
}

/** The weight of each candidate, in the same order. */
export function scoreSentences(
  candidates: readonly SentenceCandidate[],
  { weightOf, isOpening, isOutdated }: Weighing,
): number[] {
  const means = candidates.map(({ words }) => meanWeight(words, weightOf))
  const highest = means.reduce((most, mean) => Math.max(most, mean), 0)
  return candidates.map((candidate, place) => {
    const centrality = highest === 0 ? 0 : Math.sqrt((means[place] ?? 0) / highest)
    const opening = isOpening && place < OPENING_SENTENCES ? CUES.opening : 0
    if (isOutdated(candidate)) return 0
    const statement = weighStatement(candidate.original)
    const sum = CENTRALITY * centrality + ACTS[candidate.act] + opening + cues(candidate) + statement
    return Math.max(LEAST, sum / MOST)
  })
}

function cues({ act, text, original, isMachine }: SentenceCandidate): number {
  const isVague =
    (act === 'tell' && /\byou(?:r|rs)?\b/i.test(original)) || (act === 'own' && GENERIC_YOU.test(original))
  return (
    (DECISION.test(original) ? CUES.decision : 0) +
    (FIGURE.test(original) ? CUES.figure : 0) +
    (NAME.test(original) ? CUES.name : 0) +
    (isMachine ? CUES.machine : 0) +
    (LEANING.test(text) ? CUES.leaning : 0) +
    (isVague ? CUES.vagueYou : 0)
  )
}

/** Comparing with more would not be linear; a term in more sentences is too common to matter. */
const MAX_OF_TERM = 20

/** Points for a sentence that is worth keeping as a fact. */
function weighStatement(original: string): number {
  const [first] = findStatements(original)
  if (first === undefined) return 0
  return first.details.isWeak ? CUES.weakStatement : CUES.statement
}

interface LaterStatement {
  readonly place: number
  readonly details: StatementDetails
}

/**
 * Finds what a later message of a person supersedes. Messages are read whole, since a change may take two sentences:
 * "They moved the fair. 12 May, same place."
 */
export function findOutdated(
  turns: readonly Turn[],
): (said: Pick<SentenceCandidate, 'original' | 'messageId'>) => boolean {
  const placeOf = new Map(turns.map(({ id }, place) => [id, place]))
  const byTerm = listStatements(turns)
  return ({ original, messageId }) => {
    const said = placeOf.get(messageId) ?? -1
    const isOld = (older: StatementDetails) =>
      older.terms.some((term) =>
        byTerm.get(term)?.some(({ place, details }) => place > said && supersedes(details, older)),
      )
    const statements = findStatements(original)
    const strong = statements.filter(({ details }) => !details.isWeak)
    const read = strong.length > 0 ? strong : statements
    return read.length > 0 && read.every(({ details }) => isOld(details))
  }
}

/** What people state, by its terms. */
function listStatements(turns: readonly Turn[]): ReadonlyMap<string, readonly LaterStatement[]> {
  const byTerm = new Map<string, LaterStatement[]>()
  for (const [place, { text, role, name }] of turns.entries()) {
    if (role === 'assistant' && name === undefined) continue
    const stated = findStatements(text).flatMap(({ details }) =>
      details.terms.map((term) => ({ term, place, details })),
    )
    for (const { term, ...statement } of stated) {
      const list = byTerm.get(term) ?? []
      if (list.length < MAX_OF_TERM) byTerm.set(term, [...list, statement])
    }
  }
  return byTerm
}
