// Candidates meet the facts that are known. Facts with the same key are a timeline: a key is subject and
// attribute, and for attributes that hold several values the value as well. On a timeline
//
//   1. at most one fact holds at any moment;
//   2. a newer value closes the older one where it begins, and an older value that is learnt later ends where
//      the newer begins;
//   3. the same value while it holds is more evidence for it; after it had ended it is a second period;
//   4. nothing disappears: a correction leaves the wrong fact behind with an empty period.
//
// Facts of other keys are never touched, but for one case: liking something ends disliking the same thing, and
// having left a place or an employer ends being there. What the user rejected stays rejected. A message that
// was taken before changes nothing, so that deriving may stop and run again at will.

import { Digest } from '../../domain/digest.ts'
import { applyFactOperation } from './apply-fact-operation.ts'
import { isSingleValued, oppositeOf } from './attributes.ts'
import type { Candidate, Fact, ValueShape } from './fact.ts'
import type { FactOperation, IgnoreReason } from './fact-operation.ts'

/** A correction follows soon, or it corrects something else. */
const CORRECTION_MS = 60 * 60 * 1000

/** What the candidates change, in order. Each sees what the ones before it did. */
export function reconcileFacts(facts: readonly Fact[], candidates: readonly Candidate[]): FactOperation[] {
  const operations: FactOperation[] = []
  let current = facts
  for (const candidate of candidates) {
    const made = reconcileOne(current, candidate)
    current = made.reduce(applyFactOperation, current)
    operations.push(...made)
  }
  return operations
}

function reconcileOne(facts: readonly Fact[], candidate: Candidate): FactOperation[] {
  if (candidate.action === 'correct') return correct(facts, candidate)
  return candidate.action === 'end' ? end(facts, candidate) : state(facts, candidate)
}

function state(facts: readonly Fact[], candidate: Candidate): FactOperation[] {
  const sameValue = facts.filter((fact) => isSameKey(fact, candidate) && isSameValue(fact, candidate))
  if (sameValue.some(({ rejectedAt }) => rejectedAt !== undefined)) return ignore(candidate, 'rejected')
  if (sameValue.some(({ sources }) => sources.includes(candidate.messageId)))
    return ignore(candidate, 'taken before')
  const timeline = timelineOf(facts, candidate)
  const holding = timeline.find((fact) => isTrueAt(fact, candidate.validFrom))
  if (holding !== undefined && isSameValue(holding, candidate)) return confirm(holding, candidate)
  const next = timeline.find(({ validFrom }) => validFrom > candidate.validFrom)
  const isEarlierStart = holding === undefined && next !== undefined && isSameValue(next, candidate)
  if (isEarlierStart && next.validUntil !== next.validFrom) return confirm(next, candidate)
  const closing = holding === undefined ? [] : [close(holding, candidate, candidate.validFrom)]
  return [...closing, ...endOpposite(facts, candidate), { type: 'add', fact: toFact(candidate, next) }]
}

function end(facts: readonly Fact[], candidate: Candidate): FactOperation[] {
  const ended = facts.filter(
    (fact) => isSameKey(fact, candidate) && isMeant(fact, candidate) && canEnd(fact, candidate),
  )
  if (ended.length === 0) return ignore(candidate, 'nothing to close')
  return ended.map((fact) => close(fact, candidate, candidate.validFrom))
}

/** What was said after the end is not what ended. */
function canEnd(fact: Fact, { validFrom, saidAt, messageId }: Candidate): boolean {
  return isOpenAt(fact, validFrom) && fact.saidAt <= saidAt && !fact.sources.includes(messageId)
}

function correct(facts: readonly Fact[], candidate: Candidate): FactOperation[] {
  const own = facts.filter(({ subject }) => subject === candidate.subject)
  const isTaken = own.some(
    (fact) => fact.sources.includes(candidate.messageId) && isSameValue(fact, candidate),
  )
  if (isTaken) return ignore(candidate, 'taken before')
  const wrong = own
    .filter((fact) => isCorrectable(fact, candidate))
    .sort((left, right) => right.saidAt.getTime() - left.saidAt.getTime())[0]
  if (wrong === undefined) return ignore(candidate, 'nothing to correct')
  const { attribute, kind, validFrom } = wrong
  const right: Candidate = { ...candidate, action: 'state', attribute, kind, validFrom }
  return [
    close(wrong, candidate, validFrom),
    { type: 'add', fact: toFact(right, undefined, wrong.validUntil) },
  ]
}

