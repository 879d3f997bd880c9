// The store in one SQLite file: a table of contents. Each verb is a function over the connection in the
// file named for its noun; here it is decided which are reads and which are writes.

import { newId } from '../../domain/ids.ts'
import type { DerivationStore } from '../derivations.ts'
import type { DocumentStore } from '../document-store.ts'
import { packText } from '../document-text.ts'
import type { EditStore } from '../edits.ts'
import { gather } from '../gather.ts'
import type { JobStore } from '../jobs.ts'
import type { KeyStore } from '../key-store.ts'
import { areNamedEdits, isNamedItem, type NamedEdits, type NamedItem } from '../named-lists.ts'
import type { PageStore } from '../page-store.ts'
import type { RecallStore } from '../recall-store.ts'
import { toConversation } from '../rows.ts'
import type { ConversationKey, Store } from '../store.ts'
import { tellChanges } from '../tell-changes.ts'
import { readActivity } from './activity.ts'
import { beginAppend, fork } from './append.ts'
import { attachDocument, detachDocument } from './attachments.ts'
import { backUp } from './backup.ts'
import { checkFile } from './check.ts'
import { findChunkPlaces, readChunksAt } from './chunk-lookup.ts'
import { commitDerivation } from './commit-derivation.ts'
import { compress, readCompressedPositions } from './compress.ts'
import type { Connection } from './connection.ts'
import { changeConversation, createConversation, findRow, listConversations } from './conversations.ts'
import { readEditsVersion, readEpoch, readItemsVersion } from './departures.ts'
import { dropDerivation, findDerivation, listActive, listDerivations } from './derivations.ts'
import { readItems, readNamedItems } from './derived-items.ts'
import {
  findDocument,
  findDocumentByContent,
  listDocuments,
  readChunks,
  readDocumentText,
} from './document-reads.ts'
import { addDocument, importDocument, replaceDocument, saveChunks } from './documents.ts'
import { loadDriver, type SqliteDriver } from './driver.ts'
import { deleteEdits, readEdits, readNamedEdits, saveEdit } from './edits.ts'
import {
  eraseConversations,
  eraseDocument,
  eraseMessage,
  erasePage,
  eraseQuery,
  eraseWorkspace,
} from './erase.ts'
import { FileWatching } from './file-watching.ts'
import {
  addJobs,
  claimJob,
  countJobs,
  failJob,
  finishJob,
  listJobs,
  nextJobAt,
  releaseJob,
  renewJob,
  reviveJobs,
} from './jobs.ts'
import { keepTidy } from './keep-tidy.ts'
import { addKey, deleteKey, findKey, listKeys, noteKeyUse } from './keys.ts'
import { findMessage, readMessageIds, readMessages, readSystemMessages } from './messages.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { IN_MEMORY, type OpenSettings, openDatabase } from './open-database.ts'
import { findPage, forgetDocument, listPages, savePage } from './pages.ts'
import {
  addQueries,
  findQuery,
  findQueryPositions,
  flagQuery,
  readQueries,
  readQueriesAt,
} from './queries.ts'
import { readReadings } from './readings.ts'
import { hasOldWords, noteWordsVersion, rebuild } from './rebuild.ts'
import { readHeads, readPlaces, readWordsAt } from './recall/at-places.ts'
import { findPlacesInTime } from './recall/find-in-time.ts'
import { findNearest } from './recall/find-nearest.ts'
import { findPlaces } from './recall/find-places.ts'
import { readScopeSize } from './recall/scope.ts'
import { readReceipts, saveReceipt } from './receipts.ts'
import { scrub } from './scrub.ts'
import { searchMessages } from './search-messages.ts'
import { readStatistics, readWorkspaces } from './statistics.ts'
import { findUnderived } from './unread.ts'

export async function openSqliteStore(settings: OpenSettings): Promise<Store> {
  const driver = await loadDriver()
  const connection = await openDatabase(driver, settings)
  try {
    await prepare(driver, connection, settings.path)
  } catch (error) {
    await connection.close()
    throw error
  }
  const watching = new FileWatching(connection)
  const store = keepTidy(toStore({ driver, connection, watching }, settings.path), connection)
  return tellChanges(store, watching.tell)
}

