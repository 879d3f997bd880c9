// What is remembered, within its share. Half of the share is for what stands in front, whatever is asked; the
// rest, and what the front does not need, is for what belongs to the question. There each of the best eight
// brings an eighth of it to its group, so that a question about documents gets documents.
//
// For the same candidates: (a) never more tokens than the share; (b) a larger share, or a higher limit of any
// kind, never gives fewer tokens, in any group; (c) nothing depends on scores but the order they put things in.

import type { CountTokens } from '../../domain/tokens.ts'
import type { MemoryLimits } from '../material.ts'
import type { Candidate, Dropped, Taken } from './candidate.ts'
import { type Claim, divideShare } from './divide-share.ts'
import { type Filled, fillGroup } from './fill-group.ts'
import type { BesideGroup, Candidates } from './find-candidates.ts'
import type { StandingMemory } from './standing.ts'
import { HEADINGS, toBlock } from './to-lines.ts'

export interface ChosenMemory {
  readonly standing: Readonly<Record<keyof StandingMemory, readonly Taken[]>>
  readonly beside: Readonly<Record<BesideGroup, readonly Taken[]>>
  readonly budgets: Readonly<Record<'memory' | BesideGroup, number>>
  readonly dropped: readonly Dropped[]
}

export interface MemoryRequest {
  readonly shareTokens: number
  readonly limits: MemoryLimits
  readonly count: CountTokens
}

const STANDING_SHARES: Readonly<Record<keyof StandingMemory, number>> = {
  wishes: 1 / 2,
  pinned: 1 / 4,
  facts: 1 / 8,
  preferences: 1 / 8,
}
const STANDING: readonly (keyof StandingMemory)[] = ['wishes', 'pinned', 'facts', 'preferences']
const BESIDE: readonly BesideGroup[] = ['turns', 'facts', 'notes', 'chunks']
/** So many of the best decide which group gets how much. A power of two, so that no share is rounded. */
const BEST = 8

export function chooseMemory(candidates: Candidates, request: MemoryRequest): ChosenMemory {
  const { limits, count, shareTokens } = request
  const front = frontTokens(candidates, shareTokens, count)
  const frontMost: Record<keyof StandingMemory, number> = {
    wishes: Number.POSITIVE_INFINITY,
    pinned: Number.POSITIVE_INFINITY,
    facts: limits.facts,
    preferences: Number.POSITIVE_INFINITY,
  }
  const standing = fillAll(STANDING, {
    candidates: candidates.standing,
    budgets: divideShare(front.forLines, standingClaims(candidates)),
    most: frontMost,
    count,
  })
  const inFront = new Set(STANDING.flatMap((name) => standing.filled[name].taken).map(nameOf))
  const isInFront = (candidate: Candidate) => inFront.has(nameOf({ candidate }))
  const beside = fillAll(BESIDE, {
    candidates: { ...candidates.beside, facts: candidates.beside.facts.filter((one) => !isInFront(one)) },
    budgets: divideShare(
      shareTokens - front.needed - besideOverhead(candidates, count),
      besideClaims(candidates),
    ),
    most: {
      turns: limits.recalledTurns,
      facts: limits.facts,
      notes: limits.notes,
      chunks: limits.finalChunks,
    },
    count,
  })
  return {
    standing: takenOf(standing.filled),
    beside: takenOf(beside.filled),
    budgets: { memory: Math.floor(shareTokens / 2), ...beside.budgets },
    dropped: [
      ...candidates.inSight,
      ...candidates.beside.facts
        .filter(isInFront)
        .map((candidate): Dropped => ({ candidate, reason: 'already in sight' })),
      ...BESIDE.flatMap((name) => beside.filled[name].dropped),
      ...STANDING.flatMap((name) => standing.filled[name].dropped),
    ],
  }
}

const nameOf = ({ candidate }: Pick<Taken, 'candidate'>): string => candidate.item.id

/** What all of it would take, limits of kinds aside: as much of the share is set aside for it. */
export function neededTokens(candidates: Candidates, { shareTokens, count }: MemoryRequest): number {
  const front = frontTokens(candidates, shareTokens, count).needed
  const beside = sizeOf(BESIDE.flatMap((name) => candidates.beside[name]))
  return Math.min(shareTokens, Math.ceil(front + beside + besideOverhead(candidates, count)))
}

interface FrontTokens {
  /** What the front takes at most. */
  readonly needed: number
  /** Without marks and headings. */
  readonly forLines: number
}

function frontTokens(candidates: Candidates, shareTokens: number, count: CountTokens): FrontTokens {
  const size = sizeOf(STANDING.flatMap((name) => candidates.standing[name]))
  if (size === 0) return { needed: 0, forLines: 0 }
  const overhead = overheadOf([HEADINGS.wishes, HEADINGS.known], count)
  return { needed: Math.min(shareTokens / 2, size + overhead), forLines: shareTokens / 2 - overhead }
}

function besideOverhead({ beside }: Candidates, count: CountTokens): number {
  if (BESIDE.every((name) => beside[name].length === 0)) return 0
  return overheadOf(
    [
      HEADINGS.recalled,
      ...(beside.notes.length > 0 ? [HEADINGS.notes] : []),
      ...(beside.chunks.length > 0 ? [HEADINGS.chunks] : []),
    ],
    count,
  )
}

/** What the marks, the headings and the distance to the words below take. */
const overheadOf = (headings: readonly string[], count: CountTokens): number =>
  count(`${toBlock([{ lines: headings }])}\n\n`)

const sizeOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { tokens }) => sum + tokens, 0)

const standingClaims = ({ standing }: Candidates): readonly Claim[] =>
  STANDING.map((name) => ({ neededTokens: sizeOf(standing[name]), share: STANDING_SHARES[name] }))

function besideClaims({ beside, best }: Candidates): readonly Claim[] {
  const first = best.slice(0, BEST)
  return BESIDE.map((name) => ({
    neededTokens: sizeOf(beside[name]),
    share: first.filter((group) => group === name).length / BEST,
  }))
}

interface Groups<Name extends string> {
  readonly candidates: Readonly<Record<Name, readonly Candidate[]>>
  readonly budgets: readonly number[]
  readonly most: Readonly<Record<Name, number>>
  readonly count: CountTokens
}

function fillAll<Name extends string>(
  names: readonly Name[],
  { candidates, budgets, most, count }: Groups<Name>,
): { readonly filled: Record<Name, Filled>; readonly budgets: Record<Name, number> } {
  const whole = names.map((name, i): [Name, number] => [name, Math.floor(budgets[i] ?? 0)])
  const filled = whole.map(([name, budgetTokens]): [Name, Filled] => [
    name,
    fillGroup(candidates[name], { budgetTokens, most: most[name], count }),
  ])
  return {
    filled: Object.fromEntries(filled) as Record<Name, Filled>,
    budgets: Object.fromEntries(whole) as Record<Name, number>,
  }
}

const takenOf = <Name extends string>(filled: Record<Name, Filled>): Record<Name, readonly Taken[]> =>
  Object.fromEntries(
    Object.entries<Filled>(filled).map(([name, { taken }]) => [name, taken]),
  ) as unknown as Record<Name, readonly Taken[]>
