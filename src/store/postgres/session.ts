import type { RecentBlocks } from '../recent-blocks.ts'
import type { PgClient, SqlValue } from './driver.ts'

/** The database in which an index is built. */
interface IndexedDatabase {
  readonly schema: string
  runAlone(statements: readonly string[]): Promise<void>
}

/** What statements need to know about the vector index; described in recall/vector-index.ts. */
export interface VectorIndexing {
  readonly version: string
  readonly failure: string | undefined
  readonly type: string
  /** The distance operator. */
  readonly distance: string
  has(dimensions: number): boolean
  /** Condition for readings `r` that are in the index for this length. */
  isOfLength(dimensions: number): string
  /** Builds the index for a length, once. Until it is ready, other methods are used. */
  want(database: IndexedDatabase, dimensions: number): Promise<void>
}

/** Runs statements, in a transaction or each on its own. */
export interface Session {
  readonly recentBlocks: RecentBlocks
  /** Undefined if the database has none. */
  readonly vectorIndex: VectorIndexing | undefined
  /** In a transaction, locked rows and, with `read`, the snapshot do not change between statements. */
  readonly transaction: 'none' | 'read' | 'write'
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>
  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): Promise<number>
}

export class ClientSession implements Session {
  readonly #client: PgClient
  readonly recentBlocks: RecentBlocks
  readonly vectorIndex: VectorIndexing | undefined
  readonly transaction: Session['transaction']

  constructor(
    client: PgClient,
    { recentBlocks, vectorIndex, transaction }: Omit<Session, 'get' | 'all' | 'run'>,
  ) {
    this.#client = client
    this.recentBlocks = recentBlocks
    this.vectorIndex = vectorIndex
    this.transaction = transaction
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    return (await this.#client.query(sql, values)).rows[0] as Row | undefined
  }

  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    return (await this.#client.query(sql, values)).rows as Row[]
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    return (await this.#client.query(sql, values)).rowCount
  }
}

/**
 * Unnests list parameters so that the planner cannot see into them. Otherwise PostgreSQL would find that the lists
 * are short, that a custom plan for these few values looks cheaper than a generic one, and plan again on every call.
 * There is only one good plan: look up each value.
 */
export const hiddenLists = (...lists: readonly string[]): string =>
  `unnest(${lists.map((list) => `(SELECT ${list})`).join(', ')})`
