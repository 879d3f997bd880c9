// The disk is full: on a small mounted disk, or, where none can be mounted, through a limit in SQLite.

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conversationId, messageId, workspaceId } from '../../src/domain/ids.ts'
import { type Memory, MemoryError, type Message, type NewMessage, openMemory } from '../../src/index.ts'
import { append } from '../../src/store/sqlite/append.ts'
import type { Connection } from '../../src/store/sqlite/connection.ts'
import { loadDriver } from '../../src/store/sqlite/driver.ts'
import { migrate } from '../../src/store/sqlite/migrate.ts'
import { MIGRATIONS } from '../../src/store/sqlite/migrations/migrations.ts'
import { openDatabase } from '../../src/store/sqlite/open-database.ts'
import type { AcceptedMessage } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { chatter, seededRandom } from './chatter.mjs'
import { ALL_WELL, Ledger } from './ledger.ts'
import { SmallDisk } from './small-disk.ts'

type Given = NewMessage & { readonly id: string }
type Write = (given: readonly Given[]) => Promise<readonly Message[]>

const toConversation = (memory: Memory): Write => {
  const conversation = memory.conversation('chat')
  return (given) => conversation.record(given)
}

/** Far more than needed: a disk that never fills up must not hang the test. */
const MOST_TO_FILL = 5000

/** Writes and records the outcome; returns the error, if any. */
async function attempt(write: Write, given: readonly Given[], ledger: Ledger): Promise<unknown> {
  try {
    ledger.keep(given, await write(given))
    return undefined
  } catch (error) {
    ledger.refuse(given)
    return error
  }
}

async function fill(write: Write, next: () => readonly Given[], ledger: Ledger): Promise<unknown> {
  for (let i = 0; i < MOST_TO_FILL; i++) {
    const error = await attempt(write, next(), ledger)
    if (error !== undefined) return error
  }
  throw new Error(`there was room for ${MOST_TO_FILL} calls`)
}

function expectFull(error: unknown, path: string): void {
  expect(error).toBeInstanceOf(MemoryError)
  expect(error).toMatchObject({ code: 'store-full', message: expect.stringContaining(path) })
  expect(error).toMatchObject({ hint: expect.stringContaining('free some space') })
}

/** The log grows to 4 MB before it is copied into the file, which then needs the same space. */
const LOG_ONLY = { megabytes: 3, ballastMegabytes: 1, batch: 1 }
const LOG_AND_FILE = { megabytes: 14, ballastMegabytes: 5, batch: 20 }

test.for([['the log alone', LOG_ONLY] as const, ['the log and the file', LOG_AND_FILE] as const])(
  'a disk filled up by %s refuses more, loses nothing, and takes more once there is room',
  async ([, room], context) => {
    const disk = new SmallDisk(context, room)
    const path = join(disk.folder, 'memory.db')
    const memory = await openMemory(path)
    const write = toConversation(memory)
    const ledger = new Ledger()
    const { many } = chatter('m', seededRandom(1))
    const next = () => many(room.batch)

    expectFull(await fill(write, next, ledger), path)
    const count = ledger.size
    // A shorter one may still fit.
    expectFull(await fill(write, next, ledger), path)
    expect(await ledger.audit(memory)).toEqual(ALL_WELL)
    expect(await ledger.auditFile(path)).toEqual(ALL_WELL)
    // A context is returned even if there is no space for its receipt.
    expect((await memory.conversation('chat').context('Still there?')).messages.length).toBeGreaterThan(0)

    disk.free()
    for (let i = 0; i < 5; i++) expect(await attempt(write, many(1), ledger)).toBeUndefined()
    expect(await ledger.audit(memory)).toEqual(ALL_WELL)
    await memory.close()
    expect(await ledger.auditFile(path)).toEqual(ALL_WELL)
    console.log(`a disk of ${room.megabytes} MB was full after ${count} messages`)
  },
)

