import type { MessageAnnotation } from '../../derivations.ts'
import { toSketch } from '../../sketch.ts'
import { fromSmallBytes } from '../../vector-bytes.ts'
import type { Connection } from '../connection.ts'
import { toPlace } from '../readings.ts'

const PUT = 'INSERT OR REPLACE INTO sketch (place, bits) VALUES (?, ?)'

/** Stores the sketch of a reading's vector. */
export function putSketch(
  connection: Connection,
  derivation: number,
  { position, vector }: Required<Pick<MessageAnnotation, 'position' | 'vector'>>,
): void {
  connection.run(PUT, toPlace(derivation, position), toSketch(vector, position))
}

/** Sketches after a position, in order, concatenated in one value: one row each would take ten times as long. */
export function readSketches(connection: Connection, derivation: number, after: number): Uint8Array {
  const row = connection.get<{ bits: Uint8Array | null }>(
    `SELECT CAST(group_concat(bits, '') AS BLOB) AS bits FROM (
       SELECT bits FROM sketch WHERE place > ? AND place < ? ORDER BY place)`,
    toPlace(derivation, after),
    toPlace(derivation + 1, 0),
  )
  return row?.bits ?? new Uint8Array(0)
}

const READ_AT_ONCE = 1000

/** Rebuilds all sketches. */
export function rebuildSketches(connection: Connection): void {
  connection.run('DELETE FROM sketch')
  for (let after = -1; ; ) {
    const rows = connection.all<{ place: number; position: number; vector: Uint8Array }>(
      `SELECT place, position, vector FROM reading WHERE place > ? AND vector IS NOT NULL ORDER BY place LIMIT ?`,
      after,
      READ_AT_ONCE,
    )
    for (const { place, position, vector } of rows)
      connection.run(PUT, place, toSketch(fromSmallBytes(vector), position))
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.place
  }
}
