// Statistics, check, rebuild, backup, closing.

import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conversationId, messageId, queryId } from '../../domain/ids.ts'
import type { Place } from '../../domain/place.ts'
import type { DerivationStore } from '../derivations.ts'
import type { DocumentStore } from '../document-store.ts'
import type { EditStore } from '../edits.ts'
import type { JobStore } from '../jobs.ts'
import type { RecallStore } from '../recall-store.ts'
import type { ConversationKey, Store } from '../store.ts'
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
import {
  aDocument,
  aDocumentKey,
  addDocument,
  findTexts,
  readDocuments,
  replaceDocument,
} from './document-samples.ts'
import { anAccessKey } from './keys.ts'
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

/** A little of everything that can happen to a store. */
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
  await save(store, aPageKey('trip'), { entities: { Ana: 1 }, activeFile: { id: 'sales' } })
  await add(store, aPageKey('trip'), manyQueries('q', 7), aQuery('grosse', 'große Zahlen'))
  await add(store, aPageKey('gone'), manyQueries('g', 3))
  await add(store, aPageKey('alone'), manyQueries('a', 2))
  await add(store, aPageKey('trip', ELSEWHERE), manyQueries('q', 2))
  await store.flagQuery(HERE, queryId('q2'), true)
  await store.eraseQuery(HERE, queryId('q6'))
  for (const key of [trip, gone]) await deriveMuch(store, key)
  await addMuch(store)
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

/** Documents of all, of conversations that stay and go; one replaced, one erased. */
async function addMuch(store: Store): Promise<void> {
  await addDocument(store, aDocumentKey('sales'), ['große sales', 'of mills'])
  await addDocument(store, aDocumentKey('trip'), ['trip to mills', 'and back'], { conversation: 'trip' })
  await addDocument(store, aDocumentKey('gone'), ['gone mills'], { conversation: 'gone' })
  await addDocument(store, aDocumentKey('erased'), ['erased mills'])
  await addDocument(store, aDocumentKey('sales', ELSEWHERE), ['their sales'])
  await replaceDocument(store, aDocumentKey('trip'), ['another trip', 'to mills', 'and rivers'])
  await store.eraseDocument(aDocumentKey('erased'), at(9))
}

/** A generation that is seen and one beside it, jobs in every state but dead, an edit. */
async function deriveMuch(store: Store, key: ConversationKey): Promise<void> {
  const reader = readingOf(key)
  const put = (['topic', 'summary', 'statement', 'entity'] as const).map((kind) => anItem('a', { kind }))
  await mustCommit(store, reader, { cursor: 5, readings: manyReadings(5), put, jobs: [aJob('a'), aJob('b')] })
  await mustCommit(store, reader, { revision: 1, cursor: 5, put: [anItem('b')], drop: [anItem('a')] })
  await mustCommit(store, reader, { generation: 2, put, isActive: false })
  await mustClaim(store, 9)
  await saveEdit(store, anEdit('a', { conversation: key.conversation }))
}

type Verb = Exclude<keyof Store, 'capabilities' | 'location' | 'replica' | 'close'>

