// Adding, replacing, attaching and listing documents.

import assert from 'node:assert/strict'
import { conversationId, type DocumentId, type DocumentText } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aDocument,
  aDocumentKey,
  addDocument,
  findTexts,
  needDocument,
  readDocuments,
  replaceDocument,
} from './document-samples.ts'
import { aPageKey, save } from './page-samples.ts'
import {
  aKey,
  append,
  at,
  create,
  ELSEWHERE,
  findProblems,
  fork,
  HERE,
  many,
  needConversation,
  rejectsWith,
  upTo,
} from './samples.ts'

const mills = aDocumentKey('mills')
const rivers = aDocumentKey('rivers')
const theirMills = aDocumentKey('mills', ELSEWHERE)
const trip = aKey('trip')
const inTrip = { conversation: 'trip' }

const CONTENT: DocumentText = {
  text: 'Mühlen 😀\r\n\tturn; "quotes" \\ and \u202e marks',
  blocks: [
    { kind: 'heading', start: 0, end: 8, level: 2, title: 'Mühlen "😀"' },
    { kind: 'header', start: 10, end: 12 },
    { kind: 'row', start: 12, end: 20 },
    { kind: 'code', start: 20, end: 22 },
    { kind: 'item', start: 22, end: 23 },
  ],
}

