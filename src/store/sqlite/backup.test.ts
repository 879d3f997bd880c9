import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  aKey,
  aMessage,
  append,
  at,
  findIds,
  findProblems,
  fork,
  HERE,
  many,
  readAll,
  readWorkspace,
  upTo,
} from '../../../conformance/store/samples.ts'
import { askPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryFolder, temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { Store } from '../store.ts'

const trip = aKey('trip')

/** Writes several megabytes, so that a backup takes more than one step. */
async function fill(store: Store): Promise<void> {
  for (const i of upTo(8)) {
    const messages = upTo(500).map((j) => aMessage(`m${i}-${j}`, `message ${j} of batch ${i} `.repeat(60)))
    await append(store, trip, { messages })
  }
}

test('an erase after a backup completes immediately: the backup keeps no old state alive', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  await store.backup(join(temporaryFolder(), 'copy.db'))
  expect((await store.eraseMessage(HERE, messageId('m1'), at(9))).isScrubbed).toBe(true)
})

test('a backup opens as a separate store with all data', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  await fork(store, trip, { at: 5, into: 'branch' })
  expect((await store.compress(trip, upTo(15))).messages).toBe(15)
  const path = join(temporaryFolder(), 'copy.db')
  await store.backup(path)
  const copy = await openStore({ path })
  expect(await readWorkspace(copy)).toEqual(await readWorkspace(store))
  expect(await findIds(copy, 'words')).toEqual(await findIds(store, 'words'))
  expect(await findProblems(copy)).toEqual([])
})

test('messages can be recorded during a backup, and the copy has everything acknowledged before it', async () => {
  const store = await openStore()
  await fill(store)
  const folder = temporaryFolder()
  const path = join(folder, 'copy.db')
  const before = await readAll(store, trip)
  let isDone = false
  const progress: number[] = []
  const backup = store
    .backup(path, (done, total) => progress.push(done / total))
    .finally(() => {
      isDone = true
    })
  let recorded = 0
  while (!isDone) await append(store, trip, { messages: [aMessage(`during-${recorded++}`)] })
  await backup
  expect(recorded).toBeGreaterThan(1)
  expect(progress.every((share) => share >= 0 && share <= 1)).toBe(true)
  expect(readdirSync(folder)).toEqual(['copy.db'])

  const copy = await openStore({ path })
  expect(await findProblems(copy)).toEqual([])
  const messages = await readAll(copy, trip)
  expect(messages.slice(0, before.length)).toEqual(before)
  expect(await readAll(store, trip)).toHaveLength(before.length + recorded)
})

test('another process may write during a backup', async () => {
  const path = temporaryPath()
  const [store, other] = [await openStore({ path }), await openStore({ path })]
  await fill(store)
  const target = join(temporaryFolder(), 'copy.db')
  const backup = store.backup(target)
  await append(other, trip, { messages: [aMessage('theirs')] })
  await backup
  expect(await findProblems(await openStore({ path: target }))).toEqual([])
})

test('a backup is one file that only its owner can read', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  const folder = temporaryFolder()
  await store.backup(join(folder, 'copy.db'))
  expect(readdirSync(folder)).toEqual(['copy.db'])
  expect(askPlain(join(folder, 'copy.db'), 'PRAGMA journal_mode')).toBe('delete')
  expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600)
})

test('an existing file is never overwritten', async () => {
  const store = await openStore()
  const folder = temporaryFolder()
  const path = join(folder, 'precious.txt')
  writeFileSync(path, 'precious')
  await expect(store.backup(path)).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(path, 'utf8')).toBe('precious')
  expect(readdirSync(folder)).toEqual(['precious.txt'])
})

test('leftovers of an interrupted backup do not prevent a new one', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'copy.db.partial'), 'half')
  await store.backup(join(folder, 'copy.db'))
  expect(readdirSync(folder)).toEqual(['copy.db'])
})

test('a backup into a missing folder fails with a clear error and leaves no files', async () => {
  const store = await openStore()
  const folder = temporaryFolder()
  const path = join(folder, 'nowhere', 'copy.db')
  await expect(store.backup(path)).rejects.toMatchObject({ name: 'MemoryError', code: 'store-failed' })
  expect(readdirSync(folder)).toEqual([])
  mkdirSync(join(folder, 'nowhere'))
  await store.backup(path)
})

test('an in-memory store can be saved by a backup', async () => {
  const store = await openStore({ path: ':memory:' })
  await append(store, trip, { messages: many('m', 5) })
  const path = join(temporaryFolder(), 'copy.db')
  await store.backup(path)
  expect(await readAll(await openStore({ path }), trip)).toEqual(await readAll(store, trip))
})

test('a finished backup does not block erases', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  await store.backup(join(temporaryFolder(), 'copy.db'))
  expect((await store.eraseMessage(HERE, messageId('m3'), at(9))).isScrubbed).toBe(true)
})
