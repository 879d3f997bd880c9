import { type Place, placeOf } from '../../../domain/place.ts'
import type { VectorLookup } from '../../recall-store.ts'
import type { Connection } from '../connection.ts'
import { cosineToSmall } from '../vector-bytes.ts'
import { readScope } from './scope.ts'

interface Near {
  readonly place: Place
  readonly similarity: number
}

interface VectorRow {
  readonly conversation: number
  readonly position: number
  readonly vector: Uint8Array
}

export function findNearest(connection: Connection, lookup: VectorLookup): readonly Near[] {
  return connection.snapshot(() => {
    const scope = readScope(connection, lookup)
    if (scope === undefined) return []
    const rows = connection.all<VectorRow>(
      `SELECT d.conversation, r.position, r.vector FROM conversation c
       CROSS JOIN derivation d ON d.conversation = c.number AND d.deriver = ? AND d.is_active = 1
       CROSS JOIN reading r ON r.place >= d.number << 24 AND r.place < (d.number + 1) << 24
       WHERE c.workspace = ? AND r.vector IS NOT NULL AND ${
         scope.conversations === undefined
           ? 'c.is_memory_on = 1'
           : 'c.number IN (SELECT value FROM json_each(?))'
       }`,
      lookup.deriver,
      scope.workspace,
      ...(scope.conversations === undefined
        ? []
        : [JSON.stringify(scope.conversations.map(({ number }) => number))]),
    )
    return rows
      .map(({ conversation, position, vector }) => ({
        place: placeOf(conversation, position),
        similarity: cosineToSmall(lookup.vector, vector),
      }))
      .filter(({ similarity }) => similarity >= lookup.leastSimilarity)
      .sort((a, b) => b.similarity - a.similarity || b.place - a.place)
      .slice(0, lookup.limit)
  })
}
