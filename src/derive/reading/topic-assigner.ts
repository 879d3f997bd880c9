// Assigns the messages of a conversation to topics, one by one, and counts the messages of each topic. A message
// is assigned when it arrives, and re-evaluated when the next one arrives. Until then it is pending: readers see
// it counted, but the permanent records do not include it.

import { definedFields } from '../../domain/defined-fields.ts'
import type { Message } from '../../domain/message.ts'
import type { DerivedItem, MessageAnnotation } from '../../store/derivations.ts'
import { findSubjects } from '../topics/find-subjects.ts'
import { matchTopic, settleNow } from '../topics/match-topic.ts'
import type { ResolvedMatching } from '../topics/matching-options.ts'
import { findTwin, mergeTopics, type TopicMerge } from '../topics/merge-topics.ts'
import {
  type CountedMessage,
  countMessage,
  joinRecords,
  startRecord,
  type TopicRecord,
} from '../topics/topic-record.ts'
import type { MatchedTopic, TopicState } from '../topics/topic-state.ts'
import { addCentroids, type Centroid } from '../topics/vectors.ts'
import { toTopicItem } from './items.ts'

export interface AssignerOptions {
  readonly matching: ResolvedMatching
  /** A topic with more live messages than this is compressed … */
  readonly compressAbove: number
  /** … except for this many, the newest. */
  readonly keptLive: number
}

/** A message that may still change its topic. */
export type PendingMessage = CountedMessage

/** Topics with fewer messages are not merged automatically: two exchanges. */
const LEAST_TO_MERGE = 4

/** The state that the next message needs. */
export interface AssignerState {
  readonly topics: TopicState
  /** Records of messages whose topic is final. */
  readonly records: ReadonlyMap<number, TopicRecord>
  readonly pending: readonly PendingMessage[]
  /** The position of the last message; -1 before the first. */
  readonly last: number
}

/** A topic with all its messages after an edit. A topic without messages is deleted. */
export interface EditedTopic {
  readonly start: number
  readonly title: string
  readonly messages: readonly (PendingMessage & { readonly centroid?: Centroid })[]
}

export interface AssignerChanges {
  readonly readings: readonly MessageAnnotation[]
  readonly put: readonly DerivedItem[]
  readonly drop: readonly Pick<DerivedItem, 'kind' | 'key'>[]
  readonly merges: readonly TopicMerge[]
  /** Positions of messages to compress. */
  readonly compress: readonly number[]
}

export class TopicAssigner {
  readonly #options: AssignerOptions
  readonly #records: Map<number, TopicRecord>
  #topics: TopicState
  #pending: readonly PendingMessage[]
  #last: number
  // Since the last flush:
  readonly #readings = new Map<number, MessageAnnotation>()
  readonly #touched = new Set<number>()
  #merges: TopicMerge[] = []
  #compress: number[] = []

  constructor(state: AssignerState, options: AssignerOptions) {
    this.#options = options
    this.#topics = state.topics
    this.#records = new Map(state.records)
    this.#pending = state.pending
    this.#last = state.last
  }

