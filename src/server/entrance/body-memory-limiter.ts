import { HttpError } from '../http-error.ts'

/** Smaller bodies are not counted. */
const SMALL_BYTES = 64 * 1024

interface Waiting {
  readonly bytes: number
  readonly begin: () => void
}

/**
 * Limits the memory used by request bodies that are being read or processed. Requests above the limit wait in
 * order, and are rejected with too-many-requests if they wait too long.
 */
export class BodyMemoryLimiter {
  readonly #mostBytes: number
  readonly #patienceMs: number
  #waiting: Waiting[] = []
  #taken = 0

  constructor({ heldBytes, patienceMs = 30_000 }: { heldBytes: number; patienceMs?: number }) {
    this.#mostBytes = heldBytes
    this.#patienceMs = patienceMs
  }

  /**
   * Resolves when the body fits, with a function that releases it. A body larger than the limit is admitted
   * alone.
   */
  async acquire(size: number): Promise<() => void> {
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
    hint: 'retry in a moment; the server option heldBytes sets the limit',
    headers: { 'retry-after': '5' },
  })

/** How many bytes a request may send: its Content-Length, or the maximum if unknown. */
export function announcedBytes({ headers }: Request, mostBytes: number): number {
  const given = headers.get('content-length')
  if (given !== null) return Math.min(Number(given) || 0, mostBytes)
  return headers.has('transfer-encoding') ? mostBytes : 0
}
