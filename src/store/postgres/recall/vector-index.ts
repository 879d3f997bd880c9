// If the database has pgvector, an HNSW index finds near vectors among very many. It is used only if comparing all
// vectors, or counting the bits of their sketches, would take long; its results are compared exactly, like all
// others. Without the extension only speed is lost.
//
// Vectors of different lengths cannot share an index. Each length has its own, built concurrently when it is first
// worth it.

import { fromSmallBytes } from '../../vector-bytes.ts'
import type { Connection } from '../connection.ts'
import { quoteName } from '../migrate.ts'
import type { Session, VectorIndexing } from '../session.ts'

/** The first version that continues scanning when results are filtered out. */
const OLDEST = [0, 8] as const
/** The longest vector that the index accepts. */
export const LONGEST_VECTOR = 4000

/** The pgvector extension of a database. */
class VectorIndex implements VectorIndexing {
  readonly version: string
  readonly #schema: string
  readonly #ready = new Set<number>()
  /** Lengths for which an index is being built, or could not be built. */
  readonly #wanted = new Set<number>()
  /** Why an index could not be built. */
  failure: string | undefined

  constructor(schema: string, version: string) {
    this.#schema = quoteName(schema)
    this.version = version
  }

  get type(): string {
    return `${this.#schema}.halfvec`
  }

  get distance(): string {
    return `OPERATOR(${this.#schema}.<=>)`
  }

  has(dimensions: number): boolean {
    return this.#ready.has(dimensions)
  }

  isOfLength(dimensions: number): string {
    return `${this.#schema}.vector_dims(r.embedding) = ${dimensions}`
  }

  async want(connection: Connection, dimensions: number): Promise<void> {
    if (this.#wanted.has(dimensions) || dimensions > LONGEST_VECTOR) return
    this.#wanted.add(dimensions)
    try {
      await connection.runAlone([this.#creation(dimensions, quoteName(connection.schema))])
      this.#ready.add(dimensions)
    } catch (error) {
      this.failure = String(error)
    }
  }

  #creation(dimensions: number, schema: string): string {
    return `CREATE INDEX CONCURRENTLY IF NOT EXISTS reading_near_${dimensions} ON ${schema}.reading
      USING hnsw ((embedding::${this.type}(${dimensions})) ${this.#schema}.halfvec_cosine_ops)
      WHERE ${this.#schema}.vector_dims(embedding) = ${dimensions}`
  }

  /** Finds indexes that an earlier process built. */
  async readReady(session: Session): Promise<void> {
    const rows = await session.all<{ name: string }>(
      `SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE i.indrelid = to_regclass('reading') AND i.indisvalid AND c.relname LIKE 'reading_near_%'`,
    )
    for (const { name } of rows) this.#ready.add(Number(name.split('_').at(-1)))
  }
}

/** Undefined if the extension is not installed and cannot be created, or is too old. */
export async function openVectorIndex(connection: Connection): Promise<VectorIndexing | undefined> {
  const found = (await connection.read(findExtension)) ?? (await makeExtension(connection))
  if (found === undefined || !isNewEnough(found.version)) return undefined
  const index = new VectorIndex(found.schema, found.version)
  await connection.write(async (session) => {
    await session.run("SELECT pg_advisory_xact_lock(hashtextextended('recollect vectors', 0))")
    if (!(await hasColumn(session))) {
      await session.run(`ALTER TABLE reading ADD COLUMN embedding ${index.type}`)
      await fillColumn(session, index)
    }
    await index.readReady(session)
  }, 'endless')
  return index
}

async function hasColumn(session: Session): Promise<boolean> {
  const column = await session.get(
    `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('reading') AND attname = 'embedding' AND NOT attisdropped`,
  )
  return column !== undefined
}

const FILLED_AT_ONCE = 1000

interface KeptVector {
  readonly workspace: number
  readonly derivation: number
  readonly position: number
  readonly vector: Uint8Array
}

/** Fills in readings written before the extension was installed. */
async function fillColumn(session: Session, { type }: VectorIndex): Promise<void> {
  for (let after: Omit<KeptVector, 'vector'> = { workspace: 0, derivation: 0, position: -1 }; ; ) {
    const rows = await session.all<KeptVector>(
      `SELECT workspace, derivation, position, vector FROM reading WHERE vector IS NOT NULL
         AND (workspace, derivation, position) > ($1::bigint, $2::bigint, $3::int)
       ORDER BY workspace, derivation, position LIMIT ${FILLED_AT_ONCE}`,
      after.workspace,
      after.derivation,
      after.position,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    await session.run(
      `UPDATE reading r SET embedding = n.embedding::${type}
       FROM unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[]) AS n (workspace, derivation, position, embedding)
       WHERE r.workspace = n.workspace AND r.derivation = n.derivation AND r.position = n.position`,
      rows.map(({ workspace }) => workspace),
      rows.map(({ derivation }) => derivation),
      rows.map(({ position }) => position),
      rows.map(({ vector }) => toEmbedding(fromSmallBytes(vector))),
    )
    after = last
  }
}

interface Extension {
  readonly schema: string
  readonly version: string
}

async function findExtension(session: Session): Promise<Extension | undefined> {
  return session.get<Extension>(
    `SELECT n.nspname::text AS schema, e.extversion AS version FROM pg_extension e
     JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  )
}

/**
 * Creates the extension if it is available and the user has the right to. Otherwise an administrator must create it.
 */
async function makeExtension(connection: Connection): Promise<Extension | undefined> {
  return connection.write(async (session) => {
    const isAtHand = await session.get(
      `SELECT 1 FROM pg_available_extension_versions WHERE name = 'vector' AND (trusted
         OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user))
         AND has_database_privilege(current_database(), 'CREATE')`,
    )
    if (isAtHand === undefined) return undefined
    await session.run('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public')
    return findExtension(session)
  })
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/**
 * A vector normalized to length 1 in the format of pgvector: its numbers are small, and only the direction counts.
 */
export function toEmbedding(vector: Float32Array): string | null {
  if (vector.length === 0 || vector.length > LONGEST_VECTOR) return null
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1
  return `[${Array.from(vector, (value) => (value / length).toFixed(6)).join(',')}]`
}
