import { Mirror } from '../derive/mirror/mirror.ts'
import type { MemoryError } from '../domain/errors.ts'
import type { Models } from '../model/models.ts'
import type { ResolvedConfig } from '../options/options.ts'
import type { VectorSearch } from '../recall/meaning.ts'
import type { CommitListener, CommitMethod } from '../store/changes.ts'
import type { GuardedVectors } from '../store/guard-vectors.ts'
import type { Finding, Store } from '../store/store.ts'

/** The status of a separate vector store. */
export interface VectorStoreStatus {
  /** `Chroma at http://localhost:8000` */
  readonly location: string
  /** It has everything that the store has, as far as this process knows. */
  readonly isSynced: boolean
  /** Number of conversations, documents and kinds of artifacts that are not synced yet. */
  readonly behind: number
  /**
   * It failed repeatedly and is not called for some seconds; word search and the store are used meanwhile.
   */
  readonly isResting: boolean
  /** Since the memory was opened. */
  readonly calls: number
  readonly failures: number
  /** The last error, until a call succeeds. */
  readonly problem?: string
}

export interface VectorStoreInUse {
  readonly search: VectorSearch
  status(): VectorStoreStatus
  check(): Promise<Finding>
  wake(): void
  whenDone(): Promise<void>
  close(): Promise<void>
}

export interface VectorStoreParts {
  readonly store: Store
  readonly vectors: GuardedVectors
  readonly models: Models
  readonly options: ResolvedConfig
  readonly now: () => Date
}

export function useVectorStore(parts: VectorStoreParts): VectorStoreInUse {
  const { store, vectors, models, options, now } = parts
  const { rag, notes, summary, derive } = options
  const mirror = new Mirror({
    store,
    vectors,
    loadEmbedder: models.loadEmbedder,
    expireDays: notes.expireDays,
    maxLag: summary.everyNMessages,
    cutting: `${rag.chunkSize}+${rag.chunkOverlap}`,
    checkEveryMs: options.vectors.checkEveryMs,
    mayFill: derive.when !== 'never',
    now,
  })
  store.onCommit(followCommits(mirror))
  return {
    search: mirror,
    status: () => statusOf(vectors, mirror),
    check: () => checkVectors(vectors),
    wake: () => mirror.wake(),
    whenDone: () => mirror.whenDone(),
    async close() {
      await Promise.all([mirror.stop(), vectors.close()])
    },
  }
}

function statusOf(vectors: GuardedVectors, mirror: Mirror): VectorStoreStatus {
  const { problem, ...tally } = vectors.tally()
  const { problem: behindBecause, ...status } = mirror.status()
  const told = problem ?? behindBecause
  return { location: vectors.location, ...status, ...tally, ...(told !== undefined && { problem: told }) }
}

async function checkVectors(vectors: GuardedVectors): Promise<Finding> {
  try {
    const spaces = await vectors.workspaces()
    return { check: `${vectors.location} responds and has vectors of ${spaces.length} workspaces` }
  } catch (error) {
    const { message, hint } = error as MemoryError
    const remedy = hint ?? 'start the server; missing vectors are added automatically'
    return { check: 'the vector store', problem: message, remedy }
  }
}

/** Writes that can change the set of vectors. Vectors of messages change with a derivation. */
const CHANGES_VECTORS: ReadonlySet<CommitMethod> = new Set([
  'commitDerivation',
  'dropDerivation',
  'saveEdit',
  'deleteEdits',
  'changeConversation',
  'addDocument',
  'importDocument',
  'replaceDocument',
  'saveChunks',
  'attachDocument',
  'detachDocument',
])

const ERASES_VECTORS: ReadonlySet<CommitMethod> = new Set([
  'eraseMessage',
  'eraseConversations',
  'eraseDocument',
  'eraseWorkspace',
])

/** Updates the mirror after every commit. Only an erase waits for it: it is done when no vector is left. */
function followCommits(mirror: Mirror): CommitListener {
  return ({ method, changes }) => {
    const workspaces = [...new Set(changes.map(({ workspace }) => workspace))]
    if (CHANGES_VECTORS.has(method)) for (const workspace of workspaces) mirror.touch(workspace)
    if (ERASES_VECTORS.has(method)) return every(workspaces.map((workspace) => mirror.forget(workspace)))
    if (method === 'scrub') return mirror.forgetAll()
  }
}

const every = async (done: readonly Promise<boolean>[]): Promise<boolean> =>
  (await Promise.all(done)).every(Boolean)
