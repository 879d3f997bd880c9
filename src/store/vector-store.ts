// What is asked of a vector store beside the store, such as Chroma: vectors with the ids of what they are of, and
// which are nearest. It is a mirror. The store is the truth: what a vector store loses is put there again, and what it
// answers is looked up in the store before anybody sees it. No words go there. It promises:
//
//  1. A workspace sees only itself. Every call names its workspace, and nothing of another one is seen or touched.
//  2. Once put, found. An entry can be found when `put` has resolved; putting its id again replaces it.
//  3. Removed is gone. What `remove` or `drop` took is not found, counted or listed when the call has resolved.
//  4. One measure. A space holds the vectors of one embedder. `open` with another name or other dimensions empties
//     it; asking with them is an error, never an answer.
//  5. Marks lie with the vectors. Whatever loses vectors loses their marks, or changes the count of entries: a space
//     that was deleted, or put back from an older copy, says so by its contents.
//  6. Failures are errors. What cannot be asked rejects; an empty answer means that there is nothing.
//
// `src/store/conformance/vector-conformance.ts` has a case for each.

import type { ConversationId, VectorKind, WorkspaceId } from '../domain/ids.ts'

/** The vectors of one workspace by one embedder. */
export interface VectorSpace {
  readonly workspace: WorkspaceId
  /** Its name: vectors of another one cannot be compared. */
  readonly embedder: string
  readonly dimensions: number
}

export interface VectorEntry {
  /** Unique in its workspace. */
  readonly id: string
  /** Not all zero. */
  readonly vector: Float32Array
  readonly memoryType: VectorKind
  /** What it was read from, and is removed with: the messages of a conversation, a document, all facts. */
  readonly source: string
  /** The conversation that it belongs to; missing where it belongs to none, or to several. */
  readonly session?: ConversationId
  /** Of a chunk: its place in the document. */
  readonly chunkIndex?: number
}

/** How far a source was put. */
export interface VectorMark {
  readonly source: string
  /** As the one who fills it understands it. */
  readonly mark: string
  /** How many entries of the source are there. */
  readonly entries: number
}

export interface VectorContents {
  readonly embedder: string
  readonly marks: readonly VectorMark[]
  /** All that are there, those of no mark too. */
  readonly entries: number
}

export interface NearestLookup {
  readonly workspace: WorkspaceId
  readonly embedder: string
  readonly vector: Float32Array
  readonly limit: number
  readonly memoryTypes: readonly VectorKind[]
  /** Only what belongs to one of these, or to no conversation or several. @default all */
  readonly sessions?: readonly ConversationId[]
  /** Farther ones stay out. */
  readonly leastSimilarity: number
}

export interface NearEntry {
  readonly id: string
  /** The cosine, about. */
  readonly similarity: number
}

export interface VectorStore {
  /** For people: a brand and an address, without its password. */
  readonly location: string
  /** Makes the space where it is missing, and tells what is in it. */
  open(space: VectorSpace): Promise<VectorContents>
  /** Undefined where the workspace has no space. */
  contents(workspace: WorkspaceId): Promise<VectorContents | undefined>
  /** The entries of a source, in any order. */
  ids(workspace: WorkspaceId, source: string): Promise<readonly string[]>
  /** Into a space that is open; at most 500 at a time. */
  put(workspace: WorkspaceId, entries: readonly VectorEntry[]): Promise<void>
  /** Entries by their ids; ids that are not there are passed over. */
  remove(workspace: WorkspaceId, ids: readonly string[]): Promise<void>
  /** All entries of a source, and its mark. */
  removeSource(workspace: WorkspaceId, source: string): Promise<void>
  findMark(workspace: WorkspaceId, source: string): Promise<VectorMark | undefined>
  /** In the place of the one before. */
  setMark(workspace: WorkspaceId, mark: VectorMark): Promise<void>
  /** Best first. */
  nearest(lookup: NearestLookup): Promise<readonly NearEntry[]>
  /** Those that have a space here. */
  workspaces(): Promise<readonly WorkspaceId[]>
  /** The whole space, where there is one. */
  drop(workspace: WorkspaceId): Promise<void>
  close(): Promise<void>
}
