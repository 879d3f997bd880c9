import { MemoryError } from '../../src/domain/errors.ts'
import type { WorkspaceId } from '../../src/domain/ids.ts'
import type {
  VectorContents,
  VectorEntry,
  VectorMark,
  VectorSpace,
  VectorStore,
} from '../../src/store/vector-store.ts'

interface Space extends VectorSpace {
  readonly entries: Map<string, VectorEntry>
  readonly marks: Map<string, VectorMark>
}

/** A minimal in-memory vector store that passes the conformance suite. */
export function vectorsInProcess(): VectorStore {
  const spaces = new Map<WorkspaceId, Space>()
  const need = (workspace: WorkspaceId): Space => {
    const space = spaces.get(workspace)
    if (space === undefined) throw new MemoryError('not-found', `there are no vectors of "${workspace}"`)
    return space
  }
  const tell = ({ embedder, marks, entries }: Space): VectorContents => ({
    embedder,
    marks: [...marks.values()],
    entries: entries.size,
  })
  return {
    location: 'the memory of this process',
    async open(space) {
      const there = spaces.get(space.workspace)
      const isSame = there?.embedder === space.embedder && there.dimensions === space.dimensions
      if (!isSame) spaces.set(space.workspace, { ...space, entries: new Map(), marks: new Map() })
      return tell(need(space.workspace))
    },
    async contents(workspace) {
      const space = spaces.get(workspace)
      return space && tell(space)
    },
    async ids(workspace, source) {
      return [...need(workspace).entries.values()].filter((one) => one.source === source).map(({ id }) => id)
    },
    async put(workspace, entries) {
      for (const entry of entries) need(workspace).entries.set(entry.id, entry)
    },
    async remove(workspace, ids) {
      for (const id of ids) need(workspace).entries.delete(id)
    },
    async removeSource(workspace, source) {
      const { entries, marks } = need(workspace)
      for (const [id, entry] of entries) if (entry.source === source) entries.delete(id)
      marks.delete(source)
    },
    async findMark(workspace, source) {
      return need(workspace).marks.get(source)
    },
    async setMark(workspace, mark) {
      need(workspace).marks.set(mark.source, mark)
    },
    async nearest({ workspace, embedder, vector, memoryTypes, sessions, leastSimilarity, limit }) {
      const space = need(workspace)
      if (space.embedder !== embedder) throw new MemoryError('conflict', 'vectors of another embedder')
      return [...space.entries.values()]
        .filter(({ memoryType }) => memoryTypes.includes(memoryType))
        .filter(({ session }) => session === undefined || (sessions?.includes(session) ?? true))
        .map((entry) => ({ id: entry.id, similarity: cosine(entry.vector, vector) }))
        .filter(({ similarity }) => similarity >= leastSimilarity)
        .sort((one, other) => other.similarity - one.similarity)
        .slice(0, limit)
    },
    workspaces: async () => [...spaces.keys()],
    async drop(workspace) {
      spaces.delete(workspace)
    },
    close: async () => undefined,
  }
}

function cosine(one: Float32Array, other: Float32Array): number {
  const product = one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)
  return product / (Math.hypot(...one) * Math.hypot(...other))
}
