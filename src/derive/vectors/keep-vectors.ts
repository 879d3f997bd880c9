import type { Embedder } from '../../model/embedder.ts'
import type { Store } from '../../store/store.ts'
import { VECTORS_JOB } from '../jobs/job-kinds.ts'
import { VECTORS } from './make-vectors.ts'

/** Vectors by an embedder that is not built in. */
export interface VectorStatus {
  readonly embedder: string
  /** Conversations that have yet to get theirs; older vectors answer until then. */
  readonly behind: number
}

interface KeeperParts {
  readonly store: Store
  readonly loadEmbedder: () => Promise<Embedder>
  readonly now: () => Date
}

const NO_LIMIT = 1_000_000_000

/** Sees to it that every conversation has vectors by the embedder in use. */
export class VectorKeeper {
  readonly #parts: KeeperParts
  #embedder: Embedder | undefined

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Conversations that have vectors by another embedder, or none, get their job. */
  async callForJobs(): Promise<void> {
    const { store, loadEmbedder, now } = this.#parts
    this.#embedder ??= await loadEmbedder()
    for (const key of await this.#findBehind(this.#embedder)) await store.addJobs(key, [VECTORS_JOB], now())
  }

  /** Undefined until the embedder has told its name. */
  async status(): Promise<VectorStatus | undefined> {
    if (this.#embedder === undefined) return undefined
    return { embedder: this.#embedder.name, behind: (await this.#findBehind(this.#embedder)).length }
  }

  #findBehind({ name }: Embedder) {
    return this.#parts.store.listStale({ deriver: VECTORS, version: name, behind: 1, limit: NO_LIMIT })
  }
}