  get state(): AssignerState {
    return { topics: this.#topics, records: this.#records, pending: this.#pending, last: this.#last }
  }

  /** What changed since the last flush. */
  flush(now: Date): AssignerChanges {
    const shown = [...this.#touched].map((start) => [start, this.#shownRecord(start)] as const)
    const changes = {
      readings: [...this.#readings.values()],
      put: shown.flatMap(([, record]) => (record === undefined ? [] : this.#toItem(record, now))),
      drop: shown.flatMap(([start, record]) =>
        record === undefined ? { kind: 'topic' as const, key: String(start) } : [],
      ),
      merges: this.#merges,
      compress: this.#compress,
    }
    for (const part of [this.#readings, this.#touched]) part.clear()
    this.#merges = []
    this.#compress = []
    return changes
  }

  assign(message: Message, text: string, vector: Float32Array): void {
    const { role, name, createdAt, position, importance } = message
    const before = this.#topics
    const { state, assignments } = matchTopic(
      before,
      { role, text, saidAt: createdAt, position, vector, ...definedFields({ name }) },
      this.#options.matching,
    )
    this.#topics = state
    this.#last = position
    const pending = {
      position,
      saidAt: createdAt,
      isAccess: role === 'user' && text !== '',
      subjects: findSubjects(text),
      ...definedFields({ importance }),
    }
    const isSettling = state.newest?.position === position
    if (before.newestTopic !== undefined) this.#touched.add(before.newestTopic)
    if (isSettling) this.#settlePending(before.settled?.current)
    this.#pending = isSettling ? [pending] : [...this.#pending, pending]
    if (state.newest === undefined && state.settled !== undefined) this.#settlePending(state.settled.current)
    for (const { position: place, topic } of assignments) {
      this.#readings.set(place, { ...this.#readings.get(place), position: place, topic })
      this.#touched.add(topic)
    }
    if (text !== '')
      this.#readings.set(position, { ...(this.#readings.get(position) as MessageAnnotation), vector })
  }

  /** Makes the topic of the pending messages final: it is the current one. */
  #settlePending(left: number | undefined): void {
    const { settled } = this.#topics
    if (settled === undefined) return
    const start = settled.current
    const isReturn = left !== undefined && left !== start && this.#records.has(start)
    if (left !== undefined && left !== start) this.#leave(left)
    const [first] = this.#pending
    if (first === undefined) return
    const known = this.#records.get(start) ?? startRecord(start, titleOf(settled.topics, start), first)
    const counted = this.#pending.reduce(countMessage, known)
    this.#records.set(start, isReturn ? { ...counted, isReturned: true } : counted)
    this.#pending = []
    this.#touched.add(start)
    this.#planCompression(start)
    if (left !== undefined && left !== start) this.#mergeWithTwin(left)
  }

  #leave(start: number): void {
    const record = this.#records.get(start)
    if (record === undefined) return
    this.#records.set(start, { ...record, isReturned: false })
    this.#touched.add(start)
  }

  #planCompression(start: number): void {
    const record = this.#records.get(start)
    if (record === undefined || record.live.length <= this.#options.compressAbove) return
    const kept = record.live.length - this.#options.keptLive
    this.#records.set(start, { ...record, live: record.live.slice(kept) })
    this.#compress.push(...record.live.slice(0, kept))
  }

  /** When a topic is left, its messages may show that it is the same as an earlier one. */
  #mergeWithTwin(left: number): void {
    // A few words can be similar by chance, or because of a phrase that every reply has.
    const hasSaidEnough = ({ start }: MatchedTopic) =>
      (this.#records.get(start)?.messages ?? 0) >= LEAST_TO_MERGE
    const topics = (this.#topics.settled?.topics ?? []).filter(hasSaidEnough)
    const merge = findTwin(topics, left, this.#options.matching)
    if (merge !== undefined) this.merge(merge)
  }

  /** Merges one topic into another. */
  merge(merge: TopicMerge): void {
    const [into, from] = [this.#records.get(merge.into), this.#records.get(merge.from)]
    if (into === undefined || from === undefined) return
    this.#topics = mergeTopics(this.#topics, merge)
    this.#records.set(merge.into, joinRecords(into, from))
    this.#records.delete(merge.from)
    this.#merges.push(merge)
    for (const [place, reading] of this.#readings) {
      if (reading.topic === merge.from) this.#readings.set(place, { ...reading, topic: merge.into })
    }
    this.#touched.add(merge.into).add(merge.from)
    this.#planCompression(merge.into)
  }

  /** Makes all topic assignments final, so that edits by people are not re-evaluated. */
  settle(): void {
    const left = this.#topics.settled?.current
    this.#topics = settleNow(this.#topics, this.#options.matching)
    this.#settlePending(left)
  }

  /** Replaces the topics that have the same start with edited ones. */
  replaceTopics(topics: readonly EditedTopic[]): void {
    const { settled } = this.#topics
    if (settled === undefined) return
    const kept = settled.topics.filter(({ start }) => !topics.some((topic) => topic.start === start))
    const full = topics.filter(({ messages }) => messages.length > 0)
    const all = [...kept, ...full.map(toMatched)].sort((one, other) => one.start - other.start)
    const live = new Set(topics.flatMap(({ start }) => this.#records.get(start)?.live ?? []))
    for (const topic of topics) this.#arrangeOne(topic, live)
    const current = full.find(({ messages }) =>
      messages.some(({ position }) => position === this.#last),
    )?.start
    this.#topics = {
      ...this.#topics,
      settled: { ...settled, topics: all, current: current ?? settled.current },
    }
  }

  #arrangeOne({ start, title, messages }: EditedTopic, live: ReadonlySet<number>): void {
    this.#touched.add(start)
    const [first] = messages
    const before = this.#records.get(start)
    this.#records.delete(start)
    if (first === undefined) return
    for (const { position } of messages) this.#readings.set(position, { position, topic: start })
    const record = messages.reduce(countMessage, startRecord(start, before?.title ?? title, first))
    this.#records.set(start, { ...record, live: record.live.filter((position) => live.has(position)) })
    this.#planCompression(start)
  }

  #toItem(record: TopicRecord, now: Date): DerivedItem {
    const topic = this.#topics.settled?.topics.find(({ start }) => start === record.start)
    return toTopicItem(record, topic?.centroid ?? this.#topics.newest?.centroid, now)
  }

  /** A topic as readers see it, with the pending messages; undefined if it was deleted. */
  #shownRecord(start: number): TopicRecord | undefined {
    const settled = this.#records.get(start)
    const [first] = this.#pending
    if (first === undefined || start !== pendingTopic(this.#topics)) return settled
    const known = settled ?? startRecord(start, this.#topics.newest?.title ?? '', first)
    const shown = this.#pending.reduce(countMessage, known)
    const isReturning = settled !== undefined && this.#topics.settled?.current !== start
    return isReturning ? { ...shown, isReturned: true } : shown
  }
}

/** The topic that the pending messages are shown in. */
export function pendingTopic({ newestTopic, settled, leading }: TopicState): number | undefined {
  return newestTopic ?? (settled === undefined ? leading[0] : undefined)
}

function toMatched({ start, title, messages }: EditedTopic): MatchedTopic {
  const centroids = messages.flatMap(({ centroid }) => centroid ?? [])
  const [first = { direction: new Float32Array(0), weight: 0 }, ...rest] = centroids
  return { start, title, centroid: rest.reduce((sum, centroid) => addCentroids(sum, centroid), first) }
}

function titleOf(topics: readonly MatchedTopic[], start: number): string {
  return topics.find((topic) => topic.start === start)?.title ?? ''
}
