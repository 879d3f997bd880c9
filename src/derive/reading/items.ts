// Converts derived data to stored items and back.

import type { Entity } from '../../domain/entity.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import type { DerivedItem, StoredItem } from '../../store/derivations.ts'
import { toEntityBody } from '../entities/stored-entity.ts'
import { EXTRACTED_FACT, type ExtractedFact, toExtractedFactBody } from '../facts/extracted-fact.ts'
import { readRecordBody, type TopicRecord, toRecordBody } from '../topics/topic-record.ts'
import type { MatchedTopic } from '../topics/topic-state.ts'
import type { Centroid } from '../topics/vectors.ts'

/** Version of the rules in this folder and those it calls. A new version makes every conversation be derived again. */
export const READER_VERSION = 'reading/4'

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

/** The body fields that appear in a prompt. */
const SAID: readonly string[] = ['subject', 'attribute', 'value', 'title', 'name', 'text']

/** Cache size: titles and names repeat with every message. */
const MOST_REMEMBERED = 1000
const remembered = new WeakMap<CountTokens, Map<string, number>>()

/** The item with its size in a prompt, in tokens. */
export function countItem(item: DerivedItem, countTokens: CountTokens): DerivedItem {
  const words = SAID.map((field) => item.body[field]).filter((value) => typeof value === 'string')
  return { ...item, tokens: countOnce(words.join(' '), countTokens) }
}

function countOnce(text: string, countTokens: CountTokens): number {
  const counts = remembered.get(countTokens) ?? new Map<string, number>()
  const known = counts.get(text)
  if (known !== undefined) return known
  if (counts.size >= MOST_REMEMBERED) counts.clear()
  const tokens = countTokens(text)
  remembered.set(countTokens, counts.set(text, tokens))
  return tokens
}
