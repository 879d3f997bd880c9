// The store in a PostgreSQL database, as a table of contents. Each verb is a function over a session, in the file
// named after its noun, as in the SQLite store; this file decides which verbs are reads, which are writes, and which
// need a snapshot.

import { isMemoryError, MemoryError } from '../../domain/errors.ts'
import { conversationCommit, forkCommit, pageCommit } from '../commits.ts'
import type { DocumentStore } from '../document-store.ts'
import type { PageStore } from '../page-store.ts'
import type { RecallStore, VectorLookup } from '../recall-store.ts'
import { toConversation } from '../rows.ts'
import { createConversation, toConversationStore } from '../sql/conversations.ts'
import { toDocumentStore as toPlainDocumentStore } from '../sql/documents.ts'
import { type EraseStore, toEraseStore } from '../sql/erase-verbs.ts'
import { toKeyStore } from '../sql/keys.ts'
import { toPageStore as toPlainPageStore } from '../sql/queries.ts'
import type { SqlAccess } from '../sql/statement.ts'
import { readWorkspaces } from '../sql/statistics.ts'
import type { Store } from '../store.ts'
import { append } from './append.ts'
import { findConversations, findPages } from './batched-reads.ts'
import { type AnnouncementSettings, ChangeNotifier } from './change-notifier.ts'
import { checkDatabase, checkReplica, replicaStatus } from './check.ts'
import { findChunkPlaces, findSeen, readChunksAt } from './chunk-lookup.ts'
import { compress, readCompressedPositions } from './compress.ts'
import { type Access, accessTo, type Connection } from './connection.ts'
import { toDerivedStore } from './derived-verbs.ts'
import { readChunks, readDocumentText } from './documents.ts'
import { execute } from './execute.ts'
import { fork } from './fork.ts'
import { openListener } from './listener.ts'
import { findMessage, readMessageIds, readMessages, readSystemMessages } from './messages.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { type OpenSettings, openDatabase } from './open-database.ts'
import { addQueries, findQueryPositions } from './queries.ts'
import { hasOldWords, noteWordsVersion, rebuild } from './rebuild.ts'
import { readHeads, readPlaces, readWordsAt } from './recall/at-places.ts'
import { findPlacesInTime } from './recall/find-in-time.ts'
import { findNearest } from './recall/find-nearest.ts'
import { findPlaces, findPlacesTogether, isPlain } from './recall/find-places.ts'
import { readScopeSize } from './recall/scope.ts'
import { openVectorIndex } from './recall/vector-index.ts'
import { readActivity, readReceipts, saveReceipt } from './receipts.ts'
import { eraseAndScrub, scrub } from './scrub.ts'
import { searchMessages } from './search-messages.ts'
import { readStatistics } from './statistics.ts'

export async function openPostgresStore(settings: OpenSettings): Promise<Store> {
  const connection = await openDatabase(settings)
  try {
    await prepare(connection, settings)
  } catch (error) {
    await connection.close()
    throw error
  }
  const notifier = new ChangeNotifier({ connection, open: listenBy(settings) })
  connection.commits.add(({ changes }) => notifier.emit(changes))
  return toStore(connection, notifier)
}

/** Bypasses a pooler if a direct address is configured. A custom client must provide its own way to listen. */
function listenBy(settings: OpenSettings): AnnouncementSettings['open'] {
  const open = settings.openListener ?? (settings.openPool === undefined ? openListener : undefined)
  const { directUrl, connectTimeoutMs } = settings
  const pooling = directUrl === '' ? settings.pooling : 'session'
  const url = directUrl === '' ? settings.url : directUrl
  return open && ((on) => open({ url, connectTimeoutMs, pooling, ...on }))
}

async function prepare(connection: Connection, { schema }: OpenSettings): Promise<void> {
  await migrate({ connection, schema, migrations: MIGRATIONS, now: new Date() })
  connection.vectorIndex = await openVectorIndex(connection)
  if (await connection.read(hasOldWords)) await rebuild(connection)
  else await connection.write(noteWordsVersion)
}

