// One workspace in the vector store. How far it is lies there itself, as marks beside the vectors: one that was lost,
// emptied or put back from an older copy has other marks than the store calls for, and is filled again where it differs.

import type { WorkspaceId } from '../../domain/ids.ts'
import type { KeyedMutex } from '../../domain/keyed-mutex.ts'
import type { Embedder } from '../../model/embedder.ts'
import type { VectorMark, VectorStore } from '../../store/vector-store.ts'
import { BEGUN, fillSource, removeGoneOf } from './fill-source.ts'
import { isArtifacts, listSources, type SourceDeps } from './list-sources.ts'
import type { Source } from './source.ts'

export interface WorkspaceMirrorDeps extends SourceDeps {
  readonly vectors: VectorStore
  readonly loadEmbedder: () => Promise<Embedder>
  /** What is put and what is taken out take turns. */
  readonly inTurn: KeyedMutex
  readonly signal: AbortSignal
  /** Whether somebody else has to have a turn. */
  readonly isInterrupted: () => boolean
  /** The store has no such workspace any more, nor has the vector store now. */
  readonly onGone: () => void
}

/** Not a failure: somebody erases, or the memory is closed. */
export class Interrupted extends Error {}

/** Another process that has begun a source is given so long before it is taken for dead. */
const ABANDONED_MS = 30_000

export class WorkspaceMirror {
  readonly #workspace: WorkspaceId
  readonly #parts: WorkspaceMirrorDeps
  /** As they are in the vector store; unknown after a failure. */
  #marks: Map<string, VectorMark> | undefined
  /** When sources were first seen that another process has begun. */
  readonly #begunAt = new Map<string, number>()
  /** Something has changed since it was last looked at. */
  isDirty = true
  isInStep = false
  /** Sources that have yet to be put. */
  behind = 0

  constructor(workspace: WorkspaceId, parts: WorkspaceMirrorDeps) {
    this.#workspace = workspace
    this.#parts = parts
  }

  /** What is there has to be read again. */
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
      this.isInStep = false
      if (!(error instanceof Interrupted)) this.#marks = undefined
      throw error
    }
  }

  /** Takes out what the store no longer has. */
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
    // What was not known before may be missing from the answers until it is put.
    if (this.#marks === undefined) this.isInStep = due.length === 0
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
    this.isInStep ||= !this.isDirty
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

  /** Words were erased meanwhile, by this process or another: some of them may have been put. */
  async #startOver(): Promise<void> {
    await this.removeGone()
    this.doubt()
  }

  /** Undefined where another process is at it. */
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

  /** Whether another process has begun it, and may still be alive. */
  #isUnderWay({ name }: Source): boolean {
    if (this.#marks?.get(name)?.mark === BEGUN) return false
    const since = this.#begunAt.get(name) ?? Date.now()
    this.#begunAt.set(name, since)
    return Date.now() - since < ABANDONED_MS
  }

  #pause(): void {
    if (this.#parts.isInterrupted()) throw new Interrupted()
  }

  /** What the marks promise is counted: of sources that lost some, the mark does not count. */
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

/** So that several processes that begin together do not do the same. */
function shuffle<T>(list: readonly T[]): readonly T[] {
  return list
    .map((item) => ({ item, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
