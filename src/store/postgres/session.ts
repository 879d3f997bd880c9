import type { RecentBlocks } from '../recent-blocks.ts'
import type { Db } from '../sql/statement.ts'
import type { PgClient, SqlValue } from './driver.ts'

/** Where an index is made. */
interface IndexedDatabase {
  readonly schema: string
  runAlone(statements: readonly string[]): Promise<void>
}

/** How statements speak of an index of vectors; recall/vector-index.ts says what it is. */
export interface VectorIndexing {
  readonly version: string
  readonly failure: string | undefined
  readonly type: string
  /** How far two are apart. */
  readonly distance: string
  has(dimensions: number): boolean
  /** The readings `r` that an index has. */
  isOfLength(dimensions: number): string
  /** Makes the index for a length, once; until it is there others do. */
  want(database: IndexedDatabase, dimensions: number): Promise<void>
}

/** Where statements are run: in a transaction, or each by itself. */
export interface Session {
  readonly recentBlocks: RecentBlocks
  /** Where the database has one. */
  readonly vectorIndex: VectorIndexing | undefined
  /** Within either, all that was locked or read stays as it is. */
  readonly transaction: 'none' | 'read' | 'write'
  get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined>
  all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]>
  /** Returns how many rows were changed. */
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

/** Runs shared work, statement by statement. */
export async function execute<T>(session: Session, work: Db<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) {
    const { method, sql, values } = step.value
    step = work.next(await session[method](sql, ...values))
  }
  return step.value
}
