// Claims meet the facts that are known. Facts with the same key are a timeline: a key is subject and
// attribute, and for attributes that hold several values the value as well. On a timeline
//
//   1. at most one fact holds at any moment;
//   2. a newer value closes the older one where it begins, and an older value that is learnt later ends where
//      the newer begins;
//   3. what is said to hold since long ("since 2019") holds when it is said, too, whatever was known between;
//   4. the same value while it holds is more evidence for it; after it had ended it is a second period;
//   5. nothing disappears: a correction leaves the wrong fact behind with an empty period.
//
// Facts of other keys are never touched, but for one case: liking something ends disliking the same thing, and
// having left a place or an employer ends being there. What the user rejected stays rejected, stands on no
// timeline and closes nothing. A message that was taken before changes nothing.

import { type FactPeriod, isTrueAt } from '../../domain/fact.ts'
import { oppositeOf } from './attributes.ts'
import type { ValueShape } from './candidate.ts'
import type { FactIndex } from './fact-index.ts'
import { type FactIdentity, factIdOf, foldValue, identify } from './fact-key.ts'
import type { Claim, FactOperation, IgnoreReason } from './fact-operation.ts'
import { hasHeld, type LiveFact } from './live-fact.ts'
import { factBegunAfter, factHeldAt } from './timeline.ts'

/** A correction follows soon, or it corrects something else. */
const CORRECTION_MS = 60 * 60 * 1000

/** What a claim changes. Nothing is changed yet. */
export function reconcile(known: FactIndex, claim: Claim): FactOperation[] {
  if (claim.action === 'correct') return correct(known, claim)
  return claim.action === 'end' ? end(known, claim) : state(known, claim)
}

function state(known: FactIndex, claim: Claim): FactOperation[] {
  const identity = identify(claim, claim.value ?? '')
  const told: Told = { claim, identity, id: factIdOf(identity, claim) }
  if (known.has(told.id)) return ignore(claim, 'taken before')
  if (isRejected(known, told)) return keepRejected(known, told)
  const begun = place(known, told)
  if (!isTrueAt(claim, claim.saidAt) || isTrueAt(begun.period, claim.saidAt)) return begun.operations
  const second: Claim = { ...claim, validFrom: claim.saidAt, isSecond: true }
  return [...begun.operations, ...place(known, { ...told, claim: second }).operations]
}

interface Told {
  readonly claim: Claim
  readonly identity: FactIdentity
  readonly id: string
}

const isRejected = (known: FactIndex, { identity }: Told): boolean =>
  known.rejectedAt(identity.key) !== undefined

/** The first message of a rejected fact keeps it where the user can find it again. */
function keepRejected(known: FactIndex, told: Told): FactOperation[] {
  const [fact] = known.ofKey(told.identity.key)
  if (fact === undefined) return [{ type: 'add', ...told, validUntil: earliestEnd(told.claim) }]
  return [{ type: 'repeat', fact, claim: told.claim, id: told.id }]
}

interface Placed {
  readonly operations: FactOperation[]
  /** What it then has on its timeline. */
  readonly period: FactPeriod
}

/** The value put on its timeline where the claim begins. */
function place(known: FactIndex, told: Told): Placed {
  const { claim, identity } = told
  const { validFrom } = claim
  const timeline = known.timelineOf(identity)
  const holding = factHeldAt(timeline, validFrom)
  const next = factBegunAfter(timeline, validFrom)
  const neighbour = holding ?? (reachesTo(claim, next) ? next : undefined)
  if (neighbour?.identity.key === identity.key)
    return {
      operations: [confirm(neighbour, told)],
      period: { validFrom, validUntil: neighbour.validUntil },
    }
  const validUntil = earliestEnd(claim, next?.validFrom)
  const opposites = findOpposites(known, claim)
  const closed = holding === undefined ? opposites : [holding, ...opposites]
  const closing = closed.map((fact) => close(fact, claim, validFrom))
  return {
    operations: [...closing, { type: 'add', ...told, validUntil }],
    period: { validFrom, validUntil },
  }
}

/** Two periods with a gap between them stay apart. */
const reachesTo = ({ validUntil }: Claim, next: LiveFact | undefined): boolean =>
  next === undefined || validUntil === undefined || validUntil >= next.validFrom

function earliestEnd(
  { validFrom, validUntil }: FactPeriod,
  ...others: (Date | undefined)[]
): Date | undefined {
  const ends = [validUntil, ...others].filter((moment) => moment !== undefined && moment >= validFrom)
  return ends.reduce((earliest, end) => (Number(end) < Number(earliest) ? end : earliest), ends[0])
}

/** What cannot hold any longer once this does. */
export function findOpposites(
  known: FactIndex,
  { subject, attribute, value = '', validFrom }: Pick<Claim, 'subject' | 'attribute' | 'value' | 'validFrom'>,
): LiveFact[] {
  const opposite = oppositeOf(attribute)
  if (opposite === undefined) return []
  const opposites = known.ofKey(identify({ subject, attribute: opposite }, value).key)
  return opposites.filter((fact) => isOpenAt(fact, validFrom))
}

