// Facts are a pure function of what was said and how users edited it. All extracted facts of a workspace, in the
// order in which they were said, and all edits of facts, at the time they were made, are processed one by one.
// Nothing else is stored. Erasing a message removes its extracted facts, and the facts follow. The order of
// deriving does not matter, and deriving again gives the same facts with the same ids.
//
//  1. An edit comes after everything that was said up to its time, and overrides it. What is said later is
//     reconciled with the user's fact like with any other, and another value closes it.
//  2. A rejection applies to a key (subject, attribute, value). While it is in effect, the fact is never valid,
//     closes nothing, and does not come back by being said again. Once restored, it is as if it had never been
//     rejected.
//  3. A pin applies to a key too. It keeps a fact at the top; it does not keep it from being closed.
//  4. The same sentence at the same moment is a copy, as in forks: another source, but no more evidence.

import { type Fact, type FactEvent, type FactWithHistory, isTrueAt } from '../../domain/fact.ts'
import { applyFactEdit, type FactFieldsEdit } from './apply-fact-edit.ts'
import { compareSaid, type ExtractedFact, type StoredExtractedFact, sortBySaidAt } from './extracted-fact.ts'
import { compareEdits, type FactEdit, findRejections } from './fact-edits.ts'
import { FactIndex, followMerges } from './fact-index.ts'
import { factIdOf } from './fact-key.ts'
import type { FactOperation } from './fact-operation.ts'
import { type MutableFact, toFact, toFactWithHistory } from './mutable-fact.ts'
import { reconcile } from './reconcile-facts.ts'

/** The facts of a workspace. The order of both arguments does not matter. */
export function foldFacts(extracted: readonly StoredExtractedFact[], edits: readonly FactEdit[]): FactFold {
  return new FactFold(extracted, edits)
}

/** Edits of a key, kept for facts with that key that are added later. */
interface Marks {
  pinnedAt?: Date | undefined
  readonly events: FactEvent[]
}

/** An extracted fact, and the facts that it is a source of. */
interface Taken {
  readonly extracted: StoredExtractedFact
  readonly facts: readonly MutableFact[]
}

export class FactFold {
  readonly #index: FactIndex
  readonly #marks = new Map<string, Marks>()
  /** By sentence: the facts it became part of when it was last said, used to recognise copies. */
  readonly #taken = new Map<string, Taken[]>()
  #last: StoredExtractedFact | undefined
  #lastEditAt = new Date(0)
  #facts: readonly Fact[] | undefined
  #lasting: { readonly from: Date; readonly facts: readonly Fact[] } | undefined
  #present: { readonly from: number; readonly until: number; readonly facts: readonly Fact[] } | undefined

  constructor(extracted: readonly StoredExtractedFact[], edits: readonly FactEdit[]) {
    const ordered = edits.toSorted(compareEdits)
    this.#index = new FactIndex(findRejections(ordered))
    const waiting = ordered.values()
    let edit = waiting.next().value
    for (const fact of sortBySaidAt(extracted)) {
      for (; edit !== undefined && edit.at < fact.saidAt; edit = waiting.next().value) this.#applyEdit(edit)
      this.#addExtracted(fact)
    }
    for (; edit !== undefined; edit = waiting.next().value) this.#applyEdit(edit)
  }

  /** In the order in which they were first said. */
  get facts(): readonly Fact[] {
    this.#facts ??= Array.from(this.#index.all(), toFact)
    return this.#facts
  }

  /**
   * The facts that are valid at a moment and not rejected. Usually few of all facts are, so they are cached.
   * Returns the same array until a fact begins or ends.
   */
  factsAt(moment: Date): readonly Fact[] {
    const time = moment.getTime()
    const present = this.#present
    if (present !== undefined && present.from <= time && time < present.until) return present.facts
    if (this.#lasting === undefined || moment < this.#lasting.from) {
      this.#lasting = { from: moment, facts: Array.from(this.#findLasting(moment), toFact) }
    }
    const facts = factsAsOf(this.#lasting.facts, moment)
    this.#present = { from: time, until: nextChange(this.#lasting.facts, time), facts }
    return facts
  }

  /** Facts that are valid then or may become valid later. */
  *#findLasting(moment: Date): Iterable<MutableFact> {
    const time = moment.getTime()
    for (const fact of this.#index.all()) {
      const { rejectedAt, validUntil } = fact
      if (rejectedAt === undefined && (validUntil === undefined || validUntil.getTime() > time)) yield fact
    }
  }

