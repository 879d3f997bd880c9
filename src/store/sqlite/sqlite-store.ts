// The store in one SQLite file. Each method is a function over the connection, in the file named after its subject;
// this file decides which are reads and which are writes.

import { newId } from '../../domain/ids.ts'
import { conversationCommit, forkCommit, pageCommit } from '../commits.ts'
import type { DocumentStore } from '../document-store.ts'
import type { PageStore } from '../page-store.ts'
import type { RecallStore } from '../recall-store.ts'
import { toConversation } from '../rows.ts'
import { createConversation, findConversation, toConversationStore } from '../sql/conversations.ts'
import { toDocumentStore as toPlainDocumentStore } from '../sql/documents.ts'
import { type EraseStore, toEraseStore } from '../sql/erase-verbs.ts'
import { toKeyStore } from '../sql/keys.ts'
import { findPage } from '../sql/pages.ts'
import { toPageStore as toPlainPageStore } from '../sql/queries.ts'
import type { SqlAccess } from '../sql/statement.ts'
import { readWorkspaces } from '../sql/statistics.ts'
import type { ConversationKey, Store } from '../store.ts'
import { beginAppend, fork } from './append.ts'
import { backUp } from './backup.ts'
import { checkFile } from './check.ts'
import { findChunkPlaces, readChunksAt } from './chunk-lookup.ts'
import { compress, readCompressedPositions } from './compress.ts'
import { type Access, accessTo, type Connection } from './connection.ts'
import { toDerivedStore } from './derived-verbs.ts'
import { execute } from './dialect.ts'
import { readChunks, readDocumentText } from './documents.ts'
import { loadDriver, type SqliteDriver } from './driver.ts'
import { FileWatcher } from './file-watcher.ts'
import { FtsSegmentMerger } from './fts-segment-merger.ts'
import { findMessage, readMessageIds, readMessages, readSystemMessages } from './messages.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { IN_MEMORY, type OpenSettings, openDatabase } from './open-database.ts'
import { addQueries, findQueryPositions } from './queries.ts'
import { hasOldWords, noteWordsVersion, rebuild } from './rebuild.ts'
import { readHeads, readPlaces, readWordsAt } from './recall/at-places.ts'
import { findPlacesInTime } from './recall/find-in-time.ts'
import { findNearest } from './recall/find-nearest.ts'
import { findPlaces } from './recall/find-places.ts'
import { readScopeSize } from './recall/scope.ts'
import { readActivity, readReceipts, saveReceipt } from './receipts.ts'
import { eraseAndScrub, scrub } from './scrub.ts'
import { searchMessages } from './search-messages.ts'
import { readStatistics } from './statistics.ts'

export async function openSqliteStore(settings: OpenSettings): Promise<Store> {
  const driver = await loadDriver()
  const connection = await openDatabase(driver, settings)
  try {
    await prepare(driver, connection, settings.path)
  } catch (error) {
    await connection.close()
    throw error
  }
  const watcher = new FileWatcher(connection)
  const merger = new FtsSegmentMerger(connection)
  connection.commits.add(({ method, changes }) => {
    watcher.emit(changes)
    if (method === 'append') merger.schedule()
  })
  return toStore({ driver, connection, watcher, merger }, settings.path)
}

interface StoreParts {
  readonly driver: SqliteDriver
  readonly connection: Connection
  readonly watcher: FileWatcher
  readonly merger: FtsSegmentMerger
}

async function prepare(driver: SqliteDriver, connection: Connection, path: string): Promise<void> {
  const now = new Date()
  await migrate({
    connection,
    migrations: MIGRATIONS,
    now,
    // A unique name: other processes may be opening the same file, and an earlier attempt may have failed.
    keepCopy: (version) =>
      backUp(driver, connection, { from: path, to: `${path}.schema-${version}.${newId(now)}.bak` }),
  })
  if (await connection.read(() => hasOldWords(connection))) await connection.write(() => rebuild(connection))
  else if (await connection.read(() => isNew(connection)))
    await connection.write(() => noteWordsVersion(connection))
  await scrub(connection)
}

const isNew = (connection: Connection): boolean => connection.get('SELECT 1 FROM setting') === undefined

/** The key of a write that touches the messages of one conversation only. */
const conversationKey = ({ workspace, conversation }: ConversationKey): readonly string[] => [
  workspace,
  conversation,
]

function toStore({ driver, connection, watcher, merger }: StoreParts, path: string): Store {
  const access = accessTo(connection)
  const sql = toSqlAccess(connection, access)
  const { track, read, write } = access
  return {
    capabilities: { isPersistent: path !== IN_MEMORY, canBackUp: true, scrubsAtOnce: true },
    location: connection.location,

    ...toRecord(connection, access),
    ...toConversationStore(sql),
    ...toDerivedStore(connection, access, sql),
    ...toPageStore(connection, access, sql),
    ...toRecallStore(connection, access),
    ...toDocumentStore(connection, access, sql),
    ...toKeyStore(sql),

    ...toErasing(connection, access),

    listWorkspaces: () => sql.read(readWorkspaces),
    statistics: (workspace) => read(() => readStatistics(connection, workspace, path)),
    activity: (span) => readActivity(connection, span, read),
    check: () => read(() => [...checkFile(connection), merger.check()]),
    rebuild: (onProgress) => write(() => rebuild(connection, onProgress)),
    backup: (to, onProgress) => track(() => backUp(driver, connection, { from: path, to, onProgress })),
    watch: (watch) => track(() => watcher.watch(watch)),
    onCommit: (listener) => connection.commits.add(listener),
    close: () => {
      merger.stop()
      return connection.close()
    },
  }
}

