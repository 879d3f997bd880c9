// The way to the database, and the only place where transactions begin and end.
//
// A write is a transaction of its own, at READ COMMITTED: what must not change while it runs is locked by row, the
// conversation most of all. Where two wait for each other PostgreSQL ends one of them, and it is run again. Reads of
// one statement need no transaction; those of several that have to agree see one snapshot.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import { batch } from '../batch.ts'
import { CommitHook, type Committed } from '../commits.ts'
import { RecentBlocks } from '../recent-blocks.ts'
import type { PgClient, PgPool } from './driver.ts'
import { isAway, isConnectionLost, isPlanStale, isWorthRepeating, toMemoryError } from './driver-errors.ts'
import { ClientSession, type Session, type VectorIndexing } from './session.ts'

/** More often than that, it is no coincidence. */
const MOST_TRIES = 5
/** Spread out, so that those who wait for each other do not meet again. */
const RETRY_MS = 20
/** A replica that cannot be reached is left alone for so long: nobody should wait for it twice. */
const REPLICA_PAUSE_MS = 5000

type Work<T> = (session: Session) => Promise<T>

/** Thrown by a reader that follows what one statement told it, when somebody has changed it since. */
export class StaleReadError extends Error {}

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const WITHOUT_LIMIT = 'SET LOCAL statement_timeout = 0'

/** How long its statements may take: upkeep reads all there is. */
type Patience = 'usual' | 'endless'

interface Transaction<T> {
  readonly begin: string
  readonly kind: 'read' | 'write' | 'none'
  readonly work: Work<T>
  readonly patience?: Patience
}

export interface Pools {
  readonly primary: PgPool
  /** What only looks things up for recall may be asked of a copy that is a little behind. */
  readonly replica?: PgPool | undefined
  /** Past a pooler that is in between, for what it is in the way of. */
  readonly direct?: PgPool | undefined
}

/** What it is called: by people, and in statements. */
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
  /** Until then the replica is not asked. */
  #replicaBackAt = 0
  /** Why the replica did not answer when it was last asked. */
  replicaTrouble: unknown
  /** How often it did not. */
  replicaFailures = 0

  constructor(pools: Pools, { location, schema }: DatabaseNames) {
    this.#pools = pools
    this.location = location
    this.schema = schema
  }

  get hasReplica(): boolean {
    return this.#pools.replica !== undefined
  }

  /** Every call of the store goes through here: refused once closing has begun, and `close` waits for it. */
  track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(this.#closedError())
    const call = work()
    this.#calls.add(call)
    const remove = () => this.#calls.delete(call)
    call.then(remove, remove)
    return call
  }

  /** Runs `work`, which only reads; each of its statements sees what is there then. */
  async read<T>(work: Work<T>): Promise<T> {
    try {
      return await this.#readFrom(this.#pools.primary, work)
    } catch (error) {
      if (error instanceof StaleReadError) return this.snapshot(work)
      throw error
    }
  }

  /** Through a pooler, statements need a transaction to have their settings in. */
  #readFrom<T>(pool: PgPool, work: Work<T>): Promise<T> {
    return this.#withClient(pool, (client) =>
      client.perTransaction === undefined
        ? work(this.#session(client, 'none'))
        : this.#within(client, { begin: 'BEGIN READ ONLY', kind: 'none', work }),
    )
  }

  /** Runs `work`, which only reads, on one state of the database, whatever others write meanwhile. */
  snapshot<T>(work: Work<T>, patience: Patience = 'usual'): Promise<T> {
    return this.#transact(this.#pools.primary, { begin: SNAPSHOT, kind: 'read', work, patience })
  }

  /** The same, where it may be a moment old. */
  recall<T>(work: Work<T>): Promise<T> {
    return this.#askReplica((pool) => this.#transact(pool, { begin: SNAPSHOT, kind: 'read', work }))
  }

  /** The same, for what one statement answers, or several that need not agree. */
  async lookUp<T>(work: Work<T>): Promise<T> {
    if (!this.hasReplica) return this.read(work)
    try {
      return await this.#askReplica((pool) => this.#readFrom(pool, work))
    } catch (error) {
      if (error instanceof StaleReadError) return this.recall(work)
      throw error
    }
  }

  /** A replica that fails is no reason to fail. */
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

  /** Runs `work` in a transaction; resolves once that is durable. It may be run several times. */
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
   * Runs statements that cannot be part of a transaction, and may take long. They name the schema of what they are
   * about: through a pooler, nothing can be set for them.
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
      // Another one is opened in its place, with the usual settings.
      client.release(true)
    }
  }

  /** Waits for the calls under way, and for what comes last. */
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
    // In one message: it takes no longer to say more at once.
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

  /** What failed for its name alone is done again: the statement has none any more. */
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

/** The connection as the methods of the store use it: every call is tracked, and commits are emitted. */
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

/** Answers all calls that are made in the same moment with one read. */
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
