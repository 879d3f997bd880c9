// Serializes a reader. Topics and entities are stored one by one as items; the rest is small. A topic's item
// includes the newest message, but the records do not, so the record without it is stored here.

import type { JsonObject } from '../../domain/json.ts'
import type { StoredItem } from '../../store/derivations.ts'
import { EntityIndex } from '../entities/entity-index.ts'
import { readEntity } from '../entities/stored-entity.ts'
import { readRecordBody, type TopicRecord, toRecordBody } from '../topics/topic-record.ts'
import { readStateJson, toStateJson } from '../topics/topic-state-json.ts'
import type { ReaderState } from './conversation-reader.ts'
import { readTopicItem } from './items.ts'
import { type PendingMessage, pendingTopic } from './topic-assigner.ts'

interface StoredReader {
  readonly topics: JsonObject
  readonly underPending: JsonObject | null
  readonly pending: readonly (Omit<PendingMessage, 'saidAt'> & { readonly saidAt: number })[]
  readonly last: number
  readonly participants: readonly string[]
  readonly isFiction?: boolean
  readonly before?: ReaderState['before']
}

export function toReaderJson({
  topics,
  records,
  pending,
  last,
  participants,
  isFiction,
  before,
}: ReaderState): JsonObject {
  const under = records.get(pendingTopic(topics) ?? -1)
  return {
    topics: toStateJson(topics),
    underPending: under === undefined ? null : toRecordBody(under),
    pending: pending.map(({ subjects = [], ...message }) => ({
      ...message,
      subjects: subjects as unknown as JsonObject[],
      saidAt: message.saidAt.getTime(),
    })),
    last,
    participants,
    isFiction,
    before: before as JsonObject,
  }
}

export function readReaderJson(
  json: JsonObject,
  items: { readonly topics: readonly StoredItem[]; readonly entities: readonly StoredItem[] },
): ReaderState {
  const stored = json as unknown as StoredReader
  const read = items.topics.map(readTopicItem).sort((one, other) => one.topic.start - other.topic.start)
  const records = new Map(read.map(({ record }) => [record.start, record]))
  const shown = readStateJson(
    stored.topics,
    read.map(({ topic }) => topic),
  )
  setUnder(records, pendingTopic(shown), stored.underPending)
  const settled = shown.settled && {
    ...shown.settled,
    topics: shown.settled.topics.filter(({ start }) => records.has(start)),
  }
  const entities = new EntityIndex()
  for (const item of items.entities) entities.add(readEntity(item))
  return {
    topics: settled === undefined ? shown : { ...shown, settled },
    records,
    pending: stored.pending.map((message) => ({ ...message, saidAt: new Date(message.saidAt) })),
    last: stored.last,
    entities,
    participants: stored.participants,
    isFiction: stored.isFiction ?? false,
    before: stored.before ?? {},
  }
}

function setUnder(
  records: Map<number, TopicRecord>,
  start: number | undefined,
  under: JsonObject | null,
): void {
  if (start === undefined) return
  if (under === null) records.delete(start)
  else records.set(start, readRecordBody(under))
}
