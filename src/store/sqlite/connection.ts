// One connection to one file, and the only place where transactions begin and end.
//
// SQLite calls are synchronous, so no other code sees a half-done write between two awaits. Writes requested in the
// same turn of the event loop share one transaction and so one sync of the disk: a sync costs far more than the rows.
// Each write has its own savepoint, so that one that fails does not undo the others. None is acknowledged before the
// commit has returned.
//
// Several processes may use the file. SQLite lets one write at a time; a process that finds it busy waits a few
// milliseconds inside SQLite, then yields to the event loop and retries until `busyTimeoutMs` is over.

import { MemoryError } from '../../domain/errors.ts'
import { batch } from '../batch.ts'
import { CommitHook, type Committed } from '../commits.ts'
import { RecentBlocks } from '../recent-blocks.ts'
import { type SqliteDatabase, Statements } from './driver.ts'
import { endsTransaction, isBusy, toMemoryError } from './driver-errors.ts'
import { RecentSketches } from './recall/recent-sketches.ts'

/** Bounds how long the event loop is held by one commit. */
const MAX_WRITES_PER_COMMIT = 256
/** Random up to this, so that processes that wait for each other do not collide again. */
const RETRY_MS = 8

/** Work in two halves: `begin` returns the second half. */
interface QueuedWrite {
  readonly begin: () => () => unknown
  /** Set if the write touches only what this key names. */
  readonly key?: string
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
  readonly deadline: number
}

interface Outcome {
  readonly write: QueuedWrite
  readonly value?: unknown
  readonly error?: unknown
}

/** Thrown by a reader that follows a reference from an earlier statement if another process has changed it since. */
export class StaleReadError extends Error {}

export class Connection extends Statements {
  readonly location: string
  readonly commits: CommitHook = new CommitHook()
  readonly recentBlocks: RecentBlocks = new RecentBlocks()
  readonly recentSketches: RecentSketches = new RecentSketches()
  /** Within either transaction, all statements see one state of the file. */
  transaction: 'none' | 'read' | 'write' = 'none'
  readonly #busyTimeoutMs: number
  readonly #calls = new Set<Promise<unknown>>()
  #queue: QueuedWrite[] = []
  #isScheduled = false
  #closing: Promise<void> | undefined

  constructor(database: SqliteDatabase, location: string, busyTimeoutMs: number) {
    super(database)
    this.location = location
    this.#busyTimeoutMs = busyTimeoutMs
  }

  /** Every store call goes through here: it is rejected once closing has begun, and `close` waits for it. */
  track<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(this.#closedError())
    const call = work()
    this.#calls.add(call)
    const remove = () => this.#calls.delete(call)
    call.then(remove, remove)
    return call
  }

