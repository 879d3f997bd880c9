import { HttpError } from '../http-error.ts'

/** Smaller bodies are not worth counting. */
const SMALL_BYTES = 64 * 1024

interface Waiting {
  readonly bytes: number
  readonly begin: () => void
}

/**
 * Bodies are held in memory while they are read and used. Together they take no more than there is room for: others wait
 * in order, and whoever waits too long is asked to come again.
 */
export class BodyRoom {
  readonly #mostBytes: number
  readonly #patienceMs: number
  #waiting: Waiting[] = []
  #taken = 0

  constructor({ heldBytes, patienceMs = 30_000 }: { heldBytes: number; patienceMs?: number }) {
    this.#mostBytes = heldBytes
    this.#patienceMs = patienceMs
  }

  /** Resolves when there is room, with what gives it back. One that is larger than all of it comes alone. */
  async enter(size: number): Promise<() => void> {
    if (size < SMALL_BYTES) return () => undefined
    const bytes = Math.min(size, this.#mostBytes)
    if (this.#waiting.length > 0 || this.#taken + bytes > this.#mostBytes) await this.#wait(bytes)
    else this.#taken += bytes
    return () => {
      this.#taken -= bytes
      this.#letIn()
    }
  }

  #wait(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        bytes,
        begin: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(tooBusy())
        this.#letIn()
      }, this.#patienceMs)
      this.#waiting.push(waiting)
    })
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#taken + next.bytes > this.#mostBytes) return
      this.#waiting.shift()
      this.#taken += next.bytes
      next.begin()
    }
  }
}

const tooBusy = (): HttpError =>
  new HttpError('too-many-requests', 'too many large requests at once', {
    hint: 'come again in a moment; the option heldBytes of the server says how much is held',
    headers: { 'retry-after': '5' },
  })

/** How much a request may bring: what it says, or all that it may. */
export function announcedBytes({ headers }: Request, mostBytes: number): number {
  const given = headers.get('content-length')
  if (given !== null) return Math.min(Number(given) || 0, mostBytes)
  return headers.has('transfer-encoding') ? mostBytes : 0
}
