// A fact that a user adds or changes overrides everything that was said before it. Facts that contradict it are
// shortened, to an empty period if nothing of them is left. What is said later is reconciled with it like with
// any other fact.

import type { FactPeriod } from '../../domain/fact.ts'
import type { FactEdit } from './fact-edits.ts'
import type { FactIndex } from './fact-index.ts'
import { type FactIdentity, identify } from './fact-key.ts'
import { beginFact, type FactFields, hasHeld, type MutableFact } from './mutable-fact.ts'
import { findOpposites } from './reconcile-facts.ts'

export type FactFieldsEdit = FactEdit & { readonly fields: FactFields }

/** Applies the edit and returns the added or changed fact. */
export function applyFactEdit(known: FactIndex, edit: FactFieldsEdit): MutableFact {
  const { fields, factId } = edit
  const identity = identify(fields, fields.value)
  const { key } = identity
  const isRejected = known.rejectedAt(key) !== undefined
  const target = edit.kind === 'fact-change' ? findTarget(known, edit) : undefined
  if (target !== undefined) known.takeOff(target)
  const same = known.ofKey(key).filter((fact) => isRejected || overlaps(fact, fields))
  for (const other of same) known.takeOff(other)
  const fact = target ?? same[0] ?? beginNew(identity, edit)
  tell(fact, edit, target === undefined ? joinPeriods(fields, same) : fields)
  fact.identity = identity
  for (const other of same) if (other !== fact) absorb(known, fact, other)
  if (!isRejected) giveWay(known, fact, edit)
  known.add(fact)
  known.addAlias(fact, factId)
  return fact
}

function beginNew(identity: FactIdentity, { fields, factId, at }: FactFieldsEdit): MutableFact {
  const told = { ...fields, confidence: 1, saidAt: at }
  return beginFact(identity, told, { id: factId, origin: 'given', validUntil: fields.validUntil })
}

const GIVEN = { confidence: 1, origin: 'given' } as const

function findTarget(known: FactIndex, { factId, key }: FactEdit): MutableFact | undefined {
  return known.find(factId) ?? known.ofKey(key).at(-1)
}

function tell(fact: MutableFact, edit: FactFieldsEdit, fields: FactFields): void {
  const { subject, attribute, value, kind, validFrom, validUntil } = fact
  const isNew = fact.history.length === 0
  const before = {
    subject,
    attribute,
    value,
    kind,
    validFrom,
    ...(validUntil !== undefined && { validUntil }),
  }
  fact.history.push({
    type: edit.kind === 'fact-add' || isNew ? 'added' : 'changed',
    at: edit.at,
    editId: edit.id,
    ...(edit.kind === 'fact-change' && !isNew && { before }),
  })
  for (const source of edit.sources) if (!fact.sources.includes(source)) fact.sources.push(source)
  if (edit.conversationId !== undefined) fact.conversationIds.add(edit.conversationId)
  Object.assign(fact, { ...fields, validUntil: fields.validUntil, ...GIVEN, saidAt: edit.at })
}

function joinPeriods(fields: FactFields, same: readonly MutableFact[]): FactFields {
  const begins = [fields, ...same].map(({ validFrom }) => validFrom.getTime())
  return { ...fields, validFrom: new Date(Math.min(...begins)) }
}

function absorb(known: FactIndex, fact: MutableFact, other: MutableFact): void {
  for (const source of other.sources) if (!fact.sources.includes(source)) fact.sources.push(source)
  for (const id of other.conversationIds) fact.conversationIds.add(id)
  fact.history.push(...other.history)
  fact.history.sort((left, right) => left.at.getTime() - right.at.getTime())
  known.mergeInto(fact, other)
}

function giveWay(known: FactIndex, fact: MutableFact, { id, at }: FactEdit): void {
  const others = known.timelineOf(fact.identity).filter((other) => hasHeld(other) && overlaps(other, fact))
  const opposites = findOpposites(known, fact)
  for (const other of others) known.setPeriod(other, withoutOverlap(other, fact))
  for (const other of opposites) known.setPeriod(other, { ...other, validUntil: fact.validFrom })
  for (const other of [...others, ...opposites])
    other.history.push({ type: 'superseded', at, editId: id, by: fact.id })
}

function overlaps(one: FactPeriod, other: FactPeriod): boolean {
  const endsAfter = ({ validUntil }: FactPeriod, moment: Date) =>
    validUntil === undefined || validUntil > moment
  return endsAfter(one, other.validFrom) && endsAfter(other, one.validFrom)
}

function withoutOverlap({ validFrom, validUntil }: FactPeriod, given: FactPeriod): FactPeriod {
  if (validFrom < given.validFrom) return { validFrom, validUntil: given.validFrom }
  const end = given.validUntil
  const isCovered = end === undefined || (validUntil !== undefined && validUntil <= end)
  return isCovered ? { validFrom, validUntil: validFrom } : { validFrom: end, validUntil }
}
