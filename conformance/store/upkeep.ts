// Statistics, check, rebuild, backup and close.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationKey, messageId, queryId, type Store } from 'recollect/store'
import type { ConformanceCase } from './conformance-case.ts'
import {
  aJob,
  anEdit,
  anItem,
  manyReadings,
  mustClaim,
  mustCommit,
  readingOf,
  saveEdit,
  sourcesOf,
} from './derived-samples.ts'
import { aDocumentKey, addDocument, findTexts, readDocuments, replaceDocument } from './document-samples.ts'
import { everyCall } from './every-call.ts'
import { add, aPageKey, aQuery, findQueryIds, manyQueries, readPages, save } from './page-samples.ts'
import {
  aKey,
  aMessage,
  append,
  aReceipt,
  aTerm,
  at,
  create,
  ELSEWHERE,
  findIds,
  findProblems,
  fork,
  HERE,
  listIds,
  many,
  needConversation,
  readWorkspace,
  rejectsWith,
} from './samples.ts'

const trip = aKey('trip')
const gone = aKey('gone')

/** Uses a bit of everything in a store. */
async function useMuch(store: Store): Promise<void> {
  const message = aMessage('big', [{ type: 'text', text: 'große Reise' }], { role: 'assistant' })
  await append(store, trip, { messages: [...many('m', 20), message], suggestTitle: () => 'A made title' })
  await append(store, trip, { messages: [message] })
  await append(store, gone, { messages: many('g', 5), appendKey: 'k' })
  await append(store, aKey('trip', ELSEWHERE), { messages: many('m', 3) })
  await create(store, aKey('empty'), { title: 'Empty', tags: ['x'], archivedAt: at(3) })
  await fork(store, trip, { at: 10, into: 'branch' })
  await store.changeConversation(aKey('empty'), { title: 'Renamed', tags: ['y', 'z'] })
  for (const id of ['r1', 'r2']) await store.saveReceipt(HERE, aReceipt(id, trip.conversation), 5)
  await store.compress(trip, [1, 2, 3, 4, 5, 6, 20])
  if (store.capabilities.hasPages !== false) await usePages(store)
  for (const key of [trip, gone]) await deriveMuch(store, key)
  if (store.capabilities.hasDocuments !== false) await addMuch(store)
  await store.eraseMessage(HERE, messageId('m3'), at(9))
  await store.eraseConversations([gone])
  await deriveMuch(store, trip)
  await mustCommit(store, readingOf(aKey('branch')), { cursor: 11, readings: manyReadings(11) })
  await saveEdit(store, anEdit('late', sourcesOf('m5')))
  await Promise.allSettled([
    append(store, trip, { messages: [aMessage('m5', 'conflict')] }),
    append(store, trip, { messages: [aMessage('last', 'the last word')] }),
    add(store, aPageKey('trip'), aQuery('q0', 'conflict')),
  ])
}

async function usePages(store: Store): Promise<void> {
  await save(store, aPageKey('trip'), { entities: { Ana: 1 }, activeFile: { id: 'sales' } })
  await add(store, aPageKey('trip'), manyQueries('q', 7), aQuery('grosse', 'große Zahlen'))
  await add(store, aPageKey('gone'), manyQueries('g', 3))
  await add(store, aPageKey('alone'), manyQueries('a', 2))
  await add(store, aPageKey('trip', ELSEWHERE), manyQueries('q', 2))
  await store.flagQuery(HERE, queryId('q2'), true)
  await store.eraseQuery(HERE, queryId('q6'))
}

/** Documents of the workspace, and of conversations that stay and that are erased; one replaced, one erased. */
async function addMuch(store: Store): Promise<void> {
  await addDocument(store, aDocumentKey('sales'), ['große sales', 'of mills'])
  await addDocument(store, aDocumentKey('trip'), ['trip to mills', 'and back'], { conversation: 'trip' })
  await addDocument(store, aDocumentKey('gone'), ['gone mills'], { conversation: 'gone' })
  await addDocument(store, aDocumentKey('erased'), ['erased mills'])
  await addDocument(store, aDocumentKey('sales', ELSEWHERE), ['their sales'])
  await replaceDocument(store, aDocumentKey('trip'), ['another trip', 'to mills', 'and rivers'])
  await store.eraseDocument(aDocumentKey('erased'), at(9))
}