function toStore(connection: Connection, notifier: ChangeNotifier): Store {
  const access = accessTo(connection)
  const sql = toSqlAccess(connection, access)
  return {
    capabilities: { isPersistent: true, canBackUp: false, scrubsAtOnce: false },
    location: connection.location,
    ...toRecord(access),
    ...toConversationStore(sql),
    ...toDerivedStore(connection, access, sql),
    ...toPageStore(access, sql),
    ...toRecallStore(connection, access),
    ...toDocumentStore(access, sql),
    ...toKeyStore(sql),
    ...toErasing(connection, access),
    ...toUpkeep({ connection, notifier }, access),
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

function toRecord({ batch, read, write, snapshot }: Access): RecordVerbs {
  return {
    append: (request) =>
      // Also emitted for a retry: the process that wrote the messages first may have been killed before it could
      // emit.
      write((session) => append(session, request), conversationCommit('append', request)),
    messages: (range) => read((session) => readMessages(session, range)),
    messageIds: (range) => read((session) => readMessageIds(session, range)),
    systemMessages: (key) => read((session) => readSystemMessages(session, key)),
    findMessage: (workspace, id) => read((session) => findMessage(session, workspace, id)),
    searchMessages: (search) => snapshot((session) => searchMessages(session, search)),

    createConversation: (request) =>
      write(
        (session) => execute(session, createConversation(request)),
        conversationCommit('createConversation', request),
      ),
    findConversation: batch(findConversations),
    fork: (request) =>
      write(async (session) => toConversation(await fork(session, request)), forkCommit(request)),

    saveReceipt: (workspace, receipt, keep) =>
      write((session) => saveReceipt(session, workspace, { receipt, keep })),
    receipts: (key, limit) => read((session) => readReceipts(session, key, limit)),

    compress: (key, positions) => write((session) => compress(session, key, positions)),
    compressedPositions: (key) => read((session) => readCompressedPositions(session, key)),
  }
}

function toErasing(connection: Connection, { track }: Access): EraseStore & Pick<Store, 'scrub'> {
  const { commits } = connection
  return {
    ...toEraseStore((commit, work) => track(() => commits.erase(eraseAndScrub(connection, work), commit))),
    scrub: () => track(() => commits.scrub(scrub(connection))),
  }
}

type UpkeepVerbs = Pick<
  Store,
  | 'listWorkspaces'
  | 'statistics'
  | 'activity'
  | 'check'
  | 'replica'
  | 'rebuild'
  | 'backup'
  | 'watch'
  | 'onCommit'
  | 'close'
>

interface Kept {
  readonly connection: Connection
  readonly notifier: ChangeNotifier
}

function toUpkeep({ connection, notifier }: Kept, { track, read, snapshot }: Access): UpkeepVerbs {
  return {
    listWorkspaces: () => read((session) => execute(session, readWorkspaces())),
    statistics: (workspace) => snapshot((session) => readStatistics(session, workspace)),
    activity: (span) => snapshot((session) => readActivity(session, span)),
    check: () =>
      track(async () => [
        ...(await connection.snapshot(checkDatabase, 'endless')),
        await notifier.check(),
        ...(await checkReplica(connection)),
      ]),
    replica: () => replicaStatus(connection),
    rebuild: (onProgress) => track(() => rebuild(connection, onProgress)),
    backup: () =>
      track(async () => {
        throw new MemoryError(
          'invalid-input',
          `${connection.location} is backed up by PostgreSQL's own means`,
          {
            hint: 'pg_dump --format=custom --schema=recollect; `recollect export` writes one workspace',
          },
        )
      }),
    watch: (watch) => track(() => notifier.watch(watch)),
    onCommit: (listener) => connection.commits.add(listener),
    close: () => connection.close(() => notifier.close()),
  }
}

function toPageStore({ batch, snapshot, write }: Access, sql: SqlAccess): PageStore {
  return {
    ...toPlainPageStore(sql),
    findPage: batch(findPages),
    addQueries: (addition) =>
      write((session) => addQueries(session, addition), pageCommit('addQueries', addition)),
    findQueryPositions: (search) => snapshot((session) => findQueryPositions(session, search)),
  }
}

/** Builds the index for the next question; this one does not wait for it. */
async function findNearestOf(
  connection: Connection,
  lookup: VectorLookup,
): ReturnType<RecallStore['findNearest']> {
  const { near, isMany } = await connection.recall((session) => findNearest(session, lookup))
  const { vectorIndex } = connection
  if (isMany && vectorIndex !== undefined) {
    const made = connection.track(() => vectorIndex.want(connection, lookup.vector.length))
    // Rejected if the store is closing: then no further question follows.
    made.catch((error) => {
      if (!isMemoryError(error)) throw error
    })
  }
  return near
}

function toDocumentStore({ lookUp, lookUpBatch, read }: Access, sql: SqlAccess): DocumentStore {
  const findSeenBy = lookUpBatch(findSeen)
  return {
    ...toPlainDocumentStore(sql),
    documentText: (key) => read((session) => readDocumentText(session, key)),
    chunks: (range) => read((session) => readChunks(session, range)),
    findChunkPlaces: async (lookup) => {
      const seen = await findSeenBy(lookup)
      return lookUp((session) => findChunkPlaces(session, lookup, seen))
    },
    chunksAt: (workspace, places) => lookUp((session) => readChunksAt(session, workspace, places)),
  }
}

function toRecallStore(connection: Connection, { track, lookUp, lookUpBatch, recall }: Access): RecallStore {
  const findPlain = lookUpBatch(findPlacesTogether)
  return {
    findByWords: (lookup) =>
      isPlain(lookup) ? findPlain(lookup) : lookUp((session) => findPlaces(session, lookup)),
    findByTime: (lookup) => recall((session) => findPlacesInTime(session, lookup)),
    findNearest: (lookup) => track(() => findNearestOf(connection, lookup)),
    getMessageMeta: (workspace, places, options) =>
      lookUp((session) => readHeads(session, { workspace, ...options }, places)),
    getContents: (workspace, places) => lookUp((session) => readWordsAt(session, workspace, places)),
    locate: (workspace, ids) => lookUp((session) => readPlaces(session, workspace, ids)),
    scopeSize: (scope) => lookUp((session) => readScopeSize(session, scope)),
  }
}

/** Adapts the session for code shared by both engines. */
function toSqlAccess(connection: Connection, { track, read, snapshot, write }: Access): SqlAccess {
  return {
    read: (work) => read((session) => execute(session, work())),
    snapshot: (work) => snapshot((session) => execute(session, work())),
    write: (work, commit) => write((session) => execute(session, work()), commit),
    writePrepared: (prepare, work, commit) =>
      track(async () => {
        const prepared = await prepare()
        const written = connection.write((session) => execute(session, work(prepared)))
        return connection.commits.write(written, commit)
      }),
  }
}
