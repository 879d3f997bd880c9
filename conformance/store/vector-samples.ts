import {
  conversationId,
  type NearestLookup,
  type VectorEntry,
  type VectorSpace,
  type VectorStore,
  workspaceId,
} from 'recollect/store'

export const HERE: VectorSpace = Object.freeze({
  workspace: workspaceId('here'),
  embedder: 'small/4',
  dimensions: 4,
})
export const THERE: VectorSpace = Object.freeze({ ...HERE, workspace: workspaceId('there') })

/** Four directions, and one between the first two. */
export const EAST: Float32Array = new Float32Array([1, 0, 0, 0])
export const NORTH: Float32Array = new Float32Array([0, 1, 0, 0])
export const UP: Float32Array = new Float32Array([0, 0, 1, 0])
export const NORTHEAST: Float32Array = new Float32Array([0.8, 0.6, 0, 0])

export const anEntry = (id: string, fields: Partial<VectorEntry> = {}): VectorEntry => ({
  id,
  text: 'The train leaves at noon.',
  vector: EAST,
  memoryType: 'message',
  source: 'messages:trip',
  session: conversationId('trip'),
  ...fields,
})

const LOOKUP: NearestLookup = {
  ...HERE,
  vector: EAST,
  limit: 10,
  memoryTypes: ['message', 'summary', 'fact', 'note', 'chunk'],
  leastSimilarity: 0.5,
}

/** The ids of the nearest vectors, best first. */
export async function nearIds(vectors: VectorStore, lookup: Partial<NearestLookup> = {}): Promise<string[]> {
  return (await vectors.nearest({ ...LOOKUP, ...lookup })).map(({ id }) => id)
}

export const lookupOf = (lookup: Partial<NearestLookup>): NearestLookup => ({ ...LOOKUP, ...lookup })