test('a batch that does not fit on the disk is refused as a whole', async (context) => {
  const disk = new SmallDisk(context, LOG_ONLY)
  const path = join(disk.folder, 'memory.db')
  const memory = await openMemory(path)
  const write = toConversation(memory)
  const ledger = new Ledger()
  const { many } = chatter('m', seededRandom(2))

  expect(await attempt(write, many(20), ledger)).toBeUndefined()
  expectFull(await attempt(write, many(3000), ledger), path)
  expect(await ledger.audit(memory)).toEqual(ALL_WELL)
  expect(await attempt(write, many(20), ledger)).toBeUndefined()
  await memory.close()
  expect(await ledger.auditFile(path)).toEqual(ALL_WELL)
})

test('messages recorded concurrently while the disk fills up are each stored or rejected', async (context) => {
  const disk = new SmallDisk(context, LOG_ONLY)
  const path = join(disk.folder, 'memory.db')
  const memory = await openMemory(path)
  const ledger = new Ledger()
  const random = seededRandom(3)
  const { many } = chatter('m', random)
  const recordAtOnce = () =>
    Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const conversation = memory.conversation(`chat-${i % 3}`)
        return attempt((given) => conversation.record(given), many(random.between(1, 4)), ledger)
      }),
    )

  const errors: unknown[] = []
  for (let i = 0; i < 60; i++) errors.push(...(await recordAtOnce()).filter((error) => error !== undefined))
  expect(errors.length).toBeGreaterThan(0)
  for (const error of errors) expectFull(error, path)
  expect(await ledger.audit(memory)).toEqual(ALL_WELL)

  disk.free()
  expect(await recordAtOnce()).toEqual(Array(8).fill(undefined))
  await memory.close()
  expect(await ledger.auditFile(path)).toEqual(ALL_WELL)
})

test('a file at its size limit rejects writes, loses nothing, and accepts writes once the limit is raised', async () => {
  const path = join(temporaryFolder(), 'memory.db')
  const connection = await openStore(path)
  const ledger = new Ledger()
  const { many } = chatter('m', seededRandom(4))
  const write: Write = (given) => connection.write(() => appendAll(connection, given))
  const limitPages = (pages: number) => connection.database.exec(`PRAGMA max_page_count = ${pages}`)

  limitPages(200)
  expectFull(await fill(write, () => many(5), ledger), path)
  const errors = await Promise.all(Array.from({ length: 8 }, (_, i) => attempt(write, many(1 + i), ledger)))
  for (const error of errors) if (error !== undefined) expectFull(error, path)
  expect(await ledger.auditFile(path)).toEqual(ALL_WELL)

  limitPages(1_000_000)
  const later = await Promise.all(Array.from({ length: 8 }, () => attempt(write, many(3), ledger)))
  expect(later).toEqual(Array(8).fill(undefined))
  await connection.close()
  expect(await ledger.auditFile(path)).toEqual(ALL_WELL)
})

async function openStore(path: string): Promise<Connection> {
  const connection = await openDatabase(await loadDriver(), { path, durability: 'full', busyTimeoutMs: 1000 })
  const keepCopy = () => Promise.reject(new Error('a new file has nothing to keep'))
  await migrate({ connection, migrations: MIGRATIONS, now: new Date(), keepCopy })
  return connection
}

function appendAll(connection: Connection, given: readonly Given[]): readonly Message[] {
  const now = new Date()
  const { messages } = append(connection, {
    workspace: workspaceId('default'),
    conversation: conversationId('chat'),
    messages: given.map(({ id, createdAt: _, ...message }) => ({
      ...(message as Pick<AcceptedMessage, 'role' | 'content'>),
      id: messageId(id),
      createdAt: now,
      recordedAt: now,
      tokens: 1,
      tokenizer: 'none',
    })),
    now,
    suggestTitle: () => undefined,
  })
  return messages
}
