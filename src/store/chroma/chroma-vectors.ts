// Vectors in a Chroma server: one collection per workspace, so that no query can reach another workspace, and
// erasing a workspace deletes its files on the server. Marks are stored in the same collection, as rows of a
// separate type, so deleting or restoring a collection includes its marks.
//
//   id        id of the entry, or `mark:` and the source
//   document  the text of the entry
//   metadata  memory_type (message, chunk, summary, facts, tools; mark), session_id (the conversation, or empty),
//             source, chunk_index (of chunks); of a mark: mark, entries

import { createHash } from 'node:crypto'
import { MemoryError } from '../../domain/errors.ts'
import type { VectorKind, WorkspaceId } from '../../domain/ids.ts'
import { cutText } from '../../model/network/call-failure.ts'
import type {
  NearEntry,
  NearestLookup,
  VectorContents,
  VectorEntry,
  VectorMark,
  VectorSpace,
  VectorStore,
} from '../vector-store.ts'
import {
  type ChromaCollection,
  type ChromaMetadata,
  type ChromaSettings,
  type ChromaWhere,
  type Connected,
  connectChroma,
  toChromaError,
} from './chroma-client.ts'

/** Rows per request: a few hundred kilobytes. */
const PAGE = 1000
/** Characters of a document, so that a full batch of long messages fits a request. */
const DOCUMENT = 16_000

export async function openChromaVectors(settings: ChromaSettings): Promise<VectorStore> {
  const closing = new AbortController()
  return new ChromaVectors(await connectChroma(settings, closing.signal), settings.prefix, closing)
}

class ChromaVectors implements VectorStore {
  readonly location: string
  readonly #connected: Connected
  readonly #prefix: string
  readonly #closing: AbortController
  readonly #collections = new Map<WorkspaceId, ChromaCollection>()

  constructor(connected: Connected, prefix: string, closing: AbortController) {
    this.#connected = connected
    this.#prefix = prefix
    this.#closing = closing
    this.location = `Chroma at ${connected.address}`
  }

