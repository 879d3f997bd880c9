import { CallFailure } from '../network/call-failure.ts'
import type { Clock } from './clock.ts'

interface DeadlineOptions {
  readonly clock: Clock
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** How long a try may take, or one piece of a stream. Holds even when a model does not listen to the signal. */
export class Deadline {
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
        reject(new CallFailure('slow', `no answer within ${timeoutMs / 1000} s`)),
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
