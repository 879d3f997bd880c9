// Long work on large files, in steps: others get their turn in between, somebody is told how far it is, and it
// can be called off.

/** Reading goes by pages or bytes, cutting by characters, indexing by chunks. */
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

/** Short enough that nobody notices the wait, long enough that the pauses cost nothing. */
const WORK_MS = 25

export class Pace {
  readonly #options: PaceOptions
  #pausedAt = performance.now()

  constructor(options: PaceOptions = {}) {
    this.#options = options
  }

  tell(progress: DocumentProgress): void {
    this.#options.onProgress?.(progress)
  }

  /** Whether others should have their turn now. */
  get isDue(): boolean {
    return performance.now() - this.#pausedAt > WORK_MS
  }

  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#pausedAt = performance.now()
    this.check()
  }

  /** Throws where the work was called off. */
  check(): void {
    this.#options.signal?.throwIfAborted()
  }
}
