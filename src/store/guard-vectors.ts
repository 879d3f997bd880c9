// Guards calls to a vector store, which is a server that may be slow, unreachable or broken. Every call has a
// timeout. After several failures in a row, calls fail immediately for a while, so that no query waits for a server
// that is down. All failures become MemoryErrors and are counted.

import { isMemoryError, MemoryError } from '../domain/errors.ts'
import { CircuitBreaker } from '../model/guard/circuit-breaker.ts'
import type { VectorStore } from './vector-store.ts'

export interface VectorCalls {
  readonly calls: number
  /** Calls that failed or were refused because of earlier failures. */
  readonly failures: number
  /** The last error; cleared by the next success. */
  readonly problem?: string
  /** The circuit breaker is open after repeated failures. */
  readonly isResting: boolean
}

export interface GuardedVectors extends VectorStore {
  tally(): VectorCalls
}

export interface GuardSettings {
  /** Timeout of queries. */
  readonly timeoutMs: number
  /** Timeout of all other calls. */
  readonly writeTimeoutMs: number
}

/** One failure may be chance; after two, callers have waited long enough. */
const FAILURES = 2
const REST_MS = 5000

export function guardVectors(vectors: VectorStore, settings: GuardSettings): GuardedVectors {
  const guard = new Guard(vectors.location)
  const ask = <T>(work: () => Promise<T>) => guard.run(work, settings.timeoutMs)
  const keep = <T>(work: () => Promise<T>) => guard.run(work, settings.writeTimeoutMs)
  return {
    location: vectors.location,
    open: (space) => keep(() => vectors.open(space)),
    contents: (workspace) => keep(() => vectors.contents(workspace)),
    ids: (workspace, source) => keep(() => vectors.ids(workspace, source)),
    put: (workspace, entries) => keep(() => vectors.put(workspace, entries)),
    remove: (workspace, ids) => keep(() => vectors.remove(workspace, ids)),
    removeSource: (workspace, source) => keep(() => vectors.removeSource(workspace, source)),
    findMark: (workspace, source) => keep(() => vectors.findMark(workspace, source)),
    setMark: (workspace, mark) => keep(() => vectors.setMark(workspace, mark)),
    nearest: (lookup) => ask(() => vectors.nearest(lookup)),
    workspaces: () => keep(() => vectors.workspaces()),
    drop: (workspace) => keep(() => vectors.drop(workspace)),
    tally: () => guard.tally(),
    async close() {
      guard.close()
      await vectors.close()
    },
  }
}

class Guard {
  readonly #location: string
  readonly #circuit = new CircuitBreaker({ circuitFailures: FAILURES, circuitRestMs: REST_MS })
  readonly #closing = new AbortController()
  #calls = 0
  #failures = 0
  #problem: string | undefined

  constructor(location: string) {
    this.#location = location
  }

  async run<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
    this.#calls++
    if (this.#circuit.refuse(Date.now()) !== undefined) {
      this.#failures++
      throw new MemoryError('store-failed', this.#problem ?? `${this.#location} rests after failing`, {
        hint: 'it is tried again in some seconds; words and the store answer meanwhile',
      })
    }
    try {
      const result = await this.#within(work(), timeoutMs)
      this.#circuit.close()
      this.#problem = undefined
      return result
    } catch (error) {
      throw this.#note(error)
    }
  }

  tally(): VectorCalls {
    return {
      calls: this.#calls,
      failures: this.#failures,
      isResting: this.#circuit.isOpen,
      ...(this.#problem !== undefined && { problem: this.#problem }),
    }
  }

  close(): void {
    this.#closing.abort()
  }

  /** Rejects on timeout or close, even if the work does not react to either. */
  async #within<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
    const { signal } = this.#closing
    let stop: () => void = () => undefined
    const end = new Promise<never>((_, reject) => {
      const late = () => reject(this.#failure(`no answer within ${timeoutMs / 1000} s`))
      const closed = () => reject(this.#failure('the memory is closed'))
      const timer = setTimeout(late, timeoutMs)
      signal.addEventListener('abort', closed, { once: true })
      stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', closed)
      }
      if (signal.aborted) closed()
    })
    return Promise.race([work, end]).finally(() => stop())
  }

  #failure(reason: string): MemoryError {
    return new MemoryError('store-failed', `${this.#location} failed: ${reason}`, {
      hint: 'is the server running, and its address right?',
    })
  }

  /** A refused request is still an answer: the server is up. */
  #note(error: unknown): MemoryError {
    const told = isMemoryError(error)
      ? error
      : this.#failure(error instanceof Error ? error.message : String(error))
    this.#failures++
    this.#problem = told.message
    if (told.code === 'store-failed') this.#circuit.fail(Date.now())
    else this.#circuit.close()
    return told
  }
}
