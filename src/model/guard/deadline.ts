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

  /** Aborts when time is up, when the caller gives up, and with `end`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The outcome of the work, unless time is up or the caller gives up before it is there. */
  race<T>(work: Promise<T>): Promise<T> {
    const { clock, timeoutMs, signal } = this.#options
    return new Promise((resolve, reject) => {
      const stop = (reason: unknown) => {
        reject(reason)
        this.#controller.abort(reason)
      }
      const giveUp = () => stop(signal?.reason)
      const callOff = clock.after(timeoutMs, () =>
        stop(new CallFailure('slow', `no answer within ${timeoutMs / 1000} s`)),
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

  /** Lets go of whatever is still under way. */
  end(): void {
    this.#controller.abort(new CallFailure('thrown', 'not needed any more'))
  }
}
