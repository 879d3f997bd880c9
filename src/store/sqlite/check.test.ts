// Damages files on purpose, through a plain connection without the store's rules, and tests what `check` reports.

import { closeSync, openSync, writeSync } from 'node:fs'
import { expect, test } from 'vitest'
import { add, aPageKey, findQueryIds, manyQueries } from '../../../conformance/store/page-samples.ts'
import {
  aKey,
  aMessage,
  append,
  aReceipt,
  aTerm,
  at,
  ELSEWHERE,
  findIds,
  findProblems,
  fork,
  HERE,
  listIds,
  many,
  readAll,
  readWorkspace,
} from '../../../conformance/store/samples.ts'
import { askPlain, openPlain, openStore, runPlain } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId, queryId } from '../../domain/ids.ts'
import type { Finding, Store } from '../store.ts'

interface Damage {
  readonly what: string
  readonly damage: readonly string[]
  /** The one check that must fail, or the beginning of its name. */
  readonly check: string
  /** Other checks that fail as a consequence. */
  readonly follow?: readonly string[]
  readonly remedy: 'rebuild' | 'restore' | 'finish'
}

const MISSING_ENTRY = "VALUES ('delete', 1 << 24, 'the words of m0', 'w1')"

const DAMAGES: readonly Damage[] = [
  {
    what: 'a wrong count of messages',
    damage: ["UPDATE conversation SET message_count = message_count + 1 WHERE id = 'trip'"],
    check: 'message and token counts are correct',
    remedy: 'rebuild',
  },
  {
    what: 'a wrong count of tokens',
    damage: ["UPDATE conversation SET token_count = 0 WHERE id = 'trip'"],
    check: 'message and token counts are correct',
    remedy: 'rebuild',
  },
  {
    what: 'a wrong running sum of tokens',
    damage: ["UPDATE message SET tokens_before = tokens_before + 1 WHERE id = 'm2'"],
    check: 'running token totals are correct',
    remedy: 'rebuild',
  },
  {
    what: 'a conversation that takes its first message for later than it is',
    damage: ["UPDATE conversation SET first_said_at = first_said_at + 1 WHERE id = 'trip'"],
    check: 'first and last messages of conversations are correct',
    remedy: 'rebuild',
  },
  {
    what: 'a conversation that takes another message for its last',
    damage: ["UPDATE conversation SET last_message = NULL WHERE id = 'trip'"],
    check: 'first and last messages of conversations are correct',
    remedy: 'rebuild',
  },
  {
    what: 'a message that stands in the index of words under another workspace',
    damage: [
      `INSERT INTO message_words (message_words, rowid, words, scope) ${MISSING_ENTRY}`,
      "INSERT INTO message_words (rowid, words, scope) VALUES (1 << 24, 'the words of m0', 'w2')",
    ],
    check: 'the search index contains every message',
    remedy: 'rebuild',
  },
  {
    what: 'a message missing in the index of words',
    damage: [`INSERT INTO message_words (message_words, rowid, words, scope) ${MISSING_ENTRY}`],
    check: 'the search index contains every message',
    remedy: 'rebuild',
  },
  {
    what: 'an entry of no message in the index of words',
    damage: ["INSERT INTO message_words (rowid, words, scope) VALUES (9999, 'ghost', 'w1')"],
    check: 'the search index contains only existing messages',
    remedy: 'rebuild',
  },
  {
    what: 'an erased message that is still in the index of words',
    damage: [
      'UPDATE conversation SET token_count = token_count - (SELECT tokens FROM message WHERE number = 5) WHERE number = 1',
      'UPDATE message SET content = \'""\', erased_at = 1, tokens = 0 WHERE number = 5',
    ],
    check: 'the search index contains only existing messages',
    remedy: 'rebuild',
  },
  {
    what: 'a conversation missing in the index of words',
    damage: [
      "INSERT INTO conversation_words (conversation_words, rowid, words, scope) VALUES ('delete', 1, 'a title', 'w1')",
    ],
    check: 'the search index contains every conversation',
    remedy: 'rebuild',
  },
  {
    what: 'an entry of no conversation in the index of words',
    damage: ["INSERT INTO conversation_words (rowid, words, scope) VALUES (9999, 'ghost', 'w1')"],
    check: 'the search index contains',
    remedy: 'rebuild',
  },
  {
    what: 'a hole in the positions',
    damage: ["UPDATE message SET position = position + 1 WHERE id = 'm4'"],
    check: 'message positions have no gaps',
    follow: ['the search index contains every message', 'the search index contains only existing messages'],
    remedy: 'restore',
  },
  {
    what: 'a conversation that does not begin at its beginning',
    damage: ['UPDATE message SET position = position + 100 WHERE conversation = 1'],
    check: 'message positions have no gaps',
    follow: ['the search index contains every message', 'the search index contains only existing messages'],
    remedy: 'restore',
  },
  {
    what: 'content that is no JSON',
    damage: ["UPDATE message SET content = '[{' WHERE id = 'm2'"],
    check: 'every message can be read',
    remedy: 'restore',
  },
  {
    what: 'metadata that is no JSON',
    damage: ["UPDATE message SET metadata = 'oops' WHERE id = 'm2'"],
    check: 'every message can be read',
    remedy: 'restore',
  },
  {
    what: 'a receipt of no conversation',
    damage: [
      'PRAGMA foreign_keys = OFF',
      "INSERT INTO receipt (conversation, id, body) VALUES (9999, 'r', '{}')",
    ],
    check: 'all foreign keys are valid',
    remedy: 'restore',
  },
  {
    what: 'a message in another workspace than its conversation',
    damage: ["UPDATE message SET workspace = 2, id = 'moved' WHERE id = 'm2' AND workspace = 1"],
    check: 'messages are in the workspace of their conversation',
    remedy: 'restore',
  },
  {
    what: 'a wrong count of queries',
    damage: ["UPDATE page SET query_count = 0 WHERE id = 'sales'"],
    check: 'query counts are correct',
    remedy: 'rebuild',
  },
  {
    what: 'a query missing in the index of words',
    damage: [
      "INSERT INTO query_words (query_words, rowid, words, scope) VALUES ('delete', 134217728, 'how many q0', 'w1')",
    ],
    check: 'the search index contains every query',
    remedy: 'rebuild',
  },
  {
    what: 'an entry of no query in the index of words',
    damage: ["INSERT INTO query_words (rowid, words, scope) VALUES (9999, 'ghost', 'w1')"],
    check: 'the search index contains only existing queries',
    remedy: 'rebuild',
  },
  {
    what: 'results that are no JSON',
    damage: ["UPDATE query SET results = '[{' WHERE id = 'q1'"],
    check: 'every page and query can be read',
    remedy: 'restore',
  },
  {
    what: 'entities that are no JSON',
    damage: ["UPDATE page SET entities = 'oops'"],
    check: 'every page and query can be read',
    remedy: 'restore',
  },
  {
    what: 'a query in another workspace than its page',
    damage: ["UPDATE query SET workspace = 2 WHERE id = 'q1'"],
    check: 'queries are stored with their page',
    remedy: 'restore',
  },
  {
    what: 'a query that lies elsewhere than its page',
    damage: ["UPDATE query SET position = 77 WHERE id = 'q1'"],
    check: 'queries are stored with their page',
    remedy: 'restore',
  },
  {
    what: 'a query of no page',
    damage: [
      'PRAGMA foreign_keys = OFF',
      "DELETE FROM query WHERE id = 'q2'",
      'UPDATE page SET query_count = 2',
      `INSERT INTO query (number, workspace, page, position, id, intent, created_at, query, sql, response, results)
       VALUES (134217728 + 2, 1, 9999, 2, 'q2', 'hybrid', 0, '""', 'null', 'null', 'null')`,
    ],
    check: 'all foreign keys are valid',
    remedy: 'restore',
  },
  {
    what: 'an erase that was not finished',
    damage: ["INSERT INTO setting VALUES ('scrub-pending', 'yes')"],
    check: 'erased text is removed from the files',
    remedy: 'finish',
  },
]

