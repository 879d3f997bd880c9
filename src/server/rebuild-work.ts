import type { Memory } from '../index.ts'

export interface RebuildState {
  readonly state: 'none' | 'running' | 'done' | 'failed'
  readonly done: number
  readonly total: number
  readonly startedAt?: Date
  readonly endedAt?: Date
  readonly error?: string
}

/**
 * Runs a rebuild in the background, one at a time: it takes minutes, so one request starts it and others poll
 * its state.
 */
export class RebuildWork {
  #state: RebuildState = { state: 'none', done: 0, total: 0 }
  #work: Promise<void> | undefined

  get state(): RebuildState {
    return this.#state
  }

  /** Starts a rebuild, unless one is running. */
  start(memory: Memory, now: () => Date): RebuildState {
    if (this.#work !== undefined) return this.#state
    this.#state = { state: 'running', done: 0, total: 0, startedAt: now() }
    this.#work = memory.maintenance
      .rebuild((done, total) => this.#change({ done, total }))
      .then(
        () => this.#change({ state: 'done', endedAt: now() }),
        (error: unknown) => this.#change({ state: 'failed', error: String(error), endedAt: now() }),
      )
      .finally(() => {
        this.#work = undefined
      })
    return this.#state
  }

  async whenDone(): Promise<void> {
    await this.#work
  }

  #change(change: Partial<RebuildState>): void {
    this.#state = { ...this.#state, ...change }
  }
}
