import { MemoryError } from '../../domain/errors.ts'
import type { NearEntry, NearestLookup, VectorEntry, VectorMark } from '../vector-store.ts'
import type { ChromaMetadata, ChromaWhere } from './chroma-client.ts'

/** The `memory_type` of mark rows. */
export const MARK = 'mark'

/** Cannot clash with an entry: entry ids begin with their type. */
export const markId = (source: string): string => `mark:${source}`

/** For entries that belong to no conversation or to several: Chroma conditions cannot match a missing field. */
const NO_SESSION = ''

export function toMetadata({ memoryType, source, session, chunkIndex }: VectorEntry): ChromaMetadata {
  return {
    memory_type: memoryType,
    session_id: session ?? NO_SESSION,
    source,
    ...(chunkIndex !== undefined && { chunk_index: chunkIndex }),
  }
}

export function toWhere({ memoryTypes, sessions }: NearestLookup): ChromaWhere {
  const ofTypes = { memory_type: { $in: [...memoryTypes] } }
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
