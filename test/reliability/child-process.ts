import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program of this folder that communicates in lines. It is killed after the test. */
export class Child {
  /** Complete lines only: a line that was cut off by the kill does not count. */
  readonly lines: string[] = []
  readonly ended: Promise<Ending>
  /** What it wrote to stderr. */
  errors = ''
  readonly #process: ChildProcessWithoutNullStreams
  #unfinished = ''
  #heard = 0
  #onLine: () => void = () => undefined

  constructor(program: string, environment: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], {
      env: { ...process.env, ...environment },
    })
    this.#process.stdout.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errors += text
    })
    // Errors of writing to a process that has just died are expected.
    this.#process.stdin.on('error', () => undefined)
    // `close` comes after the last byte of the output, `exit` may come before it.
    this.ended = once(this.#process, 'close').then(([code, signal]) => ({ code, signal }))
    onTestFinished(async () => void (await this.kill()))
  }

  /** The next line with this prefix; skips others. */
  async next(beginning: string): Promise<string> {
    for (;;) {
      while (this.#heard < this.lines.length) {
        const line = this.lines[this.#heard++] as string
        if (line.startsWith(beginning)) return line
      }
      const more = new Promise<'more'>((resolve) => {
        this.#onLine = () => resolve('more')
      })
      const ending = await Promise.race([more, this.ended])
      if (ending === 'more' || this.#heard < this.lines.length) continue
      throw new Error(
        `a child ended (${ending.signal ?? ending.code}) before it said "${beginning}": ${this.errors}`,
      )
    }
  }

  tell(job: object): void {
    this.#process.stdin.write(`${JSON.stringify(job)}\n`)
  }

  /** Resolves when all of its output has been read. */
  async kill(): Promise<Ending> {
    this.#process.kill('SIGKILL')
    return this.ended
  }

  #hear(text: string): void {
    const [first = '', ...rest] = text.split('\n')
    const pieces = [this.#unfinished + first, ...rest]
    this.#unfinished = pieces.pop() ?? ''
    this.lines.push(...pieces)
    if (pieces.length > 0) this.#onLine()
  }
}
