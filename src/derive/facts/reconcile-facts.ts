// Reconciles extracted facts with known ones. Facts that exclude each other form a timeline: per subject and
// attribute, and for attributes with several values also per value. On a timeline
//
//   1. at most one fact is valid at any moment;
//   2. a newer value closes the older one where it begins, and an older value that is learned later ends where
//      the newer one begins;
//   3. a fact that began in the past ("since 2019") is also valid when it is said, whatever was known in between;
//   4. the same value while it is valid is more evidence for it; after it ended, it starts a second period;
//   5. nothing disappears: a correction leaves the wrong fact with an empty period.
//
// Facts on other timelines are never changed, with one exception: liking something ends disliking the same thing,
// and leaving a place or an employer ends being there. Rejected facts stay rejected, are on no timeline and close
// nothing. A message that was already processed changes nothing.

import { type FactPeriod, isTrueAt } from '../../domain/fact.ts'
import { amend } from './amend-statement.ts'
import { oppositeOf } from './attributes.ts'
import type { ExtractedFact, ValueShape } from './extracted-fact.ts'
import type { FactIndex } from './fact-index.ts'
import { type FactIdentity, factIdOf, foldValue, identify } from './fact-key.ts'
import type { FactOperation, IgnoreReason } from './fact-operation.ts'
import { hasHeld, type MutableFact } from './mutable-fact.ts'
import type { StatementDetails } from './statements/find-statements.ts'
import { supersedes } from './statements/supersede.ts'
import { factBegunAfter, factHeldAt } from './timeline.ts'

/** A correction follows within this time, or it is about something else. */
const CORRECTION_MS = 60 * 60 * 1000

/** Returns what an extracted fact changes, without applying it. */
export function reconcile(known: FactIndex, extracted: ExtractedFact): FactOperation[] {
  if (extracted.statement !== undefined) return reconcileStatement(known, extracted, extracted.statement)
  if (extracted.action === 'correct') return correct(known, extracted)
  return extracted.action === 'end' ? end(known, extracted) : state(known, extracted)
}

/** A name in more statements than this says too little about which of them is meant. */
const MAX_OF_NAME = 3

/**
 * A statement closes the older ones that it contradicts. A weak one is kept only if it closes another, and one
 * that only ends something ("goodbye MySQL") is not kept itself.
 */
function reconcileStatement(
  known: FactIndex,
  extracted: ExtractedFact,
  details: StatementDetails,
): FactOperation[] {
  const identity = identify(extracted, extracted.value ?? '')
  const identified: IdentifiedFact = { extracted, identity, id: factIdOf(identity, extracted) }
  if (known.has(identified.id)) return ignore(extracted, 'taken before')
  if (isRejected(known, identified)) return keepRejected(known, identified)
  const same = known.ofKey(identity.key).find((fact) => isOpenAt(fact, extracted.validFrom))
  if (same !== undefined) return [confirm(same, identified)]
  if (details.isBare) {
    const amended = amendStatement(known, extracted)
    if (amended !== undefined) return amended
  }
  const around = details.around?.filter((stem) => known.statementsAbout([stem]).size <= MAX_OF_NAME) ?? []
  const newer = { ...details, around }
  const outdated = [...known.statementsAbout([...details.terms, ...around])].filter(
    (fact) => fact.statement !== undefined && canEnd(fact, extracted) && supersedes(newer, fact.statement),
  )
  const closing = outdated.map((fact) => close(fact, extracted, extracted.validFrom))
  const isKept = !details.isWeak || (closing.length > 0 && !details.isEnd && !details.isBare)
  if (isKept) return [...closing, { type: 'add', ...identified, validUntil: undefined }]
  return closing.length > 0 ? closing : ignore(extracted, 'not worth keeping')
}

function amendStatement(known: FactIndex, said: ExtractedFact): FactOperation[] | undefined {
  const amendment = amend(known, said)
  if (amendment === undefined) return undefined
  const { amended, extracted } = amendment
  const identity = identify(extracted, extracted.value ?? '')
  const identified: IdentifiedFact = { extracted, identity, id: factIdOf(identity, extracted) }
  if (known.has(identified.id)) return ignore(extracted, 'taken before')
  if (isRejected(known, identified)) return keepRejected(known, identified)
  if (amended.identity.key === identity.key) return [confirm(amended, identified)]
  const closing = close(amended, said, said.validFrom)
  return [closing, { type: 'add', ...identified, validUntil: undefined }]
}

