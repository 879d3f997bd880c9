// Reads a conversation message by message and keeps what the next message needs: the course of its topics, what
// is counted of each, who and what was spoken of. `flush` gives everything that changed since the last time,
// for one commit. Feeding the same messages and edits again, in whatever portions, gives the same result.

import type { Message } from '../../domain/message.ts'
import { EntityIndex } from '../entities/entity-index.ts'
import { NO_TOPICS } from '../topics/match-topic.ts'
import type { TopicMerge } from '../topics/merge-topics.ts'
import { type SaidState, ThingsSaid } from './things-said.ts'
import {
  type ArrangedTopic,
  type PlacingChanges,
  type PlacingOptions,
  type PlacingState,
  TopicPlacer,
} from './topic-placer.ts'

/** What a reader is made of, when it is taken up again. */
export interface ReaderState extends PlacingState, SaidState {}

export const NOTHING_READ: () => ReaderState = () => ({
  topics: NO_TOPICS,
  records: new Map(),
  pending: [],
  last: -1,
  entities: new EntityIndex(),
  participants: [],
})

export class ConversationReader {
  readonly #placer: TopicPlacer
  readonly #said: ThingsSaid

  constructor(state: ReaderState, options: PlacingOptions) {
    this.#placer = new TopicPlacer(state, options)
    this.#said = new ThingsSaid(state)
  }

  get state(): ReaderState {
    return { ...this.#placer.state, ...this.#said.state }
  }

  /** Takes a message with what was spoken in it, and the vector of that. */
  take(message: Message, text: string, vector: Float32Array): void {
    this.#placer.place(message, text, vector)
    this.#said.note(message, text)
  }

  /** What changed since the last flush. */
  flush(now: Date): PlacingChanges {
    const said = this.#said.flush(now)
    const { put, ...placed } = this.#placer.flush(now)
    return { ...placed, put: [...said, ...put] }
  }

  /** One topic goes into another. */
  merge(merge: TopicMerge): void {
    this.#placer.merge(merge)
  }

  /** Every message has its lasting place now: what people arrange is not weighed again. */
  settle(): void {
    this.#placer.settle()
  }

  /** Takes topics as people arranged them, in the place of those with the same start. */
  arrange(topics: readonly ArrangedTopic[]): void {
    this.#placer.arrange(topics)
  }
}
