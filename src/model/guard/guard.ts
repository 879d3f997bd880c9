// Wraps every model that is not built in, so that a slow, wrong or missing model affects quality but never
// function:
//
// 1. At most `concurrency` calls run at once; the others wait in order.
// 2. A try has a timeout of `timeoutMs`; for a stream, this applies to the first chunk, and again to each
//    further one.
// 3. Temporary failures (no connection, timeout, an invalid response, 408, 409, 425, 429, 5xx) are retried
//    `retries` times, with exponential backoff and jitter. A Retry-After of the server is respected; if it is
//    longer than `longestWaitMs`, the call fails at once. A stream is never restarted after a chunk was passed
//    on.
// 4. After `circuitFailures` consecutive failed tries the circuit opens, and calls fail at once for
//    `circuitRestMs`.
// 5. Whatever went wrong, the caller gets a single `MemoryError` with the code `model-failed`, without secrets;
//    if the caller aborted with its signal, the signal's reason.

import { isMemoryError, type MemoryError } from '../../domain/errors.ts'
import {
  CallFailure,
  describeFailure,
  describeRest,
  type GuardedModel,
  toCallFailure,
} from '../network/call-failure.ts'
import { CircuitBreaker, Semaphore } from './circuit-breaker.ts'

export interface GuardOptions {
  readonly timeoutMs: number
  readonly retries: number
  readonly retryWaitMs: number
  readonly longestWaitMs: number
  readonly concurrency: number
  readonly circuitFailures: number
  readonly circuitRestMs: number
  /** Counts the calls. @default not counted */
  readonly tally?: CallCounter
}

type Try<T> = (deadline: Deadline) => Promise<T>

/** A stream that has delivered its first chunk. */
interface Opened<T> {
  readonly deadline: Deadline
  readonly pieces: AsyncIterator<T>
  readonly first: IteratorResult<T>
}

export class Guard {
  readonly #model: GuardedModel
  readonly #options: GuardOptions
  readonly #clock: Clock
  readonly #slots: Semaphore
  readonly #circuit: CircuitBreaker
  readonly #tally: CallCounter
  #lastReason = ''

  constructor(model: GuardedModel, options: GuardOptions, clock: Clock = machineClock) {
    this.#model = model
    this.#options = options
    this.#clock = clock
    this.#slots = new Semaphore(options.concurrency)
    this.#circuit = new CircuitBreaker(options)
    this.#tally = options.tally ?? new CallCounter()
  }

