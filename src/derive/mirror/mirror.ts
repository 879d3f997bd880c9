// Keeps a vector store in step with the store, which is the truth. Nothing waits for it but an erase, and that not
// long. How far it is lies in the vector store itself, as marks beside the vectors: one that was lost, emptied or put
// back from an older copy has other marks than the store calls for, and is filled again where it differs. So are what
// other processes wrote, and what was erased while the vector store could not be reached: nothing has to be remembered
// but the store. Several processes may do this at once: what they put is the same.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { Embedder } from '../../model/embedder.ts'
import type { NearEntry, NearestLookup, VectorMark, VectorStore } from '../../store/vector-store.ts'
import { InTurn } from '../in-turn.ts'
import { BEGUN, fillSource, removeGoneOf } from './fill-source.ts'
import { isArtifacts, listSources, type SourceParts } from './list-sources.ts'
import { MirrorClock } from './mirror-clock.ts'
import type { Source } from './source.ts'

export interface MirrorParts extends SourceParts {
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

interface Mirrored {
  /** As they are in the vector store; unknown after a failure. */
  marks?: Map<string, VectorMark>
  isDirty: boolean
  behind: number
  isInStep: boolean
  /** When sources were first seen that another process has begun. */
  readonly begunAt: Map<string, number>
}

/** An erase waits no longer for the vector store; the rest is done later. */
const ERASE_MS = 5000
/** Another process that has begun a source is given so long before it is taken for dead. */
const ABANDONED_MS = 30_000

const MOMENT_MS = 50

/** Not a failure: somebody erases, or the memory is closed. */
class Interrupted extends Error {}

export class Mirror {
  readonly #parts: MirrorParts
  readonly #mirrored = new Map<WorkspaceId, Mirrored>()
  readonly #inTurn = new InTurn()
  readonly #clock: MirrorClock
  readonly #stopping = new AbortController()
  #erasing = 0
  #areAllKnown = false
  #isStopped = false
  #running: Promise<void> | undefined
  #problem: string | undefined

  constructor(parts: MirrorParts) {
    this.#parts = parts
    this.#clock = new MirrorClock(() => void this.#run(), parts.checkEveryMs)
  }

