// What this process writes is told as it is written. That another one wrote to the file, SQLite knows, but not what:
// then all is to be looked at.

import { isMemoryError } from '../../domain/errors.ts'
import type { Change, Watch } from '../changes.ts'
import { Watchers } from '../watchers.ts'
import type { Connection } from './connection.ts'

/** A number in memory that SQLite keeps; soon enough for people. */
const LOOK_MS = 1000

export class FileWatching {
  readonly #connection: Connection
  readonly #watchers = new Watchers()
  #timer: ReturnType<typeof setInterval> | undefined
  #version: number | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  readonly tell: (changes: readonly Change[]) => void = (changes) => this.#watchers.tell(changes)

  async watch(watch: Watch): Promise<() => void> {
    const leave = this.#watchers.add(watch)
    if (this.#timer === undefined) {
      this.#version = await this.#readVersion()
      this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref()
    }
    return () => {
      leave()
      if (this.#watchers.workspaces.length === 0) this.#rest()
    }
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    try {
      const version = await this.#readVersion()
      if (version !== this.#version) this.#watchers.tellEverything()
      this.#version = version
    } catch (error) {
      if (!isMemoryError(error)) throw error
      // Else it was busy, and is looked at again.
      if (error.code === 'store-closed') this.#rest()
    }
  }

  /** Another number after every commit of somebody else. */
  async #readVersion(): Promise<number | undefined> {
    const connection = this.#connection
    const row = await connection.enter(() =>
      connection.read(() => connection.get<{ data_version: number }>('PRAGMA data_version')),
    )
    return row?.data_version
  }
}