  #forget(): void {
    this.#facts = undefined
    this.#lasting = undefined
    this.#present = undefined
  }

  find(id: string): FactWithHistory | undefined {
    const fact = this.#index.find(id)
    return fact && toFactWithHistory(fact)
  }

  /** Adds facts that were said after all others. Returns false and changes nothing if any of them was not. */
  addLater(extracted: readonly StoredExtractedFact[]): boolean {
    const ordered = sortBySaidAt(extracted)
    const [first] = ordered
    if (first === undefined) return true
    const isLater = this.#last === undefined || compareSaid(this.#last, first) < 0
    if (!isLater || first.saidAt <= this.#lastEditAt) return false
    for (const fact of ordered) this.#addExtracted(fact)
    return true
  }

  #addExtracted(extracted: StoredExtractedFact): void {
    this.#forget()
    this.#last = extracted
    const known = this.#taken.get(extracted.evidence) ?? []
    const isSameMoment = known[0]?.extracted.saidAt.getTime() === extracted.saidAt.getTime()
    const original = isSameMoment ? known.find((taken) => isSameFact(taken.extracted, extracted)) : undefined
    if (original === undefined) {
      const taken = { extracted, facts: this.#carryOut(reconcile(this.#index, extracted)) }
      this.#taken.set(extracted.evidence, isSameMoment ? [...known, taken] : [taken])
    } else for (const fact of original.facts) this.#addCopy(followMerges(fact), extracted)
  }

  #addCopy(fact: MutableFact, extracted: ExtractedFact): void {
    const id = factIdOf(fact.identity, extracted)
    if (!fact.sources.includes(extracted.messageId)) this.#index.addSource({ fact, extracted, id })
  }

  /** Applies the operations and returns the facts that now have the message as a source. */
  #carryOut(operations: readonly FactOperation[]): readonly MutableFact[] {
    const sourced: MutableFact[] = []
    let closed: (FactOperation & { type: 'close' })[] = []
    for (const operation of operations) {
      const fact = this.#index.apply(operation)
      if (operation.type === 'close') closed.push(operation)
      if (fact === undefined || operation.type === 'close') continue
      if (operation.type === 'add') this.#mark(fact)
      fact.history.push(eventOf(operation.extracted, takenAs(operation, fact)))
      for (const { fact: other, extracted } of closed) other.history.push(closingOf(extracted, fact.id))
      closed = []
      sourced.push(fact)
    }
    for (const { fact, extracted } of closed) fact.history.push(closingOf(extracted))
    return sourced
  }

  /** Applies earlier edits of its key to a new fact. */
  #mark(fact: MutableFact): void {
    const marks = this.#marks.get(fact.identity.key)
    if (marks === undefined) return
    fact.pinnedAt = marks.pinnedAt
    fact.history.unshift(...marks.events)
  }

  #applyEdit(edit: FactEdit): void {
    this.#forget()
    this.#lastEditAt = edit.at
    if (edit.fields !== undefined) this.#applyFields(edit as FactFieldsEdit)
    else this.#applyMark(edit)
  }

  #applyFields(edit: FactFieldsEdit): void {
    const fact = applyFactEdit(this.#index, edit)
    const marks = this.#marksOf(fact.identity.key)
    if (fact.history.length === 1) fact.history.unshift(...marks.events)
    marks.pinnedAt ??= fact.pinnedAt
    for (const same of this.#index.ofKey(fact.identity.key)) same.pinnedAt = marks.pinnedAt
  }

  #applyMark({ kind, key, at, id }: FactEdit): void {
    const marks = this.#marksOf(key)
    const event: FactEvent = { type: MARKED[kind as keyof typeof MARKED], at, editId: id }
    if (kind === 'fact-pin') marks.pinnedAt = at
    if (kind === 'fact-unpin') marks.pinnedAt = undefined
    marks.events.push(event)
    for (const fact of this.#index.ofKey(key)) {
      fact.pinnedAt = marks.pinnedAt
      fact.history.push(event)
    }
  }

  #marksOf(key: string): Marks {
    const marks = this.#marks.get(key) ?? { events: [] }
    this.#marks.set(key, marks)
    return marks
  }
}

const MARKED = {
  'fact-pin': 'pinned',
  'fact-unpin': 'unpinned',
  'fact-reject': 'rejected',
  'fact-restore': 'restored',
} as const

const isSameFact = (left: ExtractedFact, right: ExtractedFact): boolean =>
  left.action === right.action &&
  left.attribute === right.attribute &&
  left.value === right.value &&
  left.subject === right.subject

function eventOf({ saidAt, messageId, madeBy }: ExtractedFact, type: FactEvent['type']): FactEvent {
  return { type, at: saidAt, messageId, ...(madeBy !== undefined && { madeBy }) }
}

function takenAs({ type, extracted }: FactOperation, { rejectedAt }: MutableFact): FactEvent['type'] {
  if (type === 'add') return 'stated'
  return rejectedAt !== undefined && rejectedAt < extracted.saidAt ? 'repeated' : 'confirmed'
}

/** The history event for a closed fact, with the id of the fact that replaced it. */
function closingOf(extracted: ExtractedFact, by?: string): FactEvent {
  const event = eventOf(extracted, CLOSED[extracted.action])
  return by === undefined ? event : { ...event, by }
}

const CLOSED = { state: 'superseded', end: 'ended', correct: 'corrected' } as const

/** When the next of the facts begins or ends. */
function nextChange(facts: readonly Fact[], time: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { validFrom, validUntil } of facts) {
    for (const change of [validFrom.getTime(), validUntil?.getTime() ?? next]) {
      if (change > time && change < next) next = change
    }
  }
  return next
}

/** The facts that were valid at a moment, without rejected ones. */
export function factsAsOf(facts: readonly Fact[], moment: Date): Fact[] {
  return facts.filter((fact) => fact.rejectedAt === undefined && isTrueAt(fact, moment))
}
