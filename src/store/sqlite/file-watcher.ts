// Writes of this process are reported as they are committed. If another process wrote to the file, SQLite detects
// that but not what was written, so `everything` is reported.

import { isMemoryError } from '../../domain/errors.ts'
import type { Change, Watch } from '../changes.ts'
import { Watchers } from '../commits.ts'
import type { Connection } from './connection.ts'

/** Polling is cheap, since SQLite keeps this number in memory. */
const POLL_MS = 1000

export class FileWatcher {
  readonly #connection: Connection
  readonly #watchers = new Watchers()
  #timer: ReturnType<typeof setInterval> | undefined
  #version: number | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  readonly emit: (changes: readonly Change[]) => void = (changes) => this.#watchers.emit(changes)

  async watch(watch: Watch): Promise<() => void> {
    const remove = this.#watchers.add(watch)
    if (this.#timer === undefined) {
      this.#version = await this.#readVersion()
      this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref()
    }
    return () => {
      remove()
      if (this.#watchers.workspaces.length === 0) this.#stop()
    }
  }

  #stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #poll(): Promise<void> {
    try {
      const version = await this.#readVersion()
      if (version !== this.#version) this.#watchers.emitEverything()
      this.#version = version
    } catch (error) {
      if (!isMemoryError(error)) throw error
      // Otherwise the file was busy, and the next poll retries.
      if (error.code === 'store-closed') this.#stop()
    }
  }

  /** Changes with every commit of another connection. */
  async #readVersion(): Promise<number | undefined> {
    const connection = this.#connection
    const row = await connection.track(() =>
      connection.read(() => connection.get<{ data_version: number }>('PRAGMA data_version')),
    )
    return row?.data_version
  }
}
