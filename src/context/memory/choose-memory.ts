// What is remembered, within its share. Half of the share is for what stands in front, whatever is asked; the
// rest, and what the front does not need, is for what belongs to the question, in the order recall gave it.
//
// For the same candidates: (a) never more tokens than the share; (b) a higher limit of any kind never gives fewer
// tokens, nor does a larger share, unless a fact thereby moves to the front, where it is put in fewer words;
// (c) nothing depends on scores but the order they put things in.

import type { CountTokens } from '../../domain/tokens.ts'
import type { MemoryLimits } from '../material.ts'
import type { Candidate, Dropped, DropReason, Taken } from './candidate.ts'
import { divideShare } from './divide-share.ts'
import { type Filled, fillShare } from './fill-share.ts'
import type { Candidates } from './find-candidates.ts'
import type { StandingMemory } from './standing.ts'
import { HEADINGS, toBlock } from './to-lines.ts'

export interface ChosenMemory {
  readonly standing: Readonly<Record<keyof StandingMemory, readonly Taken[]>>
  readonly beside: Readonly<Record<BesideSection, readonly Taken[]>>
  /** The most that each could have had. */
  readonly budgets: { readonly memory: number; readonly beside: number }
  readonly dropped: readonly Dropped[]
}

type BesideSection = 'recalled' | 'notes' | 'chunks'

export interface MemoryRequest {
  readonly shareTokens: number
  readonly limits: MemoryLimits
  readonly count: CountTokens
}

/** Of the front's half. */
const STANDING_SHARES: Readonly<Record<keyof StandingMemory, number>> = {
  wishes: 3 / 8,
  pinned: 1 / 4,
  facts: 1 / 8,
  preferences: 1 / 4,
}
const STANDING: readonly (keyof StandingMemory)[] = ['wishes', 'pinned', 'facts', 'preferences']

export function chooseMemory(candidates: Candidates, request: MemoryRequest): ChosenMemory {
  const { count, shareTokens } = request
  const front = frontTokens(candidates, request)
  const standing = fillFront(candidates, front.forLines, request)
  const inFront = new Set(
    STANDING.flatMap((name) => standing[name].taken).map(({ candidate }) => candidate.item.id),
  )
  const forBeside = Math.floor(shareTokens - front.needed - besideOverhead(candidates, count))
  const beside = fillShare(candidates.beside, {
    budgetTokens: forBeside,
    count,
    refuse: (candidate, taken) =>
      candidate.item.kind === 'fact' && inFront.has(candidate.item.id)
        ? 'already in sight'
        : refuseMore(candidate, taken, request.limits),
  })
  return {
    standing: takenOf(standing),
    beside: inSections(beside.taken),
    budgets: { memory: Math.floor(shareTokens / 2), beside: Math.max(0, forBeside) },
    dropped: [
      ...candidates.excludeMessageIds,
      ...beside.dropped,
      ...STANDING.flatMap((name) => standing[name].dropped),
    ],
  }
}

function fillFront(
  candidates: Candidates,
  forLines: number,
  request: MemoryRequest,
): Record<keyof StandingMemory, Filled> {
  const { standing } = candidates
  const { limits, count } = request
  const needed = frontNeeds(candidates, request)
  const claims = STANDING.map((name) => ({ neededTokens: needed[name], share: STANDING_SHARES[name] }))
  const budgets = divideShare(forLines, claims)
  const filled = STANDING.map((name, i): [keyof StandingMemory, Filled] => [
    name,
    fillShare(standing[name], {
      budgetTokens: Math.floor(budgets[i] ?? 0),
      count,
      refuse: (_, taken) =>
        name === 'facts' && taken.length >= limits.facts ? 'over the limit of its kind' : undefined,
    }),
  ])
  return Object.fromEntries(filled) as Record<keyof StandingMemory, Filled>
}