interface StoreParts {
  readonly driver: SqliteDriver
  readonly connection: Connection
  readonly watching: FileWatching
}

async function prepare(driver: SqliteDriver, connection: Connection, path: string): Promise<void> {
  const now = new Date()
  await migrate({
    connection,
    migrations: MIGRATIONS,
    now,
    // A name of its own: other programs may be opening the same file, and an earlier try may have failed.
    keepCopy: (version) =>
      backUp(driver, connection, { from: path, to: `${path}.schema-${version}.${newId(now)}.bak` }),
  })
  if (await connection.read(() => hasOldWords(connection))) await connection.write(() => rebuild(connection))
  else if (await connection.read(() => isNew(connection)))
    await connection.write(() => noteWordsVersion(connection))
  await scrub(connection)
}

const isNew = (connection: Connection): boolean => connection.get('SELECT 1 FROM setting') === undefined

interface Access {
  readonly enter: <T>(work: () => Promise<T>) => Promise<T>
  readonly read: <T>(work: () => T) => Promise<T>
  readonly write: <T>(work: () => T) => Promise<T>
  /** The key names what is written, and nothing else is touched. */
  readonly writeApart: <T>(key: readonly unknown[], begin: () => () => T) => Promise<T>
}

function derivedVerbs(
  connection: Connection,
  { enter, read, write, writeApart }: Access,
): DerivationStore & JobStore & EditStore {
  const readNamedItem = together(connection, (named: readonly NamedItem[]) =>
    readNamedItems(connection, named),
  )
  const readEditsOf = together(connection, (named: readonly NamedEdits[]) =>
    readNamedEdits(connection, named),
  )
  return {
    epoch: (workspace) => read(() => readEpoch(connection, workspace)),
    findDerivation: (key, generation) => read(() => findDerivation(connection, key, generation)),
    derivations: (key) => read(() => listDerivations(connection, key)),
    activeDerivations: (workspace, deriver) => read(() => listActive(connection, workspace, deriver)),
    commitDerivation: (commit) => {
      const work = () => commitDerivation(connection, commit)
      if (commit.finishes !== undefined) return write(work)
      const { workspace, conversation, deriver, generation } = commit
      return writeApart([workspace, conversation, deriver, generation], () => work)
    },
    dropDerivation: (key, generation) => write(() => dropDerivation(connection, key, generation)),
    derivedItems: (list) =>
      isNamedItem(list) ? readNamedItem(list) : read(() => readItems(connection, list)),
    itemsVersion: ({ workspace, kind }) => read(() => readItemsVersion(connection, workspace, kind)),
    readings: (list) => read(() => readReadings(connection, list)),
    underived: (wanted) => enter(() => findUnderived(connection, wanted)),

    addJobs: (key, jobs, now) => write(() => addJobs(connection, key, { jobs, now })),
    claimJob: (request) => write(() => claimJob(connection, request)),
    nextJobAt: (kinds) => read(() => nextJobAt(connection, kinds)),
    finishJob: (ticket) => write(() => finishJob(connection, ticket)),
    failJob: (ticket, failure) => write(() => failJob(connection, ticket, failure)),
    releaseJob: (ticket) => write(() => releaseJob(connection, ticket)),
    renewJob: (ticket, until) => write(() => renewJob(connection, ticket, until)),
    jobs: (list) => read(() => listJobs(connection, list)),
    reviveJobs: (workspace, now) => write(() => reviveJobs(connection, workspace, now)),
    countJobs: (workspace) => read(() => countJobs(connection, workspace)),

    saveEdit: (workspace, edit, options) =>
      write(() => saveEdit(connection, { workspace, edit, ...options })),
    edits: (list) => (areNamedEdits(list) ? readEditsOf(list) : read(() => readEdits(connection, list))),
    deleteEdits: (workspace, ids) => write(() => deleteEdits(connection, workspace, ids)),
    editsVersion: (workspace) => read(() => readEditsVersion(connection, workspace)),
  }
}

/** Names the messages of a conversation. */
const wordsOf = ({ workspace, conversation }: ConversationKey): readonly string[] => [workspace, conversation]

