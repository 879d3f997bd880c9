// Chooses the items of an answer in order of rank: similar to the question, no near-duplicates, up to the limit and
// within the budget. What is left out is reported with its reason.

import type { LeftOut, Recalled } from '../domain/recall.ts'
import { listWords } from '../domain/words.ts'
import { round } from './reasons.ts'
import { type ScoredItem, shownOf } from './scored-item.ts'

export interface Choice {
  readonly limit: number
  readonly budgetTokens?: number
  readonly leastSimilarity: number
  readonly countTokens: (text: string) => number
  readonly isVisible: (found: ScoredItem) => boolean
  /** Always reported, as an item or as left out. */
  readonly about?: string
}

export interface Chosen {
  readonly items: readonly Recalled[]
  readonly leftOut: readonly LeftOut[]
}

/** Two texts that share this much of their words are duplicates. */
const DUPLICATE_OVERLAP = 0.9
/** Duplicates have about the same length. */
const MIN_LENGTH_RATIO = 0.8
/** Left-out items that are reported. */
const MAX_LEFT_OUT = 20

/** The best items keep their order whatever their length. */
const FIXED_ITEMS = 10
/** Overhead of each text: who said it, and when. */
const TOKENS_PER_ITEM = 15

/** `found` is sorted best first. */
export function chooseItems(found: readonly ScoredItem[], choice: Choice): Chosen {
  const verdicts = new Map<ScoredItem, Verdict>()
  const taken: Taken[] = []
  let tokensLeft = choice.budgetTokens ?? Number.POSITIVE_INFINITY
  for (const one of inOrder(found, choice)) {
    const early = reasonAgainst(one, choice, taken.length)
    const tokens = early === undefined ? choice.countTokens(shownOf(one).text) : 0
    const reason = early ?? reasonOfRoom({ one, tokens, tokensLeft, taken })
    verdicts.set(one, reason ?? tokens)
    if (reason !== undefined) continue
    taken.push({ found: one })
    tokensLeft -= tokens
  }
  return toChosen(found, verdicts, choice.about)
}

/** Tokens of a chosen item, or the reason it was left out. */
type Verdict = number | LeftOut['reason']

/**
 * Within a budget, short items of the long tail come before long ones: several fit in the place of one, and each is
 * nearly as likely to be relevant. The order does not depend on limit and budget, so raising either never gives fewer
 * tokens.
 */
function inOrder(found: readonly ScoredItem[], choice: Choice): readonly ScoredItem[] {
  if (choice.budgetTokens === undefined) return found
  const possible = found.filter((one) => reasonAgainst(one, choice, 0) === undefined)
  const cost = new Map(
    possible.map((one, rank) => [
      one,
      (rank + 1) * (choice.countTokens(shownOf(one).text) + TOKENS_PER_ITEM),
    ]),
  )
  const tail = possible.slice(FIXED_ITEMS).sort((one, other) => (cost.get(one) ?? 0) - (cost.get(other) ?? 0))
  return [...possible.slice(0, FIXED_ITEMS), ...tail, ...found.filter((one) => !cost.has(one))]
}

/** Sorts the chosen items best first again. */
function toChosen(
  found: readonly ScoredItem[],
  verdicts: ReadonlyMap<ScoredItem, Verdict>,
  about: string | undefined,
): Chosen {
  const items: Recalled[] = []
  const leftOut: LeftOut[] = []
  for (const one of found) {
    const verdict = verdicts.get(one) as Verdict
    if (typeof verdict === 'number') items.push(toRecalled(one, verdict))
    else if (leftOut.length < MAX_LEFT_OUT || one.id === about)
      leftOut.push({ kind: one.kind, id: one.id, score: one.score, reason: verdict, why: one.why })
  }
  return { items, leftOut }
}

function reasonAgainst(
  one: ScoredItem,
  { leastSimilarity, isVisible, limit }: Choice,
  chosen: number,
): LeftOut['reason'] | undefined {
  if (isVisible(one)) return 'already in the context'
  if (one.similarity < leastSimilarity && one.isInstruction === undefined) return 'below the threshold'
  return chosen >= limit ? 'over the limit' : undefined
}

interface Room {
  readonly one: ScoredItem
  readonly tokens: number
  readonly tokensLeft: number
  readonly taken: readonly Taken[]
}

function reasonOfRoom({ one, tokens, tokensLeft, taken }: Room): LeftOut['reason'] | undefined {
  if (tokens > tokensLeft) return 'over the budget'
  return taken.some((other) => isNearlySame(one, other)) ? 'nearly the same as another' : undefined
}

/** Words are computed only when another text has about the same length. */
interface Taken {
  readonly found: ScoredItem
  words?: ReadonlySet<string>
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(listWords(text))

/** The same words, or a fact next to the one message that states it. */
function isNearlySame(one: ScoredItem, taken: Taken): boolean {
  const { found } = taken
  if (one.kind === 'fact' && found.kind === 'message') {
    return one.messageIds.length === 1 && found.messageIds.includes(one.messageIds[0] as never)
  }
  const [text, other] = [shownOf(one).text, shownOf(found).text]
  const [short, long] = [text.length, other.length].sort((a, b) => a - b) as [number, number]
  if (short < MIN_LENGTH_RATIO * long) return false
  const own = wordsOf(text)
  taken.words ??= wordsOf(other)
  const { words } = taken
  if (Math.min(own.size, words.size) < DUPLICATE_OVERLAP * Math.max(own.size, words.size)) return false
  let shared = 0
  for (const word of own) if (words.has(word)) shared += 1
  return shared >= DUPLICATE_OVERLAP * (own.size + words.size - shared)
}

function toRecalled(found: ScoredItem, tokens: number): Recalled {
  const { similarity: _, isInstruction: __, group: ___, place: ____, findPassage: _____, ...item } = found
  return { ...item, ...shownOf(found), score: round(item.score), tokens }
}
