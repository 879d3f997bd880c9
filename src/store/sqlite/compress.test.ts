import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aKey,
  aMessage,
  append,
  aTerm,
  findIds,
  findProblems,
  fork,
  HERE,
  many,
  needMessage,
  readAll,
  toPositions,
  upTo,
} from '../../../conformance/store/samples.ts'
import { effort } from '../../../test/support/effort.ts'
import { askPlain, openPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import type { JsonObject } from '../../domain/json.ts'
import { type Content, readableText } from '../../domain/message.ts'
import { findWords } from '../../domain/words.ts'
import type { AcceptedMessage, Store } from '../store.ts'
import { withWords } from './blocks.ts'
import { compress } from './compress.ts'
import type { Connection } from './connection.ts'
import { loadDriver } from './driver.ts'
import { readMessages } from './messages.ts'
import { openDatabase } from './open-database.ts'

const trip = aKey('trip')
const driver = await loadDriver()

/** `count` different messages of about `bytes` bytes each. */
function talk(count: number, bytes = 200): readonly AcceptedMessage[] {
  const words = (i: number) =>
    Array.from({ length: bytes / 5 }, (_, j) => ((i * 7919 + j * 104_729) % 9973).toString(36))
  return upTo(count).map((i) => aMessage(`m${i}`, `message ${i}: ${words(i).join(' ')}`))
}

async function openTalk(messages: readonly AcceptedMessage[]): Promise<{ store: Store; path: string }> {
  const path = temporaryPath()
  const store = await openStore({ path })
  await append(store, trip, { messages })
  return { store, path }
}

const blockSizes = (path: string) =>
  openPlain(path)
    .prepare('SELECT messages FROM block ORDER BY number')
    .all()
    .map((row) => (row as { messages: number }).messages)

describe('for any messages in any groups', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }).map((wild) => wild.toWellFormed()),
    fc.constantFrom('', '\0', 'a\tb\nc\r', '😀 שלום 漢字', '\u2028', '"\\', 'the sea, the sea'),
    fc.integer({ min: 1, max: 3000 }).map((times) => 'a long story '.repeat(times)),
  )
  // JSON text has no negative zero.
  const json = fc
    .jsonValue({ maxDepth: 2 })
    .map((value) => JSON.parse(JSON.stringify(value))) as fc.Arbitrary<never>
  const content: fc.Arbitrary<Content> = fc.oneof(
    { weight: 3, arbitrary: text },
    text.map((words): Content => [{ type: 'reasoning', text: words }]),
    fc
      .tuple(text, json)
      .map(
        ([tool, value]): Content => [{ type: 'tool-call', toolCallId: 'c', toolName: tool, input: value }],
      ),
    json.map((result): Content => [{ type: 'tool-result', toolCallId: 'c', output: result }]),
    fc.constant([]),
  )
  const said = fc.record(
    {
      content,
      role: fc.constantFrom('user', 'assistant', 'system', 'tool'),
      metadata: fc.dictionary(text, json, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
      name: fc.constantFrom('Ana', 'Ben Ó'),
    },
    { requiredKeys: ['content', 'role'] },
  )
  const groups = fc.array(fc.array(fc.nat(69), { maxLength: 30 }), { maxLength: 8 })

  async function look(store: Store): Promise<unknown> {
    const messages = await readAll(store, trip)
    const words = new Set(
      messages.flatMap(({ content }) =>
        findWords(readableText(content))
          .slice(0, 2)
          .map(({ word }) => word),
      ),
    )
    const found = [...words].map(async (word) => {
      const terms = [{ words: [word], isPrefix: false }]
      return store.searchMessages({ workspace: HERE, terms, limit: 50 })
    })
    return {
      messages,
      backwards: await store.messages({ ...trip, limit: 7, direction: 'backwards' }),
      single: await Promise.all(messages.map(({ id }) => store.findMessage(HERE, id))),
      system: await store.systemMessages(trip),
      found: await Promise.all(found),
    }
  }

  test('every reader returns the same content, to the last character and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(said, { minLength: 1, maxLength: 70 }), groups, async (list, positions) => {
        const store = await openStore({ path: ':memory:' })
        await append(store, trip, {
          messages: list.map((message, i) => aMessage(`m${i}`, message.content, message)),
        })
        const before = await look(store)
        for (const group of positions) await store.compress(trip, group)
        expect(await look(store)).toEqual(before)
        await fork(store, trip, { at: list.length - 1, into: 'branch' })
        const copies = await readAll(store, aKey('branch'))
        expect(copies.map(({ content: words }) => words)).toEqual(list.map(({ content: words }) => words))
        await store.rebuild()
        expect(await findProblems(store)).toEqual([])
        await store.close()
      }),
      { numRuns: effort({ short: 20, long: 60 }) },
    )
  })
})