function toStore({ driver, connection, watching }: StoreParts, path: string): Store {
  const enter = <T>(work: () => Promise<T>) => connection.enter(work)
  const read = <T>(work: () => T) => enter(() => connection.read(work))
  const write = <T>(work: () => T) => enter(() => connection.write(work))
  const writeApart = <T>(key: readonly unknown[], begin: () => () => T) =>
    enter(() => connection.writeApart(JSON.stringify(key), begin))
  return {
    capabilities: { isPersistent: path !== IN_MEMORY, canBackUp: true, scrubsAtOnce: true },
    location: connection.location,

    append: (request) => writeApart(wordsOf(request), () => beginAppend(connection, request)),
    messages: (range) => read(() => readMessages(connection, range)),
    messageIds: (range) => read(() => readMessageIds(connection, range)),
    systemMessages: (key) => read(() => readSystemMessages(connection, key)),
    findMessage: (workspace, id) => read(() => findMessage(connection, workspace, id)),
    searchMessages: (search) => read(() => searchMessages(connection, search)),

    createConversation: (request) =>
      writeApart(wordsOf(request), () => {
        const conversation = createConversation(connection, request)
        return () => conversation
      }),
    findConversation: (key) =>
      read(() => {
        const row = findRow(connection, key)
        return row && toConversation(row)
      }),
    changeConversation: (key, fields) => write(() => changeConversation(connection, key, fields)),
    listConversations: (list) => read(() => listConversations(connection, list)),
    fork: (request) => write(() => toConversation(fork(connection, request))),

    saveReceipt: (workspace, receipt, keep) =>
      write(() => saveReceipt(connection, workspace, { receipt, keep })),
    receipts: (key, limit) => read(() => readReceipts(connection, key, limit)),

    compress: (key, positions) =>
      writeApart([...wordsOf(key), 'blocks'], () => () => compress(connection, key, positions)),
    compressedPositions: (key) => read(() => readCompressedPositions(connection, key)),

    ...derivedVerbs(connection, { enter, read, write, writeApart }),
    ...toPageStore(connection),
    ...toRecallStore(connection),
    ...toDocumentStore(connection),
    ...toKeyStore(connection),

    ...toErasing(connection, enter),

    listWorkspaces: () => read(() => readWorkspaces(connection)),
    statistics: (workspace) => read(() => readStatistics(connection, workspace, path)),
    activity: (span) => readActivity(connection, span, read),
    check: () => read(() => checkFile(connection)),
    rebuild: (onProgress) => write(() => rebuild(connection, onProgress)),
    backup: (to, onProgress) => enter(() => backUp(driver, connection, { from: path, to, onProgress })),
    watch: (watch) => enter(() => watching.watch(watch)),
    close: () => connection.close(),
  }
}

type ErasingVerbs = Pick<
  Store,
  | 'eraseMessage'
  | 'eraseConversations'
  | 'erasePage'
  | 'eraseQuery'
  | 'eraseDocument'
  | 'eraseWorkspace'
  | 'scrub'
>

function toErasing(connection: Connection, enter: Access['enter']): ErasingVerbs {
  return {
    eraseMessage: (workspace, id, now) => enter(() => eraseMessage(connection, workspace, { id, now })),
    eraseConversations: (keys) => enter(() => eraseConversations(connection, keys)),
    erasePage: (key) => enter(() => erasePage(connection, key)),
    eraseQuery: (workspace, id) => enter(() => eraseQuery(connection, workspace, id)),
    eraseDocument: (key, now) => enter(() => eraseDocument(connection, key, now)),
    eraseWorkspace: (workspace) => enter(() => eraseWorkspace(connection, workspace)),
    scrub: () => enter(() => scrub(connection)),
  }
}