/** Everything that can be asked of a store, each on something that is there. */
function everyCall(store: Store): Readonly<Record<Verb, () => Promise<unknown>>> {
  const range = { ...trip, limit: 5 }
  const list = { workspace: HERE, archived: 'with', limit: 5 } as const
  const page = aPageKey('trip')
  return {
    append: () => append(store, trip, { messages: [aMessage('late')] }),
    watch: () => store.watch({ workspace: HERE, onChange: () => undefined }),
    messages: () => store.messages(range),
    messageIds: () => store.messageIds(range),
    systemMessages: () => store.systemMessages(trip),
    findMessage: () => store.findMessage(HERE, messageId('m1')),
    searchMessages: () => store.searchMessages({ workspace: HERE, terms: [aTerm('words')], limit: 5 }),
    createConversation: () => create(store, aKey('late')),
    findConversation: () => store.findConversation(trip),
    changeConversation: () => store.changeConversation(trip, { title: 'late' }),
    listConversations: () => store.listConversations(list),
    fork: () => fork(store, trip, { at: 0, into: 'late' }),
    saveReceipt: () => store.saveReceipt(HERE, aReceipt('late', trip.conversation), 5),
    receipts: () => store.receipts(trip, 5),
    compress: () => store.compress(trip, [0, 1, 2]),
    compressedPositions: () => store.compressedPositions(trip),
    findPage: () => store.findPage(page),
    savePage: () => save(store, page),
    listPages: () => store.listPages(list),
    forgetDocument: () => store.forgetDocument(HERE, 'sales', at(9)),
    addQueries: () => add(store, page, aQuery('late')),
    queries: () => store.queries({ ...page, limit: 5 }),
    queriesAt: () => store.queriesAt(page, [0]),
    findQueryPositions: () => store.findQueryPositions({ ...page, words: ['how'], limit: 5 }),
    findQuery: () => store.findQuery(HERE, queryId('q1')),
    flagQuery: () => store.flagQuery(HERE, queryId('q1'), true),
    erasePage: () => store.erasePage(page),
    eraseQuery: () => store.eraseQuery(HERE, queryId('q1')),
    ...everyDerivedCall(store),
    ...everyRecallCall(store),
    ...everyDocumentCall(store),
    eraseDocument: () => store.eraseDocument(aDocumentKey('sales'), at(9)),
    addKey: () => store.addKey(anAccessKey('late')),
    findKey: () => store.findKey('late'),
    listKeys: () => store.listKeys(),
    noteKeyUse: () => store.noteKeyUse('late', at(9)),
    deleteKey: () => store.deleteKey(HERE, 'late'),
    eraseMessage: () => store.eraseMessage(HERE, messageId('m1'), at(9)),
    eraseConversations: () => store.eraseConversations([trip]),
    eraseWorkspace: () => store.eraseWorkspace(HERE),
    scrub: () => store.scrub(),
    listWorkspaces: () => store.listWorkspaces(),
    statistics: () => store.statistics(HERE),
    activity: () => store.activity({ workspace: HERE, from: at(0), days: 1 }),
    check: () => store.check(),
    rebuild: () => store.rebuild(),
    backup: () => store.backup(join(tmpdir(), `recollect-after-close-${process.pid}.db`)),
  }
}

type DerivedVerb = keyof DerivationStore | keyof JobStore | keyof EditStore

function everyDerivedCall(store: Store): Readonly<Record<DerivedVerb, () => Promise<unknown>>> {
  const reader = readingOf(trip)
  const items = { workspace: HERE, deriver: 'reader', kind: 'topic' } as const
  const ticket = { id: 1, lease: 'late' }
  const commit = { generation: 1, version: 'v1', revision: 0, cursor: 1, state: null, isActive: true }
  return {
    epoch: () => store.epoch(HERE),
    findDerivation: () => store.findDerivation(reader),
    derivations: () => store.derivations(reader),
    activeDerivations: () => store.activeDerivations(HERE, 'reader'),
    commitDerivation: () => store.commitDerivation({ ...reader, ...commit, epoch: '', now: at(9) }),
    dropDerivation: () => store.dropDerivation(reader),
    derivedItems: () => store.derivedItems(items),
    itemsVersion: () => store.itemsVersion(items),
    readings: () => store.readings({ ...reader, limit: 5 }),
    underived: () => store.underived({ deriver: 'reader', version: 'v1', behind: 1, limit: 5 }),
    addJobs: () => store.addJobs(trip, [aJob('late')], at(9)),
    claimJob: () => store.claimJob({ now: at(9), lease: 'late', leaseMs: 1000 }),
    nextJobAt: () => store.nextJobAt(),
    finishJob: () => store.finishJob(ticket),
    failJob: () => store.failJob(ticket, { error: 'late' }),
    releaseJob: () => store.releaseJob(ticket),
    renewJob: () => store.renewJob(ticket, at(99)),
    jobs: () => store.jobs({ workspace: HERE, limit: 5 }),
    reviveJobs: () => store.reviveJobs(HERE, at(9)),
    countJobs: () => store.countJobs(),
    saveEdit: () => saveEdit(store, anEdit('late')),
    edits: () => store.edits({ workspace: HERE }),
    deleteEdits: () => store.deleteEdits(HERE, [1]),
    editsVersion: () => store.editsVersion(HERE),
  }
}

