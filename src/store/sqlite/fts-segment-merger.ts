// Every commit adds a segment to the FTS5 index, and every lookup reads all segments: with one message per commit there
// are soon fifteen. A moment after messages were added, segments of about the same size are merged, a few pages at a
// time, between other writes. It costs a commit and halves the time of a lookup.

import { isMemoryError, type MemoryErrorCode } from '../../domain/errors.ts'
import type { Finding } from '../store.ts'
import type { Connection } from './connection.ts'

/** Delay after the first message since the last merge. */
const FIRST_STEP_DELAY_MS = 1000
/** Delay while there is more to merge. */
const NEXT_STEP_DELAY_MS = 100
/** Takes two or three milliseconds. */
const PAGES_PER_STEP = 32
/** Merge once there are this many segments of a size; FTS5's default is four. */
const MIN_SEGMENTS = 2

const TRANSIENT: ReadonlySet<MemoryErrorCode> = new Set(['store-full', 'store-busy', 'store-closed'])

export class FtsSegmentMerger {
  readonly #connection: Connection
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  #problem: string | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  schedule(delayMs: number = FIRST_STEP_DELAY_MS): void {
    if (!this.#isStopped) this.#timer ??= setTimeout(() => void this.#step(), delayMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** No caller waits for a merge, so `check` is where a failure is reported. */
  check(): Finding {
    const check = 'segments of the full-text index are merged'
    if (this.#problem === undefined) return { check }
    return { check, problem: this.#problem, remedy: 'see the error message; no data is lost' }
  }

  async #step(): Promise<void> {
    this.#timer = undefined
    try {
      const isMore = await this.#connection.track(() =>
        this.#connection.write(() => mergeSegments(this.#connection)),
      )
      this.#problem = undefined
      if (isMore) this.schedule(NEXT_STEP_DELAY_MS)
    } catch (error) {
      // Retried after the next append, which itself fails if the disk is full or the file is in use.
      const isTransient = isMemoryError(error) && TRANSIENT.has(error.code)
      if (!isTransient) this.#problem = error instanceof Error ? error.message : String(error)
    }
  }
}

/** Returns whether there is more to merge. The merge command itself counts as one change. */
function mergeSegments(connection: Connection): boolean {
  const changes = () => connection.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0
  // A literal: Node's own SQLite binds numbers as floating point, which FTS5 refuses here.
  connection.run(`INSERT INTO message_words (message_words, rank) VALUES ('usermerge', ${MIN_SEGMENTS})`)
  const before = changes()
  connection.run("INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", PAGES_PER_STEP)
  return changes() - before > 1
}