  async open(space: VectorSpace): Promise<VectorContents> {
    const { workspace } = space
    const collection = await this.#ask(workspace, async () => {
      const found = await this.#make(space)
      if (isOf(space, found)) return found
      await this.#connected.client.deleteCollection({ name: found.name })
      return this.#make(space)
    })
    this.#collections.set(workspace, collection)
    return this.#read(workspace, collection)
  }

  async contents(workspace: WorkspaceId): Promise<VectorContents | undefined> {
    try {
      return await this.#read(workspace, await this.#collection(workspace))
    } catch (error) {
      if (error instanceof MemoryError && error.code === 'not-found') return undefined
      throw error
    }
  }

  async ids(workspace: WorkspaceId, source: string): Promise<readonly string[]> {
    const rows = await this.#rows(workspace, { source })
    return rows.map(({ id }) => id).filter((id) => id !== markId(source))
  }

  async put(workspace: WorkspaceId, entries: readonly VectorEntry[]): Promise<void> {
    if (entries.length === 0) return
    await this.#on(workspace, (collection) =>
      collection.upsert({
        ids: entries.map(({ id }) => id),
        embeddings: entries.map(({ vector }) => Array.from(vector)),
        metadatas: entries.map(toMetadata),
        documents: entries.map(({ text }) => cutText(text, DOCUMENT)),
      }),
    )
  }

  async remove(workspace: WorkspaceId, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += PAGE) {
      await this.#on(workspace, (collection) => collection.delete({ ids: ids.slice(at, at + PAGE) }))
    }
  }

  async removeSource(workspace: WorkspaceId, source: string): Promise<void> {
    await this.#on(workspace, (collection) => collection.delete({ where: { source } }))
  }

  async findMark(workspace: WorkspaceId, source: string): Promise<VectorMark | undefined> {
    const found = await this.#on(workspace, (collection) =>
      collection.get({ ids: [markId(source)], include: ['metadatas'], limit: 1 }),
    )
    return found.ids.length === 0 ? undefined : readMark(found.metadatas[0])
  }

  async setMark(workspace: WorkspaceId, { source, mark, entries }: VectorMark): Promise<void> {
    const metadata = { memory_type: MARK, source, mark, entries }
    await this.#on(workspace, (collection) => {
      const dimensions = Number(collection.metadata?.['dimensions'])
      // Any vector works, since marks are never searched by vector.
      const vector = Array.from({ length: dimensions }, (_, i) => (i === 0 ? 1 : 0))
      return collection.upsert({
        ids: [markId(source)],
        embeddings: [vector],
        metadatas: [metadata],
        documents: [''],
      })
    })
  }

  async nearest(lookup: NearestLookup): Promise<readonly NearEntry[]> {
    const { workspace, embedder, vector, limit, leastSimilarity } = lookup
    const answer = await this.#on(workspace, (collection) => {
      if (collection.metadata?.['embedder'] !== embedder) throw this.#ofAnother(workspace)
      return collection.query({
        queryEmbeddings: [Array.from(vector)],
        nResults: limit,
        where: toWhere(lookup),
        include: ['distances'],
      })
    })
    return readNear(answer).filter(({ similarity }) => similarity >= leastSimilarity)
  }

  async workspaces(): Promise<readonly WorkspaceId[]> {
    const found: WorkspaceId[] = []
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#ask(undefined, () =>
        this.#connected.client.listCollections({ limit: PAGE, offset }),
      )
      for (const { name, metadata } of page) {
        const workspace = metadata?.['workspace']
        if (typeof workspace === 'string' && name === this.#nameOf(workspace))
          found.push(workspace as WorkspaceId)
      }
      if (page.length < PAGE) return found
    }
  }

  async drop(workspace: WorkspaceId): Promise<void> {
    this.#collections.delete(workspace)
    try {
      await this.#ask(workspace, () =>
        this.#connected.client.deleteCollection({ name: this.#nameOf(workspace) }),
      )
    } catch (error) {
      if (!(error instanceof MemoryError && error.code === 'not-found')) throw error
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
  }

  #nameOf(workspace: string): string {
    return `${this.#prefix}-${toNamePart(workspace)}`
  }

  #make({ workspace, embedder, dimensions }: VectorSpace): Promise<ChromaCollection> {
    return this.#connected.client.getOrCreateCollection({
      name: this.#nameOf(workspace),
      metadata: { workspace, embedder, dimensions },
      configuration: { hnsw: { space: 'cosine' } },
      embeddingFunction: null,
    })
  }

  async #read(workspace: WorkspaceId, collection: ChromaCollection): Promise<VectorContents> {
    const rows = await this.#rows(workspace, { memory_type: MARK })
    const count: unknown = await this.#ask(workspace, () => collection.count())
    if (typeof count !== 'number') throw this.#garbled()
    const marks = rows.map(({ metadata }) => readMark(metadata))
    return { embedder: String(collection.metadata?.['embedder']), marks, entries: count - marks.length }
  }

  async #rows(workspace: WorkspaceId, where: ChromaWhere): Promise<{ id: string; metadata: unknown }[]> {
    const rows: { id: string; metadata: unknown }[] = []
    for (;;) {
      const request = { where, include: ['metadatas' as const], limit: PAGE, offset: rows.length }
      const { ids, metadatas } = await this.#on(workspace, (collection) => collection.get(request))
      if (!Array.isArray(ids)) throw this.#garbled()
      rows.push(...ids.map((id, i) => ({ id, metadata: metadatas[i] })))
      if (ids.length < PAGE) return rows
    }
  }

  async #on<T>(workspace: WorkspaceId, work: (collection: ChromaCollection) => Promise<T>): Promise<T> {
    const collection = await this.#collection(workspace)
    return this.#ask(workspace, () => work(collection))
  }

  async #collection(workspace: WorkspaceId): Promise<ChromaCollection> {
    const known = this.#collections.get(workspace)
    if (known !== undefined) return known
    const name = this.#nameOf(workspace)
    const found = await this.#ask(workspace, () => this.#connected.client.getCollection({ name }))
    if (found.metadata?.['workspace'] !== workspace) throw this.#ofAnother(workspace)
    this.#collections.set(workspace, found)
    return found
  }

  /** After a failure, looks up the collection again: it may have been recreated under the same name. */
  async #ask<T>(workspace: WorkspaceId | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (workspace !== undefined) this.#collections.delete(workspace)
      throw error instanceof MemoryError ? error : toChromaError(this.#connected, error)
    }
  }

  #garbled(): MemoryError {
    return toChromaError(this.#connected, new Error('its answer makes no sense'))
  }

  #ofAnother(workspace: WorkspaceId): MemoryError {
    const what = `the collection ${this.#nameOf(workspace)} of ${this.location}`
    return new MemoryError('conflict', `${what} holds other vectors than were asked for`, {
      hint: 'it is filled again by itself; if another memory shares the server, give each its own vectors.chroma.prefix',
    })
  }
}

