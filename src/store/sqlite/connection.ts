// One connection to one file, and the only place where transactions begin and end.
//
// SQLite calls are synchronous, so that between two awaits nobody sees a half-done write. Writes that are
// asked for in the same turn of the event loop share one transaction and so one sync of the disk: a sync
// costs far more than the rows. Each write is a savepoint of its own, so that one that fails takes none of
// the others with it. None is acknowledged before the commit has returned.
//
// Several processes may use the file. SQLite lets one write at a time; whoever finds it busy waits a few
// milliseconds inside SQLite, then lets the event loop go on and tries again until `busyTimeoutMs` is over.

import { MemoryError } from '../../domain/errors.ts'
import { RecentBlocks } from '../recent-blocks.ts'
import type { SqliteDatabase, SqliteStatement, SqlValue } from './driver.ts'
import { endsTransaction, isBusy, toMemoryError } from './driver-errors.ts'
import { RecentSketches } from './recall/recent-sketches.ts'

/** Bounds how long the event loop is held by one commit. */
const MOST_WRITES_PER_COMMIT = 256
/** Spread out, so that processes that wait for each other do not meet again. */
const RETRY_MS = 8

interface Write {
  readonly work: () => unknown
  readonly apart?: Apart
  readonly resolve: (value: never) => void
  readonly reject: (reason: unknown) => void
  readonly deadline: number
}

/** Work in two halves that touches nothing but what is under its key. */
interface Apart {
  readonly key: string
  /** Returns the second half. */
  readonly begin: () => () => unknown
}

interface Outcome {
  readonly write: Write
  readonly value?: unknown
  readonly error?: unknown
}

/** Thrown by a reader that follows what one statement told it, when another process has changed it since. */
export class Overtaken extends Error {}

export class Connection {
  readonly location: string
  readonly database: SqliteDatabase
  readonly recentBlocks: RecentBlocks = new RecentBlocks()
  readonly recentSketches: RecentSketches = new RecentSketches()
  /** What is under way: within either, all statements see one state of the file. */
  transaction: 'none' | 'read' | 'write' = 'none'
  readonly #busyTimeoutMs: number
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #underWay = new Set<Promise<unknown>>()
  #waiting: Write[] = []
  #isScheduled = false
  #closing: Promise<void> | undefined

  constructor(database: SqliteDatabase, location: string, busyTimeoutMs: number) {
    this.database = database
    this.location = location
    this.#busyTimeoutMs = busyTimeoutMs
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#statement(sql).all(...values) as Row[]
  }

  /** Returns how many rows were changed and the number of the row last inserted. */
  run(sql: string, ...values: SqlValue[]): { changes: number; rowid: number } {
    const { changes, lastInsertRowid } = this.#statement(sql).run(...values)
    return { changes: Number(changes), rowid: Number(lastInsertRowid) }
  }

  /** The way in for calls from outside: refused once closing has begun, waited for until it is done. */
  enter<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(this.#closedError())
    const call = work()
    this.#underWay.add(call)
    const leave = () => this.#underWay.delete(call)
    call.then(leave, leave)
    return call
  }

  /** Runs `work` in a transaction that it may share with others; resolves once that is durable. */
  write<T>(work: () => T): Promise<T> {
    return this.#add(work)
  }

  /**
   * Like `write`, for work in two halves that touches nothing but what is under its key. Where only such writes
   * under different keys share a commit, all first halves run before all second ones, without savepoints: with
   * every savepoint, and with every update that sets one by itself, an index of words writes down what it holds,
   * which takes as long for one word as for a thousand.
   */
  writeApart<T>(key: string, begin: () => () => T): Promise<T> {
    return this.#add(() => begin()(), { key, begin })
  }

