// Where a memory is kept: the database, and vectors beside it.

/** For a memory in a PostgreSQL database. */
export interface PostgresConfig {
  /** The schema that all tables are in; made if it is missing. @default "recollect" */
  readonly schema?: string
  /** The most connections that one process opens, to the primary and to a replica each. @default 10 */
  readonly poolSize?: number
  /** How long to wait for a connection. @default 10000 */
  readonly connectTimeoutMs?: number
  /** A statement that takes longer is ended. 0: never. @default 60000 */
  readonly statementTimeoutMs?: number
  /** The address of a copy that recall may read from, though it may be a moment behind. Empty: none. @default "" */
  readonly replicaUrl?: string
  /** Whether a pooler is in between that hands every transaction to another session (PgBouncer); `auto` finds out. @default "auto" */
  readonly pooling?: 'auto' | 'session' | 'transaction'
  /** The address of the server itself where a pooler is in between: to hear of what other servers write, and for upkeep. Empty: none. @default "" */
  readonly directUrl?: string
}

export const POSTGRES_DEFAULTS: Required<PostgresConfig> = Object.freeze({
  schema: 'recollect', // beside the tables of the application, in none of their ways
  poolSize: 10, // ten processes fill the hundred that a server allows unless told otherwise
  connectTimeoutMs: 10_000, // longer than a failover of a hosted server's address
  statementTimeoutMs: 60_000, // no statement of ours but upkeep takes a second; a minute is a plan gone wrong
  replicaUrl: '',
  pooling: 'auto', // one question for each new connection
  directUrl: '',
})

/** For vectors in a server beside the store. The store keeps its own: what is there can always be put again. */
export interface VectorConfig {
  readonly chroma?: ChromaConfig
  /** How long a question waits for the vector store, before words and the store's own vectors answer alone. @default 2000 */
  readonly timeoutMs?: number
  /** How long everything else may take there. @default 60000 */
  readonly writeTimeoutMs?: number
  /** How often it is looked whether the vector store still has everything. @default 60000 */
  readonly checkEveryMs?: number
}

/** A Chroma server, 1.0 or later. */
export interface ChromaConfig {
  /** Its address, such as http://localhost:8000. Empty: none. @default "" */
  readonly url?: string
  /** Sent as a bearer token, and as Chroma's own. @default "" */
  readonly key?: string
  /** Whose collections they are, in Chroma's words. @default "default_tenant" */
  readonly tenant?: string
  /** Which of its databases they lie in. @default "default_database" */
  readonly database?: string
  /** How the names of all collections begin. Each memory that shares the server needs its own. @default "recollect" */
  readonly prefix?: string
}

export type ResolvedVectors = Required<VectorConfig> & { readonly chroma: Required<ChromaConfig> }

export const VECTOR_DEFAULTS: ResolvedVectors = Object.freeze({
  chroma: Object.freeze({
    url: '',
    key: '',
    tenant: 'default_tenant', // as Chroma has them unless told otherwise
    database: 'default_database',
    prefix: 'recollect',
  }),
  timeoutMs: 2000, // ten times what a query takes on a busy machine; who asks should hardly notice
  writeTimeoutMs: 60_000, // some hundred vectors, with their index, on a busy machine
  checkEveryMs: 60_000, // nobody waits for it: an answer that fails is looked into at once
})
