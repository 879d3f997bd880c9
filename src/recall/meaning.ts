// Similarity in meaning, rescaled to 0 for unrelated and 1 for equal texts, because every embedder has its own scale.

import { definedFields } from '../domain/defined-fields.ts'
import { isMemoryError } from '../domain/errors.ts'
import type { ConversationId, MessageId, WorkspaceId } from '../domain/ids.ts'
import { readVectorId } from '../domain/ids.ts'
import type { MessageLocator } from '../domain/locator.ts'
import type { RecallKind } from '../domain/recall.ts'
import type { Embedder } from '../model/models.ts'
import type { ResolvedRecall } from '../options/recall-options.ts'
import type { RecallScope, RecallStore } from '../store/recall-store.ts'
import type { NearEntry, NearestLookup } from '../store/vector-store.ts'

/** Maximum candidates by meaning. */
const MAX_NEAREST = 100

/** An external vector store, as far as recall uses it. */
export interface VectorSearch {
  /** Whether it has everything that the main store has. */
  isSynced(workspace: WorkspaceId): boolean
  nearest(lookup: NearestLookup): Promise<readonly NearEntry[]>
}

export interface VectorParts {
  readonly store: RecallStore
  readonly options: ResolvedRecall
  /** The neural embedder whose vectors are stored, and the deriver that stores them. */
  readonly vectors?: {
    readonly loadEmbedder: () => Promise<Embedder>
    readonly deriver: string
    readonly search?: VectorSearch
  }
  readonly isRemembered: (conversation: ConversationId) => Promise<boolean>
}

export interface NearestSearch {
  readonly scope: RecallScope
  readonly question: string
  /** Collects notices for the reader. */
  readonly notices: string[]
  readonly signal?: AbortSignal
}

/** Items near in meaning, with their similarity from 0 to 1. */
export interface Nearest {
  readonly messages: ReadonlyMap<MessageLocator, number>
  /** Facts, notes, summaries and chunks; only with a vector store. */
  readonly others: NearItems
}

/** Similarity by kind and id; missing means unknown. */
export type NearItems = Readonly<Partial<Record<RecallKind, ReadonlyMap<string, number>>>>

/** Items whose vectors are near that of the question. If the embedder fails, recall uses words alone. */
export async function findNearest(parts: VectorParts, search: NearestSearch): Promise<Nearest> {
  const { vectors, options } = parts
  if (vectors === undefined || options.meaningWeight === 0) return NOTHING_NEAR
  const { question, notices, signal } = search
  try {
    const embedder = await vectors.loadEmbedder()
    const [vector] = await embedder.embed([question], { use: 'question', ...definedFields({ signal }) })
    if (vector === undefined) return NOTHING_NEAR
    const asked = { ...search, embedder, vector }
    const found = await findInVectorStore(parts, asked)
    return {
      messages: found?.messages ?? (await findStored(parts, asked)),
      others: found?.others ?? NOTHING_NEAR.others,
    }
  } catch (error) {
    if (!(isMemoryError(error) && error.code === 'model-failed')) throw error
    notices.push(`searched by words only: ${error.message}`)
    return NOTHING_NEAR
  }
}

const NOTHING_NEAR: Nearest = { messages: new Map(), others: {} }

interface Asked extends NearestSearch {
  readonly embedder: Embedder
  readonly vector: Float32Array
}

async function findStored(
  { store, vectors, options }: VectorParts,
  { scope, embedder, vector }: Asked,
): Promise<ReadonlyMap<MessageLocator, number>> {
  const found = await store.findNearest({
    ...scope,
    deriver: vectors?.deriver ?? '',
    version: embedder.name,
    vector,
    limit: MAX_NEAREST,
    leastSimilarity: unscale(options.minSimilarity, embedder),
  })
  return new Map(found.map(({ place, similarity }) => [place, rescale(similarity, embedder)]))
}

const OTHER_KINDS = ['fact', 'note', 'summary', 'chunk'] as const

/** Searches the vector store. Undefined without one or if it fails; the vectors in the main store are used then. */
async function findInVectorStore(parts: VectorParts, asked: Asked): Promise<Partial<Nearest> | undefined> {
  const search = parts.vectors?.search
  if (search === undefined) return undefined
  const { scope, embedder, vector, notices } = asked
  const lookup = {
    workspace: scope.workspace,
    embedder: embedder.name,
    vector,
    limit: MAX_NEAREST,
    leastSimilarity: unscale(parts.options.minSimilarity, embedder),
    ...definedFields({ sessions: scope.conversations }),
  }
  try {
    const [others, messages] = await Promise.all([
      search.nearest({ ...lookup, memoryTypes: OTHER_KINDS }),
      search.isSynced(scope.workspace)
        ? search.nearest({ ...lookup, memoryTypes: ['message'] })
        : Promise.resolve(undefined),
    ])
    return {
      others: toNearItems(others, embedder),
      ...(messages && { messages: await toPlaces(parts, asked, messages) }),
    }
  } catch (error) {
    if (!isMemoryError(error) || error.code === 'store-closed') throw error
    notices.push(`vector store failed, used words and the vectors in the main store: ${error.message}`)
    return undefined
  }
}

function toNearItems(entries: readonly NearEntry[], embedder: Embedder): NearItems {
  const things = Object.fromEntries(OTHER_KINDS.map((kind) => [kind, new Map<string, number>()]))
  for (const { id, similarity } of entries) {
    const { kind, id: own } = readVectorId(id)
    things[kind]?.set(own, rescale(similarity, embedder))
  }
  return things
}

/** A vector store may be behind: drops entries that the main store does not have or the scope excludes. */
async function toPlaces(
  { store, isRemembered }: VectorParts,
  { scope: { workspace, conversations }, embedder }: Asked,
  entries: readonly NearEntry[],
): Promise<ReadonlyMap<MessageLocator, number>> {
  const similarities = new Map(entries.map(({ id, similarity }) => [readVectorId(id).id, similarity]))
  const places = await store.locate(workspace, [...similarities.keys()] as MessageId[])
  const heads = await store.getMessageMeta(workspace, places, { includeTopics: false })
  const said = new Set(heads.map(({ conversationId }) => conversationId))
  const allowed = new Set(conversations ?? (await keepRemembered(said, isRemembered)))
  return new Map(
    heads
      .filter(({ conversationId }) => allowed.has(conversationId))
      .map(({ locator, id }) => [locator, rescale(similarities.get(id) ?? 0, embedder)]),
  )
}

async function keepRemembered(
  conversations: ReadonlySet<ConversationId>,
  isRemembered: VectorParts['isRemembered'],
): Promise<readonly ConversationId[]> {
  const known = await Promise.all(
    [...conversations].map(async (id) => ((await isRemembered(id)) ? [id] : [])),
  )
  return known.flat()
}

/** Embeds and compares texts with the question on demand. */
export function compareTexts(
  embedder: Embedder,
  question: string,
): (texts: readonly string[]) => Promise<readonly number[]> {
  return async (texts) => {
    const [asked, ...vectors] = await embedder.embed([question, ...texts])
    return vectors.map((vector) => rescale(cosine(asked as Float32Array, vector), embedder))
  }
}

/** Both vectors have unit length. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] as number) * (other[i] as number)
  return sum
}

const rescale = (similarity: number, { unrelatedSimilarity }: Embedder): number =>
  Math.min(1, Math.max(0, (similarity - unrelatedSimilarity) / (1 - unrelatedSimilarity)))

const unscale = (similarity: number, { unrelatedSimilarity }: Embedder): number =>
  unrelatedSimilarity + similarity * (1 - unrelatedSimilarity)
