// Statements that run for every message or context must not get slower as data grows: SQLite has to use an index.
// Checked with EXPLAIN QUERY PLAN.

import { expect, test, vi } from 'vitest'
import {
  aJob,
  anEdit,
  anItem,
  aVector,
  editKeys,
  itemsOf,
  itemsVersion,
  manyReadings,
  mustClaim,
  mustCommit,
  readingOf,
  readingsOf,
  saveEdit,
} from '../../../conformance/store/derived-samples.ts'
import {
  aDocument,
  aDocumentKey,
  addDocument,
  findTexts,
  replaceDocument,
} from '../../../conformance/store/document-samples.ts'
import { findNearIds, findTimes, findWords } from '../../../conformance/store/recall-samples.ts'
import { aKey, append, at, findIds, HERE, many } from '../../../conformance/store/samples.ts'
import { openPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { Store } from '../store.ts'
import { Connection } from './connection.ts'

const trip = aKey('trip')
const reader = readingOf(trip)
const inTrip = { conversation: trip.conversation }
const mills = aDocumentKey('mills')
const named = { conversations: [trip.conversation] }

const CALLS: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'the epoch': (store) => store.erasureVersion(HERE),
  'the version of things': (store) => itemsVersion(store),
  'the version of edits': (store) => store.editsVersion(HERE),
  'a derivation': (store) => store.findDerivation(reader),
  'a commit': (store) =>
    mustCommit(store, reader, {
      revision: 1,
      cursor: 4,
      readings: manyReadings(4),
      put: [anItem('c'), anItem('t', { kind: 'topic' })],
      drop: [anItem('b')],
      jobs: [aJob('d')],
    }),
  'a swap': (store) => mustCommit(store, reader, { generation: 2, cursor: 5 }),
  readings: (store) => readingsOf(store, trip, { after: 1, limit: 2 }),
  'readings of a topic': (store) => readingsOf(store, trip, { topic: 0 }),
  'things of a conversation': (store) => itemsOf(store, trip),
  'a thing of a conversation': (store) => itemsOf(store, { ...trip, key: 'a' }),
  'things of a workspace from a number on': (store) => itemsOf(store, { after: 3 }),
  'things of a workspace by key': (store) => itemsOf(store, { key: 'a' }),
  'what is yet to be read': (store) =>
    store.listStale({ deriver: 'reader', version: 'v1', behind: 1, limit: 10 }),
  'what is yet to be read by other rules': (store) =>
    store.listStale({ deriver: 'reader', version: 'v2', behind: 1, limit: 10 }),
  'adding jobs': (store) => store.addJobs(trip, [aJob('x')], at(0)),
  'claiming a job, and failing': async (store) =>
    store.failJob(await mustClaim(store, 5), { error: 'no', runAt: at(6) }),
  'claiming a job, and giving it back': async (store) => store.releaseJob(await mustClaim(store, 5)),
  'claiming a job, and finishing it': async (store) => store.finishJob(await mustClaim(store, 5)),
  'the next time to look for jobs': (store) => store.nextJobAt(),
  'dead jobs': (store) => store.jobs({ workspace: HERE, state: 'dead', limit: 5 }),
  jobs: (store) => store.jobs({ workspace: HERE, limit: 5 }),
  'an edit that replaces': (store) => saveEdit(store, anEdit('a', inTrip), { replace: true }),
  'edits of a conversation': (store) => editKeys(store, inTrip),
  'edits of a kind in a conversation': (store) => editKeys(store, { ...inTrip, kinds: ['note'] }),
  'edits of a kind in none': (store) => editKeys(store, { conversation: null, kinds: ['note'] }),
  'edits of a kind': (store) => editKeys(store, { kinds: ['note'], key: 'a' }),
  'edits from a number on': (store) => editKeys(store, { after: 1 }),
  'a document': (store) => store.findDocument(mills),
  'a document by its content': (store) => store.findDocumentByContent(HERE, 'hash'),
  documents: (store) => store.listDocuments({ workspace: HERE, limit: 5 }),
  'documents of a conversation': (store) => store.listDocuments({ workspace: HERE, ...inTrip, limit: 5 }),
  'the text of a document': (store) => store.documentText(mills),
  'chunks of a document': (store) => store.chunks({ ...mills, limit: 5 }),
  'adding a document': (store) => addDocument(store, aDocumentKey('new'), ['new'], { conversation: 'trip' }),
  'replacing a document': (store) => replaceDocument(store, mills, ['newer']),
  'chunks made anew': (store) => store.saveChunks(mills, 1, aDocument(['anew'])),
  'attaching a document': (store) => store.attachDocument(mills, trip.conversation, at(5)),
  'detaching a document': (store) => store.detachDocument(mills, trip.conversation),
  'chunks by words': (store) => findTexts(store, 'mills'),
  'chunks by words, in a conversation': (store) => findTexts(store, 'mills', { conversations: ['trip'] }),
  'chunks by words, of named documents': (store) => findTexts(store, 'mills', { documents: ['mills'] }),
  'places by words': (store) => findWords(store, 'words', { limit: 2 }),
  'places by words in a conversation': (store) => findWords(store, 'words', named),
  'places by time': (store) => findTimes(store, { from: at(0), limit: 2 }),
  'places by time in a conversation': (store) => findTimes(store, { ...named, to: at(9) }),
  'places by meaning': (store) => findNearIds(store, [...aVector(1)]),
  'places by meaning in a conversation': (store) => findNearIds(store, [...aVector(1)], named),
  'heads and messages at places': async (store) => {
    const places = await store.locate(HERE, [messageId('m1')])
    await store.getMessageMeta(HERE, places)
    await store.getContents(HERE, places)
  },
  'the size of a workspace': (store) => store.scopeSize({ workspace: HERE }),
  'the size of conversations': (store) => store.scopeSize({ workspace: HERE, ...named }),
  'a search': (store) => findIds(store, 'words'),
  'a search in a conversation': (store) => findIds(store, 'words', trip),
}

