// Keeps a vector store in sync with the store, which is the source of truth. Nothing waits for it except an
// erase, and that only briefly. Changes by other processes, and erasures made while the vector store was
// unreachable, are found by comparing the two, so no other state is needed. Several processes may do this at
// once: they put the same vectors.

import type { WorkspaceId } from '../../domain/ids.ts'
import { KeyedMutex } from '../../domain/keyed-mutex.ts'
import type { Embedder } from '../../model/models.ts'
import type { NearEntry, NearestLookup, VectorStore } from '../../store/vector-store.ts'
import type { SourceDeps } from './list-sources.ts'
import { MirrorClock } from './mirror-clock.ts'
import { Interrupted, WorkspaceMirror } from './workspace-mirror.ts'

export interface MirrorDeps extends SourceDeps {
  readonly vectors: VectorStore
  readonly loadEmbedder: () => Promise<Embedder>
  readonly checkEveryMs: number
  /** False if deriving is off: nothing is put then either. */
  readonly mayFill: boolean
}

export interface MirrorStatus {
  /** Whether the vector store has everything that the store has, as far as this process knows. */
  readonly isSynced: boolean
  /** Conversations, documents and kinds of artifacts that still need to be put. */
  readonly behind: number
  /** Why the last attempt to sync failed. */
  readonly problem?: string
}

/** An erase waits this long for the vector store. The rest is done later. */
const ERASE_MS = 5000

const MOMENT_MS = 50

export class Mirror {
  readonly #parts: MirrorDeps
  readonly #workspaces = new Map<WorkspaceId, WorkspaceMirror>()
  readonly #inTurn = new KeyedMutex()
  readonly #clock: MirrorClock
  readonly #stopping = new AbortController()
  #erasing = 0
  #areAllKnown = false
  #isStopped = false
  #running: Promise<void> | undefined
  #problem: string | undefined

  constructor(parts: MirrorDeps) {
    this.#parts = parts
    this.#clock = new MirrorClock(() => void this.#run(), parts.checkEveryMs)
  }

  /** Checks every workspace, since changes may have been missed. */
  wake(): void {
    this.#areAllKnown = false
    for (const one of this.#workspaces.values()) one.doubt()
    this.#lookSoon()
  }

  /** Called when something in the workspace changed in the store. */
  touch(workspace: WorkspaceId): void {
    this.#at(workspace).isDirty = true
    this.#lookSoon()
  }

  isSynced(workspace: WorkspaceId): boolean {
    return this.#workspaces.get(workspace)?.isSynced ?? false
  }

  async nearest(lookup: NearestLookup): Promise<readonly NearEntry[]> {
    try {
      return await this.#parts.vectors.nearest(lookup)
    } catch (error) {
      this.#doubt(lookup.workspace)
      throw error
    }
  }

  /** Removes what the store erased. Returns false if that was not possible yet; it is retried. */
  async forget(workspace: WorkspaceId): Promise<boolean> {
    this.#erasing++
    const removal = this.#at(workspace)
      .removeGone()
      .then(
        () => true,
        () => {
          this.#doubt(workspace)
          return false
        },
      )
      .finally(() => {
        this.#erasing--
      })
    this.touch(workspace)
    return within(ERASE_MS, removal)
  }

  /** Does the same for everything that was erased before, by any process. */
  async forgetAll(): Promise<boolean> {
    try {
      await this.#dropGone()
      const known = await this.#parts.vectors.workspaces()
      return (await Promise.all(known.map((workspace) => this.forget(workspace)))).every(Boolean)
    } catch {
      // `status` reports it, and the clock retries.
      return false
    }
  }

  /** Resolves when everything is in sync, or cannot be synced now. */
  async whenDone(): Promise<void> {
    if (!this.#parts.mayFill) return
    for (;;) {
      await this.#run()
      await this.#inTurn.whenIdle()
      if (!this.#hasWork() || this.#problem !== undefined || this.#isStopped) return
      // Another process may be working on it.
      await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopping.abort()
    this.#clock.stop()
    await this.#running
    await this.#inTurn.whenIdle()
  }

  status(): MirrorStatus {
    const all = [...this.#workspaces.values()]
    return {
      isSynced: this.#areAllKnown && all.every(({ isSynced }) => isSynced),
      behind: all.reduce((sum, { behind }) => sum + behind, 0),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    }
  }

  #at(workspace: WorkspaceId): WorkspaceMirror {
    const known = this.#workspaces.get(workspace)
    if (known !== undefined) return known
    const begun = new WorkspaceMirror(workspace, {
      ...this.#parts,
      inTurn: this.#inTurn,
      signal: this.#stopping.signal,
      isInterrupted: () => this.#isStopped || this.#erasing > 0,
      onGone: () => this.#workspaces.delete(workspace),
    })
    this.#workspaces.set(workspace, begun)
    return begun
  }

  #doubt(workspace: WorkspaceId): void {
    this.#at(workspace).doubt()
    this.#lookSoon()
  }

  #lookSoon(): void {
    if (this.#parts.mayFill && !this.#isStopped) this.#clock.soon()
  }

  #hasWork(): boolean {
    return !this.#areAllKnown || [...this.#workspaces.values()].some(({ isDirty }) => isDirty)
  }

  #run(): Promise<void> {
    this.#running ??= this.#clock
      .measure(() => this.#passAll())
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  async #passAll(): Promise<void> {
    let problem: string | undefined
    const attempt = async (work: () => Promise<void>) => {
      try {
        if (!this.#isStopped) await work()
      } catch (error) {
        if (!(error instanceof Interrupted)) problem = error instanceof Error ? error.message : String(error)
      }
    }
    if (!this.#areAllKnown) await attempt(() => this.#knowAll())
    const dirty = [...this.#workspaces.values()].filter(({ isDirty }) => isDirty)
    for (const one of dirty) await attempt(() => one.bringInStep())
    this.#problem = this.#isStopped ? this.#problem : problem
    if (this.#isStopped) return
    if (problem !== undefined) this.#clock.afterFailure()
    else if (this.#hasWork()) this.#clock.soon()
    else this.#clock.afterAll(() => this.wake())
  }

  async #knowAll(): Promise<void> {
    await this.#dropGone()
    for (const workspace of await this.#parts.store.listWorkspaces()) this.#at(workspace)
    this.#areAllKnown = true
  }

  /** Drops vectors of erased workspaces. */
  async #dropGone(): Promise<void> {
    const { store, vectors } = this.#parts
    const spaces = await vectors.workspaces()
    const known = new Set(await store.listWorkspaces())
    for (const workspace of spaces.filter((id) => !known.has(id))) {
      await vectors.drop(workspace)
      this.#workspaces.delete(workspace)
    }
  }
}

/** Resolves to false if the work takes longer. */
async function within(milliseconds: number, work: Promise<boolean>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([work, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