function state(known: FactIndex, extracted: ExtractedFact): FactOperation[] {
  const identity = identify(extracted, extracted.value ?? '')
  const identified: IdentifiedFact = { extracted, identity, id: factIdOf(identity, extracted) }
  if (known.has(identified.id)) return ignore(extracted, 'taken before')
  if (isRejected(known, identified)) return keepRejected(known, identified)
  const begun = place(known, identified)
  if (!isTrueAt(extracted, extracted.saidAt) || isTrueAt(begun.period, extracted.saidAt))
    return begun.operations
  const second: ExtractedFact = { ...extracted, validFrom: extracted.saidAt }
  const now = place(known, { ...identified, extracted: second, isSecondPeriod: true })
  return [...begun.operations, ...now.operations]
}

interface IdentifiedFact {
  readonly extracted: ExtractedFact
  readonly identity: FactIdentity
  readonly id: string
  readonly isSecondPeriod?: true
}

const isRejected = (known: FactIndex, { identity }: IdentifiedFact): boolean =>
  known.rejectedAt(identity.key) !== undefined

/** The first message of a rejected fact is kept so that the user can find it again. */
function keepRejected(known: FactIndex, identified: IdentifiedFact): FactOperation[] {
  const [fact] = known.ofKey(identified.identity.key)
  if (fact === undefined)
    return [{ type: 'add', ...identified, validUntil: earliestEnd(identified.extracted) }]
  return [{ type: 'repeat', fact, extracted: identified.extracted, id: identified.id }]
}

interface Placed {
  readonly operations: FactOperation[]
  /** The period that the fact gets on its timeline. */
  readonly period: FactPeriod
}

/** Puts the value on its timeline where the fact begins. */
function place(known: FactIndex, identified: IdentifiedFact): Placed {
  const { extracted, identity } = identified
  const { validFrom } = extracted
  const timeline = known.timelineOf(identity)
  const holding = factHeldAt(timeline, validFrom)
  const next = factBegunAfter(timeline, validFrom)
  const neighbour = holding ?? (reachesTo(extracted, next) ? next : undefined)
  if (neighbour?.identity.key === identity.key)
    return {
      operations: [confirm(neighbour, identified)],
      period: { validFrom, validUntil: neighbour.validUntil },
    }
  const validUntil = earliestEnd(extracted, next?.validFrom)
  const opposites = findOpposites(known, extracted)
  const closed = holding === undefined ? opposites : [holding, ...opposites]
  const closing = closed.map((fact) => close(fact, extracted, validFrom))
  return {
    operations: [...closing, { type: 'add', ...identified, validUntil }],
    period: { validFrom, validUntil },
  }
}

/** Two periods with a gap between them stay separate. */
const reachesTo = ({ validUntil }: ExtractedFact, next: MutableFact | undefined): boolean =>
  next === undefined || validUntil === undefined || validUntil >= next.validFrom

function earliestEnd(
  { validFrom, validUntil }: FactPeriod,
  ...others: (Date | undefined)[]
): Date | undefined {
  const ends = [validUntil, ...others].filter((moment) => moment !== undefined && moment >= validFrom)
  return ends.reduce((earliest, end) => (Number(end) < Number(earliest) ? end : earliest), ends[0])
}

/** Facts that end when this one begins. */
export function findOpposites(
  known: FactIndex,
  {
    subject,
    attribute,
    value = '',
    validFrom,
  }: Pick<ExtractedFact, 'subject' | 'attribute' | 'value' | 'validFrom'>,
): MutableFact[] {
  const opposite = oppositeOf(attribute)
  if (opposite === undefined) return []
  const opposites = known.ofKey(identify({ subject, attribute: opposite }, value).key)
  return opposites.filter((fact) => isOpenAt(fact, validFrom))
}

function end(known: FactIndex, extracted: ExtractedFact): FactOperation[] {
  const ended = findMeant(known, extracted).filter((fact) => canEnd(fact, extracted))
  if (ended.length === 0) return ignore(extracted, 'nothing to close')
  return ended.map((fact) => close(fact, extracted, extracted.validFrom))
}

