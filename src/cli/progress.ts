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
