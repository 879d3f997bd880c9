// Access to the database, and the only place where transactions begin and end.
//
// Every write is one transaction at READ COMMITTED; rows that must not change while it runs are locked, above all the
// row of the conversation. PostgreSQL aborts one of two transactions in a deadlock, and that one is retried. A read
// with one statement needs no transaction; reads with several statements that must agree use one snapshot.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import { batch } from '../batch.ts'
import { CommitHook, type Committed } from '../commits.ts'
import { RecentBlocks } from '../recent-blocks.ts'
import type { PgClient, PgPool } from './driver.ts'
import { isAway, isConnectionLost, isPlanStale, isWorthRepeating, toMemoryError } from './driver-errors.ts'
import { ClientSession, type Session, type VectorIndexing } from './session.ts'

/** More conflicts in a row than this are not a coincidence. */
const MOST_TRIES = 5
/** Base of the randomized delay, so that conflicting transactions do not collide again. */
const RETRY_MS = 20
/** How long an unreachable replica is not used, so that not every call waits for it. */
const REPLICA_PAUSE_MS = 5000

type Work<T> = (session: Session) => Promise<T>

/** Thrown by a reader that follows a reference if the target changed after the reference was read. */
export class StaleReadError extends Error {}

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const WITHOUT_LIMIT = 'SET LOCAL statement_timeout = 0'

/** Statement timeout: maintenance reads everything and gets none. */
type Patience = 'usual' | 'endless'

interface Transaction<T> {
  readonly begin: string
  readonly kind: 'read' | 'write' | 'none'
  readonly work: Work<T>
  readonly patience?: Patience
}

export interface Pools {
  readonly primary: PgPool
  /** Serves lookups for recall, which may be slightly out of date. */
  readonly replica?: PgPool | undefined
  /** Bypasses a connection pooler, for statements that do not work through one. */
  readonly direct?: PgPool | undefined
}

/** How the database is named in messages, and in statements. */
export interface DatabaseNames {
  readonly location: string
  readonly schema: string
}

export class Connection {
  readonly location: string
  readonly schema: string
  readonly commits: CommitHook = new CommitHook()
  vectorIndex: VectorIndexing | undefined
  readonly #pools: Pools
  readonly #recentBlocks = new RecentBlocks()
  readonly #calls = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined
  /** The replica is not used until this time. */
  #replicaBackAt = 0
  /** Why the last request to the replica failed. */
  replicaTrouble: unknown
  /** Number of failed requests to the replica. */
  replicaFailures = 0

  constructor(pools: Pools, { location, schema }: DatabaseNames) {
    this.#pools = pools
    this.location = location
    this.schema = schema
  }

  get hasReplica(): boolean {
    return this.#pools.replica !== undefined
  }

  /** Wraps every call of the store: rejected once closing has begun, and `close` waits for it. */
  track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(this.#closedError())
    const call = work()
    this.#calls.add(call)
    const remove = () => this.#calls.delete(call)
    call.then(remove, remove)
    return call
  }

  /** Runs `work`, which only reads. Each of its statements sees the state at the time it runs. */
  async read<T>(work: Work<T>): Promise<T> {
    try {
      return await this.#readFrom(this.#pools.primary, work)
    } catch (error) {
      if (error instanceof StaleReadError) return this.snapshot(work)
      throw error
    }
  }

