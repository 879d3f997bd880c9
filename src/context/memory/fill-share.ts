import type { CountTokens } from '../../domain/tokens.ts'
import {
  countLine,
  type Dropped,
  type DropReason,
  type MemoryCandidate,
  type Taken,
} from './memory-candidate.ts'

/** A shorter beginning is not useful. */
const MIN_CUT_TOKENS = 40
/** A cut moves back to the last space within this distance. */
const MAX_WORD_CUT = 20
const CUT = '…'

export interface FillRequest {
  readonly budgetTokens: number
  /** A reason to leave a candidate out although it fits; undefined to include it. */
  readonly refuse: (candidate: MemoryCandidate, taken: readonly Taken[]) => DropReason | undefined
  readonly count: CountTokens
}

export interface Filled {
  readonly taken: readonly Taken[]
  readonly dropped: readonly Dropped[]
}

/**
 * Takes candidates, best first, until the budget is used up; the last one may be cut. A refused candidate still uses its
 * part of the budget, and nothing smaller replaces one that does not fit. So a larger budget never gives fewer tokens,
 * and refusing more never gives more.
 */
export function fillShare(candidates: readonly MemoryCandidate[], request: FillRequest): Filled {
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

function take(candidate: MemoryCandidate, leftTokens: number, count: CountTokens): Taken | undefined {
  const { text, toLine, tokens, canBeCut } = candidate
  if (tokens <= leftTokens) return { candidate, line: toLine(text), tokens, isCut: false }
  if (!canBeCut || leftTokens < MIN_CUT_TOKENS) return undefined
  const line = cutLine(candidate, leftTokens, count)
  return line === undefined ? undefined : { candidate, line, tokens: countLine(line, count), isCut: true }
}

/** The longest beginning whose line fits. */
function cutLine(
  { text, toLine }: MemoryCandidate,
  maxTokens: number,
  count: CountTokens,
): string | undefined {
  const lineOf = (length: number) => toLine(beginningOf(text, length))
  const fits = (length: number) => countLine(lineOf(length), count) <= maxTokens
  let low = 0
  // Few tokens have more than 16 characters, so longer texts need not be counted.
  let high = Math.min(text.length - 1, maxTokens * 16)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low > 0 && fits(low) ? lineOf(low) : undefined
}

function beginningOf(text: string, length: number): string {
  const space = text.slice(0, length).search(/\s\S*$/)
  const end = space > length - MAX_WORD_CUT ? space : length
  // Never splits a surrogate pair.
  const isSplit = /[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length
  return text.slice(0, isSplit ? end - 1 : end).trimEnd() + CUT
}