  /** Looks at every workspace: something may have happened while nobody looked. */
  wake(): void {
    this.#areAllKnown = false
    for (const one of this.#mirrored.values()) forgetMarks(one)
    if (this.#parts.mayFill && !this.#isStopped) this.#clock.soon()
  }

  /** Something of the workspace changed in the store. */
  touch(workspace: WorkspaceId): void {
    this.#at(workspace).isDirty = true
    if (this.#parts.mayFill && !this.#isStopped) this.#clock.soon()
  }

  isInStep(workspace: WorkspaceId): boolean {
    return this.#mirrored.get(workspace)?.isInStep ?? false
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
    const removal = this.#inTurn
      .run(workspace, () => this.#removeGone(workspace))
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
    return Promise.race([removal, after(ERASE_MS)])
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
      await after(MOMENT_MS)
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
    const all = [...this.#mirrored.values()]
    return {
      isInStep: this.#areAllKnown && all.every(({ isInStep }) => isInStep),
      behind: all.reduce((sum, { behind }) => sum + behind, 0),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    }
  }

  #at(workspace: WorkspaceId): Mirrored {
    const known = this.#mirrored.get(workspace)
    if (known !== undefined) return known
    const begun: Mirrored = { isDirty: true, isInStep: false, behind: 0, begunAt: new Map() }
    this.#mirrored.set(workspace, begun)
    return begun
  }

  #doubt(workspace: WorkspaceId): void {
    forgetMarks(this.#at(workspace))
    if (this.#parts.mayFill && !this.#isStopped) this.#clock.soon()
  }

  #hasWork(): boolean {
    return !this.#areAllKnown || [...this.#mirrored.values()].some(({ isDirty }) => isDirty)
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
    const dirty = [...this.#mirrored].filter(([, { isDirty }]) => isDirty)
    for (const [workspace, one] of dirty) await attempt(() => this.#pass(workspace, one))
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
    for (const workspace of spaces.filter((id) => !known.has(id))) await this.#drop(workspace)
  }

  async #pass(workspace: WorkspaceId, one: Mirrored): Promise<void> {
    one.isDirty = false
    try {
      await this.#bringInStep(workspace, one)
    } catch (error) {
      one.isDirty = true
      one.isInStep = false
      if (!(error instanceof Interrupted)) delete one.marks
      throw error
    }
  }

  async #bringInStep(workspace: WorkspaceId, one: Mirrored): Promise<void> {
    const { store } = this.#parts
    const embedder = await this.#parts.loadEmbedder()
    const epoch = await store.epoch(workspace)
    const sources = await listSources(this.#parts, workspace, embedder.name)
    if (sources.every(isArtifacts) && !(await this.#isThere(workspace))) return this.#drop(workspace)
    const marks = one.marks ?? (await this.#readMarks(workspace, embedder, sources))
    const due = shuffle(sources.filter(({ name, mark }) => marks.get(name)?.mark !== mark))
    // What was not known before may be missing from the answers until it is put.
    if (one.marks === undefined) one.isInStep = due.length === 0
    one.marks = marks
    one.behind = due.length
    await this.#removeUnwanted(workspace, marks, sources)
    for (const source of due) {
      const mark = await this.#inTurn.run(workspace, () => this.#fill(workspace, one, { source, embedder }))
      if (mark === undefined) one.isDirty = true
      else marks.set(source.name, mark)
      one.behind--
      if ((await store.epoch(workspace)) !== epoch) return this.#startOver(workspace, one)
    }
    one.isInStep ||= !one.isDirty
  }

  async #removeUnwanted(
    workspace: WorkspaceId,
    marks: Map<string, VectorMark>,
    sources: readonly Source[],
  ): Promise<void> {
    const wanted = new Set(sources.map(({ name }) => name))
    for (const name of [...marks.keys()].filter((source) => !wanted.has(source))) {
      await this.#parts.vectors.removeSource(workspace, name)
      marks.delete(name)
    }
  }

  async #isThere(workspace: WorkspaceId): Promise<boolean> {
    return (await this.#parts.store.listWorkspaces()).includes(workspace)
  }

  async #drop(workspace: WorkspaceId): Promise<void> {
    await this.#parts.vectors.drop(workspace)
    this.#mirrored.delete(workspace)
  }

  /** Words were erased meanwhile, by this process or another: some of them may have been put. */
  async #startOver(workspace: WorkspaceId, one: Mirrored): Promise<void> {
    await this.#inTurn.run(workspace, () => this.#removeGone(workspace))
    forgetMarks(one)
  }

  /** Undefined where another process is at it. */
  async #fill(
    workspace: WorkspaceId,
    { begunAt, marks }: Mirrored,
    { source, embedder }: { readonly source: Source; readonly embedder: Embedder },
  ): Promise<VectorMark | undefined> {
    const { store, vectors } = this.#parts
    this.#pause()
    const there = await vectors.findMark(workspace, source.name)
    if (there?.mark === source.mark) return there
    const isNew = there?.mark === BEGUN && marks?.get(source.name)?.mark !== BEGUN
    if (isNew && Date.now() - (begunAt.get(source.name) ?? Date.now()) < ABANDONED_MS) {
      begunAt.set(source.name, begunAt.get(source.name) ?? Date.now())
      return undefined
    }
    begunAt.delete(source.name)
    const { signal } = this.#stopping
    const parts = { store, vectors, workspace, embedder, signal, pause: () => this.#pause() }
    return fillSource(parts, source, there)
  }

  #pause(): void {
    if (this.#isStopped || this.#erasing > 0) throw new Interrupted()
  }

  /** What the marks promise is counted: of sources that lost some, the mark does not count. */
  async #readMarks(
    workspace: WorkspaceId,
    { name, dimensions }: Embedder,
    sources: readonly Source[],
  ): Promise<Map<string, VectorMark>> {
    const { vectors } = this.#parts
    const { marks, entries } = await vectors.open({ workspace, embedder: name, dimensions })
    const known = new Map(marks.map((mark) => [mark.source, mark]))
    const promised = marks.reduce((sum, mark) => sum + mark.entries, 0)
    if (entries >= promised) return known
    for (const { name: source, mark } of sources) {
      const there = known.get(source)
      if (there?.mark !== mark || (await vectors.ids(workspace, source)).length >= there.entries) continue
      await vectors.removeSource(workspace, source)
      known.delete(source)
    }
    return known
  }

  async #removeGone(workspace: WorkspaceId): Promise<void> {
    const { vectors } = this.#parts
    if (!(await this.#isThere(workspace))) return this.#drop(workspace)
    const contents = await vectors.contents(workspace)
    if (contents === undefined) return
    const sources = await listSources(this.#parts, workspace, contents.embedder)
    const byName = new Map(sources.map((source) => [source.name, source]))
    for (const there of contents.marks) {
      const source = byName.get(there.source)
      if (source === undefined) await vectors.removeSource(workspace, there.source)
      else await removeGoneOf({ vectors, workspace }, source, there)
    }
    forgetMarks(this.#at(workspace))
  }
}

/** What is there has to be read again. */
function forgetMarks(one: Mirrored): void {
  delete one.marks
  one.isDirty = true
}

/** So that several processes that begin together do not do the same. */
function shuffle<T>(list: readonly T[]): readonly T[] {
  return list
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

const after = (milliseconds: number): Promise<false> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(false), milliseconds)
  })