function everyRecallCall(store: Store): Readonly<Record<keyof RecallStore, () => Promise<unknown>>> {
  const scope = { workspace: HERE, limit: 5 }
  const nearest = { deriver: 'reader', vector: new Float32Array([1, 0]), leastSimilarity: 0 }
  return {
    findPlaces: () => store.findPlaces({ ...scope, allOf: [['words']] }),
    findPlacesInTime: () => store.findPlacesInTime({ ...scope, from: at(0) }),
    findNearest: () => store.findNearest({ ...scope, ...nearest }),
    headsAt: () => store.headsAt(HERE, [1 as Place]),
    wordsAt: () => store.wordsAt(HERE, [1 as Place]),
    placesOf: () => store.placesOf(HERE, [messageId('m1')]),
    scopeSize: () => store.scopeSize(scope),
  }
}

function everyDocumentCall(store: Store): Readonly<Record<keyof DocumentStore, () => Promise<unknown>>> {
  const key = aDocumentKey('sales')
  const accepted = aDocument(['late'])
  const history = { version: 1, isWorkspaceWide: true, createdAt: at(1), updatedAt: at(1) }
  const conversation = conversationId('trip')
  return {
    addDocument: () => addDocument(store, key, ['late']),
    importDocument: () => store.importDocument({ ...key, ...history, accepted }),
    replaceDocument: () => replaceDocument(store, key, ['late']),
    findDocument: () => store.findDocument(key),
    findDocumentByContent: () => store.findDocumentByContent(HERE, 'late'),
    listDocuments: () => store.listDocuments({ workspace: HERE, limit: 5 }),
    documentText: () => store.documentText(key),
    chunks: () => store.chunks({ ...key, limit: 5 }),
    saveChunks: () => store.saveChunks(key, 1, accepted),
    attachDocument: () => store.attachDocument(key, conversation, at(9)),
    detachDocument: () => store.detachDocument(key, conversation),
    findChunkPlaces: () => store.findChunkPlaces({ workspace: HERE, allOf: [['late']], limit: 5 }),
    chunksAt: () => store.chunksAt(HERE, []),
  }
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
    name: 'statistics count what is there',
    async run(store) {
      await useMuch(store)
      const { storageBytes, savedBytes, ...counts } = await store.statistics(HERE)
      const [first, second] = [
        await needConversation(store, trip),
        await needConversation(store, aKey('branch')),
      ]
      assert.deepEqual(counts, {
        conversations: 3,
        archivedConversations: 1,
        messages: 22 + 11,
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
    name: 'statistics of a workspace that is not there are all zero',
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
    name: 'a check finds nothing wrong with a new store, nor with one that saw much',
    async run(store) {
      assert.deepEqual(await findProblems(store), [])
      await useMuch(store)
      assert.deepEqual(await findProblems(store), [])
      await store.eraseWorkspace(HERE)
      assert.deepEqual(await findProblems(store), [])
    },
  },
  {
    name: 'a rebuild changes nothing that can be seen, and tells how far it is',
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
      await add(store, aPageKey('trip'), aQuery('new', 'after the rebuild'))
      assert.deepEqual(await findQueryIds(store, aPageKey('trip'), { word: 'rebuild' }), ['new'])
    },
  },
  {
    name: 'a backup is a file of its own and changes nothing',
    requires: 'canBackUp',
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
    requires: 'canBackUp',
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
