// What goes into an answer: in order of rank, what is like the question, nothing nearly twice, up to the limit and
// within the budget. What stays out is told with its reason.

import type { LeftOut, Recalled } from '../domain/recall.ts'
import { listWords } from '../domain/words.ts'
import { type Found, shownOf } from './found.ts'
import { round } from './reasons.ts'

export interface Choice {
  readonly limit: number
  readonly budgetTokens?: number
  readonly leastSimilarity: number
  readonly countTokens: (text: string) => number
  readonly isInSight: (found: Found) => boolean
  /** Told of whatever becomes of it. */
  readonly about?: string
}

export interface Chosen {
  readonly items: readonly Recalled[]
  readonly leftOut: readonly LeftOut[]
}

/** Two texts that share this much of their words say the same. */
const NEARLY_SAME = 0.9
/** Texts with so many words in common are about as long. */
const AS_LONG = 0.8
/** What was close and stayed out is told up to so many. */
const LEFT_OUT = 20

/** The best so many come first however long they are. */
const FIRST = 10
/** What is written around each text: who said it, and when. */
const TOKENS_AROUND = 15

/** `found` comes best first. */
export function chooseItems(found: readonly Found[], choice: Choice): Chosen {
  const verdicts = new Map<Found, Verdict>()
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

/** Of what comes in, the tokens; else the reason why not. */
type Verdict = number | LeftOut['reason']

/**
 * Within a budget the short ones of the long tail come before the long ones: for one of these, several of those go in,
 * and each is nearly as likely to be what is looked for. The order does not depend on limit and budget, so that more of
 * either never gives fewer tokens.
 */
function inOrder(found: readonly Found[], choice: Choice): readonly Found[] {
  if (choice.budgetTokens === undefined) return found
  const possible = found.filter((one) => reasonAgainst(one, choice, 0) === undefined)
  const cost = new Map(
    possible.map((one, rank) => [one, (rank + 1) * (choice.countTokens(shownOf(one).text) + TOKENS_AROUND)]),
  )
  const tail = possible.slice(FIRST).sort((one, other) => (cost.get(one) ?? 0) - (cost.get(other) ?? 0))
  return [...possible.slice(0, FIRST), ...tail, ...found.filter((one) => !cost.has(one))]
}

/** Best first again, whenever they were taken. */
function toChosen(
  found: readonly Found[],
  verdicts: ReadonlyMap<Found, Verdict>,
  about: string | undefined,
): Chosen {
  const items: Recalled[] = []
  const leftOut: LeftOut[] = []
  for (const one of found) {
    const verdict = verdicts.get(one) as Verdict
    if (typeof verdict === 'number') items.push(toRecalled(one, verdict))
    else if (leftOut.length < LEFT_OUT || one.id === about)
      leftOut.push({ kind: one.kind, id: one.id, score: one.score, reason: verdict, why: one.why })
  }
  return { items, leftOut }
}

function reasonAgainst(
  one: Found,
  { leastSimilarity, isInSight, limit }: Choice,
  chosen: number,
): LeftOut['reason'] | undefined {
  if (isInSight(one)) return 'already in sight'
  if (one.similarity < leastSimilarity && one.isInstruction === undefined) return 'below the threshold'
  return chosen >= limit ? 'over the limit' : undefined
}

interface Room {
  readonly one: Found
  readonly tokens: number
  readonly tokensLeft: number
  readonly taken: readonly Taken[]
}

function reasonOfRoom({ one, tokens, tokensLeft, taken }: Room): LeftOut['reason'] | undefined {
  if (tokens > tokensLeft) return 'over the budget'
  return taken.some((other) => isNearlySame(one, other)) ? 'nearly the same as another' : undefined
}

/** Its words are only looked at where another text is about as long. */
interface Taken {
  readonly found: Found
  words?: ReadonlySet<string>
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(listWords(text))

/** Either the same words, or a fact beside the one message that says it. */
function isNearlySame(one: Found, taken: Taken): boolean {
  const { found } = taken
  if (one.kind === 'fact' && found.kind === 'message') {
    return one.messageIds.length === 1 && found.messageIds.includes(one.messageIds[0] as never)
  }
  const [text, other] = [shownOf(one).text, shownOf(found).text]
  const [short, long] = [text.length, other.length].sort((a, b) => a - b) as [number, number]
  if (short < AS_LONG * long) return false
  const own = wordsOf(text)
  taken.words ??= wordsOf(other)
  const { words } = taken
  if (Math.min(own.size, words.size) < NEARLY_SAME * Math.max(own.size, words.size)) return false
  let shared = 0
  for (const word of own) if (words.has(word)) shared += 1
  return shared >= NEARLY_SAME * (own.size + words.size - shared)
}

function toRecalled(found: Found, tokens: number): Recalled {
  const { similarity: _, isInstruction: __, group: ___, place: ____, findPassage: _____, ...item } = found
  return { ...item, ...shownOf(found), score: round(item.score), tokens }
}
