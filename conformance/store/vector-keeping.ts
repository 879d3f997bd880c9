import assert from 'node:assert/strict'
import { workspaceId } from 'recollect/store'
import type { VectorCase } from './vector-case.ts'
import { anEntry, EAST, HERE, NORTH, nearIds, THERE } from './vector-samples.ts'

const { workspace } = HERE
const sorted = (ids: readonly string[]): string[] => [...ids].sort()

export const vectorKeeping: readonly VectorCase[] = [
  {
    name: 'a new space is empty, and does not exist before',
    async run(vectors) {
      assert.equal(await vectors.contents(workspace), undefined)
      assert.deepEqual(await vectors.open(HERE), { embedder: HERE.embedder, marks: [], entries: 0 })
      assert.deepEqual(await vectors.contents(workspace), { embedder: HERE.embedder, marks: [], entries: 0 })
    },
  },
  {
    name: 'opening a space again leaves it unchanged',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(workspace, [anEntry('message:1')])
      await vectors.setMark(workspace, { source: 'messages:trip', mark: 'a:1', entries: 1 })
      const marks = [{ source: 'messages:trip', mark: 'a:1', entries: 1 }]
      assert.deepEqual(await vectors.open(HERE), { embedder: HERE.embedder, marks, entries: 1 })
    },
  },
  {
    name: 'another embedder, or other dimensions, empty the space',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(workspace, [anEntry('message:1')])
      await vectors.setMark(workspace, { source: 'messages:trip', mark: 'a:1', entries: 1 })
      const other = { ...HERE, embedder: 'other/4' }
      assert.deepEqual(await vectors.open(other), { embedder: 'other/4', marks: [], entries: 0 })
      const longer = { ...other, dimensions: 5 }
      await vectors.open(longer)
      const vector = new Float32Array([0, 0, 0, 0, 1])
      await vectors.put(workspace, [anEntry('message:2', { vector })])
      assert.equal((await vectors.open(longer)).entries, 1)
    },
  },
  {
    name: 'putting an id again replaces the entry',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(workspace, [anEntry('message:1')])
      await vectors.put(workspace, [anEntry('message:1', { vector: NORTH, source: 'messages:home' })])
      assert.equal((await vectors.open(HERE)).entries, 1)
      assert.deepEqual(await vectors.ids(workspace, 'messages:trip'), [])
      assert.deepEqual(await vectors.ids(workspace, 'messages:home'), ['message:1'])
      assert.deepEqual(await nearIds(vectors, { vector: EAST }), [])
      assert.deepEqual(await nearIds(vectors, { vector: NORTH }), ['message:1'])
    },
  },
  {
    name: 'all ids of a source are listed, without its mark',
    async run(vectors) {
      await vectors.open(HERE)
      const many = Array.from({ length: 1200 }, (_, i) => anEntry(`message:${i}`))
      for (let at = 0; at < many.length; at += 500) await vectors.put(workspace, many.slice(at, at + 500))
      await vectors.put(workspace, [anEntry('fact:1', { memoryType: 'fact', source: 'facts' })])
      await vectors.setMark(workspace, { source: 'messages:trip', mark: 'a', entries: 1200 })
      const ids = await vectors.ids(workspace, 'messages:trip')
      assert.deepEqual(sorted(ids), sorted(many.map(({ id }) => id)))
      assert.equal((await vectors.open(HERE)).entries, 1201)
    },
  },
  {
    name: 'what is removed is gone, and ids that are not there do no harm',
    async run(vectors) {
      await vectors.open(HERE)
      await vectors.put(workspace, [anEntry('message:1'), anEntry('message:2')])
      await vectors.remove(workspace, ['message:1', 'message:9'])
      await vectors.remove(workspace, [])
      assert.deepEqual(await nearIds(vectors), ['message:2'])
      assert.deepEqual(await vectors.ids(workspace, 'messages:trip'), ['message:2'])
      assert.equal((await vectors.open(HERE)).entries, 1)
    },
  },
  {
    name: 'a source goes with its mark, and leaves the others',
    async run(vectors) {
      await vectors.open(HERE)
      const other = anEntry('chunk:1', { memoryType: 'chunk', source: 'chunks:menu', chunkIndex: 0 })
      await vectors.put(workspace, [anEntry('message:1'), other])
      for (const source of ['messages:trip', 'chunks:menu'])
        await vectors.setMark(workspace, { source, mark: 'a', entries: 1 })
      await vectors.removeSource(workspace, 'messages:trip')
      const marks = [{ source: 'chunks:menu', mark: 'a', entries: 1 }]
      assert.deepEqual(await vectors.open(HERE), { embedder: HERE.embedder, marks, entries: 1 })
      assert.deepEqual(await nearIds(vectors), ['chunk:1'])
      await vectors.removeSource(workspace, 'messages:nobody')
    },
  },
  {
    name: 'a mark replaces the previous one',
    async run(vectors) {
      await vectors.open(HERE)
      assert.equal(await vectors.findMark(workspace, 'facts'), undefined)
      await vectors.setMark(workspace, { source: 'facts', mark: 'one', entries: 3 })
      await vectors.setMark(workspace, { source: 'facts', mark: 'two', entries: 4 })
      assert.deepEqual(await vectors.findMark(workspace, 'facts'), {
        source: 'facts',
        mark: 'two',
        entries: 4,
      })
      assert.equal((await vectors.open(HERE)).marks.length, 1)
    },
  },
  {
    name: 'a dropped workspace is gone with all of its marks, and others stay',
    async run(vectors) {
      for (const space of [HERE, THERE]) {
        await vectors.open(space)
        await vectors.put(space.workspace, [anEntry('message:1')])
        await vectors.setMark(space.workspace, { source: 'messages:trip', mark: 'a', entries: 1 })
      }
      assert.deepEqual(sorted(await vectors.workspaces()), ['here', 'there'])
      await vectors.drop(workspace)
      await vectors.drop(workspaceId('nowhere'))
      assert.deepEqual(await vectors.workspaces(), ['there'])
      assert.equal(await vectors.contents(workspace), undefined)
      assert.equal((await vectors.open(THERE)).entries, 1)
      assert.deepEqual(await vectors.open(HERE), { embedder: HERE.embedder, marks: [], entries: 0 })
    },
  },
]
