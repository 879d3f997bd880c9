// Keeps a vector store in step with the store, which is the truth. Nothing waits for it but an erase, and that not
// long. What other processes wrote, and what was erased while the vector store could not be reached, is found by
// looking: nothing has to be remembered but the store. Several processes may do this at once: what they put is the same.

import type { WorkspaceId } from '../../domain/ids.ts'
import { KeyedMutex } from '../../domain/keyed-mutex.ts'
import type { Embedder } from '../../model/embedder.ts'
import type { NearEntry, NearestLookup, VectorStore } from '../../store/vector-store.ts'
import type { SourceDeps } from './list-sources.ts'
import { MirrorClock } from './mirror-clock.ts'
import { Interrupted, WorkspaceMirror } from './workspace-mirror.ts'

export interface MirrorDeps extends SourceDeps {
  readonly vectors: VectorStore
  readonly loadEmbedder: () => Promise<Embedder>
  readonly checkEveryMs: number
  /** Where nothing is derived, nothing is put either. */
  readonly mayFill: boolean
}

export interface MirrorStatus {
  /** Everything that the store has is in the vector store, as far as this process knows. */
  readonly isInStep: boolean
  /** Conversations, documents and kinds of artifacts that have yet to be put. */
  readonly behind: number
  /** Why the last try to bring it in step failed. */
  readonly problem?: string
}

/** An erase waits no longer for the vector store; the rest is done later. */
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

  /** Looks at every workspace: something may have happened while nobody looked. */
  wake(): void {
    this.#areAllKnown = false
    for (const one of this.#workspaces.values()) one.doubt()
    this.#lookSoon()
  }

  /** Something of the workspace changed in the store. */
  touch(workspace: WorkspaceId): void {
    this.#at(workspace).isDirty = true
    this.#lookSoon()
  }

  isInStep(workspace: WorkspaceId): boolean {
    return this.#workspaces.get(workspace)?.isInStep ?? false
  }

  async nearest(lookup: NearestLookup): Promise<readonly NearEntry[]> {
    try {
      return await this.#parts.vectors.nearest(lookup)
    } catch (error) {
      this.#doubt(lookup.workspace)
      throw error
    }
  }

  /** What the store erased is taken out. False where that could not be done yet: it is as soon as it can. */
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

  /** The same for whatever was erased before, by whomever. */
  async forgetAll(): Promise<boolean> {
    try {
      await this.#dropGone()
      const known = await this.#parts.vectors.workspaces()
      return (await Promise.all(known.map((workspace) => this.forget(workspace)))).every(Boolean)
    } catch {
      // Told by `status`, and tried again by the clock.
      return false
    }
  }

  /** Resolves when all is in step, or cannot be brought there now. */
  async whenDone(): Promise<void> {
    if (!this.#parts.mayFill) return
    for (;;) {
      await this.#run()
      await this.#inTurn.whenIdle()
      if (!this.#hasWork() || this.#problem !== undefined || this.#isStopped) return
      // Another process may be at it.
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
      isInStep: this.#areAllKnown && all.every(({ isInStep }) => isInStep),
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

  /** Spaces of workspaces that were erased. */
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

/** False where it takes longer. */
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
