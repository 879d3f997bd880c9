import type { FactPeriod } from '../../domain/fact.ts'
import type { ExtractedFact } from './extracted-fact.ts'
import type { FactIdentity } from './fact-key.ts'
import type { FactOperation } from './fact-operation.ts'
import { beginFact, type MutableFact } from './mutable-fact.ts'
import { putOnTimeline, type Timeline } from './timeline.ts'

/** Repetition never makes a fact certain. */
const MOST_CONFIDENCE = 0.99
/** Comparing with more would make folding quadratic. */
const MAX_STATEMENTS_OF_TERM = 200
/** Suffix for the id of the second period that one message states. */
const SECOND = '+'

interface Source {
  readonly fact: MutableFact
  readonly extracted: ExtractedFact
  readonly id: string
}

/** Facts in memory, with an index for every lookup of reconciliation, so that its cost does not grow with them. */
export class FactIndex {
  readonly #facts = new Set<MutableFact>()
  readonly #byId = new Map<string, MutableFact>()
  /** Sorted by start. */
  readonly #byKey = new Map<string, Timeline>()
  readonly #byAttribute = new Map<string, MutableFact[]>()
  readonly #words = new WordLists()
  /** Statements by the stems of their terms. */
  readonly #statements = new Map<string, Set<MutableFact>>()
  /** For single-valued attributes. For others, each value has a separate timeline. */
  readonly #timelines = new Map<string, Timeline>()
  /** By subject, in the order they were said. A fact is listed once for each time. */
  readonly #said = new Map<string, { readonly fact: MutableFact; readonly at: Date }[]>()
  readonly #corrections = new Set<string>()
  readonly #rejections: ReadonlyMap<string, Date>

  constructor(rejections: ReadonlyMap<string, Date> = new Map()) {
    this.#rejections = rejections
  }

  /** In the order they were added. */
  all(): Iterable<MutableFact> {
    return this.#facts
  }

  /** By its id, or by the id it would have if another of its messages had been the first. */
  find(id: string): MutableFact | undefined {
    // Whether a message states one period or two depends on the other facts.
    const fact = this.#byId.get(id) ?? this.#byId.get(id.endsWith(SECOND) ? id.slice(0, -SECOND.length) : id)
    return fact && followMerges(fact)
  }

  rejectedAt(key: string): Date | undefined {
    return this.#rejections.get(key)
  }

  ofKey(key: string): readonly MutableFact[] {
    return this.#byKey.get(key) ?? []
  }

  ofAttribute(attributeKey: string): readonly MutableFact[] {
    return this.#byAttribute.get(attributeKey) ?? []
  }

  /** Facts of the attribute whose folded value contains these words, and some with only part of them. */
  withWords(attributeKey: string, words: readonly string[]): readonly MutableFact[] {
    return this.#words.find(attributeKey, words, () => this.ofAttribute(attributeKey))
  }

  /** Statements that share a term. Terms of very many statements are skipped, since they are too common to matter. */
  statementsAbout(terms: readonly string[]): ReadonlySet<MutableFact> {
    const found = new Set<MutableFact>()
    for (const term of terms) {
      const statements = this.#statements.get(term)
      if (statements === undefined || statements.size > MAX_STATEMENTS_OF_TERM) continue
      for (const fact of statements) found.add(fact)
    }
    return found
  }

  /** Facts that cannot be valid together with one of this identity. Rejected facts are never valid. */
  timelineOf({ isSingleValued, attributeKey, key }: FactIdentity): Timeline {
    return isSingleValued ? listAt(this.#timelines, attributeKey) : listAt(this.#byKey, key)
  }

  /** Facts about the subject that were said since a moment, most recent first. */
  *saidSince(subject: string, since: Date): Iterable<MutableFact> {
    const said = this.#said.get(subject) ?? []
    for (let place = said.length - 1; place >= 0; place--) {
      const { fact, at } = said[place] as (typeof said)[number]
      if (at < since) return
      if (at.getTime() === fact.saidAt.getTime() && this.#facts.has(fact)) yield fact
    }
  }

  /** Whether a fact has this id, so that its message was already processed. */
  has(id: string): boolean {
    return this.#byId.has(id)
  }

  hasCorrected({ subject, value = '', messageId }: ExtractedFact): boolean {
    return this.#corrections.has(`${messageId}\n${subject}\n${value}`)
  }

  /** Applies an operation and returns the fact that it added or changed. */
  apply(operation: FactOperation): MutableFact | undefined {
    switch (operation.type) {
      case 'ignore':
        return undefined
      case 'add':
        return this.#begin(operation)
      case 'confirm':
        return this.#confirm(operation)
      case 'repeat':
        return this.addSource(operation)
      case 'close':
        operation.fact.validUntil = operation.validUntil
        return operation.fact
    }
  }

  #begin(operation: FactOperation & { type: 'add' }): MutableFact {
    const { extracted, id, identity, validUntil } = operation
    const ownId = operation.isSecondPeriod === true ? id + SECOND : id
    const fact = beginFact(identity, extracted, { id: ownId, origin: 'said', validUntil })
    this.add(fact)
    return this.addSource({ fact, extracted, id })
  }

  #confirm({ fact, extracted, id }: FactOperation & { type: 'confirm' }): MutableFact {
    const { validFrom, saidAt, confidence } = extracted
    if (validFrom.getTime() < fact.validFrom.getTime())
      this.setPeriod(fact, { validFrom, validUntil: fact.validUntil })
    const more = 1 - (1 - fact.confidence) * (1 - confidence / 2)
    fact.confidence = Math.max(fact.confidence, Math.min(MOST_CONFIDENCE, more))
    if (saidAt.getTime() > fact.saidAt.getTime()) fact.saidAt = saidAt
    return this.addSource({ fact, extracted, id })
  }