/** An active generation and one beside it, jobs in every state but dead, an edit. */
async function deriveMuch(store: Store, key: ConversationKey): Promise<void> {
  const reader = readingOf(key)
  const put = (['topic', 'summary', 'statement', 'entity'] as const).map((kind) => anItem('a', { kind }))
  await mustCommit(store, reader, { cursor: 5, readings: manyReadings(5), put, jobs: [aJob('a'), aJob('b')] })
  await mustCommit(store, reader, { revision: 1, cursor: 5, put: [anItem('b')], drop: [anItem('a')] })
  await mustCommit(store, reader, { generation: 2, put, isActive: false })
  await mustClaim(store, 9)
  await saveEdit(store, anEdit('a', { conversation: key.conversation }))
}

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-conformance-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const upkeep: readonly ConformanceCase[] = [
  {
    name: 'statistics count stored items',
    requires: ['hasPages', 'hasDocuments', 'canCompress'],
    async run(store) {
      await useMuch(store)
      const { storageBytes, savedBytes, conversationSeconds, ...counts } = await store.statistics(HERE)
      const [first, second] = [
        await needConversation(store, trip),
        await needConversation(store, aKey('branch')),
      ]
      assert.deepEqual(counts, {
        conversations: 3,
        archivedConversations: 1,
        messages: 22 + 11,
        turns: 30,
        erasedMessages: 2,
        compressedMessages: 6,
        tokens: first.tokenCount + second.tokenCount,
        receipts: 2,
        pages: 2,
        queries: 9,
        documents: 2,
        chunks: 5,
        topics: 1,
        entities: 1,
        statements: 1,
        summaries: 1,
        edits: 3,
        waitingJobs: 1,
        runningJobs: 1,
        deadJobs: 0,
      })
      assert.ok(conversationSeconds >= 0)
      await store.failJob(await mustClaim(store, 60), { error: 'given up' })
      const { waitingJobs, runningJobs, deadJobs } = await store.statistics(HERE)
      assert.deepEqual(
        { waitingJobs, runningJobs, deadJobs },
        { waitingJobs: 1, runningJobs: 0, deadJobs: 1 },
      )
      assert.ok(storageBytes > 0 && savedBytes > 0)
    },
  },
  {
    name: 'statistics of a missing workspace are all zero',
    async run(store) {
      const { storageBytes: _, ...counts } = await store.statistics(HERE)
      assert.ok(Object.values(counts).every((count) => count === 0))
      assert.deepEqual(await store.listWorkspaces(), [])
    },
  },
  {
    name: 'every workspace is listed once',
    async run(store) {
      await append(store, aKey('a', ELSEWHERE), { messages: many('m', 1) })
      await create(store, aKey('b', HERE))
      await append(store, aKey('c', ELSEWHERE), { messages: many('n', 1) })
      assert.deepEqual([...(await store.listWorkspaces())].sort(), [ELSEWHERE, HERE])
    },
  },
  {
    name: 'a check finds no problems in a new store or in a heavily used one',
    async run(store) {
      assert.deepEqual(await findProblems(store), [])
      await useMuch(store)
      assert.deepEqual(await findProblems(store), [])
      await store.eraseWorkspace(HERE)
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'a rebuild changes nothing visible, and reports its progress',
    async run(store) {
      await useMuch(store)
      const look = async () => [
        await readWorkspace(store),
        await readWorkspace(store, ELSEWHERE),
        await readPages(store, HERE),
        await readDocuments(store),
        await findTexts(store, 'mills'),
        await findTexts(store, 'große'),
        await findQueryIds(store, aPageKey('trip'), { word: 'große' }),
        await findQueryIds(store, aPageKey('trip'), { word: 'many' }),
        await findIds(store, 'words'),
        await findIds(store, 'grosse reise'),
        await findIds(store, [aTerm('gro', true)]),
        await findIds(store, 'm3'),
        await listIds(store, { archived: 'with', terms: [aTerm('renamed')] }),
      ]
      const before = await look()
      const progress: (readonly [number, number])[] = []
      await store.rebuild((done, total) => progress.push([done, total]))
      assert.deepEqual(await look(), before)
      assert.deepEqual(await findProblems(store), [])
      const [done, total] = progress.at(-1) ?? [0, -1]
      assert.equal(done, total)
      await append(store, trip, { messages: [aMessage('after', 'after the rebuild')] })
      assert.deepEqual(await findIds(store, 'rebuild'), ['after'])
      if (store.capabilities.hasPages === false) return
      await add(store, aPageKey('trip'), aQuery('new', 'after the rebuild'))
      assert.deepEqual(await findQueryIds(store, aPageKey('trip'), { word: 'rebuild' }), ['new'])
    },
  },
  {
    name: 'a backup is a separate file and changes nothing',
    requires: ['canBackUp'],
    run: (store) =>
      withFolder(async (folder) => {
        await useMuch(store)
        const before = await readWorkspace(store)
        const progress: number[] = []
        await store.backup(join(folder, 'copy'), (done, total) => progress.push(done / total))
        assert.deepEqual(await readdir(folder), ['copy'])
        assert.ok((await stat(join(folder, 'copy'))).size > 0)
        assert.ok(progress.every((share) => share >= 0 && share <= 1))
        assert.deepEqual(await readWorkspace(store), before)
      }),
  },
  {
    name: 'a backup never overwrites a file',
    requires: ['canBackUp'],
    run: (store) =>
      withFolder(async (folder) => {
        await store.backup(join(folder, 'copy'))
        const { mtimeMs, size } = await stat(join(folder, 'copy'))
        await rejectsWith('conflict', store.backup(join(folder, 'copy')))
        const after = await stat(join(folder, 'copy'))
        assert.deepEqual([after.mtimeMs, after.size], [mtimeMs, size])
        assert.deepEqual(await readdir(folder), ['copy'])
      }),
  },
  {
    name: 'what was asked for before closing is done, and whatever comes later is refused',
    async run(store) {
      const appended = append(store, trip, { messages: many('m', 3) })
      const closed = store.close()
      assert.equal((await appended).added, 3)
      await closed
      for (const [name, call] of Object.entries(everyCall(store))) {
        if (name === 'backup' && !store.capabilities.canBackUp) continue
        await rejectsWith('store-closed', call())
      }
      await store.close()
    },
  },
]
