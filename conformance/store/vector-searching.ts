import assert from 'node:assert/strict'
import { conversationId } from 'recollect/store'
import type { VectorCase } from './vector-case.ts'
import { anEntry, EAST, HERE, lookupOf, NORTH, NORTHEAST, nearIds, THERE, UP } from './vector-samples.ts'

const { workspace } = HERE
const [trip, home] = [conversationId('trip'), conversationId('home')]

export const vectorSearching: readonly VectorCase[] = [
  {
    name: 'the nearest come first, by their cosine, and those too far stay out',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(workspace, [
        anEntry('message:up', { vector: UP }),
        anEntry('message:between', { vector: NORTHEAST }),
        anEntry('message:east', { vector: new Float32Array([5, 0, 0, 0]) }),
        anEntry('message:north', { vector: NORTH }),
      ])
      const near = await vectors.nearest(lookupOf({ vector: EAST }))
      assert.deepEqual(
        near.map(({ id }) => id),
        ['message:east', 'message:between'],
      )
      assert.ok(Math.abs((near[0]?.similarity ?? 0) - 1) < 0.01)
      assert.ok(Math.abs((near[1]?.similarity ?? 0) - 0.8) < 0.01)
    },
  },
  {
    name: 'no more come than were asked for',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(
        workspace,
        Array.from({ length: 30 }, (_, i) => anEntry(`message:${i}`)),
      )
      assert.equal((await nearIds(vectors, { limit: 7 })).length, 7)
    },
  },
  {
    name: 'only requested entries are found, and never marks',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(workspace, [
        anEntry('message:1'),
        anEntry('fact:1', { memoryType: 'fact', source: 'facts' }),
        anEntry('chunk:1', { memoryType: 'chunk', source: 'chunks:menu', chunkIndex: 3 }),
      ])
      await vectors.setMark(workspace, { source: 'facts', mark: 'a', entries: 1 })
      assert.deepEqual(await nearIds(vectors, { memoryTypes: ['fact'] }), ['fact:1'])
      assert.deepEqual((await nearIds(vectors, { leastSimilarity: -1 })).sort(), [
        'chunk:1',
        'fact:1',
        'message:1',
      ])
    },
  },
  {
    name: 'within conversations, what belongs to none is found as well',
    async run(vectors) {
      await vectors.open(HERE)
      const { session: _, ...wide } = anEntry('fact:wide', { memoryType: 'fact', source: 'facts' })
      await vectors.put(workspace, [
        anEntry('message:trip', { session: trip }),
        anEntry('message:home', { session: home, source: 'messages:home' }),
        wide,
      ])
      assert.deepEqual((await nearIds(vectors, { sessions: [trip] })).sort(), ['fact:wide', 'message:trip'])
      assert.deepEqual(await nearIds(vectors, { sessions: [] }), ['fact:wide'])
    },
  },
  {
    name: 'a workspace sees only itself',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.open(THERE)
      await vectors.put(workspace, [anEntry('message:1')])
      await vectors.put(THERE.workspace, [anEntry('message:1', { vector: UP }), anEntry('message:2')])
      assert.deepEqual(await nearIds(vectors), ['message:1'])
      assert.deepEqual(await nearIds(vectors, { workspace: THERE.workspace }), ['message:2'])
      await vectors.removeSource(workspace, 'messages:trip')
      await vectors.remove(workspace, ['message:2'])
      assert.deepEqual(await nearIds(vectors, { workspace: THERE.workspace }), ['message:2'])
      assert.equal((await vectors.open(THERE)).entries, 2)
    },
  },
  {
    name: 'asking for vectors of another embedder, or where there is no space, is an error',
    async run(vectors) {
      await assert.rejects(vectors.nearest(lookupOf({})))
      await vectors.open(HERE)
      await vectors.put(workspace, [anEntry('message:1')])
      await assert.rejects(vectors.nearest(lookupOf({ embedder: 'other/4' })))
      assert.deepEqual(await nearIds(vectors), ['message:1'])
    },
  },
]
