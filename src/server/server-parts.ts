import type { Memory } from '../index.ts'
import type { AccessLog } from './access-log.ts'
import type { RateLimit } from './entrance/admit.ts'
import type { BodyMemoryLimiter } from './entrance/body-memory-limiter.ts'
import type { ServerMetrics } from './metrics/server-metrics.ts'
import type { TokenCorrections } from './proxy/token-corrections.ts'
import type { Retention } from './retention.ts'
import type { ResolvedServerOptions } from './server-options.ts'

/** Dependencies shared by all routes. */
export interface ServerParts {
  readonly memory: Memory
  readonly options: ResolvedServerOptions
  readonly rateLimit: RateLimit
  readonly bodyLimiter: BodyMemoryLimiter
  readonly metrics: ServerMetrics
  readonly rebuild: RebuildWork
  readonly replicaNotice: ReplicaNotice
  readonly retention: Retention
  readonly turns: OpenTurns
  readonly corrections: TokenCorrections
  readonly log: AccessLog
  readonly now: () => Date
  /** Aborted on close, to end open-ended streams. */
  readonly closing: AbortController
  /** True once the server is closing: long-running requests end. */
  isClosing: boolean
}

interface RebuildState {
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

/**
 * Logs when the replica becomes unreachable and when it is back: requests don't fail, so nobody would notice
 * otherwise.
 */
export class ReplicaNotice {
  readonly #memory: Memory
  readonly #log: Pick<AccessLog, 'note' | 'warn'>
  #isUp = true

  constructor(memory: Memory, log: Pick<AccessLog, 'note' | 'warn'>) {
    this.#memory = memory
    this.#log = log
  }

  look(): void {
    const { isUp = true, problem = '' } = this.#memory.maintenance.replica() ?? {}
    if (isUp === this.#isUp) return
    this.#isUp = isUp
    if (isUp) this.#log.note('the replica is available again')
    else this.#log.warn(problem)
  }
}

/** Turns that are being answered. A turn may outlive its client: the answer is recorded anyway. */
export class OpenTurns {
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #kept = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  /** Aborted to stop every answer. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  add(turn: Promise<unknown>): void {
    watch(this.#underWay, turn)
  }

  /** Keeps a turn that the client's next request may depend on. */
  keep(turn: Promise<unknown>): void {
    watch(this.#underWay, turn)
    watch(this.#kept, turn)
  }

  /** Resolves when all turns passed to `keep` are recorded. */
  async settleKept(): Promise<void> {
    if (this.#kept.size > 0) await Promise.allSettled(this.#kept)
  }

  stop(): void {
    this.#closing.abort(new DOMException('the server is shutting down', 'AbortError'))
  }

  /** Resolves when all turns are recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay)
  }
}

/** Ignores errors: they are reported to the caller that started the turn. */
function watch(turns: Set<Promise<unknown>>, turn: Promise<unknown>): void {
  const forget = () => turns.delete(turn)
  turns.add(turn)
  turn.then(forget, forget)
}