export const documents: readonly ConformanceCase[] = [
  {
    name: 'a document comes back as it was added, with its text and its chunks',
    async run(store) {
      const chunk = {
        index: 0,
        headingPath: ['Mühlen', '"x"'],
        text: 'Mühlen 😀',
        tokens: 4,
        start: 0,
        end: 44,
      }
      const accepted = aDocument(['x'], { name: 'Mühlen.md', content: CONTENT, chunks: [chunk] })
      const { document, isNew } = await store.addDocument({ ...mills, accepted, now: at(1) })
      assert.equal(isNew, true)
      const { content: _, chunks: __, ...fields } = accepted
      assert.deepEqual(document, {
        ...fields,
        id: 'mills',
        version: 1,
        characters: CONTENT.text.length,
        chunkCount: 1,
        isWorkspaceWide: true,
        conversationIds: [],
        createdAt: at(1),
        updatedAt: at(1),
      })
      assert.deepEqual(await store.findDocument(mills), document)
      assert.deepEqual(await store.documentText(mills), CONTENT)
      assert.deepEqual(await store.chunks({ ...mills, limit: 9 }), [
        { ...chunk, id: 'mills:1:0', documentId: 'mills', version: 1 },
      ])
    },
  },
  {
    name: 'what is not there is not found: no document, no text, no chunks',
    async run(store) {
      assert.equal(await store.findDocument(mills), undefined)
      assert.equal(await store.findDocumentByContent(HERE, 'none'), undefined)
      assert.equal(await store.documentText(mills), undefined)
      assert.deepEqual(await store.chunks({ ...mills, limit: 9 }), [])
      assert.deepEqual(await store.listDocuments({ workspace: HERE, limit: 9 }), { items: [] })
      await rejectsWith('not-found', replaceDocument(store, mills, ['x']))
      await rejectsWith('not-found', store.attachDocument(mills, undefined, at(1)))
      await rejectsWith('not-found', store.detachDocument(mills, undefined))
      await rejectsWith('not-found', store.eraseDocument(mills, at(1)))
      assert.equal(await store.saveChunks(mills, 1, aDocument(['x'])), false)
      assert.deepEqual(await store.listWorkspaces(), [])
    },
  },
  {
    name: 'the same content is there once: under its id again, and under no other',
    async run(store) {
      await addDocument(store, mills, ['old mills', 'turn'])
      const again = await addDocument(store, mills, ['old mills', 'turn'], { now: at(5), ...inTrip })
      assert.equal(again.isNew, false)
      assert.deepEqual(again.document.createdAt, at(1))
      assert.deepEqual([again.document.isWorkspaceWide, again.document.conversationIds], [true, ['trip']])
      const before = await readDocuments(store)
      await rejectsWith('conflict', addDocument(store, rivers, ['old mills', 'turn']))
      await rejectsWith('conflict', addDocument(store, mills, ['other words']))
      assert.deepEqual(await readDocuments(store), before)
      assert.equal((await store.findDocumentByContent(HERE, 'hash of old mills\nturn'))?.id, 'mills')
      assert.deepEqual(await findTexts(store, 'mills'), ['old mills'])
    },
  },
  {
    name: 'many who add the same document at once add one',
    async run(store) {
      const added = await Promise.all(upTo(8).map(() => addDocument(store, mills, ['old mills', 'turn'])))
      assert.equal(added.filter(({ isNew }) => isNew).length, 1)
      assert.deepEqual(await findTexts(store, 'turn'), ['turn'])
    },
  },
  {
    name: 'a replaced document has the new version only, under its id and attached as before',
    async run(store) {
      await addDocument(store, mills, ['old mills', 'turn slowly', 'and stop'], inTrip)
      const { document, isNew } = await replaceDocument(store, mills, ['new mills', 'turn'], { name: 'n.md' })
      assert.equal(isNew, true)
      assert.deepEqual([document.version, document.name, document.chunkCount], [2, 'n.md', 2])
      assert.deepEqual([document.createdAt, document.updatedAt], [at(1), at(7)])
      assert.deepEqual([document.isWorkspaceWide, document.conversationIds], [false, ['trip']])
      assert.equal((await store.documentText(mills))?.text, 'new mills\nturn')
      const chunks = await store.chunks({ ...mills, limit: 9 })
      assert.deepEqual(
        chunks.map(({ id, text }) => [id, text]),
        [
          ['mills:2:0', 'new mills'],
          ['mills:2:1', 'turn'],
        ],
      )
      assert.deepEqual(await findTexts(store, 'slowly'), [])
      assert.deepEqual(await findTexts(store, 'stop'), [])
      assert.deepEqual(await findTexts(store, 'mills'), ['new mills'])
      assert.equal(
        await store.findDocumentByContent(HERE, 'hash of old mills\nturn slowly\nand stop'),
        undefined,
      )
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'replaced by the same content, a document only gets its new name',
    async run(store) {
      await addDocument(store, mills, ['old mills'])
      const { document, isNew } = await replaceDocument(store, mills, ['old mills'], { name: 'renamed.md' })
      assert.deepEqual([isNew, document.version, document.name], [false, 1, 'renamed.md'])
      assert.deepEqual(document.updatedAt, at(7))
      const same = await replaceDocument(store, mills, ['old mills'], { name: 'renamed.md' })
      assert.deepEqual(same, { document, isNew: false })
    },
  },
  {
    name: 'a document cannot be replaced by the content of another document',
    async run(store) {
      await addDocument(store, mills, ['old mills'])
      await addDocument(store, rivers, ['wide rivers'])
      const before = await readDocuments(store)
      await rejectsWith('conflict', replaceDocument(store, mills, ['wide rivers']))
      assert.deepEqual(await readDocuments(store), before)
    },
  },
  {
    name: 'chunks can be replaced for the same text, unless the text was replaced meanwhile',
    async run(store) {
      await addDocument(store, mills, ['old mills', 'turn'])
      const { chunks, ...counts } = aDocument(['old mills turn'], { tokens: 77, tokenizer: 'other' })
      assert.equal(await store.saveChunks(mills, 1, { ...counts, chunks }), true)
      const document = await needDocument(store, mills)
      assert.deepEqual([document.version, document.chunkCount, document.tokens], [1, 1, 77])
      assert.deepEqual(document.tokenizer, 'other')
      assert.deepEqual(await findTexts(store, 'mills turn'), ['old mills turn'])
      assert.equal((await store.documentText(mills))?.text, 'old mills\nturn')
      await replaceDocument(store, mills, ['new mills'])
      assert.equal(await store.saveChunks(mills, 1, { ...counts, chunks }), false)
      assert.deepEqual(await findTexts(store, 'mills'), ['new mills'])
    },
  },
  {
    name: 'chunks are read in order, a stretch at a time',
    async run(store) {
      await addDocument(
        store,
        mills,
        upTo(7).map((i) => `part ${i}`),
      )
      const read = async (after: number, limit: number) =>
        (await store.chunks({ ...mills, after, limit })).map(({ index }) => index)
      assert.deepEqual(await read(-1, 3), [0, 1, 2])
      assert.deepEqual(await read(2, 3), [3, 4, 5])
      assert.deepEqual(await read(5, 3), [6])
    },
  },
  {
    name: 'lists of conversations and documents say the same, from whichever side it was said',
    async run(store) {
      await addDocument(store, mills, ['old mills'], inTrip)
      assert.deepEqual((await needConversation(store, trip)).documents, ['mills'])
      await create(store, aKey('walk'), { documents: ['unknown', 'mills'] })
      assert.deepEqual((await needDocument(store, mills)).conversationIds, ['trip', 'walk'])
      await store.changeConversation(trip, { documents: [] })
      assert.deepEqual((await needDocument(store, mills)).conversationIds, ['walk'])
      await store.detachDocument(mills, conversationId('walk'))
      assert.deepEqual((await needConversation(store, aKey('walk'))).documents, ['unknown'])
      const attached = await store.attachDocument(mills, conversationId('new'), at(3))
      assert.deepEqual(attached.conversationIds, ['new'])
      assert.deepEqual((await needConversation(store, aKey('new'))).createdAt, at(3))
      await append(store, aKey('new'), { messages: many('m', 1) })
      await fork(store, aKey('new'), { at: 0, into: 'branch', fields: { documents: ['mills'] } })
      assert.deepEqual((await needDocument(store, mills)).conversationIds, ['new', 'branch'])
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'a document is for every conversation, or no longer',
    async run(store) {
      await addDocument(store, mills, ['old mills'], inTrip)
      assert.equal((await needDocument(store, mills)).isWorkspaceWide, false)
      assert.equal((await store.attachDocument(mills, undefined, at(2))).isWorkspaceWide, true)
      const detached = await store.detachDocument(mills, undefined)
      assert.deepEqual([detached.isWorkspaceWide, detached.conversationIds], [false, ['trip']])
    },
  },
  {
    name: 'documents are listed newest first, a page at a time, of one conversation if asked',
    async run(store) {
      for (const i of upTo(5)) {
        const where = i % 2 === 0 ? inTrip : {}
        await addDocument(store, aDocumentKey(`d${i}`), [`words ${i}`], where)
      }
      const list = async (conversation?: string) => {
        const ids: DocumentId[] = []
        for (let cursor: string | undefined; ; ) {
          const page = await store.listDocuments({
            workspace: HERE,
            limit: 2,
            ...(conversation !== undefined && { conversation: conversationId(conversation) }),
            ...(cursor !== undefined && { cursor }),
          })
          ids.push(...page.items.map(({ id }) => id))
          if (page.next === undefined) return ids
          cursor = page.next
        }
      }
      assert.deepEqual(await list(), ['d4', 'd3', 'd2', 'd1', 'd0'])
      assert.deepEqual(await list('trip'), ['d4', 'd2', 'd0'])
      assert.deepEqual(await list('none'), [])
    },
  },
  {
    name: 'an imported document keeps its history and is imported once',
    async run(store) {
      const history = { version: 4, isWorkspaceWide: false, createdAt: at(2), updatedAt: at(6) }
      const imported = { ...mills, accepted: aDocument(['old mills']), ...history }
      const { document, isNew } = await store.importDocument(imported)
      assert.equal(isNew, true)
      const { version, isWorkspaceWide, createdAt, updatedAt } = document
      assert.deepEqual({ version, isWorkspaceWide, createdAt, updatedAt }, history)
      assert.deepEqual(await store.importDocument(imported), { document, isNew: false })
      const other = await store.importDocument({ ...imported, ...rivers })
      assert.deepEqual(other, { document, isNew: false })
      const newer = await store.importDocument({ ...imported, accepted: aDocument(['new mills']) })
      assert.deepEqual(newer, { document, isNew: false })
    },
  },
  {
    name: 'documents of another workspace are neither seen nor touched',
    async run(store) {
      await addDocument(store, theirMills, ['their mills'], inTrip)
      await save(store, aPageKey('home', ELSEWHERE), { activeFile: { id: 'mills' } })
      const before = await readDocuments(store, ELSEWHERE)
      assert.equal(await store.findDocument(mills), undefined)
      assert.equal(await store.findDocumentByContent(HERE, 'hash of their mills'), undefined)
      assert.equal((await addDocument(store, mills, ['their mills'], inTrip)).isNew, true)
      await replaceDocument(store, mills, ['our mills'])
      assert.deepEqual(await findTexts(store, 'mills'), ['our mills'])
      await store.detachDocument(mills, conversationId('trip'))
      await store.eraseDocument(mills, at(9))
      assert.deepEqual(await readDocuments(store, ELSEWHERE), before)
      assert.deepEqual((await store.findPage(aPageKey('home', ELSEWHERE)))?.activeFile, { id: 'mills' })
      await addDocument(store, mills, ['our mills'])
      assert.equal((await store.eraseWorkspace(HERE)).documents, 1)
      assert.deepEqual(await readDocuments(store, HERE), [])
      assert.deepEqual(await readDocuments(store, ELSEWHERE), before)
    },
  },
]
