// Which messages are near in meaning. Of few, all vectors are compared. Of many, their sketches tell PostgreSQL which
// are worth it: it counts the bits that differ, and hands out the vectors of the best.

import { type Place, placeOf } from '../../../domain/place.ts'
import type { VectorLookup } from '../../recall-store.ts'
import { compareSmall, smallBytes } from '../../vector-bytes.ts'
import type { Session } from '../connection.ts'
import { toBits } from '../readings.ts'
import { readScope, type Scope } from './scope.ts'

interface Near {
  readonly place: Place
  readonly similarity: number
}

/** Reading and comparing so many takes about as long as counting the bits of five times as many. */
const ALL_COMPARED = 10_000
/** The nearest are nearly always among so many that differ in the fewest bits. */
const CHOSEN_COMPARED = 2000
/** So many sketches are looked at: a few hundred milliseconds. Those of the conversations last made come first. */
const MOST_SKETCHES = 2_000_000

export async function findNearest(session: Session, lookup: VectorLookup): Promise<readonly Near[]> {
  const scope = await readScope(session, lookup)
  if (scope === undefined) return []
  const derivations = await listDerivations(session, scope, lookup)
  const messages = derivations.reduce((sum, { cursor }) => sum + cursor, 0)
  const rows = await readVectors(session, { scope, lookup, derivations, isAll: messages <= ALL_COMPARED })
  return compare(rows, lookup)
    .sort((a, b) => b.similarity - a.similarity || b.place - a.place)
    .slice(0, lookup.limit)
}

interface SeenDerivation {
  readonly number: number
  readonly conversation: number
  /** How many messages were read. */
  readonly cursor: number
}

/** Those that readers see, of the highest conversation first. */
async function listDerivations(
  session: Session,
  { workspace, conversations }: Scope,
  { deriver, version }: VectorLookup,
): Promise<readonly SeenDerivation[]> {
  const rows = await session.all<SeenDerivation>(
    `SELECT d.number, d.conversation, d.cursor FROM conversation c
     JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number AND d.deriver = $2 AND d.is_active
       AND d.version = coalesce($3, d.version)
     WHERE c.workspace = $1 AND ${conversations === undefined ? 'c.is_memory_on' : 'c.number = ANY($4::bigint[])'}
     ORDER BY c.number DESC`,
    workspace,
    deriver,
    version ?? null,
    ...(conversations === undefined ? [] : [conversations.map(({ number }) => number)]),
  )
  let room = MOST_SKETCHES
  return rows.filter(({ cursor }) => {
    room -= cursor
    return room >= 0
  })
}

interface Looking {
  readonly scope: Scope
  readonly lookup: VectorLookup
  readonly derivations: readonly SeenDerivation[]
  readonly isAll: boolean
}

interface VectorRow {
  readonly conversation: number
  readonly position: number
  readonly vector: Uint8Array
}

async function readVectors(
  session: Session,
  { scope, lookup, derivations, isAll }: Looking,
): Promise<readonly VectorRow[]> {
  const most = Math.max(CHOSEN_COMPARED, lookup.limit)
  const nearest = `ORDER BY bit_count(r.sketch # $5::bit(256)) LIMIT ${most}`
  return session.all<VectorRow>(
    `SELECT s.conversation, r.position, r.vector FROM unnest($2::bigint[], $3::bigint[]) AS s (derivation, conversation)
     JOIN reading r ON r.workspace = $1 AND r.derivation = s.derivation WHERE length(r.vector) = $4
     ${isAll ? '' : nearest}`,
    scope.workspace,
    derivations.map(({ number }) => number),
    derivations.map(({ conversation }) => conversation),
    smallBytes(lookup.vector.length),
    ...(isAll ? [] : [toBits(lookup.vector)]),
  )
}

function compare(rows: readonly VectorRow[], { vector, leastSimilarity }: VectorLookup): Near[] {
  const cosines = compareSmall(vector, Buffer.concat(rows.map((row) => row.vector)))
  return rows.flatMap(({ conversation, position }, i) => {
    const similarity = cosines[i] as number
    return similarity < leastSimilarity ? [] : [{ place: placeOf(conversation, position), similarity }]
  })
}
