import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { MessageAnnotation, ReadingList } from '../derivations.ts'
import { fromSmallBytes } from '../vector-bytes.ts'
import type { Connection } from './connection.ts'

const OF_DERIVER = `FROM workspace w CROSS JOIN conversation c ON c.workspace = w.number
  CROSS JOIN derivation d ON w.id = ? AND c.id = ? AND d.conversation = c.number AND d.deriver = ?`

/** The conversation `c` of a workspace and its active derivation `d` by one deriver. */
export const ACTIVE: string = `${OF_DERIVER} AND d.is_active = 1`
/** A generation that may not be active yet. */
export const OF_GENERATION: string = `${OF_DERIVER} AND d.generation = ?`

/** The key of a reading in the table. */
export function toPlace(derivation: number, position: number): number {
  return derivation * POSITIONS_PER_CONVERSATION + position
}

interface ReadingRow {
  readonly position: number
  readonly topic: number
  readonly vector: Uint8Array | null
}

export function readReadings(connection: Connection, list: ReadingList): readonly MessageAnnotation[] {
  const isOfTopic = list.topic !== undefined
  const rows = connection.all<ReadingRow>(
    `SELECT r.position, r.topic, ${list.withVectors === true ? 'r.vector' : 'NULL AS vector'}
     ${list.generation === undefined ? ACTIVE : OF_GENERATION} CROSS JOIN reading r
     WHERE ${isOfTopic ? 'r.derivation = d.number AND r.topic = ? AND ' : ''}
       r.place > (d.number << 24) + ? AND r.place < (d.number << 24) + ? ORDER BY r.place LIMIT ?`,
    list.workspace,
    list.conversation,
    list.deriver,
    ...(list.generation === undefined ? [] : [list.generation]),
    ...(isOfTopic ? [list.topic] : []),
    Math.max(list.after ?? -1, -1),
    Math.min(list.before ?? POSITIONS_PER_CONVERSATION, POSITIONS_PER_CONVERSATION),
    list.limit,
  )
  return rows.map(({ position, topic, vector }) => ({
    position,
    topic,
    ...(vector !== null && { vector: fromSmallBytes(vector) }),
  }))
}