function isCorrectable(fact: Fact, { saidAt, shape, insteadOf, messageId }: Candidate): boolean {
  const age = saidAt.getTime() - fact.saidAt.getTime()
  const isRecent = age >= 0 && age <= CORRECTION_MS && !fact.sources.includes(messageId)
  const isLive = fact.rejectedAt === undefined && isOpenAt(fact, fact.validFrom)
  const isNamed = insteadOf === undefined || foldValue(fact.value) === foldValue(insteadOf)
  return isRecent && isLive && isNamed && shapeOf(fact) === shape
}

function shapeOf({ attribute, value }: Fact): ValueShape | undefined {
  if (/^\d{4}(?:-\d{2}){0,2}(?: to .*)?$|^\d{2}-\d{2}$/.test(value))
    return attribute === 'age' ? 'number' : 'date'
  if (/^\d+(?:[.,]\d+)?$/.test(value)) return 'number'
  const isInstruction = attribute === 'instruction' || attribute === 'prefers'
  return /^\p{Lu}/u.test(value) && !isInstruction ? 'name' : undefined
}

function endOpposite(facts: readonly Fact[], candidate: Candidate): FactOperation[] {
  const attribute = oppositeOf(candidate.attribute)
  if (attribute === undefined) return []
  const opposites = facts.filter(
    (fact) =>
      isSameKey(fact, { ...candidate, attribute }) &&
      isSameValue(fact, candidate) &&
      isOpenAt(fact, candidate.validFrom),
  )
  return opposites.map((fact) => close(fact, candidate, candidate.validFrom))
}

/** The facts that a candidate shares its key with, oldest first; rejected ones and mistakes never held. */
function timelineOf(facts: readonly Fact[], candidate: Candidate): Fact[] {
  const isSingle = isSingleValued(candidate.attribute)
  return facts
    .filter(
      (fact) =>
        isSameKey(fact, candidate) &&
        fact.rejectedAt === undefined &&
        (isSingle || isSameValue(fact, candidate)),
    )
    .filter((fact) => isOpenAt(fact, fact.validFrom))
    .sort((left, right) => left.validFrom.getTime() - right.validFrom.getTime())
}

const isSameKey = (fact: Fact, { subject, attribute }: Pick<Candidate, 'subject' | 'attribute'>): boolean =>
  fact.subject === subject && fact.attribute === attribute

const isSameValue = (fact: Fact, { value = '' }: Candidate): boolean =>
  foldValue(fact.value) === foldValue(value)

/** An end may name the value, the kind of thing in it ("dog" for "Rex (dog)"), or nothing. */
function isMeant(fact: Fact, { attribute, value }: Candidate): boolean {
  if (value === undefined || attribute === foldValue(value)) return true
  const [known, said] = [foldValue(fact.value), foldValue(value)]
  return known === said || known.split(' ').includes(said) || known.startsWith(`${said} `)
}

/** Values are the same apart from case, accents, articles and punctuation. */
function foldValue(value: string): string {
  const plain = value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return (
    plain
      .replace(/[^\p{L}\p{N}+#]+/gu, ' ')
      .replace(/^\s*(?:the|an?) (?=\S)/, '')
      .trim() || value
  )
}

/** Whether a fact holds at a moment. */
export function isTrueAt({ validFrom, validUntil }: Fact, moment: Date): boolean {
  return validFrom <= moment && (validUntil === undefined || moment < validUntil)
}

const isOpenAt = (fact: Fact, moment: Date): boolean =>
  fact.rejectedAt === undefined && isTrueAt(fact, moment)

const ignore = (candidate: Candidate, reason: IgnoreReason): FactOperation[] => [
  { type: 'ignore', candidate, reason },
]
const close = (fact: Fact, candidate: Candidate, validUntil: Date): FactOperation => ({
  type: 'close',
  id: fact.id,
  validUntil,
  candidate,
})
const confirm = (fact: Fact, candidate: Candidate): FactOperation[] => [
  {
    type: 'confirm',
    id: fact.id,
    candidate,
    validFrom: new Date(Math.min(candidate.validFrom.getTime(), fact.validFrom.getTime())),
  },
]

function toFact(candidate: Candidate, next?: Fact, end?: Date): Fact {
  const { subject, attribute, value = '', kind, validFrom, confidence, messageId, saidAt } = candidate
  const ends = [candidate.validUntil, next?.validFrom, end].filter(
    (moment) => moment !== undefined && moment >= validFrom,
  )
  const validUntil =
    ends.length === 0 ? undefined : new Date(Math.min(...ends.map((moment) => moment?.getTime() ?? 0)))
  const id = new Digest()
    .add(subject)
    .add(attribute)
    .add(value)
    .add(messageId)
    .add(validFrom.toISOString())
    .toString()
  const fact: Fact = {
    id,
    subject,
    attribute,
    value,
    kind,
    validFrom,
    confidence,
    sources: [messageId],
    saidAt,
  }
  return validUntil === undefined ? fact : { ...fact, validUntil }
}
