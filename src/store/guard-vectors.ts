// Stands before a vector store, which is a server that may be slow, gone or out of its mind. No call takes longer than
// it may; after some failures in a row, calls are refused at once for a while, so that nobody who asks a question waits
// for what will not come. Whatever goes wrong is one MemoryError, and is counted.

import { isMemoryError, MemoryError } from '../domain/errors.ts'
import { CircuitBreaker } from '../model/guard/circuit-breaker.ts'
import type { VectorStore } from './vector-store.ts'

export interface VectorCalls {
  readonly calls: number
  /** Calls that failed or were refused because of earlier failures. */
  readonly failures: number
  /** What went wrong last, until something goes well. */
  readonly problem?: string
  /** It failed repeatedly and is left alone for a moment. */
  readonly isResting: boolean
}

export interface GuardedVectors extends VectorStore {
  tally(): VectorCalls
}

export interface GuardSettings {
  /** How long somebody with a question waits. */
  readonly timeoutMs: number
  /** How long everything else may take. */
  readonly writeTimeoutMs: number
}

/** Two may be chance; who waits for the third has waited enough. */
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

  /** Ends with the time or with the store, whether the work listens or not. */
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

  /** A refusal is an answer: the server is well. */
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