/** Turns, queries and summaries of topics count together. */
const isOfKind = (kind: 'turn' | 'fact' | 'note' | 'chunk', { item }: Candidate): boolean =>
  kind === 'turn' ? ['message', 'query', 'summary'].includes(item.kind) : item.kind === kind

function refuseMore(
  candidate: Candidate,
  taken: readonly Taken[],
  limits: MemoryLimits,
): DropReason | undefined {
  const most = {
    turn: limits.recalledTurns,
    fact: limits.facts,
    note: limits.notes,
    chunk: limits.finalChunks,
  }
  const kinds = ['turn', 'fact', 'note', 'chunk'] as const
  const kind = kinds.find((one) => isOfKind(one, candidate)) ?? 'turn'
  const count = taken.filter((one) => isOfKind(kind, one.candidate)).length
  return count >= most[kind] ? 'over the limit of its kind' : undefined
}

function inSections(taken: readonly Taken[]): ChosenMemory['beside'] {
  const ofKind = (kind: 'note' | 'chunk') => taken.filter(({ candidate }) => isOfKind(kind, candidate))
  const others = taken.filter(
    ({ candidate }) => !(isOfKind('note', candidate) || isOfKind('chunk', candidate)),
  )
  return { recalled: others, notes: ofKind('note'), chunks: ofKind('chunk') }
}

/** What all of it would take, limits of kinds aside: so much of the share is set aside for it. */
export function neededTokens(candidates: Candidates, request: MemoryRequest): number {
  const front = frontTokens(candidates, request).needed
  const beside = sizeOf(candidates.beside) + besideOverhead(candidates, request.count)
  return Math.min(request.shareTokens, Math.ceil(front + beside))
}

interface FrontTokens {
  /** What the front takes at most. */
  readonly needed: number
  /** Without marks and headings. */
  readonly forLines: number
}

/** What somebody likes is a long list, and what of it matters to the question is recalled: it takes its part, no more. */
function frontNeeds(
  { standing }: Candidates,
  { shareTokens }: MemoryRequest,
): Record<keyof StandingMemory, number> {
  return {
    wishes: sizeOf(standing.wishes),
    pinned: sizeOf(standing.pinned),
    facts: sizeOf(standing.facts),
    preferences: Math.min(sizeOf(standing.preferences), (shareTokens / 2) * STANDING_SHARES.preferences),
  }
}

function frontTokens(candidates: Candidates, request: MemoryRequest): FrontTokens {
  const { shareTokens, count } = request
  const needs = frontNeeds(candidates, request)
  const size = STANDING.reduce((sum, name) => sum + needs[name], 0)
  if (size === 0) return { needed: 0, forLines: 0 }
  const overhead = overheadOf([HEADINGS.wishes, HEADINGS.known], count)
  return { needed: Math.min(shareTokens / 2, size + overhead), forLines: shareTokens / 2 - overhead }
}

function besideOverhead({ beside }: Candidates, count: CountTokens): number {
  if (beside.length === 0) return 0
  const has = (kind: 'note' | 'chunk') => beside.some((candidate) => isOfKind(kind, candidate))
  return overheadOf(
    [HEADINGS.recalled, ...(has('note') ? [HEADINGS.notes] : []), ...(has('chunk') ? [HEADINGS.chunks] : [])],
    count,
  )
}

/** What the marks, the headings and the distance to the words below take. */
const overheadOf = (headings: readonly string[], count: CountTokens): number =>
  count(`${toBlock([{ lines: headings }])}\n\n`)

const sizeOf = (candidates: readonly Candidate[]): number =>
  candidates.reduce((sum, { tokens }) => sum + tokens, 0)

const takenOf = (filled: Record<keyof StandingMemory, Filled>): ChosenMemory['standing'] => ({
  wishes: filled.wishes.taken,
  pinned: filled.pinned.taken,
  facts: filled.facts.taken,
  preferences: filled.preferences.taken,
})