function end(known: FactIndex, claim: Claim): FactOperation[] {
  const ended = findMeant(known, claim).filter((fact) => canEnd(fact, claim))
  if (ended.length === 0) return ignore(claim, 'nothing to close')
  return ended.map((fact) => close(fact, claim, claim.validFrom))
}

/** An end may name the value, the kind of thing in it ("dog" for "Rex (dog)"), or nothing. */
function findMeant(known: FactIndex, claim: Claim): readonly LiveFact[] {
  const identity = identify(claim, claim.value ?? '')
  const { attributeKey, foldedValue: said } = identity
  const isMeant = ({ identity: { foldedValue } }: LiveFact): boolean =>
    ` ${foldedValue} `.includes(` ${said} `) && (said.includes(' ') ? foldedValue.startsWith(said) : true)
  const isAny = claim.value === undefined || said === claim.attribute
  if (identity.isSingleValued) {
    const holding = factHeldAt(known.timelineOf(identity), claim.validFrom)
    return holding !== undefined && (isAny || isMeant(holding)) ? [holding] : []
  }
  return isAny
    ? known.ofAttribute(attributeKey)
    : known.withWords(attributeKey, said.split(' ')).filter(isMeant)
}

/** What was said after the end is not what ended. */
function canEnd(fact: LiveFact, { validFrom, saidAt, messageId }: Claim): boolean {
  return isOpenAt(fact, validFrom) && fact.saidAt <= saidAt && !fact.sources.includes(messageId)
}

function correct(known: FactIndex, claim: Claim): FactOperation[] {
  if (known.hasCorrected(claim)) return ignore(claim, 'taken before')
  const wrong = findWrong(known, claim)
  if (wrong === undefined) return ignore(claim, 'nothing to correct')
  const { attribute, kind, validFrom } = wrong
  const right: Claim = { ...claim, action: 'state', attribute, kind, validFrom }
  const identity = identify(right, claim.value ?? '')
  const told: Told = { claim: right, identity, id: factIdOf(identity, claim) }
  if (known.has(told.id)) return ignore(claim, 'taken before')
  if (wrong.identity.key === identity.key) return [confirm(wrong, told)]
  if (isRejected(known, told)) return keepRejected(known, told)
  const closing = close(wrong, claim, validFrom)
  const timeline = known.timelineOf(identity)
  const holding = factHeldAt(timeline, validFrom)
  if (holding !== undefined && holding !== wrong) return [closing, confirm(holding, told)]
  const validUntil = earliestEnd(right, wrong.validUntil, factBegunAfter(timeline, validFrom)?.validFrom)
  return [closing, { type: 'add', ...told, validUntil }]
}

/** The last thing of the same shape that was said in the conversation. */
function findWrong(known: FactIndex, claim: Claim): LiveFact | undefined {
  const since = new Date(claim.saidAt.getTime() - CORRECTION_MS)
  for (const fact of known.saidSince(claim.subject, since)) if (isCorrectable(fact, claim)) return fact
  return undefined
}

function isCorrectable(fact: LiveFact, claim: Claim): boolean {
  const { saidAt, shape, insteadOf, messageId, conversationId } = claim
  const isHere = conversationId === undefined || fact.conversationIds.has(conversationId)
  const isLive = fact.saidAt <= saidAt && fact.rejectedAt === undefined && hasHeld(fact)
  const isNamed = insteadOf === undefined || fact.identity.foldedValue === foldValue(insteadOf)
  const isOther = fact.subject === claim.subject && !fact.sources.includes(messageId)
  return isHere && isLive && isNamed && isOther && shapeOf(fact) === shape
}

function shapeOf({ attribute, value }: LiveFact): ValueShape | undefined {
  if (/^\d{4}(?:-\d{2}){0,2}(?: to .*)?$|^\d{2}-\d{2}$/.test(value))
    return attribute === 'age' ? 'number' : 'date'
  if (/^\d+(?:[.,]\d+)?$/.test(value)) return 'number'
  const isInstruction = attribute === 'instruction' || attribute === 'prefers'
  return /^\p{Lu}/u.test(value) && !isInstruction ? 'name' : undefined
}

const isOpenAt = (fact: LiveFact, moment: Date): boolean =>
  fact.rejectedAt === undefined && isTrueAt(fact, moment)

const ignore = (claim: Claim, reason: IgnoreReason): FactOperation[] => [{ type: 'ignore', claim, reason }]
const close = (fact: LiveFact, claim: Claim, validUntil: Date): FactOperation => ({
  type: 'close',
  fact,
  claim,
  validUntil,
})
const confirm = (fact: LiveFact, { claim, id }: Told): FactOperation => ({ type: 'confirm', fact, claim, id })