const REMEDIES = {
  rebuild: 'recollect rebuild',
  restore: 'backup',
  finish: 'recollect erase --finish',
} as const

async function openFilled(path: string): Promise<Store> {
  const store = await openStore({ path })
  await append(store, aKey('trip'), { messages: many('m', 5), suggestTitle: () => 'A title' })
  await append(store, aKey('trip', ELSEWHERE), { messages: many('m', 3) })
  await fork(store, aKey('trip'), { at: 2, into: 'branch' })
  await store.saveReceipt(HERE, aReceipt('r', aKey('trip').conversation), 5)
  await add(store, aPageKey('sales'), manyQueries('q', 3))
  return store
}

async function findDamage({ damage }: Damage): Promise<{ store: Store; problems: readonly Finding[] }> {
  const path = temporaryPath()
  const store = await openFilled(path)
  expect(await findProblems(store)).toEqual([])
  runPlain(path, ...damage)
  return { store, problems: await findProblems(store) }
}

const byName = (damages: readonly Damage[]) => damages.map((damage) => [damage.what, damage] as const)

test.each(byName(DAMAGES))('%s is detected, and nothing else is reported', async (_what, damage) => {
  const { problems } = await findDamage(damage)
  expect(problems.filter(({ check }) => !damage.follow?.includes(check))).toEqual([
    {
      check: expect.stringContaining(damage.check),
      problem: expect.any(String),
      remedy: expect.stringContaining(REMEDIES[damage.remedy]),
    },
  ])
})

