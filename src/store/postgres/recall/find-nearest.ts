// Finds messages that are near in meaning. Among few messages, all vectors are compared. Among many, PostgreSQL first
// compares their sketches by counting the bits that differ, and returns the vectors of the best. With pgvector, an
// index finds them without counting.

import { type MessageLocator, toLocator } from '../../../domain/locator.ts'
import type { VectorLookup } from '../../recall-store.ts'
import { compareSmall, smallBytes } from '../../vector-bytes.ts'
import { toBits } from '../readings.ts'
import type { Session, VectorIndexing } from '../session.ts'
import { namesOf, whereOf } from './scope.ts'
import { toEmbedding } from './vector-index.ts'

interface Near {
  readonly place: MessageLocator
  readonly similarity: number
}

/**
 * Reading and comparing this many vectors takes about as long as counting the bits of five times as many sketches.
 */
const ALL_COMPARED = 10_000
/** The nearest vectors are nearly always among this many sketches with the fewest differing bits. */
const CHOSEN_COMPARED = 2000
/**
 * Maximum number of sketches to compare, which takes a few hundred milliseconds. The newest conversations are
 * compared first.
 */
const MOST_SKETCHES = 2_000_000

export interface Nearest {
  readonly near: readonly Near[]
  /** Whether a vector index would have helped. */
  readonly isMany: boolean
}

export async function findNearest(
  session: Session,
  lookup: VectorLookup,
  compareAll: number = ALL_COMPARED,
): Promise<Nearest> {
  const derivations = await listDerivations(session, lookup)
  const [first] = derivations
  if (first === undefined) return { near: [], isMany: false }
  const messages = derivations.reduce((sum, { cursor }) => sum + cursor, 0)
  const isMany = messages > compareAll
  const looking = { workspace: first.workspace, lookup, derivations, isAll: !isMany }
  const { vectorIndex } = session
  const rows =
    isMany && vectorIndex?.has(lookup.vector.length)
      ? await readIndexed(session, looking, vectorIndex)
      : await readVectors(session, looking)
  const near = compare(rows, lookup).sort((a, b) => b.similarity - a.similarity || b.place - a.place)
  return { near: near.slice(0, lookup.limit), isMany }
}

interface SeenDerivation {
  readonly workspace: number
  readonly number: number
  readonly conversation: number
  /** Number of messages read. */
  readonly cursor: number
}

/** The active derivations, highest conversation number first. */
async function listDerivations(session: Session, lookup: VectorLookup): Promise<readonly SeenDerivation[]> {
  const rows = await session.all<SeenDerivation>(
    `SELECT d.workspace, d.number, d.conversation, d.cursor FROM conversation c
     JOIN derivation d ON d.workspace = c.workspace AND d.conversation = c.number AND d.deriver = $3 AND d.is_active
       AND d.version = coalesce($4, d.version)
     WHERE ${whereOf(lookup)} ORDER BY c.number DESC`,
    ...namesOf(lookup),
    lookup.deriver,
    lookup.version ?? null,
  )
  let room = MOST_SKETCHES
  return rows.filter(({ cursor }) => {
    room -= cursor
    return room >= 0
  })
}

interface Looking {
  readonly workspace: number
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
  { workspace, lookup, derivations, isAll }: Looking,
): Promise<readonly VectorRow[]> {
  const most = Math.max(CHOSEN_COMPARED, lookup.limit)
  const nearest = `ORDER BY bit_count(r.sketch # $5::bit(256)) LIMIT ${most}`
  return session.all<VectorRow>(
    `SELECT s.conversation, r.position, r.vector FROM unnest($2::bigint[], $3::bigint[]) AS s (derivation, conversation)
     JOIN reading r ON r.workspace = $1 AND r.derivation = s.derivation WHERE length(r.vector) = $4
     ${isAll ? '' : nearest}`,
    workspace,
    derivations.map(({ number }) => number),
    derivations.map(({ conversation }) => conversation),
    smallBytes(lookup.vector.length),
    ...(isAll ? [] : [toBits(lookup.vector)]),
  )
}

/** Candidates requested from the index per result, since the index is approximate. */
const ASKED_FOR_EACH = 4
/** Maximum for `hnsw.ef_search`. */
const MOST_LOOKED_AT = 1000

async function readIndexed(
  session: Session,
  { workspace, lookup, derivations }: Looking,
  index: VectorIndexing,
): Promise<readonly VectorRow[]> {
  const dimensions = lookup.vector.length
  const most = lookup.limit * ASKED_FOR_EACH
  await session.run(`SET LOCAL hnsw.ef_search = ${Math.min(Math.max(most, 40), MOST_LOOKED_AT)}`)
  await session.run('SET LOCAL hnsw.iterative_scan = relaxed_order')
  const conversations = new Map(derivations.map(({ number, conversation }) => [number, conversation]))
  const rows = await session.all<Omit<VectorRow, 'conversation'> & { derivation: number }>(
    `SELECT r.derivation, r.position, r.vector FROM reading r
     WHERE r.workspace = $1 AND ${index.isOfLength(dimensions)} AND r.derivation = ANY($2::bigint[])
     ORDER BY r.embedding::${index.type}(${dimensions}) ${index.distance} $3::${index.type}(${dimensions}) LIMIT ${most}`,
    workspace,
    derivations.map(({ number }) => number),
    toEmbedding(lookup.vector),
  )
  return rows.map((row) => ({ ...row, conversation: conversations.get(row.derivation) ?? 0 }))
}

function compare(rows: readonly VectorRow[], { vector, leastSimilarity }: VectorLookup): Near[] {
  const cosines = compareSmall(vector, Buffer.concat(rows.map((row) => row.vector)))
  return rows.flatMap(({ conversation, position }, i) => {
    const similarity = cosines[i] as number
    return similarity < leastSimilarity ? [] : [{ place: toLocator(conversation, position), similarity }]
  })
}
