import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  conversationId,
  type DerivationStore,
  type DocumentStore,
  type EditStore,
  type JobStore,
  type MessageLocator,
  messageId,
  queryId,
  type RecallStore,
  type Store,
} from 'recollect/store'
import { aJob, anEdit, readingOf, saveEdit } from './derived-samples.ts'
import { aDocument, aDocumentKey, addDocument, replaceDocument } from './document-samples.ts'
import { anAccessKey } from './keys.ts'
import { add, aPageKey, aQuery, save } from './page-samples.ts'
import { aKey, aMessage, append, aReceipt, aTerm, at, create, fork, HERE } from './samples.ts'

const trip = aKey('trip')

type Verb = Exclude<keyof Store, 'capabilities' | 'location' | 'replica' | 'close' | 'onCommit'>

/** Every method of a store, each called on something that exists. */
export function everyCall(store: Store): Readonly<Record<Verb, () => Promise<unknown>>> {
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
    erasureVersion: () => store.erasureVersion(HERE),
    findDerivation: () => store.findDerivation(reader),
    derivations: () => store.derivations(reader),
    activeDerivations: () => store.activeDerivations(HERE, 'reader'),
    commitDerivation: () => store.commitDerivation({ ...reader, ...commit, erasureVersion: '', now: at(9) }),
    dropDerivation: () => store.dropDerivation(reader),
    derivedItems: () => store.derivedItems(items),
    itemsVersion: () => store.itemsVersion(items),
    readings: () => store.readings({ ...reader, limit: 5 }),
    listStale: () => store.listStale({ deriver: 'reader', version: 'v1', behind: 1, limit: 5 }),
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
    findByWords: () => store.findByWords({ ...scope, allOf: [['words']] }),
    findByTime: () => store.findByTime({ ...scope, from: at(0) }),
    findNearest: () => store.findNearest({ ...scope, ...nearest }),
    getMessageMeta: () => store.getMessageMeta(HERE, [1 as MessageLocator]),
    getContents: () => store.getContents(HERE, [1 as MessageLocator]),
    locate: () => store.locate(HERE, [messageId('m1')]),
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
