import { expect, test } from 'vitest'
import { meaningEmbedder } from '../support/meaning-embedder.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { vectorsInProcess } from '../support/vectors-in-process.ts'

test('a vector store next to PostgreSQL is filled, searched, and cleared of erased data', async () => {
  const vectorStore = vectorsInProcess()
  const memory = await openTemporary({ embedder: meaningEmbedder(), vectorStore })
  await memory.conversation('garage').record([
    { id: 'car', role: 'user', content: 'The car was painted.' },
    { id: 'cat', role: 'user', content: 'A cat sleeps.' },
  ])
  const content = 'The doctor comes every Tuesday.'
  await memory.documents.add({ id: 'leaflet', name: 'a.md', content, conversationId: 'garage' })
  await memory.whenDerived()
  expect(memory.maintenance.vectorStore()).toMatchObject({ isSynced: true, behind: 0 })
  const kinds = async (question: string, conversationId?: string) => {
    const { items } = await memory.recall(question, conversationId === undefined ? {} : { conversationId })
    return items.map(({ kind }) => kind)
  }
  expect(await kinds('which roadster?')).toEqual(['message'])
  expect(await kinds('which medic?', 'garage')).toEqual(['chunk'])
  expect(await kinds('which medic?', 'elsewhere')).toEqual([])
  await memory.messages.erase('car')
  await memory.documents.erase('leaflet')
  expect(await vectorStore.ids(memory.workspaceId, 'messages:garage')).toEqual([])
  await memory.whenDerived()
  expect(await vectorStore.ids(memory.workspaceId, 'messages:garage')).toEqual(['message:cat:'])
  expect((await vectorStore.contents(memory.workspaceId))?.entries).toBe(1)
})
