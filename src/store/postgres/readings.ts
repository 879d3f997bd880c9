import { POSITIONS_PER_CONVERSATION } from '../../domain/locator.ts'
import type { MessageAnnotation, ReadingList } from '../derivations.ts'
import { toSketch } from '../sketch.ts'
import { Conditions } from '../sql/statement.ts'
import { fromSmallBytes, toSmallBytes } from '../vector-bytes.ts'
import type { DerivationNumber } from './derived-items.ts'
import { toEmbedding } from './recall/vector-index.ts'
import type { Session, VectorIndexing } from './session.ts'

interface ReadingRow {
  readonly position: number
  readonly topic: number
  readonly vector: Uint8Array | null
}

/** A reading without a vector keeps the existing vector. */
export async function putReadings(
  session: Session,
  { workspace, derivation }: DerivationNumber,
  readings: readonly MessageAnnotation[],
): Promise<void> {
  // A statement cannot change a row twice: of two readings of one message, the later one wins.
  const last = [...new Map(readings.map((reading) => [reading.position, reading])).values()]
  if (last.length === 0) return
  await session.run(
    session.vectorIndex === undefined ? PUT : putWith(session.vectorIndex),
    workspace,
    derivation,
    last.map(({ position }) => position),
    last.map(({ topic }) => topic),
    last.map(({ vector }) => (vector === undefined ? null : toSmallBytes(vector))),
    last.map(({ vector }) => (vector === undefined ? null : toBits(vector))),
    ...(session.vectorIndex === undefined
      ? []
      : [last.map(({ vector }) => (vector === undefined ? null : toEmbedding(vector)))]),
  )
}

const PUT = `INSERT INTO reading (workspace, derivation, position, topic, vector, sketch)
  SELECT $1, $2, n.position, n.topic, n.vector, n.sketch::bit(256)
  FROM unnest($3::int[], $4::int[], $5::bytea[], $6::text[]) AS n (position, topic, vector, sketch)
  ON CONFLICT (workspace, derivation, position) DO UPDATE SET topic = excluded.topic,
    vector = coalesce(excluded.vector, reading.vector), sketch = coalesce(excluded.sketch, reading.sketch)`

const putWith = ({ type }: VectorIndexing): string =>
  `INSERT INTO reading (workspace, derivation, position, topic, vector, sketch, embedding)
  SELECT $1, $2, n.position, n.topic, n.vector, n.sketch::bit(256), n.embedding::${type}
  FROM unnest($3::int[], $4::int[], $5::bytea[], $6::text[], $7::text[]) AS n (position, topic, vector, sketch, embedding)
  ON CONFLICT (workspace, derivation, position) DO UPDATE SET topic = excluded.topic,
    vector = coalesce(excluded.vector, reading.vector), sketch = coalesce(excluded.sketch, reading.sketch),
    embedding = coalesce(excluded.embedding, reading.embedding)`

const POSITION_BYTES = 4

/** The sketch of a vector as a bit string of PostgreSQL. */
export function toBits(vector: Float32Array): string {
  const bytes = toSketch(vector, 0).subarray(POSITION_BYTES)
  return Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
}

export async function readReadings(
  session: Session,
  list: ReadingList,
): Promise<readonly MessageAnnotation[]> {
  const conditions = new Conditions()
  conditions.add((value) => `w.id = ${value}`, list.workspace)
  conditions.add((value) => `c.id = ${value}`, list.conversation)
  conditions.add((value) => `d.deriver = ${value}`, list.deriver)
  if (list.generation === undefined) conditions.add(() => 'd.is_active')
  else conditions.add((value) => `d.generation = ${value}`, list.generation)
  if (list.topic !== undefined) conditions.add((value) => `r.topic = ${value}`, list.topic)
  conditions.add((value) => `r.position > ${value}`, Math.max(list.after ?? -1, -1))
  conditions.add(
    (value) => `r.position < ${value}`,
    Math.min(list.before ?? POSITIONS_PER_CONVERSATION, POSITIONS_PER_CONVERSATION),
  )
  const rows = await session.all<ReadingRow>(
    `SELECT r.position, r.topic, ${list.withVectors === true ? 'r.vector' : 'NULL::bytea AS vector'}
     FROM workspace w JOIN conversation c ON c.workspace = w.number
     JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number
     JOIN reading r ON r.workspace = d.workspace AND r.derivation = d.number
     WHERE ${conditions.sql} ORDER BY r.position LIMIT ${list.limit}`,
    ...conditions.values,
  )
  return rows.map(({ position, topic, vector }) => ({
    position,
    topic,
    ...(vector !== null && { vector: fromSmallBytes(vector) }),
  }))
}