const isOf = ({ workspace, embedder, dimensions }: VectorSpace, { metadata }: ChromaCollection): boolean =>
  metadata?.['workspace'] === workspace &&
  metadata['embedder'] === embedder &&
  metadata['dimensions'] === dimensions

/**
 * A workspace id in the characters that Chroma allows in names. Ids that had to change, and ids that look like a
 * changed one, get a hash, so that no two are the same.
 */
export function toNamePart(workspace: string): string {
  const readable = workspace.replaceAll(/[^a-zA-Z0-9_-]+/g, '-').replaceAll(/^[_-]+|[_-]+$/g, '')
  if (readable === workspace && workspace.length <= READABLE && !/[0-9a-f]{12}$/.test(workspace))
    return workspace
  const hash = createHash('sha256').update(workspace).digest('hex').slice(0, 12)
  return [...(readable === '' ? [] : [readable.slice(0, READABLE)]), hash].join('-')
}

/** With the usual prefix and a hash, a name has at most 63 characters: the limit of Chroma's first versions. */
const READABLE = 40

/** The `memory_type` of entries, as other programs that use Chroma for chat memory name them. */
const TYPES: Readonly<Record<VectorKind, string>> = {
  message: 'message',
  chunk: 'chunk',
  summary: 'summary',
  fact: 'facts',
  note: 'tools',
}

/** The `memory_type` of mark rows. */
export const MARK = 'mark'

/** Cannot clash with an entry: entry ids begin with their type. */
export const markId = (source: string): string => `mark:${source}`

/** For entries that belong to no conversation or to several: Chroma conditions cannot match a missing field. */
const NO_SESSION = ''

export function toMetadata({ memoryType, source, session, chunkIndex }: VectorEntry): ChromaMetadata {
  return {
    memory_type: TYPES[memoryType],
    session_id: session ?? NO_SESSION,
    source,
    ...(chunkIndex !== undefined && { chunk_index: chunkIndex }),
  }
}

export function toWhere({ memoryTypes, sessions }: NearestLookup): ChromaWhere {
  const ofTypes = { memory_type: { $in: memoryTypes.map((type) => TYPES[type]) } }
  if (sessions === undefined) return ofTypes
  return { $and: [ofTypes, { session_id: { $in: [...sessions, NO_SESSION] } }] }
}

export function readMark(metadata: unknown): VectorMark {
  const { source, mark, entries } = (metadata ?? {}) as Partial<Record<keyof VectorMark, unknown>>
  if (typeof source === 'string' && typeof mark === 'string' && typeof entries === 'number')
    return { source, mark, entries }
  throw new MemoryError('store-failed', 'Chroma answered with a mark that makes no sense')
}

export function readNear({ ids, distances }: { ids: unknown; distances: unknown }): readonly NearEntry[] {
  const [found, far] = [ids, distances].map((list) => (Array.isArray(list) ? list[0] : undefined))
  if (!Array.isArray(found) || !Array.isArray(far) || found.length !== far.length) throw senseless()
  return found.map((id, i) => {
    const distance: unknown = far[i]
    if (typeof id !== 'string' || typeof distance !== 'number') throw senseless()
    return { id, similarity: 1 - distance }
  })
}

const senseless = (): MemoryError =>
  new MemoryError('store-failed', 'Chroma answered a question with something that makes no sense')
