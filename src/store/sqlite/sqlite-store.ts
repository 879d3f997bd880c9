// The store in one SQLite file: a table of contents. Each verb is a function over the connection in the
// file named for its noun; here it is decided which are reads and which are writes.

import { newId } from '../../domain/ids.ts'
import type { KeyStore } from '../key-store.ts'
import type { PageStore } from '../page-store.ts'
import type { RecallStore } from '../recall-store.ts'
import { toConversation } from '../rows.ts'
import type { ConversationKey, Store } from '../store.ts'
import { tellChanges } from '../tell-changes.ts'
import { type Access, accessTo } from './access.ts'
import { readActivity } from './activity.ts'
import { beginAppend, fork } from './append.ts'
import { backUp } from './backup.ts'
import { checkFile } from './check.ts'
import { compress, readCompressedPositions } from './compress.ts'
import type { Connection } from './connection.ts'
import { changeConversation, createConversation, findRow, listConversations } from './conversations.ts'
import { toDerivedStore } from './derived-verbs.ts'
import { toDocumentStore } from './document-verbs.ts'
import { loadDriver, type SqliteDriver } from './driver.ts'
import {
  eraseConversations,
  eraseDocument,
  eraseMessage,
  erasePage,
  eraseQuery,
  eraseWorkspace,
} from './erase.ts'
import { FileWatching } from './file-watching.ts'
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

/** Names the messages of a conversation. */
const wordsOf = ({ workspace, conversation }: ConversationKey): readonly string[] => [workspace, conversation]

function toStore({ driver, connection, watching }: StoreParts, path: string): Store {
  const access = accessTo(connection)
  const { enter, read, write, writeApart } = access
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

    ...toDerivedStore(connection, access),
    ...toPageStore(connection, access),
    ...toRecallStore(connection, access),
    ...toDocumentStore(connection, access),
    ...toKeyStore(connection, access),

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

function toPageStore(connection: Connection, { read, write }: Access): PageStore {
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

function toRecallStore(connection: Connection, { read, together }: Access): RecallStore {
  return {
    findByWords: together((lookups) => findPlaces(connection, lookups)),
    findByTime: (lookup) => read(() => findPlacesInTime(connection, lookup)),
    findNearest: (lookup) => read(() => findNearest(connection, lookup)),
    getMessageMeta: (workspace, places, options) =>
      read(() => readHeads(connection, workspace, { ...options, places })),
    getContents: (workspace, places) => read(() => readWordsAt(connection, workspace, places)),
    locate: (workspace, ids) => read(() => readPlaces(connection, workspace, ids)),
    scopeSize: (scope) => read(() => readScopeSize(connection, scope)),
  }
}

function toKeyStore(connection: Connection, { read, write }: Access): KeyStore {
  return {
    addKey: (key) => write(() => addKey(connection, key)),
    findKey: (id) => read(() => findKey(connection, id)),
    listKeys: (workspace) => read(() => listKeys(connection, workspace)),
    noteKeyUse: (id, now) => write(() => noteKeyUse(connection, id, now)),
    deleteKey: (workspace, id) => write(() => deleteKey(connection, workspace, id)),
  }
}