  #add<T>(work: () => T, apart?: Apart): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const deadline = Date.now() + this.#busyTimeoutMs
      this.#waiting.push({ work, resolve, reject, deadline, ...(apart && { apart }) })
      this.#schedule(0)
    })
  }

  /** Runs `work`, which only reads, again while the file is busy. */
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

  /** Runs `work`, which only reads, on one state of the file, whatever others write meanwhile. */
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

  /** Most reads are one statement, or close enough: a snapshot would cost them a tenth of their time. */
  #readOnce<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (error instanceof Overtaken) return this.snapshot(work)
      throw error
    }
  }

  /** Waits for the calls under way. */
  close(): Promise<void> {
    this.#closing ??= this.#closeWhenDone()
    return this.#closing
  }

  async #closeWhenDone(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    this.#emptyLog()
    this.#statements.clear()
    this.database.close()
  }

  /**
   * After closing, the file alone should be the whole memory. SQLite does that when the last connection
   * closes, but the driver for Node 20 keeps a connection half open until its statements are collected.
   */
  #emptyLog(): void {
    try {
      this.database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch (error) {
      // The words are safe in the log, and whoever opens the file next will find them there.
      if (toMemoryError(error, this.location) === error) throw error
    }
  }

  #statement(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  #schedule(delayMs: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const flush = () => {
      this.#isScheduled = false
      this.#commitWaiting()
    }
    if (delayMs === 0) setImmediate(flush)
    else setTimeout(flush, delayMs)
  }

  #commitWaiting(): void {
    const writes = this.#waiting.splice(0, MOST_WRITES_PER_COMMIT)
    if (writes.length === 0) return
    if (areApart(writes) && this.#commitTogether(writes)) {
      if (this.#waiting.length > 0) this.#schedule(0)
      return
    }
    try {
      this.database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      this.#retryLater(writes, error)
      return
    }
    const outcomes = this.#runAll(writes)
    for (const { write, value, error } of outcomes) {
      if (error === undefined) write.resolve(value as never)
      else write.reject(toMemoryError(error, this.location))
    }
    if (this.#waiting.length > 0) this.#schedule(0)
  }

  /** All of them, or none and false: then each is tried by itself, and says what is wrong with it. */
  #commitTogether(writes: readonly Write[]): boolean {
    this.transaction = 'write'
    let values: readonly unknown[]
    try {
      this.database.exec('BEGIN IMMEDIATE')
      const halves = writes.map(({ apart }) => apart?.begin())
      values = halves.map((finish) => finish?.())
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

  #retryLater(writes: readonly Write[], error: unknown): void {
    const now = Date.now()
    const canWait = (write: Write) => isBusy(error) && now < write.deadline
    for (const write of writes) if (!canWait(write)) write.reject(toMemoryError(error, this.location))
    this.#waiting.unshift(...writes.filter(canWait))
    if (this.#waiting.length > 0) this.#schedule(1 + Math.random() * RETRY_MS)
  }

  #runAll(writes: readonly Write[]): Outcome[] {
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

  /** A write that fails is undone alone where others share its transaction; otherwise all is undone. */
  #runOne(write: Write, isShared: boolean): Outcome {
    if (!isShared) return { write, value: write.work() }
    this.database.exec('SAVEPOINT one')
    try {
      const value = write.work()
      this.database.exec('RELEASE one')
      return { write, value }
    } catch (error) {
      if (endsTransaction(error)) throw error
      this.database.exec('ROLLBACK TO one')
      this.database.exec('RELEASE one')
      return { write, error: error ?? new TypeError('a write failed without saying why') }
    }
  }

  #rollBack(): void {
    try {
      this.database.exec('ROLLBACK')
    } catch (error) {
      // SQLite has already rolled back by itself where it ran out of room; then there is nothing to undo.
      if (!String(error).includes('no transaction is active')) throw error
    }
  }

  #closedError(): MemoryError {
    return new MemoryError('store-closed', `${this.location} was closed`, {
      hint: 'open the memory again before using it',
    })
  }
}

function areApart(writes: readonly Write[]): boolean {
  if (writes.length < 2 || writes.some(({ apart }) => apart === undefined)) return false
  return new Set(writes.map(({ apart }) => apart?.key)).size === writes.length
}
