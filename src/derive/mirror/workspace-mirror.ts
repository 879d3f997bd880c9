// Mirrors one workspace to the vector store. Its progress is stored there as marks next to the vectors. If a
// vector store was lost, emptied or restored from an older copy, its marks differ from the expected ones, and the
// sources that differ are filled again.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { KeyedMutex } from '../../domain/keyed-mutex.ts'
import type { Embedder } from '../../model/models.ts'
import type { VectorMark, VectorStore } from '../../store/vector-store.ts'
import { BEGUN, fillSource, removeGoneOf } from './fill-source.ts'
import { isArtifacts, listSources, type SourceDeps } from './list-sources.ts'
import type { Source } from './source.ts'

export interface WorkspaceMirrorDeps extends SourceDeps {
  readonly vectors: VectorStore
  readonly loadEmbedder: () => Promise<Embedder>
  /** Serializes puts and removals. */
  readonly inTurn: KeyedMutex
  readonly signal: AbortSignal
  /** Whether another task needs its turn. */
  readonly isInterrupted: () => boolean
  /** Called when the workspace no longer exists in either store. */
  readonly onGone: () => void
}

/** Not a failure: an erase is waiting, or the memory is being closed. */
export class Interrupted extends Error {}

/** A source that another process started is considered abandoned after this time. */
const ABANDONED_MS = 30_000

export class WorkspaceMirror {
  readonly #workspace: WorkspaceId
  readonly #parts: WorkspaceMirrorDeps
  /** The marks in the vector store; unknown after a failure. */
  #marks: Map<string, VectorMark> | undefined
  /** When a source started by another process was first seen. */
  readonly #begunAt = new Map<string, number>()
  /** Whether anything changed since the last check. */
  isDirty = true
  isSynced = false
  /** Sources that still need to be put. */
  behind = 0

  constructor(workspace: WorkspaceId, parts: WorkspaceMirrorDeps) {
    this.#workspace = workspace
    this.#parts = parts
  }

  /** Forces the marks to be read again. */
  doubt(): void {
    this.#marks = undefined
    this.isDirty = true
  }

  async bringInStep(): Promise<void> {
    this.isDirty = false
    try {
      await this.#bringInStep()
    } catch (error) {
      this.isDirty = true
      this.isSynced = false
      if (!(error instanceof Interrupted)) this.#marks = undefined
      throw error
    }
  }

  /** Removes what the store no longer has. */
  removeGone(): Promise<void> {
    return this.#parts.inTurn.run(this.#workspace, () => this.#removeGone())
  }

  async #bringInStep(): Promise<void> {
    const { store, loadEmbedder, inTurn } = this.#parts
    const embedder = await loadEmbedder()
    const epoch = await store.erasureVersion(this.#workspace)
    const sources = await listSources(this.#parts, this.#workspace, embedder.name)
    if (sources.every(isArtifacts) && !(await this.#isThere())) return this.#drop()
    const marks = this.#marks ?? (await this.#readMarks(embedder, sources))
    const due = shuffle(sources.filter(({ name, mark }) => marks.get(name)?.mark !== mark))
    // Vectors that were not known before may be missing from results until they are put.
    if (this.#marks === undefined) this.isSynced = due.length === 0
    this.#marks = marks
    this.behind = due.length
    await this.#removeUnwanted(marks, sources)
    for (const source of due) {
      const mark = await inTurn.run(this.#workspace, () => this.#fill(source, embedder))
      if (mark === undefined) this.isDirty = true
      else marks.set(source.name, mark)
      this.behind--
      if ((await store.erasureVersion(this.#workspace)) !== epoch) return this.#startOver()
    }
    this.isSynced ||= !this.isDirty
  }

  async #removeUnwanted(marks: Map<string, VectorMark>, sources: readonly Source[]): Promise<void> {
    const wanted = new Set(sources.map(({ name }) => name))
    for (const name of [...marks.keys()].filter((source) => !wanted.has(source))) {
      await this.#parts.vectors.removeSource(this.#workspace, name)
      marks.delete(name)
    }
  }

  async #isThere(): Promise<boolean> {
    return (await this.#parts.store.listWorkspaces()).includes(this.#workspace)
  }

  async #drop(): Promise<void> {
    await this.#parts.vectors.drop(this.#workspace)
    this.#parts.onGone()
  }

  /** Text was erased in the meantime, by this or another process, and some of it may have been put. */
  async #startOver(): Promise<void> {
    await this.removeGone()
    this.doubt()
  }

  /** Undefined if another process is working on it. */
  async #fill(source: Source, embedder: Embedder): Promise<VectorMark | undefined> {
    const { store, vectors, signal } = this.#parts
    this.#pause()
    const there = await vectors.findMark(this.#workspace, source.name)
    if (there?.mark === source.mark) return there
    if (there?.mark === BEGUN && this.#isUnderWay(source)) return undefined
    this.#begunAt.delete(source.name)
    const parts = {
      store,
      vectors,
      workspace: this.#workspace,
      embedder,
      signal,
      pause: () => this.#pause(),
    }
    return fillSource(parts, source, there)
  }

  /** Whether another process started it and may still be alive. */
  #isUnderWay({ name }: Source): boolean {
    if (this.#marks?.get(name)?.mark === BEGUN) return false
    const since = this.#begunAt.get(name) ?? Date.now()
    this.#begunAt.set(name, since)
    return Date.now() - since < ABANDONED_MS
  }

  #pause(): void {
    if (this.#parts.isInterrupted()) throw new Interrupted()
  }

  /** Compares the counts in the marks with the entries. Drops the marks of sources that lost entries. */
  async #readMarks(
    { name, dimensions }: Embedder,
    sources: readonly Source[],
  ): Promise<Map<string, VectorMark>> {
    const { vectors } = this.#parts
    const workspace = this.#workspace
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

  async #removeGone(): Promise<void> {
    const { vectors } = this.#parts
    const workspace = this.#workspace
    if (!(await this.#isThere())) return this.#drop()
    const contents = await vectors.contents(workspace)
    if (contents === undefined) return
    const sources = await listSources(this.#parts, workspace, contents.embedder)
    const byName = new Map(sources.map((source) => [source.name, source]))
    for (const there of contents.marks) {
      const source = byName.get(there.source)
      if (source === undefined) await vectors.removeSource(workspace, there.source)
      else await removeGoneOf({ vectors, workspace }, source, there)
    }
    this.doubt()
  }
}

/** Random order, so that processes that start together do different work. */
function shuffle<T>(list: readonly T[]): readonly T[] {
  return list
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
