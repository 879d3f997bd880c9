// Output helpers of the commands. Colours are used only on a terminal without NO_COLOR; progress goes to standard error,
// so that pipes stay clean.

const isColourful = process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined

const style = (code: number) => (text: string) => (isColourful ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold: (text: string) => string = style(1)
export const dim: (text: string) => string = style(2)
export const red: (text: string) => string = style(31)
export const green: (text: string) => string = style(32)
export const yellow: (text: string) => string = style(33)

export function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** `1 message`, `2,000 messages`. */
export const countOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const number = bytes / 1000 ** power
  return `${power === 0 ? number : number.toFixed(1)} ${units[power]}`
}

export const formatTime = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ')

/** Positions of messages: `#3, #5–9`. */
export const formatRuns = (runs: readonly (readonly [number, number])[]): string =>
  runs.map(([from, to]) => (from === to ? `#${from}` : `#${from}–${to}`)).join(', ')

/** Characters per line; 120 for a pipe. */
export const terminalWidth = (): number => process.stdout.columns ?? 120

/** One line of at most `most` characters, without control characters. */
export function clip(text: string, most: number): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const characters = [...line]
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`
}

/** Prints rows in columns; the first row is the heading. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  )
  for (const [i, row] of rows.entries()) {
    const line = row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
    print(i === 0 ? dim(line) : line)
  }
}

const BAR = 24
const EVERY_MS = 100

/** What the rate counts, if that differs from what the bar measures. */
interface Counted {
  readonly count: number
  readonly unit: string
}

/** A progress bar on standard error with rate and time left. Silent if standard error is not a terminal. */
export class Progress {
  readonly #what: string
  readonly #started = Date.now()
  #shownAt = 0

  constructor(what: string) {
    this.#what = what
  }

  readonly show = (done: number, total: number, counted: Counted = { count: done, unit: '' }): void => {
    const now = Date.now()
    if (process.stderr.isTTY !== true || (now - this.#shownAt < EVERY_MS && done < total)) return
    this.#shownAt = now
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const filled = Math.round(share * BAR)
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled)
    process.stderr.write(
      `\r\u001b[K${this.#what} ${bar} ${Math.round(share * 100)}% ${this.#rate(share, counted, now)}`,
    )
  }

  /** For an unknown total: the count so far and the rate. */
  count({ count, unit }: Counted): void {
    const now = Date.now()
    if (process.stderr.isTTY !== true || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const perSecond = Math.round((count * 1000) / Math.max(1, now - this.#started))
    const [amount, rate] = [count, perSecond].map((number) => number.toLocaleString('en-US'))
    process.stderr.write(`\r\u001b[K${this.#what} · ${amount}${unit} · ${rate}${unit}/s`)
  }

  end(): void {
    if (process.stderr.isTTY === true && this.#shownAt > 0) process.stderr.write('\r\u001b[K')
  }

  #rate(share: number, { count, unit }: Counted, now: number): string {
    const seconds = (now - this.#started) / 1000
    if (seconds < 0.5 || share === 0) return ''
    const left = Math.round((1 / share - 1) * seconds)
    return `· ${Math.round(count / seconds).toLocaleString('en-US')}${unit}/s · ${left} s left`
  }
}

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
