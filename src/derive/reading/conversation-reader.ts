// Reads a conversation message by message and keeps the state that the next message needs: the course of its
// topics, the counts of each topic, and the entities mentioned. `flush` returns everything that changed since the
// last flush, for one commit. The same messages and edits give the same result, no matter how they are batched.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Message } from '../../domain/message.ts'
import type { DerivedItem } from '../../store/derivations.ts'
import { EntityIndex } from '../entities/entity-index.ts'
import { findEntities } from '../entities/find-entities.ts'
import { readMessageFacts } from '../facts/extract-facts.ts'
import { extractedFactKey } from '../facts/extracted-fact.ts'
import { readAsked } from '../facts/statements/answer-question.ts'
import { FICTION } from '../facts/statements/languages.ts'
import { toToolNotes } from '../notes/tool-notes.ts'
import { NO_TOPICS } from '../topics/match-topic.ts'
import type { TopicMerge } from '../topics/merge-topics.ts'
import { nameConversation } from '../topics/name-topic.ts'
import { toEntityItem, toExtractedFactItem } from './items.ts'
import {
  type AssignerChanges,
  type AssignerOptions,
  type AssignerState,
  type EditedTopic,
  TopicAssigner,
} from './topic-assigner.ts'

/** The state from which a reader is restored. */
export interface ReaderState extends AssignerState, ExtractorState {}

export const emptyReaderState: () => ReaderState = () => ({
  topics: NO_TOPICS,
  records: new Map(),
  pending: [],
  last: -1,
  entities: new EntityIndex(),
  participants: [],
  isFiction: false,
  before: {},
})

export class ConversationReader {
  readonly #assigner: TopicAssigner
  readonly #extractor: MessageExtractor

  constructor(state: ReaderState, options: AssignerOptions) {
    this.#assigner = new TopicAssigner(state, options)
    this.#extractor = new MessageExtractor(state)
  }

  get state(): ReaderState {
    return { ...this.#assigner.state, ...this.#extractor.state }
  }

  /** What the conversation is about, by the messages whose topic is final; undefined if nothing names it. */
  get title(): string | undefined {
    const records = [...this.#assigner.state.records.values()].sort((one, other) => one.start - other.start)
    return nameConversation(records.map(({ subjects }) => subjects))
  }

  /** Takes a message with its spoken text and the vector of that text. */
  take(message: Message, text: string, vector: Float32Array): void {
    this.#assigner.assign(message, text, vector)
    this.#extractor.extract(message, text)
  }

  /** What changed since the last flush. */
  flush(now: Date): AssignerChanges {
    const said = this.#extractor.flush(now)
    const { put, ...placed } = this.#assigner.flush(now)
    return { ...placed, put: [...said, ...put] }
  }

  /** Merges one topic into another. */
  merge(merge: TopicMerge): void {
    this.#assigner.merge(merge)
  }

  /** Makes all topic assignments final, so that edits by people are not re-evaluated. */
  settle(): void {
    this.#assigner.settle()
  }

  /** Replaces the topics that have the same start with edited ones. */
  replaceTopics(topics: readonly EditedTopic[]): void {
    this.#assigner.replaceTopics(topics)
  }
}

// Extracts what single messages contain: statements, entities, short tool results.

/** The state that the next message needs. */
interface ExtractorState {
  readonly entities: EntityIndex
  readonly participants: readonly string[]
  /** The speaker said that they are writing a story. */
  readonly isFiction: boolean
  readonly before: Before
}

/** What the next message may continue. */
interface Before {
  /** What the assistant just asked about. */
  readonly asked?: string | undefined
  /** The only person in the last message of a speaker. */
  readonly person?: string | undefined
  readonly speaker?: string | undefined
}

class MessageExtractor {
  readonly #entities: EntityIndex
  readonly #participants: Set<string>
  #isFiction: boolean
  #before: Before
  /** Items changed since the last flush. Built lazily, since an entity may be mentioned in every message. */
  readonly #items = new Map<string, () => DerivedItem>()

  constructor({ entities, participants, isFiction, before }: ExtractorState) {
    this.#before = before
    this.#entities = entities
    this.#participants = new Set(participants)
    this.#isFiction = isFiction
  }

  get state(): ExtractorState {
    return {
      entities: this.#entities,
      participants: [...this.#participants],
      isFiction: this.#isFiction,
      before: this.#before,
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
    const { asked, person, speaker } = this.#before
    const { facts, person: spokenOf } = readMessageFacts(said, {
      participants: [...this.#participants],
      isFiction: this.#isFiction,
      before: {
        asked,
        before: speaker === name ? person : undefined,
        isPerson: (word) => this.#entities.people(word).length > 0,
      },
    })
    if (role === 'assistant') this.#before = { ...this.#before, asked: readAsked(text) }
    if (role === 'user') this.#before = definedFields({ person: spokenOf, speaker: name })
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