  /** Runs `work` in a transaction that it may share with others; resolves once that is durable. */
  write<T>(work: () => T): Promise<T> {
    return this.#enqueue(() => {
      const value = work()
      return () => value
    })
  }

  /**
   * Like `write`, for an independent write: work in two halves that touches nothing but what its key names. Where a
   * commit holds only such writes under different keys, all first halves run before all second ones, without
   * savepoints: at every savepoint, and at every update with its own, the full-text index flushes what it has buffered,
   * which takes as long for one word as for a thousand.
   */
  writeBatched<T>(key: string, begin: () => () => T): Promise<T> {
    return this.#enqueue(begin, key)
  }

  #enqueue<T>(begin: () => () => T, key?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const deadline = Date.now() + this.#busyTimeoutMs
      this.#queue.push({ begin, resolve, reject, deadline, ...(key !== undefined && { key }) })
      this.#schedule(0)
    })
  }

  /** Runs `work`, which only reads, and retries while the file is busy. */
  async read<T>(work: () => T): Promise<T> {
    for (const deadline = Date.now() + this.#busyTimeoutMs; ; ) {
      try {
        return this.#readOnce(work)
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw toMemoryError(error, this.location)
      }
      await new Promise((wake) => setTimeout(wake, Math.random() * RETRY_MS))
    }
  }

  /** Runs `work`, which only reads, on one snapshot of the file. */
  snapshot<T>(work: () => T): T {
    this.database.exec('BEGIN')
    this.transaction = 'read'
    try {
      return work()
    } finally {
      this.transaction = 'none'
      this.#rollBack()
    }
  }

  /** Without a snapshot, which would add a tenth to the time: most reads are one or two statements. */
  #readOnce<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof StaleReadError) return this.snapshot(work)
      throw error
    }
  }

  /** Waits for the calls in progress. */
  close(): Promise<void> {
    this.#closing ??= this.#closeWhenDone()
    return this.#closing
  }

  async #closeWhenDone(): Promise<void> {
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls)
    this.#emptyLog()
    this.closeDatabase()
  }

  /**
   * After closing, the file alone should be the whole memory. SQLite does that when the last connection
   * closes, but the driver for Node 20 keeps a connection half open until its statements are collected.
   */
  #emptyLog(): void {
    try {
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // The data is safe in the log, and the next process to open the file reads it from there.
      if (toMemoryError(error, this.location) === error) throw error
    }
  }

  #schedule(delayMs: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const flush = () => {
      this.#isScheduled = false
      this.#commitQueue()
    }
    if (delayMs === 0) setImmediate(flush)
    else setTimeout(flush, delayMs)
  }

  #commitQueue(): void {
    const writes = this.#queue.splice(0, MAX_WRITES_PER_COMMIT)
    if (writes.length === 0) return
    if (!areIndependent(writes) || !this.#commitTogether(writes)) this.#commitEach(writes)
    if (this.#queue.length > 0) this.#schedule(0)
  }

  /** Commits all of them; or none and returns false: then each is run alone, to find the one that fails. */
  #commitTogether(writes: readonly QueuedWrite[]): boolean {
    this.transaction = 'write'
    let values: readonly unknown[]
    try {
      this.database.exec('BEGIN IMMEDIATE')
      const halves = writes.map(({ begin }) => begin())
      values = halves.map((finish) => finish())
      this.database.exec('COMMIT')
    } catch {
      this.#rollBack()
      return false
    } finally {
      this.transaction = 'none'
    }
    for (const [i, write] of writes.entries()) write.resolve(values[i] as never)
    return true
  }

  #commitEach(writes: readonly QueuedWrite[]): void {
    try {
      this.database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      this.#retryLater(writes, error)
      return
    }
    for (const { write, value, error } of this.#runAll(writes)) {
      if (error === undefined) write.resolve(value as never)
      else write.reject(toMemoryError(error, this.location))
    }
  }

  #retryLater(writes: readonly QueuedWrite[], error: unknown): void {
    const now = Date.now()
    const canWait = (write: QueuedWrite) => isBusy(error) && now < write.deadline
    for (const write of writes) if (!canWait(write)) write.reject(toMemoryError(error, this.location))
    this.#queue.unshift(...writes.filter(canWait))
    if (this.#queue.length > 0) this.#schedule(1 + Math.random() * RETRY_MS)
  }

  #runAll(writes: readonly QueuedWrite[]): Outcome[] {
    this.transaction = 'write'
    try {
      const outcomes = writes.map((write) => this.#runOne(write, writes.length > 1))
      this.database.exec('COMMIT')
      return outcomes
    } catch (error) {
      this.#rollBack()
      return writes.map((write) => ({ write, error }))
    } finally {
      this.transaction = 'none'
    }
  }

  /** A write that fails is undone alone if others share its transaction; otherwise the transaction is rolled back. */
  #runOne(write: QueuedWrite, isShared: boolean): Outcome {
    if (!isShared) return { write, value: write.begin()() }
    this.database.exec('SAVEPOINT one')
    try {
      const value = write.begin()()
      this.database.exec('RELEASE one')
      return { write, value }
    } catch (error) {
      if (endsTransaction(error)) throw error
      this.database.exec('ROLLBACK TO one')
      this.database.exec('RELEASE one')
      return { write, error: error ?? new TypeError('a write failed without an error') }
    }
  }

  #rollBack(): void {
    try {
      this.database.exec('ROLLBACK')
    } catch (error) {
      // When the disk is full, SQLite has already rolled back; there is nothing to undo.
      if (!String(error).includes('no transaction is active')) throw error
    }
  }

  #closedError(): MemoryError {
    return new MemoryError('store-closed', `${this.location} was closed`, {
      hint: 'open the memory again before using it',
    })
  }
}

function areIndependent(writes: readonly QueuedWrite[]): boolean {
  if (writes.length < 2 || writes.some(({ key }) => key === undefined)) return false
  return new Set(writes.map(({ key }) => key)).size === writes.length
}

/** The connection as the methods of the store use it: every call is tracked, and commits are emitted. */
export interface Access {
  readonly track: Connection['track']
  readonly read: <T>(work: () => T) => Promise<T>
  readonly write: <T>(work: () => T, commit?: Committed<T>) => Promise<T>
  /** The key names everything that is written. */
  readonly writeBatched: <T>(
    key: readonly unknown[],
    begin: () => () => T,
    commit?: Committed<T>,
  ) => Promise<T>
  /** Answers all calls made in the same tick with one read. */
  readonly batch: <Key, Value>(
    answer: (keys: readonly Key[]) => readonly Value[],
  ) => (key: Key) => Promise<Value>
}

export function accessTo(connection: Connection): Access {
  const { commits } = connection
  const track: Access['track'] = (work) => connection.track(work)
  const emit = <T>(work: Promise<T>, commit?: Committed<T>) =>
    commit === undefined ? work : commits.write(work, commit)
  return {
    track,
    read: (work) => track(() => connection.read(work)),
    write: (work, commit) => track(() => emit(connection.write(work), commit)),
    writeBatched: (key, begin, commit) =>
      track(() => emit(connection.writeBatched(JSON.stringify(key), begin), commit)),
    batch: <Key, Value>(answer: (keys: readonly Key[]) => readonly Value[]) => {
      const ask = batch<Key, Value>((keys) => connection.read(() => answer(keys)), queueMicrotask)
      return (key: Key) => track(() => ask(key))
    },
  }
}
