// Finding chunks by their words, and who may see them.

import assert from 'node:assert/strict'
import { conversationId, type MessageLocator, POSITIONS_PER_CONVERSATION } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import { aDocument, aDocumentKey, addDocument, findChunks, findTexts } from './document-samples.ts'
import { aKey, at, create, ELSEWHERE, HERE, upTo } from './samples.ts'

const mills = aDocumentKey('mills')

/** One document for the whole workspace, and one for each of two conversations, one of which has memory off. */
const SCOPES = { wide: undefined, trip: 'trip', secret: 'secret' }

export const chunkFinding: readonly ConformanceCase[] = [
  {
    name: 'a chunk is found by its words and by those of its headings, with what it is from',
    async run(store) {
      const accepted = aDocument(['Große Mühlen turn', 'rivers flow'], { name: 'Mühlen.md' })
      await store.addDocument({ ...mills, accepted, now: at(1) })
      const [chunk, ...others] = await findChunks(store, 'große muhlen')
      assert.deepEqual(others, [])
      assert.deepEqual(chunk, {
        ...accepted.chunks[0],
        id: 'mills:1:0',
        documentId: 'mills',
        documentName: 'Mühlen.md',
        version: 1,
        place: chunk?.place,
        createdAt: at(1),
      })
      assert.deepEqual(await findTexts(store, 'part 1'), ['rivers flow'])
      assert.deepEqual(await findTexts(store, 'book'), ['rivers flow', 'Große Mühlen turn'])
    },
  },
  {
    name: 'a chunk has a word of every group, or is not found',
    async run(store) {
      await addDocument(store, mills, ['old mills turn', 'new mills stop', 'old rivers'])
      const find = async (...allOf: readonly (readonly string[])[]) => findTexts(store, '', { allOf })
      assert.deepEqual(await find(['old', 'new'], ['mills']), ['new mills stop', 'old mills turn'])
      assert.deepEqual(await find(['turn', 'rivers']), ['old rivers', 'old mills turn'])
      assert.deepEqual(await find(['mills'], ['none']), [])
      assert.deepEqual(await find(['mills'], []), [])
    },
  },
  {
    name: 'asked for no words, all chunks that may be seen are found',
    async run(store) {
      await addDocument(store, mills, ['one', 'two'])
      await addDocument(store, aDocumentKey('hidden'), ['three'], { conversation: 'trip' })
      assert.deepEqual(await findTexts(store, '', { conversations: ['other'] }), ['two', 'one'])
      assert.deepEqual(await findTexts(store, '', { conversations: ['trip'] }), ['three', 'two', 'one'])
    },
  },
  {
    name: 'places are the number of the document and of the chunk, the highest first, up to the limit',
    async run(store) {
      await addDocument(
        store,
        mills,
        upTo(5).map((i) => `mill ${i}`),
      )
      await addDocument(store, aDocumentKey('later'), ['mill later'])
      const lookup = { workspace: HERE, allOf: [['mill']], limit: 3 }
      const { locators, count } = await store.findChunkPlaces(lookup)
      const [first = 0, second = 0, third = 0] = locators
      assert.equal(locators.length, 3)
      assert.equal(count, 6)
      assert.equal(first % POSITIONS_PER_CONVERSATION, 0)
      assert.deepEqual([second % POSITIONS_PER_CONVERSATION, third % POSITIONS_PER_CONVERSATION], [4, 3])
      assert.equal(second, third + 1)
      assert.deepEqual(
        (await store.chunksAt(HERE, locators)).map(({ text }) => text),
        ['mill later', 'mill 4', 'mill 3'],
      )
    },
  },
  {
    name: 'chunks are returned in the order of the locators, without missing ones',
    async run(store) {
      await addDocument(store, mills, ['one', 'two', 'three'])
      const { locators } = await store.findChunkPlaces({ workspace: HERE, allOf: [], limit: 9 })
      const [three = 0, two = 0, one = 0] = locators
      const asked = [one, three, three + 1, two, 2 ** 40].map((place) => place as MessageLocator)
      assert.deepEqual(
        (await store.chunksAt(HERE, asked)).map(({ text }) => text),
        ['one', 'three', 'two'],
      )
      assert.deepEqual(await store.chunksAt(ELSEWHERE, locators), [])
    },
  },
  {
    name: 'a conversation sees what is for all and what is attached to it; nobody else sees that',
    async run(store) {
      await create(store, aKey('secret'), { isMemoryOn: false })
      for (const [name, conversation] of Object.entries(SCOPES)) {
        const where = conversation === undefined ? {} : { conversation }
        await addDocument(store, aDocumentKey(name), [`${name} mill`], where)
      }
      const find = async (conversations?: readonly string[]) =>
        (await findTexts(store, 'mill', conversations === undefined ? {} : { conversations })).toSorted()
      assert.deepEqual(await find(['trip']), ['trip mill', 'wide mill'])
      assert.deepEqual(await find(['secret']), ['secret mill', 'wide mill'])
      assert.deepEqual(await find(['trip', 'secret']), ['secret mill', 'trip mill', 'wide mill'])
      assert.deepEqual(await find(['other']), ['wide mill'])
      assert.deepEqual(await find(), ['trip mill', 'wide mill'], 'not what is not remembered')
      await store.changeConversation(aKey('secret'), { isMemoryOn: true })
      assert.deepEqual(await find(), ['secret mill', 'trip mill', 'wide mill'])
      await store.detachDocument(aDocumentKey('trip'), conversationId('trip'))
      assert.deepEqual(await find(['trip']), ['wide mill'])
    },
  },
  {
    name: 'the same holds in a workspace of very many documents',
    async run(store) {
      await create(store, aKey('secret'), { isMemoryOn: false })
      for (const i of upTo(450)) {
        const conversation = ['trip', 'secret'][i % 2] as string
        await addDocument(store, aDocumentKey(`d${i}`), [`mill ${i}`], { conversation })
      }
      const count = async (conversations?: readonly string[]) => {
        const texts = await findTexts(store, 'mill', { limit: 1000, ...(conversations && { conversations }) })
        return [texts.length, texts.every((text) => Number(text.split(' ')[1]) % 2 === 0)]
      }
      assert.deepEqual(await count(), [225, true])
      assert.deepEqual(await count(['trip']), [225, true])
      assert.deepEqual(await count(['trip', 'secret']), [450, false])
      assert.deepEqual(await count(['none']), [0, true])
    },
  },
  {
    name: 'of named documents only those are found that may be seen',
    async run(store) {
      await addDocument(store, mills, ['wide mill'])
      await addDocument(store, aDocumentKey('other'), ['other mill'])
      await addDocument(store, aDocumentKey('hidden'), ['hidden mill'], { conversation: 'trip' })
      const find = (documents: readonly string[], conversations: readonly string[]) =>
        findTexts(store, 'mill', { documents, conversations })
      assert.deepEqual(await find(['mills', 'hidden', 'none'], ['walk']), ['wide mill'])
      assert.deepEqual(await find(['mills', 'hidden'], ['trip']), ['hidden mill', 'wide mill'])
      assert.deepEqual(await find([], ['trip']), [])
    },
  },
  {
    name: 'counts of chunks are exact up to the limit, and near beyond it, of one workspace only',
    async run(store) {
      const many = upTo(3000).map((i) => (i % 3 === 0 ? `rare mill ${i}` : `mill ${i}`))
      await addDocument(store, mills, many)
      await addDocument(
        store,
        aDocumentKey('theirs', ELSEWHERE),
        upTo(500).map((i) => `mill ${i}`),
      )
      const count = async (word: string, limit: number) =>
        (await store.findChunkPlaces({ workspace: HERE, allOf: [[word]], limit })).count
      assert.equal(await count('rare', 5000), 1000)
      assert.equal(await count('2999', 10), 1)
      const estimated = await count('mill', 10)
      assert.ok(estimated > 2500 && estimated < 3500, `${estimated} of 3000`)
      assert.equal(
        (await store.findChunkPlaces({ workspace: HERE, allOf: [['mill']], limit: 10 })).locators.length,
        10,
      )
    },
  },
]