type RecordVerbs = Pick<
  Store,
  | 'append'
  | 'messages'
  | 'messageIds'
  | 'systemMessages'
  | 'findMessage'
  | 'searchMessages'
  | 'createConversation'
  | 'findConversation'
  | 'fork'
  | 'saveReceipt'
  | 'receipts'
  | 'compress'
  | 'compressedPositions'
>

function toRecord(connection: Connection, { read, write, writeBatched }: Access): RecordVerbs {
  return {
    append: (request) =>
      writeBatched(
        conversationKey(request),
        () => beginAppend(connection, request),
        // For a retry too: the process that wrote it first may have been killed before it could emit.
        conversationCommit('append', request),
      ),
    messages: (range) => read(() => readMessages(connection, range)),
    messageIds: (range) => read(() => readMessageIds(connection, range)),
    systemMessages: (key) => read(() => readSystemMessages(connection, key)),
    findMessage: (workspace, id) => read(() => findMessage(connection, workspace, id)),
    searchMessages: (search) => read(() => searchMessages(connection, search)),

    createConversation: (request) =>
      writeBatched(
        conversationKey(request),
        () => {
          const conversation = execute(connection, createConversation(request))
          return () => conversation
        },
        conversationCommit('createConversation', request),
      ),
    findConversation: (key) => read(() => execute(connection, findConversation(key))),
    fork: (request) => write(() => toConversation(fork(connection, request)), forkCommit(request)),

    saveReceipt: (workspace, receipt, keep) =>
      write(() => saveReceipt(connection, workspace, { receipt, keep })),
    receipts: (key, limit) => read(() => readReceipts(connection, key, limit)),

    compress: (key, positions) =>
      writeBatched([...conversationKey(key), 'blocks'], () => () => compress(connection, key, positions)),
    compressedPositions: (key) => read(() => readCompressedPositions(connection, key)),
  }
}

function toErasing(connection: Connection, { track }: Access): EraseStore & Pick<Store, 'scrub'> {
  const { commits } = connection
  return {
    ...toEraseStore((commit, work) => track(() => commits.erase(eraseAndScrub(connection, work), commit))),
    scrub: () => track(() => commits.scrub(scrub(connection))),
  }
}

function toPageStore(connection: Connection, { read, write }: Access, sql: SqlAccess): PageStore {
  return {
    ...toPlainPageStore(sql),
    findPage: (key) => sql.read(() => findPage(key)),
    addQueries: (addition) =>
      write(() => addQueries(connection, addition), pageCommit('addQueries', addition)),
    findQueryPositions: (search) => read(() => findQueryPositions(connection, search)),
  }
}

function toDocumentStore(connection: Connection, { read, batch }: Access, sql: SqlAccess): DocumentStore {
  return {
    ...toPlainDocumentStore(sql),
    documentText: (key) => read(() => readDocumentText(connection, key)),
    chunks: (range) => read(() => readChunks(connection, range)),
    findChunkPlaces: batch((lookups) => findChunkPlaces(connection, lookups)),
    chunksAt: (workspace, places) => read(() => readChunksAt(connection, workspace, places)),
  }
}

function toRecallStore(connection: Connection, { read, batch }: Access): RecallStore {
  return {
    findByWords: batch((lookups) => findPlaces(connection, lookups)),
    findByTime: (lookup) => read(() => findPlacesInTime(connection, lookup)),
    findNearest: (lookup) => read(() => findNearest(connection, lookup)),
    getMessageMeta: (workspace, places, options) =>
      read(() => readHeads(connection, workspace, { ...options, places })),
    getContents: (workspace, places) => read(() => readWordsAt(connection, workspace, places)),
    locate: (workspace, ids) => read(() => readPlaces(connection, workspace, ids)),
    scopeSize: (scope) => read(() => readScopeSize(connection, scope)),
  }
}

/** Access for work that both engines share. */
function toSqlAccess(connection: Connection, { track, read, write }: Access): SqlAccess {
  return {
    read: (work) => read(() => execute(connection, work())),
    snapshot: (work) => read(() => execute(connection, work())),
    write: (work, commit) => write(() => execute(connection, work()), commit),
    writePrepared: (prepare, work, commit) =>
      track(async () => {
        const prepared = await prepare()
        const written = connection.write(() => execute(connection, work(prepared)))
        return connection.commits.write(written, commit)
      }),
  }
}
