// Cases that need many messages: a workspace that is small next to another one, and the longest conversation.

import { expect, test } from 'vitest'
import { findWordIds, findWords, idsAt } from '../../../../conformance/store/recall-samples.ts'
import {
  aKey,
  aMessage,
  append,
  ELSEWHERE,
  rejectsWith,
  upTo,
} from '../../../../conformance/store/samples.ts'
import { openStore, runPlain } from '../../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../../test/support/temporary-folder.ts'
import { POSITIONS_PER_CONVERSATION, toLocator } from '../../../domain/locator.ts'

const OURS = 40

test('a word that is common in another workspace is found in ours, and only there', async () => {
  const store = await openStore()
  for (const i of upTo(OURS))
    await append(store, aKey(`c${i}`), {
      messages: ['tram', 'bus', 'ferry'].map((word) => aMessage(`${word}${i}`, word)),
    })
  await append(store, aKey('off'), { messages: [aMessage('hidden', 'tram')] })
  await store.changeConversation(aKey('off'), { isMemoryOn: false })
  for (const i of upTo(12)) {
    const messages = upTo(1000).map((j) => aMessage(`m${i}-${j}`, j === 0 ? 'tram ferry' : 'tram'))
    await append(store, aKey(`c${i}`, ELSEWHERE), { messages })
  }
  const newestFirst = upTo(OURS).map((i) => `tram${OURS - 1 - i}`)
  expect(await findWordIds(store, 'tram', { limit: 100 })).toEqual(newestFirst)
  expect(await findWordIds(store, 'tram', { limit: OURS })).toEqual(newestFirst)
  const { locators, count } = await findWords(store, 'tram', { limit: 10 })
  expect(await idsAt(store, locators)).toEqual(newestFirst.slice(0, 10))
  expect(count).toBeGreaterThan(20)
  expect(count).toBeLessThan(80)
  expect(await findWordIds(store, 'ferry', { limit: 100 })).toHaveLength(OURS)
  expect(await findWordIds(store, 'ferry', { workspace: ELSEWHERE, limit: 100 })).toHaveLength(12)
  expect((await findWords(store, 'tram', { workspace: ELSEWHERE, limit: 20_000 })).count).toBe(12_000)
})

test('a conversation rejects a message whose locator would belong to another one', async () => {
  const path = temporaryPath()
  const store = await openStore({ path })
  await append(store, aKey('long'), { messages: [aMessage('a', 'tram')] })
  await append(store, aKey('next'), { messages: [aMessage('b', 'bus')] })
  runPlain(
    path,
    `UPDATE conversation SET message_count = ${POSITIONS_PER_CONVERSATION - 1} WHERE id = 'long'`,
  )
  const more = ['c', 'd'].map((id) => aMessage(id, 'ferry'))
  await rejectsWith('too-large', append(store, aKey('long'), { messages: more }))
  expect(await findWordIds(store, 'ferry')).toEqual([])
  await append(store, aKey('long'), { messages: more.slice(0, 1) })
  expect((await findWords(store, 'ferry')).locators).toEqual([toLocator(1, POSITIONS_PER_CONVERSATION - 1)])
})
