import { expect, test } from 'vitest'
import { findWordIds } from '../../../conformance/store/recall-samples.ts'
import { aKey, aMessage, append, upTo } from '../../../conformance/store/samples.ts'
import { askPlain, openPlain, openStore } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'

const MESSAGES = 120

const countPieces = (path: string) => askPlain(path, 'SELECT count(DISTINCT segid) FROM message_words_idx')

test('segments of the word index are merged in the background, and every word is still found', async () => {
  const path = temporaryPath()
  const store = await openStore({ path })
  for (const i of upTo(MESSAGES))
    await append(store, aKey('trip'), { messages: [aMessage(`m${i}`, `tram number${i} to the harbour`)] })
  await expect.poll(() => countPieces(path)).toBeLessThanOrEqual(3)
  expect(await findWordIds(store, 'tram', { limit: 1000 })).toHaveLength(MESSAGES)
  expect(await findWordIds(store, 'number7')).toEqual(['m7'])
  expect((await store.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
  await store.close()
})

test('a store that is closed right after an append has no merge left to run', async () => {
  const store = await openStore({ path: temporaryPath() })
  await append(store, aKey('trip'), { messages: [aMessage('a', 'tram')] })
  await store.close()
  await new Promise((resolve) => setTimeout(resolve, 1200))
  await expect(store.findConversation(aKey('trip'))).rejects.toMatchObject({ code: 'store-closed' })
})

test('if the file stays busy, the merge is retried after the next append', async () => {
  const path = temporaryPath()
  const store = await openStore({ path, busyTimeoutMs: 50 })
  const add = async (i: number) =>
    append(store, aKey('trip'), { messages: [aMessage(`m${i}`, `tram number${i} to the harbour`)] })
  for (const i of upTo(MESSAGES)) await add(i)
  const other = openPlain(path)
  other.exec('BEGIN IMMEDIATE')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  other.exec('ROLLBACK')
  expect((await store.check()).filter(({ problem }) => problem !== undefined)).toEqual([])
  await add(MESSAGES)
  await expect.poll(() => countPieces(path)).toBeLessThanOrEqual(3)
})