async function openFilled(path: string): Promise<Store> {
  const store = await openStore({ path })
  await append(store, trip, { messages: many('m', 5) })
  const put = [anItem('a'), anItem('b'), anItem('t', { kind: 'topic' })]
  await mustCommit(store, reader, { readings: manyReadings(1), put, jobs: [aJob('a'), aJob('b')] })
  await saveEdit(store, anEdit('a', inTrip))
  await saveEdit(store, anEdit('b'))
  await addDocument(store, mills, ['old mills', 'turn'], { conversation: 'trip' })
  return store
}

/** The statements that a call runs. */
async function collectStatements(
  store: Store,
  call: (store: Store) => Promise<unknown>,
): Promise<Set<string>> {
  const statements = new Set<string>()
  const spies = (['get', 'all', 'run'] as const).map((name) => {
    const plain = Connection.prototype[name] as (sql: string, ...values: unknown[]) => never
    return vi.spyOn(Connection.prototype, name).mockImplementation(function (
      this: Connection,
      sql,
      ...values
    ) {
      statements.add(sql)
      return plain.call(this, sql, ...values)
    })
  })
  await call(store)
  for (const spy of spies) spy.mockRestore()
  return statements
}

/**
 * Without an index, SQLite reports SCAN, or only SEARCH when it looks for a maximum. Lists passed as JSON are
 * short, and so are intermediate results.
 */
const isScan = (detail: string): boolean =>
  (/^SCAN (?!\(subquery)/.test(detail) && !detail.includes('VIRTUAL TABLE')) || /^SEARCH \w+$/.test(detail)

/** Full table scans. */
function findScans(path: string, statements: Iterable<string>): readonly string[] {
  const plain = openPlain(path)
  return [...statements].flatMap((sql) => {
    const steps = plain.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]
    return steps.filter(({ detail }) => isScan(detail)).map(({ detail }) => `${detail}: ${sql}`)
  })
}

test.each(Object.entries(CALLS))('%s: no full table scan', async (_what, call) => {
  const path = temporaryPath()
  const store = await openFilled(path)
  const statements = await collectStatements(store, call)
  expect(statements.size).toBeGreaterThan(0)
  expect(findScans(path, statements)).toEqual([])
})

test('a full table scan is detected', async () => {
  const path = temporaryPath()
  await openFilled(path)
  const scans = [
    'SELECT max(run_at) FROM job',
    "SELECT * FROM job WHERE lease = 'x'",
    'SELECT count(*) FROM derived',
  ]
  expect(findScans(path, scans)).toHaveLength(scans.length)
})
