import { definedFields } from '../../domain/defined-fields.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Subject } from './find-subjects.ts'
import {
  countSubjects,
  joinSubjects,
  readStoredSubject,
  type StoredSubject,
  type SubjectCount,
  toStoredSubject,
} from './name-topic.ts'

/** The question that begins a topic, and the reply to it. */
const OPENING_MESSAGES = 2

/** The counts of a topic. */
export interface TopicRecord {
  /** The position of its first message: the topic's key within the conversation. */
  readonly start: number
  readonly title: string
  /** How often a person mentioned it. */
  readonly accesses: number
  readonly messages: number
  readonly firstUsedAt: Date
  readonly lastUsedAt: Date
  /** The positions of messages that were not marked for compression, in order. */
  readonly live: readonly number[]
  /** Whether the conversation returned to it and is still there; then all of its messages count as live. */
  readonly isReturned: boolean
  /** The subjects of its messages, from which its name is made. */
  readonly subjects: readonly SubjectCount[]
  /** The highest importance of any of its messages. */
  readonly importance?: number
}

/** The parts of a message that are counted. */
export interface CountedMessage {
  readonly position: number
  readonly saidAt: Date
  /** Whether a person wrote it. */
  readonly isAccess: boolean
  readonly subjects?: readonly Subject[]
  readonly importance?: number
}

export function startRecord(start: number, title: string, { saidAt }: CountedMessage): TopicRecord {
  return {
    start,
    title,
    accesses: 0,
    messages: 0,
    live: [],
    isReturned: false,
    subjects: [],
    firstUsedAt: saidAt,
    lastUsedAt: saidAt,
  }
}

/** The record after one more message. */
export function countMessage(record: TopicRecord, message: CountedMessage): TopicRecord {
  const { saidAt, isAccess, subjects = [] } = message
  const kind = { isPerson: isAccess, isOpening: record.messages < OPENING_MESSAGES }
  return {
    ...record,
    accesses: record.accesses + Number(isAccess),
    messages: record.messages + 1,
    live: [...record.live, message.position],
    subjects: countSubjects(record.subjects, subjects, kind),
    firstUsedAt: earliest(record.firstUsedAt, saidAt),
    lastUsedAt: latest(record.lastUsedAt, saidAt),
    ...highest(record.importance, message.importance),
  }
}

/** The record of two merged topics. */
export function joinRecords(into: TopicRecord, from: TopicRecord): TopicRecord {
  return {
    ...into,
    accesses: into.accesses + from.accesses,
    messages: into.messages + from.messages,
    live: [...into.live, ...from.live].sort((one, other) => one - other),
    subjects: joinSubjects(into.subjects, from.subjects),
    firstUsedAt: earliest(into.firstUsedAt, from.firstUsedAt),
    lastUsedAt: latest(into.lastUsedAt, from.lastUsedAt),
    ...highest(into.importance, from.importance),
  }
}

const earliest = (one: Date, other: Date): Date => new Date(Math.min(one.getTime(), other.getTime()))
const latest = (one: Date, other: Date): Date => new Date(Math.max(one.getTime(), other.getTime()))

function highest(one: number | undefined, other: number | undefined): { importance?: number } {
  if (one === undefined) return definedFields({ importance: other })
  return { importance: other === undefined ? one : Math.max(one, other) }
}

export function toRecordBody(record: TopicRecord): JsonObject {
  const { importance, firstUsedAt, lastUsedAt, subjects, ...rest } = record
  return {
    ...rest,
    subjects: subjects.map(toStoredSubject) as unknown as JsonObject[],
    firstUsedAt: firstUsedAt.getTime(),
    lastUsedAt: lastUsedAt.getTime(),
    ...definedFields({ importance }),
  }
}

export function readRecordBody(body: JsonObject): TopicRecord {
  const stored = body as unknown as Omit<TopicRecord, 'firstUsedAt' | 'lastUsedAt' | 'subjects'> & {
    readonly firstUsedAt: number
    readonly lastUsedAt: number
    readonly subjects?: readonly StoredSubject[]
  }
  return {
    ...stored,
    // Files of a version without them, or with another form of them, are read again.
    subjects: (stored.subjects ?? []).filter((subject) => Array.isArray(subject)).map(readStoredSubject),
    firstUsedAt: new Date(stored.firstUsedAt),
    lastUsedAt: new Date(stored.lastUsedAt),
  }
}
