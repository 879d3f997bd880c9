import type { CountTokens } from '../../domain/tokens.ts'
import { type Candidate, countLine, type Dropped, type Taken } from './candidate.ts'

/** Below this, the beginning of something says nothing. */
const LEAST_CUT_TOKENS = 40
/** A cut moves back to the last space, if it is near. */
const SPACE_WITHIN = 20
const CUT = '…'

export interface GroupLimits {
  readonly budgetTokens: number
  /** The most candidates. */
  readonly most: number
  readonly count: CountTokens
}

export interface Filled {
  readonly taken: readonly Taken[]
  readonly dropped: readonly Dropped[]
}

/**
 * Takes candidates, best first, until the budget is used up; the last one may be cut. No smaller one takes the
 * place of what does not fit: a little more room would throw it out again, and less room could bring in more.
 */
export function fillGroup(candidates: readonly Candidate[], limits: GroupLimits): Filled {
  const taken: Taken[] = []
  const dropped: Dropped[] = []
  let leftTokens = limits.budgetTokens
  let isFull = false
  for (const candidate of candidates) {
    if (taken.length >= limits.most) {
      dropped.push({ candidate, reason: 'over the limit of its kind' })
      continue
    }
    const one: Taken | undefined = isFull ? undefined : take(candidate, leftTokens, limits.count)
    isFull ||= one === undefined || one.isCut
    if (one === undefined) dropped.push({ candidate, reason: 'over the budget of its section' })
    else {
      taken.push(one)
      leftTokens -= one.tokens
    }
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
  // No token is longer than what a tokenizer takes for one word; a guess that is too long is halved.
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
