// Reads a conversation message by message and keeps the state that the next message needs: the course of its
// topics, the counts of each topic, and the entities mentioned. `flush` returns everything that changed since the
// last flush, for one commit. The same messages and edits give the same result, no matter how they are batched.

import type { Message } from '../../domain/message.ts'
import { EntityIndex } from '../entities/entity-index.ts'
import { NO_TOPICS } from '../topics/match-topic.ts'
import type { TopicMerge } from '../topics/merge-topics.ts'
import { nameConversation } from '../topics/name-topic.ts'
import { type ExtractorState, MessageExtractor } from './message-extractor.ts'
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