describe('block size', () => {
  test('messages compressed a few at a time end up in few blocks', async () => {
    const { store, path } = await openTalk(talk(90, 100))
    const compressNine = (from: number) =>
      store.compress(
        trip,
        upTo(9).map((i) => from + i),
      )
    for (const from of [0, 9, 18, 27, 36]) await compressNine(from)
    expect(blockSizes(path)).toEqual([9, 9, 9, 9, 9])
    await compressNine(45)
    expect(blockSizes(path)).toEqual([54])
    for (const from of [54, 63, 72, 81]) await compressNine(from)
    expect(blockSizes(path)).toEqual([54, 9, 9, 9, 9])
    expect(await readAll(store, trip)).toHaveLength(90)
  })

  test('many messages at once are split into several blocks', async () => {
    const { store, path } = await openTalk(talk(200, 100))
    expect((await store.compress(trip, upTo(200))).messages).toBe(200)
    expect(blockSizes(path)).toEqual([64, 64, 64, 8])
  })

  test('a small block takes as many more messages as fit', async () => {
    const { store, path } = await openTalk(talk(200, 100))
    for (const end of [10, 60, 90, 160]) await store.compress(trip, upTo(end))
    expect(blockSizes(path)).toEqual([60, 30, 64, 6])
  })

  test('long messages go into smaller blocks, and a huge one gets its own block', async () => {
    const huge = aMessage('huge', 'abc '.repeat(200_000))
    const { store, path } = await openTalk([...talk(10, 30_000), huge])
    const before = await readAll(store, trip)
    await store.compress(trip, upTo(11))
    expect(blockSizes(path).at(-1)).toBe(1)
    expect(Math.max(...blockSizes(path))).toBeLessThan(8)
    expect(await readAll(store, trip)).toEqual(before)
  })

  test('merging messages compressed at different times keeps the order of positions', async () => {
    const { store } = await openTalk(talk(30))
    await store.compress(trip, [20, 21, 22, 5, 6])
    await store.compress(trip, [0, 29, 7])
    expect(await store.compressedPositions(trip)).toEqual([0, 5, 6, 7, 20, 21, 22, 29])
    expect(toPositions(await readAll(store, trip))).toEqual(upTo(30))
  })

  test('the file shrinks by the saved bytes', async () => {
    const { store, path } = await openTalk(talk(2000, 400))
    const used = () =>
      Number(askPlain(path, "SELECT sum(pgsize) FROM dbstat WHERE name IN ('message', 'block')"))
    const before = used()
    const { bytesBefore, bytesAfter } = await store.compress(trip, upTo(2000))
    expect(before - used()).toBeGreaterThan((bytesBefore - bytesAfter) * 0.9)
  })
})

test('no table references rows of messages, since compressing deletes and inserts them', async () => {
  const { path } = await openTalk(talk(1))
  const sql = `SELECT count(*) FROM sqlite_schema s, pragma_foreign_key_list(s.name) k WHERE k."table" = 'message'`
  expect(askPlain(path, sql)).toBe(0)
})