/** An end may name the value, the kind of thing in it ("dog" for "Rex (dog)"), or nothing. */
function findMeant(known: FactIndex, extracted: ExtractedFact): readonly MutableFact[] {
  const identity = identify(extracted, extracted.value ?? '')
  const { attributeKey, foldedValue: said } = identity
  const isMeant = ({ identity: { foldedValue } }: MutableFact): boolean =>
    ` ${foldedValue} `.includes(` ${said} `) && (said.includes(' ') ? foldedValue.startsWith(said) : true)
  const isAny = extracted.value === undefined || said === extracted.attribute
  if (identity.isSingleValued) {
    const holding = factHeldAt(known.timelineOf(identity), extracted.validFrom)
    return holding !== undefined && (isAny || isMeant(holding)) ? [holding] : []
  }
  return isAny
    ? known.ofAttribute(attributeKey)
    : known.withWords(attributeKey, said.split(' ')).filter(isMeant)
}

/** A fact that was said after the end is not the one that ended. */
function canEnd(fact: MutableFact, { validFrom, saidAt, messageId }: ExtractedFact): boolean {
  return isOpenAt(fact, validFrom) && fact.saidAt <= saidAt && !fact.sources.includes(messageId)
}

function correct(known: FactIndex, extracted: ExtractedFact): FactOperation[] {
  if (known.hasCorrected(extracted)) return ignore(extracted, 'taken before')
  const wrong = findWrong(known, extracted)
  if (wrong === undefined) return amendStatement(known, extracted) ?? ignore(extracted, 'nothing to correct')
  const { attribute, kind, validFrom } = wrong
  const right: ExtractedFact = { ...extracted, action: 'state', attribute, kind, validFrom }
  const identity = identify(right, extracted.value ?? '')
  const identified: IdentifiedFact = { extracted: right, identity, id: factIdOf(identity, extracted) }
  if (known.has(identified.id)) return ignore(extracted, 'taken before')
  if (wrong.identity.key === identity.key) return [confirm(wrong, identified)]
  if (isRejected(known, identified)) return keepRejected(known, identified)
  const closing = close(wrong, extracted, validFrom)
  const timeline = known.timelineOf(identity)
  const holding = factHeldAt(timeline, validFrom)
  if (holding !== undefined && holding !== wrong) return [closing, confirm(holding, identified)]
  const validUntil = earliestEnd(right, wrong.validUntil, factBegunAfter(timeline, validFrom)?.validFrom)
  return [closing, { type: 'add', ...identified, validUntil }]
}

/** The most recently said fact of the same shape in the conversation. */
function findWrong(known: FactIndex, extracted: ExtractedFact): MutableFact | undefined {
  const since = new Date(extracted.saidAt.getTime() - CORRECTION_MS)
  for (const fact of known.saidSince(extracted.subject, since))
    if (isCorrectable(fact, extracted)) return fact
  return undefined
}

function isCorrectable(fact: MutableFact, extracted: ExtractedFact): boolean {
  const { saidAt, shape, insteadOf, messageId, conversationId } = extracted
  const isHere = conversationId === undefined || fact.conversationIds.has(conversationId)
  const isLive = fact.saidAt <= saidAt && fact.rejectedAt === undefined && hasHeld(fact)
  const isNamed = insteadOf === undefined || fact.identity.foldedValue === foldValue(insteadOf)
  const isOther = fact.subject === extracted.subject && !fact.sources.includes(messageId)
  return isHere && isLive && isNamed && isOther && shapeOf(fact) === shape
}

function shapeOf({ attribute, value }: MutableFact): ValueShape | undefined {
  if (/^\d{4}(?:-\d{2}){0,2}(?: to .*)?$|^\d{2}-\d{2}$/.test(value))
    return attribute === 'age' ? 'number' : 'date'
  if (/^\d+(?:[.,]\d+)?$/.test(value)) return 'number'
  const isInstruction = attribute === 'instruction' || attribute === 'prefers'
  return /^\p{Lu}/u.test(value) && !isInstruction ? 'name' : undefined
}

const isOpenAt = (fact: MutableFact, moment: Date): boolean =>
  fact.rejectedAt === undefined && isTrueAt(fact, moment)

const ignore = (extracted: ExtractedFact, reason: IgnoreReason): FactOperation[] => [
  { type: 'ignore', extracted, reason },
]
const close = (fact: MutableFact, extracted: ExtractedFact, validUntil: Date): FactOperation => ({
  type: 'close',
  fact,
  extracted,
  validUntil,
})
const confirm = (fact: MutableFact, { extracted, id }: IdentifiedFact): FactOperation => ({
  type: 'confirm',
  fact,
  extracted,
  id,
})
