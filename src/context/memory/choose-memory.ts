// Chooses memory within its share. A part of the share, at most half in long conversations, is for standing memory in the
// prefix; the rest, and what the prefix does not need, is for items recalled for the question, in the order of recall.
//
// For the same candidates: (a) never more tokens than the share; (b) a higher limit of any kind never gives fewer tokens,
// nor does a larger share, unless a fact moves to the prefix, where its text is shorter; (c) scores matter only for the
// order.

import type { CountTokens } from '../../domain/tokens.ts'
import type { MemoryLimits } from '../material.ts'
import { type Filled, fillShare } from './fill-share.ts'
import type { MemoryCandidates } from './find-candidates.ts'
import type { Dropped, DropReason, MemoryCandidate, Taken } from './memory-candidate.ts'
import type { StandingMemory } from './standing.ts'
import { HEADINGS, toBlock } from './to-lines.ts'

export interface ChosenMemory {
  readonly standing: Readonly<Record<keyof StandingMemory, readonly Taken[]>>
  readonly forQuestion: Readonly<Record<QuestionSection, readonly Taken[]>>
  /** Maximum tokens of each. */
  readonly budgets: { readonly memory: number; readonly page: number; readonly forQuestion: number }
  readonly dropped: readonly Dropped[]
}

type QuestionSection = 'recalled' | 'page' | 'notes' | 'chunks'

export interface MemoryRequest {
  readonly shareTokens: number
  /** The part of the share for standing memory. */
  readonly frontTokens: number
  readonly limits: MemoryLimits
  readonly count: CountTokens
}

/** Shares of the prefix's half. */
const STANDING_SHARES: Readonly<Record<keyof StandingMemory, number>> = {
  wishes: 1 / 4,
  blocks: 1 / 4,
  pinned: 1 / 8,
  facts: 1 / 8,
  preferences: 1 / 4,
}
const STANDING: readonly (keyof StandingMemory)[] = ['wishes', 'blocks', 'pinned', 'facts', 'preferences']

export function chooseMemory(candidates: MemoryCandidates, request: MemoryRequest): ChosenMemory {
  const { count, shareTokens } = request
  const front = frontTokens(candidates, request)
  const standing = fillFront(candidates, front.forLines, request)
  const inFront = new Set(
    STANDING.flatMap((name) => standing[name].taken).map(({ candidate }) => candidate.item.id),
  )
  const questionTokens = Math.floor(shareTokens - front.needed - questionOverhead(candidates, count))
  const page = fillPage(candidates.page, questionTokens, count)
  const filled = fillShare(candidates.forQuestion, {
    budgetTokens: questionTokens - sumTaken(page.taken),
    count,
    refuse: (candidate, taken) =>
      candidate.item.kind === 'fact' && inFront.has(candidate.item.id)
        ? 'already in the context'
        : refuseMore(candidate, taken, request.limits),
  })
  return {
    standing: takenOf(standing),
    forQuestion: { ...inSections(filled.taken), page: page.taken },
    budgets: {
      memory: request.frontTokens,
      page: Math.max(0, Math.floor(questionTokens * PAGE_SHARE)),
      forQuestion: Math.max(0, questionTokens),
    },
    dropped: [
      ...candidates.unfit,
      ...page.dropped,
      ...filled.dropped,
      ...STANDING.flatMap((name) => standing[name].dropped),
    ],
  }
}

/** The state of a page leaves at least half of the room to what is recalled for the question. */
const PAGE_SHARE = 1 / 2

const fillPage = (page: readonly MemoryCandidate[], questionTokens: number, count: CountTokens): Filled =>
  fillShare(page, { budgetTokens: Math.floor(questionTokens * PAGE_SHARE), count, refuse: () => undefined })

const sumTaken = (taken: readonly Taken[]): number => taken.reduce((sum, { tokens }) => sum + tokens, 0)

