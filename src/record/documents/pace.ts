// Keeps long work on large files cooperative: yields to the event loop, reports progress, and stops when aborted.

/** `done` and `total` are pages or bytes while reading, characters while cutting, chunks while indexing. */
export interface DocumentProgress {
  readonly step: 'reading' | 'cutting' | 'indexing'
  readonly done: number
  readonly total: number
}

export type OnDocumentProgress = (progress: DocumentProgress) => void

interface PaceOptions {
  readonly onProgress?: OnDocumentProgress
  readonly signal?: AbortSignal
}

/** Short enough not to delay other work noticeably, long enough that yielding costs nothing. */
const WORK_MS = 25

export class Pace {
  readonly #options: PaceOptions
  #pausedAt = performance.now()

  constructor(options: PaceOptions = {}) {
    this.#options = options
  }

  report(progress: DocumentProgress): void {
    this.#options.onProgress?.(progress)
  }

  /** Whether it is time to yield. */
  get isDue(): boolean {
    return performance.now() - this.#pausedAt > WORK_MS
  }

  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#pausedAt = performance.now()
    this.check()
  }

  /** Throws if the work was aborted. */
  check(): void {
    this.#options.signal?.throwIfAborted()
  }
}
