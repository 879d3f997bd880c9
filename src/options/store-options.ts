// Where a memory is stored: the database, and an optional vector store.

/** For a memory in a PostgreSQL database. */
export interface PostgresConfig {
  /** The schema of all tables; created if missing. @default "recollect" */
  readonly schema?: string
  /** Maximum connections per process, to the primary and to a replica each. @default 10 */
  readonly poolSize?: number
  /** Timeout of a SQL statement. 0: none. @default 60000 */
  readonly statementTimeoutMs?: number
  /** URL of a read replica that recall may use; it may lag slightly. Empty: none. @default "" */
  readonly replicaUrl?: string
  /** Pooling mode of a pooler such as PgBouncer between Recollect and the server; `auto` detects it. @default "auto" */
  readonly pooling?: 'auto' | 'session' | 'transaction'
  /** URL of the server itself when a pooler is in between, used for LISTEN/NOTIFY and maintenance. Empty: none. @default "" */
  readonly directUrl?: string
}

export const POSTGRES_DEFAULTS: Required<PostgresConfig> = Object.freeze({
  schema: 'recollect', // separate from the tables of the application
  poolSize: 10, // ten processes use the hundred that a server allows by default
  statementTimeoutMs: 60_000, // except maintenance, no statement takes a second; a minute is a bad query plan
  replicaUrl: '',
  pooling: 'auto', // one query per new connection
  directUrl: '',
})

export interface PostgresConstants {
  /** Timeout for opening a connection. */
  readonly connectTimeoutMs: number
}

export type ResolvedPostgres = Required<PostgresConfig> & PostgresConstants

export const POSTGRES_CONSTANTS: PostgresConstants = Object.freeze({
  connectTimeoutMs: 10_000, // longer than a failover of a hosted server's address
})

/** An external vector store. The database keeps its own copy, so the vector store can always be refilled. */
export interface VectorConfig {
  readonly chroma?: ChromaConfig
}

/** A Chroma server, 1.0 or later. */
export interface ChromaConfig {
  /** URL of the server, such as http://localhost:8000. Empty: none. @default "" */
  readonly url?: string
  /** API key, sent as a bearer token and as Chroma's own header. @default "" */
  readonly key?: string
  /** Chroma tenant of the collections. @default "default_tenant" */
  readonly tenant?: string
  /** Chroma database of the collections. @default "default_database" */
  readonly database?: string
  /** Prefix of all collection names. Each memory that shares the server needs its own. @default "recollect" */
  readonly prefix?: string
}

export interface VectorConstants {
  /** Timeout of everything except queries. */
  readonly writeTimeoutMs: number
  /** How often to check that the vector store is complete. */
  readonly checkEveryMs: number
  /** How long recall waits for the vector store before it falls back to words and the vectors in the database. */
  readonly timeoutMs: number
}

export type ResolvedVectors = Required<VectorConfig> & {
  readonly chroma: Required<ChromaConfig>
} & VectorConstants

export const VECTOR_DEFAULTS: Required<VectorConfig> & { readonly chroma: Required<ChromaConfig> } =
  Object.freeze({
    chroma: Object.freeze({
      url: '',
      key: '',
      tenant: 'default_tenant', // Chroma's defaults
      database: 'default_database',
      prefix: 'recollect',
    }),
  })

export const VECTOR_CONSTANTS: VectorConstants = Object.freeze({
  writeTimeoutMs: 60_000, // a few hundred vectors, with their index, on a busy machine
  checkEveryMs: 60_000, // nobody waits for it: a failed query triggers a check at once
  timeoutMs: 2000, // ten times what a query takes on a busy machine
})
