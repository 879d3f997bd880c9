// The contract of an external vector store, such as Chroma: it keeps vectors with the ids of their sources and
// finds the nearest. It is a mirror. The store is the source of truth: lost vectors are put again, and every result
// is looked up in the store before it is used. An entry comes with its text for stores that keep documents next to
// their vectors; Recollect never reads it back. It promises:
//
//  1. Workspaces are isolated. Every call names its workspace, and never reads or changes another one.
//  2. Found at once. An entry can be found when `put` has resolved; putting its id again replaces it.
//  3. Removed for good. Entries taken by `remove` or `drop` are not found, counted or listed once the call has
//     resolved, and neither is their text.
//  4. One embedder. A space holds the vectors of one embedder. `open` with another name or other dimensions empties
//     it; a query with them is an error, never a result.
//  5. Marks are stored with the vectors. Losing vectors also loses their marks or changes the number of entries, so
//     a space that was deleted or restored from an older copy can be recognized by its contents.
//  6. Failures are errors. A query that cannot be answered rejects; an empty result means that nothing matches.
//
// `conformance/store/vector-conformance.ts` has a case for each.

import type { ConversationId, VectorKind, WorkspaceId } from '../domain/ids.ts'

/** The vectors of one workspace, from one embedder. */
export interface VectorSpace {
  readonly workspace: WorkspaceId
  /** Name of the embedder. Vectors of different embedders cannot be compared. */
  readonly embedder: string
  readonly dimensions: number
}

export interface VectorEntry {
  /** Unique in its workspace. */
  readonly id: string
  /** What the vector was made from. */
  readonly text: string
  /** Not all zero. */
  readonly vector: Float32Array
  readonly memoryType: VectorKind
  /** What it was derived from, and is removed with: the messages of a conversation, a document, all facts. */
  readonly source: string
  /** The conversation it belongs to; missing if it belongs to none or to several. */
  readonly session?: ConversationId
  /** For a chunk: its index in the document. */
  readonly chunkIndex?: number
}

/** How much of a source has been put. */
export interface VectorMark {
  readonly source: string
  /** Defined by the caller that fills the space. */
  readonly mark: string
  /** Number of entries of the source. */
  readonly entries: number
}

export interface VectorContents {
  readonly embedder: string
  readonly marks: readonly VectorMark[]
  /** Number of all entries, including those without a mark. */
  readonly entries: number
}

export interface NearestLookup {
  readonly workspace: WorkspaceId
  readonly embedder: string
  readonly vector: Float32Array
  readonly limit: number
  readonly memoryTypes: readonly VectorKind[]
  /** Only entries that belong to one of these, to no conversation or to several. @default all */
  readonly sessions?: readonly ConversationId[]
  /** Minimum similarity. */
  readonly leastSimilarity: number
}

export interface NearEntry {
  readonly id: string
  /** Approximate cosine similarity. */
  readonly similarity: number
}

export interface VectorStore {
  /** For display: product and address, without its password. */
  readonly location: string
  /** Creates the space if it is missing, and returns what it contains. */
  open(space: VectorSpace): Promise<VectorContents>
  /** Undefined if the workspace has no space. */
  contents(workspace: WorkspaceId): Promise<VectorContents | undefined>
  /** Ids of the entries of a source, in any order. */
  ids(workspace: WorkspaceId, source: string): Promise<readonly string[]>
  /** Requires an open space; at most 500 entries per call. */
  put(workspace: WorkspaceId, entries: readonly VectorEntry[]): Promise<void>
  /** Removes entries by id; unknown ids are ignored. */
  remove(workspace: WorkspaceId, ids: readonly string[]): Promise<void>
  /** Removes all entries of a source, and its mark. */
  removeSource(workspace: WorkspaceId, source: string): Promise<void>
  findMark(workspace: WorkspaceId, source: string): Promise<VectorMark | undefined>
  /** Replaces the previous mark of the source. */
  setMark(workspace: WorkspaceId, mark: VectorMark): Promise<void>
  /** Best first. */
  nearest(lookup: NearestLookup): Promise<readonly NearEntry[]>
  /** Workspaces that have a space. */
  workspaces(): Promise<readonly WorkspaceId[]>
  /** Deletes the whole space, if it exists. */
  drop(workspace: WorkspaceId): Promise<void>
  close(): Promise<void>
}