const rebuildable = DAMAGES.filter(({ remedy }) => remedy === 'rebuild')
test.each(byName(rebuildable))('%s is repaired by a rebuild', async (_what, damage) => {
  const { store } = await findDamage(damage)
  await store.rebuild()
  expect(await findProblems(store)).toEqual([])
})

test('a rebuild restores what readers see and find', async () => {
  const path = temporaryPath()
  const store = await openFilled(path)
  const look = async () => [
    await readWorkspace(store),
    await findIds(store, 'words'),
    await listIds(store, { terms: [aTerm('title')] }),
    await findQueryIds(store, aPageKey('sales'), { word: 'many' }),
    await store.findPage(aPageKey('sales')),
  ]
  const before = await look()
  runPlain(
    path,
    'UPDATE conversation SET message_count = 0, token_count = 7',
    'UPDATE message SET tokens_before = 0',
    "INSERT INTO message_words (message_words) VALUES ('delete-all')",
    "INSERT INTO conversation_words (conversation_words) VALUES ('delete-all')",
    'UPDATE page SET query_count = 99',
    "INSERT INTO query_words (query_words) VALUES ('delete-all')",
  )
  expect(await findProblems(store)).not.toEqual([])
  await store.rebuild()
  expect(await look()).toEqual(before)
})

test('an incomplete erase is completed by scrubbing and by reopening the file', async () => {
  const path = temporaryPath()
  const store = await openFilled(path)
  const leave = () => runPlain(path, "INSERT INTO setting VALUES ('scrub-pending', 'yes')")
  leave()
  expect(await store.scrub()).toBe(true)
  expect(await findProblems(store)).toEqual([])
  leave()
  expect(await findProblems(await openStore({ path }))).toEqual([])
})

test('changes by another process are not reported as damage', async () => {
  const path = temporaryPath()
  const store = await openFilled(path)
  expect(await findProblems(store)).toEqual([])
  const other = await openStore({ path })
  await other.changeConversation(aKey('trip'), { title: 'Renamed' })
  expect(await findProblems(store)).toEqual([])
  await other.eraseQuery(HERE, queryId('q0'))
  await other.eraseMessage(HERE, messageId('m0'), at(9))
  expect(await findProblems(store)).toEqual([])
})

test('a check changes nothing', async () => {
  const path = temporaryPath()
  const store = await openFilled(path)
  const changes = () => askPlain(path, 'PRAGMA data_version')
  const [before, version] = [await readWorkspace(store), changes()]
  await store.check()
  expect(await readWorkspace(store)).toEqual(before)
  expect(changes()).toBe(version)
})

/** Overwrites a leaf page of a table or index, as a failing disk does. */
async function damagePage(table: string, { from, bytes }: { from: number; bytes: Buffer }): Promise<Store> {
  const path = temporaryPath()
  const store = await openStore({ path })
  const messages = Array.from({ length: 400 }, (_, i) => aMessage(`m${i}`, `some words ${i} `.repeat(20)))
  await append(store, aKey('trip'), { messages })
  await store.close()
  const plain = openPlain(path)
  plain.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const leaves = plain
    .prepare(`SELECT pageno FROM dbstat WHERE name = '${table}' AND pagetype = 'leaf'`)
    .all()
  plain.close()
  const { pageno } = leaves[1] as { pageno: number }
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, (pageno - 1) * 4096 + from)
  closeSync(file)
  return openStore({ path })
}

const NOT_INTACT = {
  check: 'the file is intact',
  problem: expect.any(String),
  remedy: expect.stringContaining('backup'),
}

test.each(['sqlite_autoindex_message_2', 'message_words_data'])(
  'a few wrong bytes in %s are detected',
  async (table) => {
    const store = await damagePage(table, { from: 3900, bytes: Buffer.alloc(20, 'A') })
    expect(await findProblems(store)).toContainEqual(NOT_INTACT)
  },
)

test.each(['message', 'sqlite_autoindex_message_2', 'message_words_data'])(
  'an unreadable page of %s is reported as a finding too',
  async (table) => {
    const store = await damagePage(table, { from: 0, bytes: Buffer.alloc(2000, 0xff) })
    expect(await findProblems(store)).toContainEqual(NOT_INTACT)
  },
)

test('reading damaged data fails with an error that says so', async () => {
  const store = await damagePage('message', { from: 0, bytes: Buffer.alloc(2000, 0xff) })
  await expect(readAll(store, aKey('trip'))).rejects.toMatchObject({
    name: 'MemoryError',
    code: 'store-damaged',
  })
})
