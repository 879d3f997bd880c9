import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryFolder, temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
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
} from '../conformance/samples.ts'
import type { Store } from '../store.ts'

const trip = aKey('trip')

/** Some megabytes, so that a backup takes more than one step. */
async function fill(store: Store): Promise<void> {
  for (const i of upTo(8)) {
    const messages = upTo(500).map((j) => aMessage(`m${i}-${j}`, `message ${j} of batch ${i} `.repeat(60)))
    await append(store, trip, { messages })
  }
}

test('an erase after a backup is finished at once: the backup holds on to nothing', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  await store.backup(join(temporaryFolder(), 'copy.db'))
  expect((await store.eraseMessage(HERE, messageId('m1'), at(9))).isScrubbed).toBe(true)
})

test('a backup opens as a store of its own with everything in it', async () => {
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

test('messages go on being recorded during a backup, and the copy has what was acknowledged before it', async () => {
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

test('another program may write during a backup', async () => {
  const path = temporaryPath()
  const [store, other] = [await openStore({ path }), await openStore({ path })]
  await fill(store)
  const target = join(temporaryFolder(), 'copy.db')
  const backup = store.backup(target)
  await append(other, trip, { messages: [aMessage('theirs')] })
  await backup
  expect(await findProblems(await openStore({ path: target }))).toEqual([])
})

test('a backup is one file, which its owner alone can read', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  const folder = temporaryFolder()
  await store.backup(join(folder, 'copy.db'))
  expect(readdirSync(folder)).toEqual(['copy.db'])
  expect(askPlain(join(folder, 'copy.db'), 'PRAGMA journal_mode')).toBe('delete')
  expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600)
})

test('a file that is there is never overwritten', async () => {
  const store = await openStore()
  const folder = temporaryFolder()
  const path = join(folder, 'precious.txt')
  writeFileSync(path, 'precious')
  await expect(store.backup(path)).rejects.toMatchObject({ code: 'conflict' })
  expect(readFileSync(path, 'utf8')).toBe('precious')
  expect(readdirSync(folder)).toEqual(['precious.txt'])
})

test('what an earlier backup left half done is no hindrance', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'copy.db.partial'), 'half')
  await store.backup(join(folder, 'copy.db'))
  expect(readdirSync(folder)).toEqual(['copy.db'])
})

test('a backup into a folder that is not there fails with a clear error and leaves nothing', async () => {
  const store = await openStore()
  const folder = temporaryFolder()
  const path = join(folder, 'nowhere', 'copy.db')
  await expect(store.backup(path)).rejects.toMatchObject({ name: 'MemoryError', code: 'store-failed' })
  expect(readdirSync(folder)).toEqual([])
  mkdirSync(join(folder, 'nowhere'))
  await store.backup(path)
})

test('a store in memory can be kept by a backup', async () => {
  const store = await openStore({ path: ':memory:' })
  await append(store, trip, { messages: many('m', 5) })
  const path = join(temporaryFolder(), 'copy.db')
  await store.backup(path)
  expect(await readAll(await openStore({ path }), trip)).toEqual(await readAll(store, trip))
})

test('a backup that is done keeps no erase from being finished', async () => {
  const store = await openStore()
  await append(store, trip, { messages: many('m', 20) })
  await store.backup(join(temporaryFolder(), 'copy.db'))
  expect((await store.eraseMessage(HERE, messageId('m3'), at(9))).isScrubbed).toBe(true)
})
