// Stands between the memory and every model that is not built in, so that a slow, wrong or missing one costs quality
// and never function:
//
// 1. At most `concurrency` calls are under way; the others wait in the order they came.
// 2. A try has `timeoutMs`; a stream has it for its first piece, and again for each further one.
// 3. What may pass (no connection, no answer in time, an answer that makes no sense, 408, 409, 425, 429, 5xx) is tried
//    again, `retries` times, after waits that double and are spread by chance. A server that names a time is waited
//    for as long; when that is longer than `longestWaitMs`, the call fails now. A stream is never begun anew once a
//    piece was handed on.
// 4. After `circuitFailures` failed tries in a row the circuit opens, and calls fail at once for `circuitRestMs`.
// 5. Whatever went wrong, the caller gets one `MemoryError` with the code `model-failed`, without secrets; when the
//    caller gave up by its signal, the signal's reason.

import { isMemoryError, type MemoryError } from '../../domain/errors.ts'
import {
  CallFailure,
  describeFailure,
  describeRest,
  type GuardedModel,
  toCallFailure,
} from '../network/call-failure.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { type Clock, machineClock, wait } from './clock.ts'
import { Semaphore } from './semaphore.ts'

export interface GuardOptions {
  readonly timeoutMs: number
  readonly retries: number
  readonly retryWaitMs: number
  readonly longestWaitMs: number
  readonly concurrency: number
  readonly circuitFailures: number
  readonly circuitRestMs: number
  /** Where calls are counted. @default nowhere */
  readonly tally?: CallCounter
}

type Try<T> = (deadline: Deadline) => Promise<T>

/** A stream whose first piece is there. */
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

  /** One call with one answer. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.#slots.take(signal)
    try {
      return await this.#tryAgain((deadline) => deadline.race(work(deadline.signal)), signal)
    } finally {
      release()
    }
  }

  /** One call with an answer in pieces. */
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

  /** What an error means for the circuit and for the caller. Errors that are no failure of the model are thrown on. */
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

  /** Undefined when there is to be no other try. */
  #waitBefore(tries: number, { isPassing, retryAfterMs = 0 }: CallFailure): number | undefined {
    const { retries, retryWaitMs, longestWaitMs } = this.#options
    if (!isPassing || tries > retries || this.#circuit.isOpen || retryAfterMs > longestWaitMs)
      return undefined
    const doubled = Math.min(longestWaitMs, retryWaitMs * 2 ** (tries - 1))
    return Math.max(retryAfterMs, doubled * (0.5 + this.#clock.random() / 2))
  }
}

/** Ends a stream, whether it was read to its end or not. */
function leave({ deadline, pieces }: Opened<unknown>): void {
  deadline.end()
  // Not waited for: a model that hangs would hold up whoever leaves it. How it takes its end changes nothing any more.
  pieces.return?.().catch(() => undefined)
}

/** Counts the calls of one model, and tells whether it is left alone. */
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

/** How long a try may take, or one piece of a stream. Holds even when a model does not listen to the signal. */
class Deadline {
  readonly #options: DeadlineOptions
  readonly #controller = new AbortController()

  constructor(options: DeadlineOptions) {
    this.#options = options
  }

  /** Aborts with `end`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The outcome of the work, unless time is up or the caller gives up before it is there. */
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

  /** Tells the model that nobody waits any more. */
  end(): void {
    this.#controller.abort()
  }
}
