// Converts derived data to stored items and back.

import type { Entity } from '../../domain/entity.ts'
import type { DerivedItem, StoredItem } from '../../store/derivations.ts'
import { toEntityBody } from '../entities/stored-entity.ts'
import { EXTRACTED_FACT, type ExtractedFact, toExtractedFactBody } from '../facts/extracted-fact.ts'
import { readRecordBody, type TopicRecord, toRecordBody } from '../topics/topic-record.ts'
import type { MatchedTopic } from '../topics/topic-state.ts'
import type { Centroid } from '../topics/vectors.ts'

/** Version of the rules in this folder and those it calls. A new version makes every conversation be derived again. */
export const READER_VERSION = 'reading/3'

const UNKNOWN_TIME = new Date(0)
const made = { madeBy: READER_VERSION, madeAt: UNKNOWN_TIME, tokens: 0 } as const

export function toTopicItem(record: TopicRecord, centroid: Centroid | undefined, madeAt: Date): DerivedItem {
  return {
    ...made,
    madeAt,
    kind: 'topic',
    key: String(record.start),
    body: { ...toRecordBody(record), weight: centroid?.weight ?? 0 },
    ...(centroid && { vector: centroid.direction }),
    sources: [],
  }
}

export function readTopicItem({ body, vector }: StoredItem): { record: TopicRecord; topic: MatchedTopic } {
  const { weight, ...rest } = body
  const record = readRecordBody(rest)
  const centroid = { direction: vector ?? new Float32Array(0), weight: Number(weight) }
  return { record, topic: { start: record.start, title: record.title, centroid } }
}

export function toExtractedFactItem(fact: ExtractedFact, key: string): DerivedItem {
  return {
    ...made,
    kind: EXTRACTED_FACT,
    key,
    body: toExtractedFactBody(fact),
    sources: [fact.messageId],
  }
}

export function toEntityItem(entity: Entity): DerivedItem {
  return {
    ...made,
    kind: 'entity',
    key: entity.id,
    body: toEntityBody(entity),
    sources: [entity.firstMessageId, entity.lastMessageId],
  }
}
