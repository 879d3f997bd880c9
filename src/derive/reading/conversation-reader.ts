// Reads a conversation message by message and keeps what the next message needs: the course of its topics, what
// is counted of each, who and what was spoken of. `flush` gives everything that changed since the last time,
// for one commit. Feeding the same messages and edits again, in whatever portions, gives the same result.

import type { Message } from '../../domain/message.ts'
import { EntityIndex } from '../entities/entity-index.ts'
import { NO_TOPICS } from '../topics/match-topic.ts'
import type { TopicMerge } from '../topics/merge-topics.ts'
import { type ExtractorState, MessageExtractor } from './message-extractor.ts'
import {
  type AssignerChanges,
  type AssignerOptions,
  type AssignerState,
  type EditedTopic,
  TopicAssigner,
} from './topic-assigner.ts'

/** What a reader is made of, when it is taken up again. */
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

  /** Takes a message with what was spoken in it, and the vector of that. */
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

  /** One topic goes into another. */
  merge(merge: TopicMerge): void {
    this.#assigner.merge(merge)
  }

  /** Every message has its lasting place now: what people arrange is not weighed again. */
  settle(): void {
    this.#assigner.settle()
  }

  /** Takes topics as people arranged them, in the place of those with the same start. */
  replaceTopics(topics: readonly EditedTopic[]): void {
    this.#assigner.replaceTopics(topics)
  }
}