function fillFront(
  candidates: MemoryCandidates,
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

const isOfKind = (kind: LimitedKind, { item }: MemoryCandidate): boolean => item.kind === kind

/** Turns, queries and summaries are limited by tokens alone. */
const LIMITED_KINDS = ['fact', 'note', 'chunk'] as const
type LimitedKind = (typeof LIMITED_KINDS)[number]

function refuseMore(
  candidate: MemoryCandidate,
  taken: readonly Taken[],
  limits: MemoryLimits,
): DropReason | undefined {
  const limitOf = { fact: limits.facts, note: limits.notes, chunk: limits.finalChunks }
  const kind = LIMITED_KINDS.find((one) => isOfKind(one, candidate))
  if (kind === undefined) return undefined
  const count = taken.filter((one) => isOfKind(kind, one.candidate)).length
  return count >= limitOf[kind] ? 'over the limit of its kind' : undefined
}

function inSections(taken: readonly Taken[]): Omit<ChosenMemory['forQuestion'], 'page'> {
  const ofKind = (kind: 'note' | 'chunk') => taken.filter(({ candidate }) => isOfKind(kind, candidate))
  const others = taken.filter(
    ({ candidate }) => !(isOfKind('note', candidate) || isOfKind('chunk', candidate)),
  )
  return { recalled: others, notes: ofKind('note'), chunks: ofKind('chunk') }
}

/** Tokens needed for all candidates, ignoring limits per kind. */
export function neededTokens(candidates: MemoryCandidates, request: MemoryRequest): number {
  const front = frontTokens(candidates, request).needed
  const { page, forQuestion: items } = candidates
  const forQuestion = sizeOf(page) + sizeOf(items) + questionOverhead(candidates, request.count)
  return Math.min(request.shareTokens, Math.ceil(front + forQuestion))
}

interface FrontTokens {
  /** Maximum tokens of the prefix. */
  readonly needed: number
  /** Without marks and headings. */
  readonly forLines: number
}

/** Preferences can be a long list, and relevant ones are recalled anyway, so they never exceed their share. */
function frontNeeds(
  { standing }: MemoryCandidates,
  { frontTokens: maxTokens }: MemoryRequest,
): Record<keyof StandingMemory, number> {
  return {
    wishes: sizeOf(standing.wishes),
    blocks: sizeOf(standing.blocks),
    pinned: sizeOf(standing.pinned),
    facts: sizeOf(standing.facts),
    preferences: Math.min(sizeOf(standing.preferences), maxTokens * STANDING_SHARES.preferences),
  }
}

function frontTokens(candidates: MemoryCandidates, request: MemoryRequest): FrontTokens {
  const { frontTokens: maxTokens, count } = request
  const needs = frontNeeds(candidates, request)
  const size = STANDING.reduce((sum, name) => sum + needs[name], 0)
  if (size === 0) return { needed: 0, forLines: 0 }
  const overhead = overheadOf([HEADINGS.wishes, HEADINGS.known], count)
  return { needed: Math.min(maxTokens, size + overhead), forLines: maxTokens - overhead }
}

function questionOverhead({ forQuestion, page }: MemoryCandidates, count: CountTokens): number {
  if (forQuestion.length + page.length === 0) return 0
  const has = (kind: 'note' | 'chunk') => forQuestion.some((candidate) => isOfKind(kind, candidate))
  return overheadOf(
    [
      HEADINGS.recalled,
      ...(page.length > 0 ? [HEADINGS.page] : []),
      ...(has('note') ? [HEADINGS.notes] : []),
      ...(has('chunk') ? [HEADINGS.chunks] : []),
    ],
    count,
  )
}

/** Tokens of the marks, the headings and the blank line after them. */
const overheadOf = (headings: readonly string[], count: CountTokens): number =>
  count(`${toBlock([{ lines: headings }])}\n\n`)

const sizeOf = (candidates: readonly MemoryCandidate[]): number =>
  candidates.reduce((sum, { tokens }) => sum + tokens, 0)

const takenOf = (filled: Record<keyof StandingMemory, Filled>): ChosenMemory['standing'] => ({
  wishes: filled.wishes.taken,
  blocks: filled.blocks.taken,
  pinned: filled.pinned.taken,
  facts: filled.facts.taken,
  preferences: filled.preferences.taken,
})

/** A claim to a part of the tokens. */
interface Claim {
  /** Tokens it could use. */
  readonly neededTokens: number
  /** Its guaranteed part, 0 to 1; all parts add up to at most 1. */
  readonly share: number
}

/**
 * Divides tokens among claims. Each gets its share, or what it needs if that is less; the rest goes to the first claim
 * that needs more, then to the next. A larger total never makes any part smaller. The parts depend on what is needed,
 * not on what is used in the end, so using less of one never gives more to another.
 */
export function divideShare(totalTokens: number, claims: readonly Claim[]): readonly number[] {
  const total = Math.max(0, totalTokens)
  const granted = claims.map(({ neededTokens, share }) => Math.min(neededTokens, total * share))
  let over = total - granted.reduce((sum, tokens) => sum + tokens, 0)
  return claims.map(({ neededTokens }, i) => {
    const own = granted[i] as number
    const extra = Math.min(neededTokens - own, over)
    over -= extra
    return own + extra
  })
}
