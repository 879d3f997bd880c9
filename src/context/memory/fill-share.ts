import type { CountTokens } from '../../domain/tokens.ts'
import { type Candidate, countLine, type Dropped, type DropReason, type Taken } from './candidate.ts'

/** Below this, the beginning of something says nothing. */
const LEAST_CUT_TOKENS = 40
/** A cut moves back to the last space, if it is near. */
const SPACE_WITHIN = 20
const CUT = '…'

export interface FillRequest {
  readonly budgetTokens: number
  /** Why a candidate stays out although there is room for it; undefined: it does not. */
  readonly refuse: (candidate: Candidate, taken: readonly Taken[]) => DropReason | undefined
  readonly count: CountTokens
}

export interface Filled {
  readonly taken: readonly Taken[]
  readonly dropped: readonly Dropped[]
}

/**
 * Takes candidates, best first, until the budget is used up; the last one may be cut. What is refused uses its
 * part of the budget all the same, and no smaller one takes the place of what does not fit: so a larger budget
 * never gives fewer tokens, and refusing more never gives more.
 */
export function fillShare(candidates: readonly Candidate[], request: FillRequest): Filled {
  const taken: Taken[] = []
  const dropped: Dropped[] = []
  let leftTokens = request.budgetTokens
  let isFull = false
  for (const candidate of candidates) {
    const one: Taken | undefined = isFull ? undefined : take(candidate, leftTokens, request.count)
    isFull ||= one === undefined || one.isCut
    leftTokens -= one?.tokens ?? 0
    const reason = one === undefined ? 'over the budget of its section' : request.refuse(candidate, taken)
    if (one === undefined || reason !== undefined) dropped.push({ candidate, reason: reason as DropReason })
    else taken.push(one)
  }
  return { taken, dropped }
}

function take(candidate: Candidate, leftTokens: number, count: CountTokens): Taken | undefined {
  const { text, toLine, tokens, canBeCut } = candidate
  if (tokens <= leftTokens) return { candidate, line: toLine(text), tokens, isCut: false }
  if (!canBeCut || leftTokens < LEAST_CUT_TOKENS) return undefined
  const line = cutLine(candidate, leftTokens, count)
  return line === undefined ? undefined : { candidate, line, tokens: countLine(line, count), isCut: true }
}

/** The longest beginning whose line has no more tokens than that. */
function cutLine({ text, toLine }: Candidate, mostTokens: number, count: CountTokens): string | undefined {
  const lineOf = (length: number) => toLine(beginningOf(text, length))
  const fits = (length: number) => countLine(lineOf(length), count) <= mostTokens
  let low = 0
  // Hardly a token has more characters, and counting a long text to throw most of it away takes time.
  let high = Math.min(text.length - 1, mostTokens * 16)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low > 0 && fits(low) ? lineOf(low) : undefined
}

function beginningOf(text: string, length: number): string {
  const space = text.slice(0, length).search(/\s\S*$/)
  const end = space > length - SPACE_WITHIN ? space : length
  // Half of a character is none.
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length
  return text.slice(0, isSplit ? end - 1 : end).trimEnd() + CUT
}
