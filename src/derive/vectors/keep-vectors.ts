import type { Embedder } from '../../model/models.ts'
import type { Store } from '../../store/store.ts'
import { VECTORS_JOB } from '../jobs/job-kinds.ts'
import { VECTORS } from './make-vectors.ts'

/** Status of vectors by an external embedder. */
export interface VectorStatus {
  readonly embedder: string
  /** Conversations that still need them. Until then, older vectors are used. */
  readonly behind: number
}

interface KeeperParts {
  readonly store: Store
  readonly loadEmbedder: () => Promise<Embedder>
  readonly now: () => Date
}

const NO_LIMIT = 1_000_000_000

/** Ensures that every conversation has vectors by the current embedder. */
export class VectorKeeper {
  readonly #parts: KeeperParts
  #embedder: Embedder | undefined

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Queues a job for each conversation that has no vectors by the current embedder. */
  async callForJobs(): Promise<void> {
    const { store, loadEmbedder, now } = this.#parts
    this.#embedder ??= await loadEmbedder()
    for (const key of await this.#findBehind(this.#embedder)) await store.addJobs(key, [VECTORS_JOB], now())
  }

  /** Undefined until the embedder's name is known. */
  async status(): Promise<VectorStatus | undefined> {
    if (this.#embedder === undefined) return undefined
    return { embedder: this.#embedder.name, behind: (await this.#findBehind(this.#embedder)).length }
  }

  #findBehind({ name }: Embedder) {
    return this.#parts.store.listStale({ deriver: VECTORS, version: name, behind: 1, limit: NO_LIMIT })
  }
}
