// Ctrl-C during long work: it stops at the next place where everything is whole, and tells how to go on. Whoever
// presses it a second time does not want to wait; what was acknowledged is safe then, too.

/** What shells make of an end by Ctrl-C, and by SIGTERM. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

type StopSignal = keyof typeof EXIT_CODES

/** The work was called off by whoever began it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(advice: string, signal: StopSignal) {
    super(advice)
    this.exitCode = EXIT_CODES[signal]
  }
}

interface Stopping {
  /** Throws once somebody wants to stop: to be called where stopping does no harm. */
  readonly check: () => void
  readonly signal: AbortSignal
}

/** `advice` says what is there when the work was stopped, and how to go on. */
export async function interruptible<T>(advice: string, work: (stopping: Stopping) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupted = () => new Interrupted(advice, stop.signal.reason as StopSignal)
  const ask = (signal: StopSignal) => {
    if (stop.signal.aborted) process.exit(EXIT_CODES[signal])
    process.stderr.write('\nStopping …\n')
    stop.abort(signal)
  }
  const check = () => {
    if (stop.signal.aborted) throw interrupted()
  }
  process.on('SIGINT', ask).on('SIGTERM', ask)
  try {
    return await work({ check, signal: stop.signal })
  } catch (error) {
    throw stop.signal.aborted ? interrupted() : error
  } finally {
    process.off('SIGINT', ask).off('SIGTERM', ask)
  }
}