function toPageStore(connection: Connection): PageStore {
  const read = <T>(work: () => T) => connection.enter(() => connection.read(work))
  const write = <T>(work: () => T) => connection.enter(() => connection.write(work))
  return {
    findPage: (key) => read(() => findPage(connection, key)),
    savePage: (save) => write(() => savePage(connection, save)),
    listPages: (list) => read(() => listPages(connection, list)),
    forgetDocument: (workspace, documentId, now) =>
      write(() => forgetDocument(connection, workspace, { documentId, now })),

    addQueries: (addition) => write(() => addQueries(connection, addition)),
    queries: (range) => read(() => readQueries(connection, range)),
    queriesAt: (key, positions) => read(() => readQueriesAt(connection, key, positions)),
    findQueryPositions: (search) => read(() => findQueryPositions(connection, search)),
    findQuery: (workspace, id) => read(() => findQuery(connection, workspace, id)),
    flagQuery: (workspace, id, important) => write(() => flagQuery(connection, workspace, { id, important })),
  }
}

/** Reads for all calls that are made at the same moment. */
function together<Key, Value>(
  connection: Connection,
  answer: (keys: readonly Key[]) => readonly Value[],
): (key: Key) => Promise<Value> {
  const ask = gather<Key, Value>((keys) => connection.read(() => answer(keys)), queueMicrotask)
  return (key) => connection.enter(() => ask(key))
}

function toRecallStore(connection: Connection): RecallStore {
  const read = <T>(work: () => T) => connection.enter(() => connection.read(work))
  return {
    findPlaces: together(connection, (lookups) => findPlaces(connection, lookups)),
    findPlacesInTime: (lookup) => read(() => findPlacesInTime(connection, lookup)),
    findNearest: (lookup) => read(() => findNearest(connection, lookup)),
    headsAt: (workspace, places, options) =>
      read(() => readHeads(connection, workspace, { ...options, places })),
    wordsAt: (workspace, places) => read(() => readWordsAt(connection, workspace, places)),
    placesOf: (workspace, ids) => read(() => readPlaces(connection, workspace, ids)),
    scopeSize: (scope) => read(() => readScopeSize(connection, scope)),
  }
}

/** What a document says is compressed before its transaction begins. */
function toDocumentStore(connection: Connection): DocumentStore {
  const read = <T>(work: () => T) => connection.enter(() => connection.read(work))
  const write = <T>(work: () => T) => connection.enter(() => connection.write(work))
  return {
    addDocument: (addition) =>
      connection.enter(async () => {
        const packed = await packText(addition.accepted.content)
        return connection.write(() => addDocument(connection, addition, packed))
      }),
    importDocument: (imported) =>
      connection.enter(async () => {
        const packed = await packText(imported.accepted.content)
        return connection.write(() => importDocument(connection, imported, packed))
      }),
    replaceDocument: (replacement) =>
      connection.enter(async () => {
        const packed = await packText(replacement.accepted.content)
        return connection.write(() => replaceDocument(connection, replacement, packed))
      }),
    findDocument: (key) => read(() => findDocument(connection, key)),
    findDocumentByContent: (workspace, hash) =>
      read(() => findDocumentByContent(connection, workspace, hash)),
    listDocuments: (list) => read(() => listDocuments(connection, list)),
    documentText: (key) => read(() => readDocumentText(connection, key)),
    chunks: (range) => read(() => readChunks(connection, range)),
    saveChunks: (key, version, chunked) => write(() => saveChunks(connection, { ...key, version, chunked })),
    attachDocument: (key, conversation, now) =>
      write(() => attachDocument(connection, { key, conversation, now })),
    detachDocument: (key, conversation) => write(() => detachDocument(connection, key, conversation)),
    findChunkPlaces: together(connection, (lookups) => findChunkPlaces(connection, lookups)),
    chunksAt: (workspace, places) => read(() => readChunksAt(connection, workspace, places)),
  }
}

function toKeyStore(connection: Connection): KeyStore {
  const read = <T>(work: () => T) => connection.enter(() => connection.read(work))
  const write = <T>(work: () => T) => connection.enter(() => connection.write(work))
  return {
    addKey: (key) => write(() => addKey(connection, key)),
    findKey: (id) => read(() => findKey(connection, id)),
    listKeys: (workspace) => read(() => listKeys(connection, workspace)),
    noteKeyUse: (id, now) => write(() => noteKeyUse(connection, id, now)),
    deleteKey: (workspace, id) => write(() => deleteKey(connection, workspace, id)),
  }
}
