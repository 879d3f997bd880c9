// Every commit leaves a piece of its own in the index of words, and whoever looks up a word looks through all pieces:
// with one message at a time there are soon fifteen. A moment after something was added, pieces of about the same size
// are put together, a few pages at a time, among the other writes. It costs a commit, and halves the time of a lookup.

import { isMemoryError, type MemoryErrorCode } from '../../domain/errors.ts'
import type { Finding, Store } from '../store.ts'
import type { Connection } from './connection.ts'

/** After the first message that was added since. */
const SOON_MS = 1000
/** While there is more to be done. */
const NEXT_MS = 100
/** Of one step: two or three milliseconds. */
const PAGES = 32
/** From two pieces of a size on; four unless told. */
const PIECES = 2

const PASSING: ReadonlySet<MemoryErrorCode> = new Set(['store-full', 'store-busy', 'store-closed'])

export function keepTidy(store: Store, connection: Connection): Store {
  const tidying = new Tidying(connection)
  return {
    ...store,
    append: async (request) => {
      const appended = await store.append(request)
      tidying.soon()
      return appended
    },
    check: async () => [...(await store.check()), tidying.finding()],
    close: () => {
      tidying.stop()
      return store.close()
    },
  }
}

class Tidying {
  readonly #connection: Connection
  #timer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  #problem: string | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  soon(delayMs: number = SOON_MS): void {
    if (!this.#isStopped) this.#timer ??= setTimeout(() => void this.#step(), delayMs).unref()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  /** Nothing waits for it, so nobody else is told when it fails. */
  finding(): Finding {
    const check = 'pieces of the index of words are put together'
    if (this.#problem === undefined) return { check }
    return {
      check,
      problem: this.#problem,
      remedy: 'look into what the message says; nothing is lost',
    }
  }

  async #step(): Promise<void> {
    this.#timer = undefined
    try {
      const isMore = await this.#connection.enter(() =>
        this.#connection.write(() => putTogether(this.#connection)),
      )
      this.#problem = undefined
      if (isMore) this.soon(NEXT_MS)
    } catch (error) {
      // It is tried again when something is added; whoever adds it is told that the disk is full or the file in use.
      const passes = isMemoryError(error) && PASSING.has(error.code)
      if (!passes) this.#problem = error instanceof Error ? error.message : String(error)
    }
  }
}

/** Whether there is more. A step that found nothing to do changes no more than it takes to ask. */
function putTogether(connection: Connection): boolean {
  const changes = () => connection.get<{ count: number }>('SELECT total_changes() AS count')?.count ?? 0
  connection.run("INSERT INTO message_words (message_words, rank) VALUES ('usermerge', ?)", PIECES)
  const before = changes()
  connection.run("INSERT INTO message_words (message_words, rank) VALUES ('merge', ?)", PAGES)
  return changes() - before > 1
}