  /** Runs one call with a single result. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.#slots.take(signal)
    try {
      return await this.#tryAgain((deadline) => deadline.race(work(deadline.signal)), signal)
    } finally {
      release()
    }
  }

  /** Runs one call with a streamed result. */
  async *stream<T>(work: (signal: AbortSignal) => AsyncIterable<T>, signal?: AbortSignal): AsyncGenerator<T> {
    const release = await this.#slots.take(signal)
    let opened: Opened<T> | undefined
    try {
      opened = await this.#tryAgain(async (deadline) => {
        const pieces = work(deadline.signal)[Symbol.asyncIterator]()
        return { deadline, pieces, first: await deadline.race(pieces.next()) }
      }, signal)
      for (let next = opened.first; !next.done; next = await this.#nextPiece(opened, signal)) yield next.value
    } finally {
      if (opened !== undefined) leave(opened)
      release()
    }
  }

  async #nextPiece<T>(
    { deadline, pieces }: Opened<T>,
    signal: AbortSignal | undefined,
  ): Promise<IteratorResult<T>> {
    try {
      return await deadline.race(pieces.next())
    } catch (error) {
      throw this.#giveUp(this.#judge(error, signal).failed(1))
    }
  }

  async #tryAgain<T>(attempt: Try<T>, signal: AbortSignal | undefined): Promise<T> {
    this.#tally.calls += 1
    for (let tries = 1; ; tries++) {
      const restMs = this.#circuit.refuse(this.#clock.now())
      if (restMs !== undefined) throw this.#giveUp(describeRest(this.#model, restMs, this.#lastReason))
      const deadline = new Deadline({ clock: this.#clock, timeoutMs: this.#options.timeoutMs, signal })
      try {
        const result = await attempt(deadline)
        this.#circuit.close()
        this.#tally.isResting = false
        return result
      } catch (error) {
        deadline.end()
        const { failure, failed } = this.#judge(error, signal)
        const waitMs = this.#waitBefore(tries, failure)
        if (waitMs === undefined) throw this.#giveUp(failed(tries))
        await wait(this.#clock, waitMs, signal)
      }
    }
  }

  /** Updates the circuit and returns the failure. Errors that are not failures of the model are rethrown. */
  #judge(
    error: unknown,
    signal: AbortSignal | undefined,
  ): { failure: CallFailure; failed: (tries: number) => MemoryError } {
    if (signal?.aborted || isMemoryError(error)) {
      this.#circuit.leave()
      throw signal?.aborted ? signal.reason : error
    }
    const failure = toCallFailure(error, this.#clock.now())
    if (failure.isPassing) this.#circuit.fail(this.#clock.now())
    else if (failure.kind === 'status') this.#circuit.close()
    else this.#circuit.leave()
    this.#tally.failures += 1
    this.#tally.isResting = this.#circuit.isOpen
    this.#lastReason = failure.message
    return { failure, failed: (tries) => describeFailure(this.#model, failure, tries) }
  }

  #giveUp(error: MemoryError): MemoryError {
    this.#tally.givenUp += 1
    return error
  }

  /** The delay before the next try; undefined if there is none. */
  #waitBefore(tries: number, { isPassing, retryAfterMs = 0 }: CallFailure): number | undefined {
    const { retries, retryWaitMs, longestWaitMs } = this.#options
    if (!isPassing || tries > retries || this.#circuit.isOpen || retryAfterMs > longestWaitMs)
      return undefined
    const doubled = Math.min(longestWaitMs, retryWaitMs * 2 ** (tries - 1))
    return Math.max(retryAfterMs, doubled * (0.5 + this.#clock.random() / 2))
  }
}

/** Ends a stream, whether or not it was read to its end. */
function leave({ deadline, pieces }: Opened<unknown>): void {
  deadline.end()
  // Not awaited: a model that hangs would block the caller. The outcome no longer matters.
  pieces.return?.().catch(() => undefined)
}

/** Counts the calls of one model, and reports whether its circuit is open. */
export class CallCounter {
  calls = 0
  failures = 0
  givenUp = 0
  isResting = false
}

interface DeadlineOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** The time limit of a try, or of one chunk of a stream. Enforced even if a model ignores the signal. */
class Deadline {
  readonly #options: DeadlineOptions
  readonly #controller = new AbortController()

  constructor(options: DeadlineOptions) {
    this.#options = options
  }

  /** Aborted by `end`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The result of the work, unless the timeout or the caller's abort comes first. */
  race<T>(work: Promise<T>): Promise<T> {
    const { clock, timeoutMs, signal } = this.#options
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal?.reason)
      const callOff = clock.after(timeoutMs, () =>
        reject(new CallFailure('slow', `no response within ${timeoutMs / 1000} s`)),
      )
      if (signal?.aborted) giveUp()
      signal?.addEventListener('abort', giveUp, { once: true })
      const settle = () => {
        callOff()
        signal?.removeEventListener('abort', giveUp)
      }
      work.then(resolve, reject).finally(settle)
    })
  }

  /** Signals the model that nobody is waiting any more. */
  end(): void {
    this.#controller.abort()
  }
}

/** The guard's clock, replaceable in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs a function after a delay; returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void
  /** 0 to 1, for jitter. */
  random(): number
}

export const machineClock: Clock = Object.freeze({
  now: () => Date.now(),
  after: (milliseconds: number, run: () => void) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
})

/** Resolves after a delay, or rejects if the signal is aborted first. */
export function wait(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const callOff = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort)
      resolve()
    })
    function abort(): void {
      callOff()
      reject(signal?.reason)
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
