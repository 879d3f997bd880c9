// The matching state as JSON. It does not include the topics: they are stored one by one, since a conversation
// may have a thousand, and a message changes one or two.

import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { MatchedTopic, ReadMessage, TopicState } from './topic-state.ts'
import type { Centroid } from './vectors.ts'

export function toStateJson({ settled, newest, newestTopic, leading }: TopicState): JsonObject {
  return {
    leading,
    ...(settled && {
      settled: {
        current: settled.current,
        recent: toCentroidJson(settled.recent),
        last: toReadJson(settled.last),
        speakers: { ...settled.speakers },
      },
    }),
    ...(newest && { newest: toReadJson(newest) }),
    ...(newestTopic !== undefined && { newestTopic }),
  }
}

export function readStateJson(json: JsonObject, topics: readonly MatchedTopic[]): TopicState {
  // Written by the function above, so any other shape is a bug, not bad input.
  const stored = json as unknown as StoredState
  return {
    leading: stored.leading,
    ...(stored.settled && {
      settled: {
        ...stored.settled,
        topics,
        recent: readCentroid(stored.settled.recent),
        last: readRead(stored.settled.last),
      },
    }),
    ...(stored.newest && { newest: readRead(stored.newest) }),
    ...(stored.newestTopic !== undefined && { newestTopic: stored.newestTopic }),
  }
}

interface StoredCentroid {
  readonly direction: string
  readonly weight: number
}
type StoredRead = Omit<ReadMessage, 'centroid'> & { readonly centroid: StoredCentroid }
interface StoredState {
  readonly leading: readonly number[]
  readonly settled?: Omit<NonNullable<TopicState['settled']>, 'topics' | 'recent' | 'last'> & {
    readonly recent: StoredCentroid
    readonly last: StoredRead
  }
  readonly newest?: StoredRead
  readonly newestTopic?: number
}

function toReadJson(message: ReadMessage): JsonObject {
  return { ...message, cues: { ...message.cues }, centroid: toCentroidJson(message.centroid) }
}

function readRead(stored: StoredRead): ReadMessage {
  return { ...stored, centroid: readCentroid(stored.centroid) }
}

function toCentroidJson({ direction, weight }: Centroid): JsonObject {
  return { direction: toBase64(direction), weight }
}

function readCentroid({ direction, weight }: StoredCentroid): Centroid {
  return { direction: fromBase64(direction), weight }
}

function toBase64(vector: Float32Array): JsonValue {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
}

function fromBase64(text: string): Float32Array {
  return new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)
}
