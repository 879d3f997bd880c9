// Ctrl-C during long work stops at the next consistent state and prints how to continue. A second Ctrl-C exits at once;
// acknowledged writes are safe even then.

/** The conventional exit codes for SIGINT and SIGTERM. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

type StopSignal = keyof typeof EXIT_CODES

/** The user interrupted the work. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(advice: string, signal: StopSignal) {
    super(advice)
    this.exitCode = EXIT_CODES[signal]
  }
}

interface Stopping {
  /** Throws once the user wants to stop. Call it where stopping is safe. */
  readonly check: () => void
  readonly signal: AbortSignal
}

/** `advice` says what state the interrupted work leaves, and how to continue. */
export async function interruptible<T>(advice: string, work: (stopping: Stopping) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const interrupted = () => new Interrupted(advice, stop.signal.reason as StopSignal)
  const onSignal = (signal: StopSignal) => {
    if (stop.signal.aborted) process.exit(EXIT_CODES[signal])
    process.stderr.write('\nStopping…\n')
    stop.abort(signal)
  }
  const check = () => {
    if (stop.signal.aborted) throw interrupted()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    return await work({ check, signal: stop.signal })
  } catch (error) {
    throw stop.signal.aborted ? interrupted() : error
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}
