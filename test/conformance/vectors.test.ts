import { expect, test } from 'vitest'
import { runVectorConformance } from '../../conformance/store/vector-conformance.ts'
import type { VectorStore } from '../../src/store/vector-store.ts'
import { checkVectors } from '../support/check-vectors.ts'
import { vectorsInProcess } from '../support/vectors-in-process.ts'

checkVectors('a vector store of this process', async () => vectorsInProcess())

type Breaking = (vectors: VectorStore) => Partial<VectorStore>

/** How the store is broken, and the promise that must fail. */
const BROKEN: readonly (readonly [string, Breaking, string])[] = [
  [
    'all workspaces are one',
    (vectors) => ({
      async nearest(lookup) {
        const spaces = await vectors.workspaces()
        const found = await Promise.all(
          [lookup.workspace, ...spaces].map((workspace) => vectors.nearest({ ...lookup, workspace })),
        )
        return [...new Map(found.flat().map((one) => [one.id, one])).values()].slice(0, lookup.limit)
      },
    }),
    'a workspace sees only itself',
  ],
  [
    'marks stay',
    (vectors) => ({
      removeSource: async (workspace, source) =>
        vectors.remove(workspace, await vectors.ids(workspace, source)),
    }),
    'a source goes with its mark, and leaves the others',
  ],
  [
    'nothing is removed',
    () => ({ remove: async () => undefined }),
    'what is removed is gone, and ids that are not there do no harm',
  ],
  [
    'any embedder will do',
    (vectors) => ({ nearest: (lookup) => vectors.nearest({ ...lookup, embedder: 'small/4' }) }),
    'asking for vectors of another embedder, or where there is no space, is an error',
  ],
  [
    'a failure is an empty answer',
    (vectors) => ({ nearest: (lookup) => vectors.nearest(lookup).catch(() => []) }),
    'asking for vectors of another embedder, or where there is no space, is an error',
  ],
  [
    'the farthest come first',
    (vectors) => ({ nearest: async (lookup) => (await vectors.nearest(lookup)).toReversed() }),
    'the nearest come first, by their cosine, and those too far stay out',
  ],
  [
    'a dropped workspace stays',
    () => ({ drop: async () => undefined }),
    'a dropped workspace is gone with all of its marks, and others stay',
  ],
  [
    'there is no limit',
    (vectors) => ({ nearest: (lookup) => vectors.nearest({ ...lookup, limit: 1000 }) }),
    'no more come than were asked for',
  ],
  [
    'all conversations are one',
    (vectors) => ({ nearest: ({ sessions: _, ...lookup }) => vectors.nearest(lookup) }),
    'within conversations, what belongs to none is found as well',
  ],
]

test.each(BROKEN)('a vector store broken on purpose is detected: %s', async (_, broken, promise) => {
  const results = await runVectorConformance(async () => {
    const vectors = vectorsInProcess()
    return { ...vectors, ...broken(vectors) }
  })
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  expect(failed.map(({ name }) => name)).toEqual([promise])
})
