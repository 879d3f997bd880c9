// Erasing documents, on their own or with the conversations that can see them.

import assert from 'node:assert/strict'
import { conversationId } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aDocumentKey, addDocument, findTexts } from './document-samples.ts'
import { aPageKey, save } from './page-samples.ts'
import { aKey, at, findProblems, HERE, needConversation } from './samples.ts'

const mills = aDocumentKey('mills')
const rivers = aDocumentKey('rivers')
const trip = aKey('trip')
const inTrip = { conversation: 'trip' }

export const documentErasing: readonly ConformanceCase[] = [
  {
    name: 'an erased document is gone with its text, chunks and words, from pages and conversations',
    async run(store) {
      await addDocument(store, mills, ['old mills', 'turn'], inTrip)
      await addDocument(store, rivers, ['rivers turn'], inTrip)
      await save(store, aPageKey('home'), { activeFile: { id: 'mills', name: 'Mills' } })
      await save(store, aPageKey('other'), { activeFile: { id: 'rivers' } })
      const erased = await store.eraseDocument(mills, at(9))
      const nothing = { messages: 0, conversations: 0, pages: 0, queries: 0, copiesIn: [] }
      assert.deepEqual(erased, { ...nothing, documents: 1, isScrubbed: store.capabilities.scrubsAtOnce })
      assert.equal(await store.findDocument(mills), undefined)
      assert.equal(await store.documentText(mills), undefined)
      assert.deepEqual(await store.chunks({ ...mills, limit: 9 }), [])
      assert.deepEqual(await findTexts(store, 'turn'), ['rivers turn'])
      const page = await store.findPage(aPageKey('home'))
      assert.deepEqual([page?.activeFile, page?.updatedAt], [null, at(9)])
      assert.deepEqual((await store.findPage(aPageKey('other')))?.activeFile, { id: 'rivers' })
      assert.deepEqual((await needConversation(store, trip)).documents, ['rivers'])
      assert.equal((await addDocument(store, mills, ['old mills', 'turn'])).isNew, true)
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'with conversations go the documents that only they see',
    async run(store) {
      await addDocument(store, aDocumentKey('mine'), ['only mine'], inTrip)
      await addDocument(store, aDocumentKey('both'), ['of both'], inTrip)
      await addDocument(store, aDocumentKey('wide'), ['of all'])
      await addDocument(store, aDocumentKey('loose'), ['of none'], { conversation: 'walk' })
      await store.detachDocument(aDocumentKey('loose'), conversationId('walk'))
      await store.attachDocument(aDocumentKey('both'), conversationId('walk'), at(2))
      await store.attachDocument(aDocumentKey('wide'), conversationId('trip'), at(2))
      await save(store, aPageKey('other'), { activeFile: { id: 'mine' } })
      assert.equal((await store.eraseConversations([trip])).documents, 1)
      const { items } = await store.listDocuments({ workspace: HERE, limit: 9 })
      assert.deepEqual(
        items.map(({ id, conversationIds }) => [id, conversationIds]),
        [
          ['loose', []],
          ['wide', []],
          ['both', ['walk']],
        ],
      )
      assert.equal((await store.findPage(aPageKey('other')))?.activeFile, null)
      assert.equal((await store.eraseConversations([aKey('walk')])).documents, 1)
      assert.deepEqual(await findProblems(store), [])
    },
  },
]