test('JSON with line breaks, written by another program, is left unchanged', async () => {
  const { store, path } = await openTalk(talk(10))
  openPlain(path).exec("UPDATE message SET content = '[\n]' WHERE position = 3")
  expect((await store.compress(trip, upTo(10))).messages).toBe(9)
  expect((await needMessage(store, 'm3')).content).toEqual([])
})

describe('several processes', () => {
  test('a cached block is not used after another process rewrites it', async () => {
    const { store, path } = await openTalk(talk(40))
    const other = await openStore({ path })
    const before = await readAll(store, trip)
    await other.compress(trip, upTo(10))
    expect(await readAll(store, trip)).toEqual(before)
    await other.compress(trip, upTo(20))
    expect(await readAll(store, trip)).toEqual(before)
    await other.eraseMessage(HERE, (before[3] ?? { id: '' as never }).id, new Date())
    const after = await readAll(store, trip)
    expect(after[3]).toMatchObject({ content: '', erasedAt: expect.any(Date) })
    expect(after[4]?.content).toBe(before[4]?.content)
    expect(await findIds(store, [aTerm('message')])).toHaveLength(39)
  })

  test('may compress the same conversation at the same time', async () => {
    const { store, path } = await openTalk(talk(120))
    const other = await openStore({ path })
    const before = await readAll(store, trip)
    await Promise.all(
      upTo(12).flatMap((i) => [store.compress(trip, upTo(10 * i)), other.compress(trip, upTo(10 * i + 5))]),
    )
    expect(await readAll(store, trip)).toEqual(before)
    expect(await readAll(other, trip)).toEqual(before)
    expect(await findProblems(store)).toEqual([])
  })
})

describe('a connection', () => {
  async function connect(path: string): Promise<Connection> {
    return openDatabase(driver, { path, durability: 'relaxed', busyTimeoutMs: 1000 })
  }

  test('that reads a message just before its block is replaced reads again', async () => {
    const { store, path } = await openTalk(talk(20))
    const before = await readAll(store, trip)
    await store.compress(trip, upTo(10))
    const connection = await connect(path)
    const plain = openPlain(path)
    let looks = 0
    const contents = await connection.read(() => {
      looks += 1
      const rows = connection.all<never>('SELECT * FROM message ORDER BY position')
      if (looks === 1) {
        plain.exec(`INSERT INTO block SELECT 100, conversation, positions, messages, bytes, body FROM block;
          UPDATE message SET block = 100 WHERE block IS NOT NULL; DELETE FROM block WHERE number < 100`)
      }
      return withWords<never>(connection, rows).map(({ content }) => JSON.parse(content))
    })
    expect(looks).toBe(2)
    expect(contents).toEqual(before.map(({ content }) => content))
    await connection.close()
  })

  test('does not cache a block that was rolled back', async () => {
    const { store, path } = await openTalk(talk(30))
    const before = await readAll(store, trip)
    const connection = await connect(path)
    const range = { ...trip, limit: 100 }
    const undone = connection.write(() => {
      compress(connection, trip, upTo(10))
      expect(readMessages(connection, range)).toEqual(before)
      throw new TypeError('changed my mind')
    })
    await expect(undone).rejects.toThrow('changed my mind')
    await connection.write(() => compress(connection, trip, [12, 13, 14, 15, 16, 17]))
    expect(await connection.read(() => readMessages(connection, range))).toEqual(before)
    await connection.close()
  })
})

test('a conversation that was erased and recreated gets nothing from the old blocks', async () => {
  const { store } = await openTalk(talk(20))
  await store.compress(trip, upTo(20))
  await readAll(store, trip)
  await store.eraseConversations([trip])
  await append(store, trip, { messages: many('n', 20) })
  await store.compress(trip, upTo(20))
  expect((await needMessage(store, 'n3')).content).toBe('the words of n3')
})
