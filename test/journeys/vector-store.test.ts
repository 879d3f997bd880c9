import { expect, onTestFinished, test } from 'vitest'
import { type Memory, type OpenOptions, openMemory, type VectorStore } from '../../src/index.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { startServer } from '../../src/server/start-server.ts'
import { meaningEmbedder } from '../support/meaning-embedder.ts'
import { temporaryPath } from '../support/temporary-folder.ts'
import { vectorsInProcess } from '../support/vectors-in-process.ts'

async function openWith(
  vectorStore: VectorStore,
  options: OpenOptions & { path?: string } = {},
): Promise<Memory> {
  const { path = temporaryPath(), ...rest } = options
  const memory = await openMemory(path, { embedder: meaningEmbedder(), vectorStore, ...rest })
  onTestFinished(() => memory.close())
  return memory
}

const say = (id: string, content: string) => ({ id, role: 'user' as const, content })

/** One whose next calls fail, as long as it says so. */
function failing(): VectorStore & { isDown: boolean } {
  const vectors = vectorsInProcess()
  const guarded = Object.fromEntries(
    Object.entries(vectors).map(([name, verb]) => [
      name,
      typeof verb !== 'function'
        ? verb
        : async (...words: unknown[]) => {
            if (store.isDown && name !== 'close') throw new Error('it is down')
            return (verb as (...given: unknown[]) => unknown)(...words)
          },
    ]),
  )
  const store = { ...(guarded as unknown as VectorStore), isDown: false }
  return store
}

test('a custom vector store is filled, searched and kept in sync', async () => {
  const vectors = vectorsInProcess()
  const memory = await openWith(vectors)
  await memory
    .conversation('garage')
    .record([say('car', 'The car was painted.'), say('cat', 'A cat sleeps.')])
  await memory.whenDerived()
  const { items } = await memory.recall('which roadster?', { kinds: ['message'] })
  expect(items.map(({ id }) => id)).toEqual(['car'])
  const marks = (await vectors.contents(memory.workspaceId))?.marks.map(({ source }) => source)
  expect(marks?.sort()).toEqual(['facts', 'messages:garage', 'notes', 'summaries'])
})

test('only new messages are added to the vector store', async () => {
  const vectors = vectorsInProcess()
  const put: string[] = []
  const memory = await openWith({
    ...vectors,
    put: (workspace, entries) => {
      put.push(...entries.map(({ id }) => id))
      return vectors.put(workspace, entries)
    },
  })
  await memory
    .conversation('garage')
    .record([say('car', 'The car was painted.'), say('cat', 'A cat sleeps.')])
  await memory.whenDerived()
  expect(put.splice(0)).toEqual(['message:car:', 'message:cat:'])
  await memory.conversation('garage').record(say('wage', 'The wage was paid.'))
  await memory.whenDerived()
  expect(put).toEqual(['message:wage:'])
})

test('wrong hits of a vector store are not returned', async () => {
  const vectors = vectorsInProcess()
  const lying = ['message:elsewhere:', 'message:gone:', 'chunk:none:1:0:abc', 'fact:none:abc', 'nonsense', '']
  const memory = await openWith({
    ...vectors,
    nearest: async () => lying.map((id) => ({ id, similarity: 0.99 })),
  })
  await memory.workspace('other').conversation('garage').record(say('elsewhere', 'Not one car is left.'))
  await memory
    .conversation('garage')
    .record([say('car', 'The car was painted.'), say('gone', 'Away with it.')])
  await memory.whenDerived()
  await memory.messages.erase('gone')
  expect((await memory.recall('which feline?')).items).toEqual([])
})

test('a scope also applies to hits of a vector store', async () => {
  const vectors = vectorsInProcess()
  // One that does not know of conversations.
  const memory = await openWith({
    ...vectors,
    nearest: ({ sessions: _, ...lookup }) => vectors.nearest(lookup),
  })
  await memory.conversation('garage').record(say('car', 'The car was painted.'))
  await memory.conversation('off').record(say('off', 'A car that nobody should hear of.'))
  await memory.documents.add({ name: 'a.md', content: 'The doctor is in.', conversationId: 'garage' })
  await memory.whenDerived()
  const idsIn = async (question: string, conversationId?: string) => {
    const { items } = await memory.recall(question, conversationId === undefined ? {} : { conversationId })
    return items.map(({ kind, id }) => (kind === 'message' ? id : kind))
  }
  expect(await idsIn('which roadster?', 'garage')).toEqual(['car'])
  expect(await idsIn('which medic?', 'garage')).toContain('chunk')
  expect(await idsIn('which medic?', 'off')).not.toContain('chunk')
  await memory.conversation('off').update({ isMemoryOn: false })
  expect(await idsIn('which roadster?')).toEqual(['car'])
})