  addSource({ fact, extracted, id }: Source): MutableFact {
    const { messageId, conversationId, saidAt, subject } = extracted
    fact.sources.push(messageId)
    if (conversationId !== undefined) fact.conversationIds.add(conversationId)
    this.addAlias(fact, id)
    if (extracted.shape !== undefined)
      this.#corrections.add(`${messageId}\n${subject}\n${extracted.value ?? ''}`)
    const said = listAt(this.#said, subject)
    let place = said.length
    while (place > 0 && (said[place - 1]?.at.getTime() ?? 0) > saidAt.getTime()) place--
    if (place === said.length) said.push({ fact, at: saidAt })
    else said.splice(place, 0, { fact, at: saidAt })
    return fact
  }

  add(fact: MutableFact): void {
    const { key, attributeKey, isSingleValued } = fact.identity
    fact.rejectedAt = this.rejectedAt(key)
    this.#facts.add(fact)
    this.addAlias(fact, fact.id)
    putOnTimeline(listAt(this.#byKey, key), fact)
    listAt(this.#byAttribute, attributeKey).push(fact)
    this.#words.add(fact)
    for (const term of fact.statement?.terms ?? []) setAt(this.#statements, term).add(fact)
    if (isSingleValued && fact.rejectedAt === undefined)
      putOnTimeline(listAt(this.#timelines, attributeKey), fact)
  }

  /** Removes a fact from all lookups but keeps its position and ids, so that it can be added again with new fields. */
  takeOff(fact: MutableFact): void {
    const { key, attributeKey } = fact.identity
    take(this.#byKey.get(key), fact)
    take(this.#byAttribute.get(attributeKey), fact)
    take(this.#timelines.get(attributeKey), fact)
    this.#words.remove(fact)
    for (const term of fact.statement?.terms ?? []) this.#statements.get(term)?.delete(fact)
  }

  /** Marks a removed fact as merged into another, which its ids then resolve to. */
  mergeInto(fact: MutableFact, other: MutableFact): void {
    other.mergedInto = fact
    this.#facts.delete(other)
  }

  /** Makes an id resolve to the fact, unless it already resolves to another. */
  addAlias(fact: MutableFact, id: string): void {
    if (!this.#byId.has(id)) this.#byId.set(id, fact)
  }

  setPeriod(fact: MutableFact, { validFrom, validUntil }: FactPeriod): void {
    fact.validUntil = validUntil
    if (validFrom.getTime() === fact.validFrom.getTime()) return
    const { key, attributeKey } = fact.identity
    const lists = [this.#byKey.get(key), this.#timelines.get(attributeKey)].filter((list) => take(list, fact))
    fact.validFrom = validFrom
    for (const list of lists) if (list !== undefined) putOnTimeline(list, fact)
  }
}

/** The fact itself, or the one it was merged into. */
export function followMerges(fact: MutableFact): MutableFact {
  return fact.mergedInto === undefined ? fact : followMerges(fact.mergedInto)
}

function listAt<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const known = lists.get(key)
  if (known !== undefined) return known
  const made: Item[] = []
  lists.set(key, made)
  return made
}

function setAt<Item>(sets: Map<string, Set<Item>>, key: string): Set<Item> {
  const known = sets.get(key)
  if (known !== undefined) return known
  const made = new Set<Item>()
  sets.set(key, made)
  return made
}

/** Returns whether it was in the list. */
function take<Item>(list: Item[] | undefined, item: Item): boolean {
  const place = list?.lastIndexOf(item) ?? -1
  if (place >= 0) list?.splice(place, 1)
  return place >= 0
}

/** Facts by the words of their values, for attributes in which something was said to have ended. */
class WordLists {
  readonly #byAttribute = new Map<string, Map<string, MutableFact[]>>()

  /** The facts with the rarest of the words. `all` is called only the first time for an attribute. */
  find(
    attributeKey: string,
    words: readonly string[],
    all: () => readonly MutableFact[],
  ): readonly MutableFact[] {
    if (!this.#byAttribute.has(attributeKey)) {
      this.#byAttribute.set(attributeKey, new Map())
      for (const fact of all()) this.add(fact)
    }
    const lists = words.map((word) => this.#byAttribute.get(attributeKey)?.get(word) ?? [])
    return lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest))
  }

  add(fact: MutableFact): void {
    const lists = this.#byAttribute.get(fact.identity.attributeKey)
    if (lists === undefined) return
    for (const word of wordsOf(fact)) {
      const list = lists.get(word)
      if (list === undefined) lists.set(word, [fact])
      else list.push(fact)
    }
  }

  remove(fact: MutableFact): void {
    const lists = this.#byAttribute.get(fact.identity.attributeKey)
    if (lists === undefined) return
    for (const word of wordsOf(fact))
      lists.set(
        word,
        (lists.get(word) ?? []).filter((one) => one !== fact),
      )
  }
}

const wordsOf = ({ identity }: MutableFact): ReadonlySet<string> => new Set(identity.foldedValue.split(' '))