  /** Through a pooler, settings apply only within a transaction. */
  #readFrom<T>(pool: PgPool, work: Work<T>): Promise<T> {
    return this.#withClient(pool, (client) =>
      client.perTransaction === undefined
        ? work(this.#session(client, 'none'))
        : this.#within(client, { begin: 'BEGIN READ ONLY', kind: 'none', work }),
    )
  }

  /** Runs `work`, which only reads, on one snapshot of the database, independent of concurrent writes. */
  snapshot<T>(work: Work<T>, patience: Patience = 'usual'): Promise<T> {
    return this.#transact(this.#pools.primary, { begin: SNAPSHOT, kind: 'read', work, patience })
  }

  /** Like `snapshot`, but may read from the replica. */
  recall<T>(work: Work<T>): Promise<T> {
    return this.#askReplica((pool) => this.#transact(pool, { begin: SNAPSHOT, kind: 'read', work }))
  }

  /** Like `recall`, for a single statement, or several that need not agree. */
  async lookUp<T>(work: Work<T>): Promise<T> {
    if (!this.hasReplica) return this.read(work)
    try {
      return await this.#askReplica((pool) => this.#readFrom(pool, work))
    } catch (error) {
      if (error instanceof StaleReadError) return this.recall(work)
      throw error
    }
  }

  /** Falls back to the primary if the replica fails. */
  async #askReplica<T>(ask: (pool: PgPool) => Promise<T>): Promise<T> {
    const { replica, primary } = this.#pools
    if (replica === undefined || Date.now() < this.#replicaBackAt) return ask(primary)
    try {
      const value = await ask(replica)
      this.replicaTrouble = undefined
      return value
    } catch (error) {
      if (error instanceof StaleReadError) throw error
      this.replicaTrouble = error
      this.replicaFailures += 1
      if (isMemoryError(error) && isAway(error.cause)) this.#replicaBackAt = Date.now() + REPLICA_PAUSE_MS
    }
    return ask(primary)
  }

  /** Runs `work` in a transaction and resolves once it is durable. `work` may run several times. */
  async write<T>(work: Work<T>, patience: Patience = 'usual'): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#transact(this.#pools.primary, { begin: 'BEGIN', kind: 'write', work, patience })
      } catch (error) {
        const cause = error instanceof MemoryError ? error.cause : error
        if (!isWorthRepeating(cause) || tries === MOST_TRIES) throw error
      }
      await new Promise((wake) => setTimeout(wake, Math.random() * RETRY_MS * tries))
    }
  }

  /**
   * Runs statements that cannot run in a transaction and may take long. They must name the schema themselves, because
   * no setting can be made for them through a pooler.
   */
  async runAlone(statements: readonly string[]): Promise<void> {
    const client = await (this.#pools.direct ?? this.#pools.primary).connect()
    const isSession = client.perTransaction === undefined
    try {
      for (const sql of [...(isSession ? ['SET statement_timeout = 0'] : []), ...statements])
        await client.query(sql, [])
    } catch (error) {
      throw toMemoryError(error, this.location)
    } finally {
      // Discards the connection, so that the next one has the usual settings.
      client.release(true)
    }
  }

  /** Waits for pending calls, and then for `last`. */
  close(last: () => Promise<void> = async () => undefined): Promise<void> {
    this.#closing ??= this.#closeWhenDone(last)
    return this.#closing
  }

  async #closeWhenDone(last: () => Promise<void>): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls)
    await last()
    await Promise.all(Object.values(this.#pools).map((pool: PgPool | undefined) => pool?.end()))
  }

  #transact<T>(pool: PgPool, transaction: Transaction<T>): Promise<T> {
    return this.#withClient(pool, (client) => this.#within(client, transaction))
  }

  async #within<T>(client: PgClient, { begin, kind, work, patience }: Transaction<T>): Promise<T> {
    const settings = [client.perTransaction, patience === 'endless' ? WITHOUT_LIMIT : undefined]
    // In one message, which saves round trips.
    await client.query([begin, ...settings.filter((sql) => sql !== undefined)].join('; '), [])
    try {
      const value = await work(this.#session(client, kind))
      await client.query('COMMIT', [])
      return value
    } catch (error) {
      if (!isConnectionLost(error)) await client.query('ROLLBACK', [])
      throw error
    }
  }

  /** Retries `work` if a prepared plan was stale; the statement is then sent without a name. */
  async #withClient<T>(pool: PgPool, work: (client: PgClient) => Promise<T>): Promise<T> {
    for (;;) {
      let client: PgClient | undefined
      let isBroken = false
      try {
        client = await pool.connect()
        return await work(client)
      } catch (error) {
        isBroken = isConnectionLost(error)
        if (!isPlanStale(error)) throw toMemoryError(error, this.location)
      } finally {
        client?.release(isBroken)
      }
    }
  }

  #session(client: PgClient, transaction: Session['transaction']): Session {
    return new ClientSession(client, {
      transaction,
      recentBlocks: this.#recentBlocks,
      vectorIndex: this.vectorIndex,
    })
  }

  #closedError(): MemoryError {
    return new MemoryError('store-closed', `${this.location} was closed`, {
      hint: 'open the memory again before using it',
    })
  }
}

/** The connection as the methods of the store use it: every call is tracked, and commits emit changes. */
export interface Access {
  readonly track: Connection['track']
  readonly read: Run
  readonly snapshot: Run
  readonly recall: Run
  readonly lookUp: Run
  readonly write: <T>(work: Work<T>, commit?: Committed<T>) => Promise<T>
  readonly batch: Batch
  readonly lookUpBatch: Batch
}

type Run = <T>(work: Work<T>) => Promise<T>

/** Combines calls made in the same tick into one read. */
type Batch = <Key, Value>(
  answer: (session: Session, keys: readonly Key[]) => Promise<readonly Value[]>,
) => (key: Key) => Promise<Value>

export function accessTo(connection: Connection): Access {
  const track: Access['track'] = (work) => connection.track(work)
  const batchWith =
    (run: Run): Batch =>
    <Key, Value>(answer: (session: Session, keys: readonly Key[]) => Promise<readonly Value[]>) => {
      const ask = batch<Key, Value>((keys) => run((session) => answer(session, keys)))
      return (key: Key) => track(() => ask(key))
    }
  return {
    track,
    read: (work) => track(() => connection.read(work)),
    snapshot: (work) => track(() => connection.snapshot(work)),
    recall: (work) => track(() => connection.recall(work)),
    lookUp: (work) => track(() => connection.lookUp(work)),
    write: (work, commit) =>
      track(() => {
        const written = connection.write(work)
        return commit === undefined ? written : connection.commits.write(written, commit)
      }),
    batch: batchWith((work) => connection.read(work)),
    lookUpBatch: batchWith((work) => connection.lookUp(work)),
  }
}