test('while it is filled, messages are found by the vectors in the store', async () => {
  const vectors = vectorsInProcess()
  const path = temporaryPath()
  const before = await openWith(vectors, { path })
  await before.conversation('garage').record(say('car', 'The car was painted.'))
  await before.whenDerived()
  await before.close()
  await vectors.drop(before.workspaceId)
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const memory = await openWith(
    { ...vectors, put: (workspace, entries) => held.then(() => vectors.put(workspace, entries)) },
    { path },
  )
  const done = memory.whenDerived()
  const { items } = await memory.recall('which roadster?', { kinds: ['message'] })
  expect(items.map(({ id }) => id)).toEqual(['car'])
  expect(memory.maintenance.vectorStore()?.isSynced).toBe(false)
  letGo()
  await done
  expect(memory.maintenance.vectorStore()?.isSynced).toBe(true)
})

test('lost entries are detected by their count and added again', async () => {
  const vectors = vectorsInProcess()
  const path = temporaryPath()
  const before = await openWith(vectors, { path })
  await before
    .conversation('garage')
    .record([say('car', 'The car was painted.'), say('cat', 'A cat sleeps.')])
  await before.conversation('work').record(say('wage', 'The wage was paid.'))
  await before.whenDerived()
  await before.close()
  await vectors.remove(before.workspaceId, ['message:cat:'])
  const memory = await openWith(vectors, { path })
  await memory.whenDerived()
  expect(await vectors.ids(memory.workspaceId, 'messages:garage')).toHaveLength(2)
  expect(await vectors.ids(memory.workspaceId, 'messages:work')).toHaveLength(1)
})

test('messages erased without access to the vector store are removed from it later', async () => {
  const vectors = vectorsInProcess()
  const path = temporaryPath()
  const before = await openWith(vectors, { path })
  await before
    .conversation('garage')
    .record([say('car', 'The car was painted.'), say('cat', 'A cat sleeps.')])
  await before.workspace('other').conversation('work').record(say('wage', 'The wage was paid.'))
  await before.whenDerived()
  await before.close()
  const plain = await openMemory(path)
  await plain.messages.erase('car')
  await plain.workspace('other').erase()
  await plain.close()
  const memory = await openWith(vectors, { path, derive: { when: 'never' } })
  expect(await memory.maintenance.finishErasing()).toBe(true)
  expect(await vectors.workspaces()).toEqual([memory.workspaceId])
  expect(await vectors.ids(memory.workspaceId, 'messages:garage')).toEqual([])
})

test('the metrics and the status report a failing vector store', async () => {
  const vectors = failing()
  const memory = await openWith(vectors)
  await memory.conversation('garage').record(say('car', 'The car was painted.'))
  await memory.whenDerived()
  const server = await startServer(memory, { port: 0 })
  onTestFinished(() => server.close())
  const figures = async () => (await fetch(`${server.url}/metrics`)).text()
  expect(await figures()).toMatch(/^recollect_vector_store_up 1$/m)
  vectors.isDown = true
  expect((await memory.recall('which car?')).notices.join()).toContain('it is down')
  const text = await figures()
  expect(text).toMatch(/^recollect_vector_store_up 0$/m)
  expect(text).toMatch(/^recollect_vector_store_failures_total [1-9]/m)
})

test('after failures, recall does not wait for it for a while', async () => {
  const vectors = vectorsInProcess()
  let asked = 0
  const memory = await openWith(
    {
      ...vectors,
      nearest: () => {
        asked++
        return new Promise(() => undefined)
      },
    },
    withTuning({}, { vectors: { timeoutMs: 100 } }),
  )
  await memory.conversation('garage').record(say('car', 'The car was painted.'))
  await memory.whenDerived()
  for (let i = 0; i < 6; i++) expect((await memory.recall('which car?')).notices).toHaveLength(1)
  expect(asked).toBeLessThanOrEqual(4)
})

test('two memories that share a store and a vector store fill it together without undoing each other’s work', async () => {
  const vectors = vectorsInProcess()
  const path = temporaryPath()
  const [one, two] = [await openWith(vectors, { path }), await openWith(vectors, { path })]
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      (i % 2 === 0 ? one : two)
        .conversation(`c${i}`)
        .record(say(`m${i}`, `The car was painted, number ${i}.`)),
    ),
  )
  await Promise.all([one.whenDerived(), two.whenDerived()])
  await one.conversation('c3').erase()
  await two.messages.erase('m4')
  await Promise.all([one.whenDerived(), two.whenDerived()])
  await Promise.all([one.whenDerived(), two.whenDerived()])
  const kept = [...Array(12).keys()].filter((i) => i !== 3 && i !== 4).map((i) => `message:m${i}:`)
  const ids = await Promise.all(
    [...Array(12).keys()].map((i) => vectors.ids(one.workspaceId, `messages:c${i}`)),
  )
  expect(ids.flat().sort()).toEqual(kept.sort())
  expect([one.maintenance.vectorStore()?.isSynced, two.maintenance.vectorStore()?.isSynced]).toEqual([
    true,
    true,
  ])
})
