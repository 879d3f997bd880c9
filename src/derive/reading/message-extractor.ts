// Extracts what single messages contain: statements, entities, short tool results.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Message } from '../../domain/message.ts'
import type { DerivedItem } from '../../store/derivations.ts'
import type { EntityIndex } from '../entities/entity-index.ts'
import { findEntities } from '../entities/find-entities.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { extractedFactKey } from '../facts/extracted-fact.ts'
import { FICTION } from '../facts/statements/languages.ts'
import { toToolNotes } from '../notes/tool-notes.ts'
import { toEntityItem, toExtractedFactItem } from './items.ts'

/** The state that the next message needs. */
export interface ExtractorState {
  readonly entities: EntityIndex
  readonly participants: readonly string[]
  /** The speaker said that they are writing a story. */
  readonly isFiction: boolean
}

export class MessageExtractor {
  readonly #entities: EntityIndex
  readonly #participants: Set<string>
  #isFiction: boolean
  /** Items changed since the last flush. Built lazily, since an entity may be mentioned in every message. */
  readonly #items = new Map<string, () => DerivedItem>()

  constructor({ entities, participants, isFiction }: ExtractorState) {
    this.#entities = entities
    this.#participants = new Set(participants)
    this.#isFiction = isFiction
  }

  get state(): ExtractorState {
    return {
      entities: this.#entities,
      participants: [...this.#participants],
      isFiction: this.#isFiction,
    }
  }

  extract(message: Message, text: string): void {
    this.#extractNotes(message)
    if (text === '') return
    this.#extractFacts(message, text)
    this.#extractEntities(message, text)
  }

  /** What changed since the last flush. */
  flush(now: Date): DerivedItem[] {
    const items = [...this.#items.values()].map((toItem) => ({ ...toItem(), madeAt: now }))
    this.#items.clear()
    return items
  }

  #extractFacts(message: Message, text: string): void {
    const { id, role, name, createdAt, copyOf } = message
    if (role === 'user' && name !== undefined) this.#participants.add(name)
    const said = { id, role, text, createdAt, ...definedFields({ name, copyOf }) }
    if (role === 'user' && FICTION.test(text)) this.#isFiction = true
    const facts = extractFacts(said, {
      participants: [...this.#participants],
      isFiction: this.#isFiction,
    })
    for (const [index, fact] of facts.entries()) {
      const key = extractedFactKey(message.position, index)
      this.#items.set(`fact ${key}`, () => toExtractedFactItem(fact, key))
    }
  }

  #extractNotes(message: Message): void {
    for (const item of toToolNotes(message)) this.#items.set(`note ${item.key}`, () => item)
  }

  #extractEntities({ id, createdAt }: Message, text: string): void {
    for (const entity of findEntities({ id, text, createdAt }, this.#entities)) {
      this.#entities.add(entity)
      this.#items.set(`entity ${entity.id}`, () => toEntityItem(entity))
    }
  }
}
