// With more vectors than are compared in full, so that candidates are chosen by their sketches.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { commit, mustCommit } from '../../../../conformance/store/derived-samples.ts'
import {
  aKey,
  append,
  at,
  ELSEWHERE,
  findProblems,
  HERE,
  many,
  upTo,
} from '../../../../conformance/store/samples.ts'
import { findPlainly, makeVectors, product } from '../../../../test/support/made-up-vectors.ts'
import { SeededRandom } from '../../../../test/support/seeded-random.ts'
import { openStore } from '../../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../../test/support/temporary-folder.ts'
import { type ConversationId, messageId } from '../../../domain/ids.ts'
import { conversationNumberOf, type MessageLocator, positionOf } from '../../../domain/locator.ts'
import { SKETCH_WORDS } from '../../sketch.ts'
import type { Store } from '../../store.ts'
import { loadDriver } from '../driver.ts'
import { openDatabase } from '../open-database.ts'
import { openSqliteStore } from '../sqlite-store.ts'
import { RecentSketches } from './recent-sketches.ts'
import { readSketches } from './stored-sketches.ts'

const CONVERSATIONS = 22
const EACH = 1000
const reader = (i: number, workspace = HERE) => ({ ...aKey(`c${i}`, workspace), deriver: 'reader' })
const toReadings = (vectors: readonly Float32Array[], first = 0) =>
  vectors.map((vector, i) => ({ position: first + i, topic: 0, vector }))

const sizes = { count: CONVERSATIONS * EACH, dimensions: 128, questions: 15 }
const { vectors, questions } = makeVectors(new SeededRandom(9), sizes)
const [question = new Float32Array()] = questions
const folder = mkdtempSync(join(tmpdir(), 'recollect-nearest-'))
const filled = join(folder, 'filled.db')

beforeAll(async () => {
  const store = await openSqliteStore({ path: filled, durability: 'relaxed', busyTimeoutMs: 5000 })
  for (const i of upTo(CONVERSATIONS)) {
    await append(store, reader(i), { messages: many(`m${i}-`, EACH) })
    const readings = toReadings(vectors.slice(i * EACH, (i + 1) * EACH))
    await mustCommit(store, reader(i), { cursor: EACH, readings })
  }
  await store.close()
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true }))

async function openFilled(): Promise<{ readonly store: Store; readonly path: string }> {
  const path = temporaryPath()
  copyFileSync(filled, path)
  return { store: await openStore({ path }), path }
}

const find = (store: Store, vector: Float32Array, conversations?: readonly ConversationId[]) =>
  store.findNearest({
    workspace: HERE,
    deriver: 'reader',
    vector,
    limit: 10,
    leastSimilarity: 0.1,
    ...(conversations && { conversations }),
  })

/** Conversations were created in order: the first has number 1. */
const indexOf = (place: MessageLocator) => (conversationNumberOf(place) - 1) * EACH + positionOf(place)

test('nearly all of the nearest are found among many, with their true similarity, best first', async () => {
  const { store } = await openFilled()
  let found = 0
  for (const question of questions) {
    const near = await find(store, question)
    for (const { place, similarity } of near)
      expect(similarity).toBeCloseTo(product(question, vectors[indexOf(place)] as Float32Array), 1)
    const similarities = near.map(({ similarity }) => similarity)
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a))
    const nearest = new Set(findPlainly(vectors, question))
    found += near.filter(({ place }) => nearest.has(indexOf(place))).length
  }
  // Quantized vectors (one byte per dimension) are approximate, and the tenth result is often close to the
  // eleventh.
  expect(found / (10 * questions.length)).toBeGreaterThan(0.93)
})

test('new readings are found; dropped, erased or switched-off ones and those of other workspaces are not', async () => {
  const { store, path } = await openFilled()
  const best = async () => (await find(store, question))[0]
  expect((await best())?.similarity).toBeLessThan(0.9)
  const key = reader(3)
  await append(store, key, { messages: many('new', 1) })
  await mustCommit(store, key, { revision: 1, cursor: EACH + 1, readings: toReadings([question], EACH) })
  expect((await best())?.similarity).toBeGreaterThan(0.99)
  const other = await openStore({ path })
  await append(other, key, { messages: many('newer', 1) })
  await mustCommit(other, key, { revision: 2, cursor: EACH + 2, readings: toReadings([question], EACH + 1) })
  expect((await find(store, question)).filter(({ similarity }) => similarity > 0.99)).toHaveLength(2)
  await append(store, reader(3, ELSEWHERE), { messages: many('m', 1) })
  await mustCommit(store, reader(3, ELSEWHERE), { cursor: 1, readings: toReadings([question]) })
  expect((await find(store, question)).filter(({ similarity }) => similarity > 0.99)).toHaveLength(2)
  await other.eraseMessage(HERE, messageId('new0'), at(9))
  expect((await best())?.similarity).toBeLessThan(0.9)
  const readings = toReadings(vectors.slice(3 * EACH, 4 * EACH - 1))
  await commit(store, key, { cursor: EACH - 1, readings: [...readings, ...toReadings([question], EACH - 1)] })
  await store.changeConversation(key, { isMemoryOn: false })
  expect((await best())?.similarity).toBeLessThan(0.9)
  expect(await findProblems(store)).toEqual([])
})

test('a new derivation with other rules is found, though it reuses the number of a dropped one', async () => {
  const { store } = await openFilled()
  expect((await find(store, question))[0]?.similarity).toBeLessThan(0.9)
  const last = reader(CONVERSATIONS - 1)
  await store.dropDerivation(last)
  const readings = toReadings(upTo(EACH).map((i) => (i === 500 ? question : question.map((value) => -value))))
  await mustCommit(store, last, { version: 'v2', cursor: EACH, readings })
  const [best] = await find(store, question)
  expect(best?.similarity).toBeGreaterThan(0.99)
  expect(positionOf(best?.place as MessageLocator)).toBe(500)
})

test('the sketch cache stays within its limit and keeps the most recently used', async () => {
  const { path } = await openFilled()
  const connection = await openDatabase(await loadDriver(), {
    path,
    durability: 'relaxed',
    busyTimeoutMs: 1000,
  })
  onTestFinished(() => connection.close())
  const recent = new RecentSketches(2 * EACH)
  const seen = { generation: 1, version: 'v1', revision: 1, cursor: EACH }
  const read = (number: number) =>
    recent.read({ number, conversation: number, ...seen }, (after) => readSketches(connection, number, after))
  const [first, second] = [read(1), read(2)]
  expect(first).toHaveLength(EACH * SKETCH_WORDS)
  expect(read(1)).toBe(first)
  read(3)
  expect(read(1)).toBe(first)
  expect(read(2)).not.toBe(second)
  expect(read(2)).toEqual(second)
})

test('a rebuild recreates the sketches, with the same results', async () => {
  const { store, path } = await openFilled()
  const before = await Promise.all(questions.map((question) => find(store, question)))
  await store.rebuild()
  expect(await findProblems(store)).toEqual([])
  const again = await openStore({ path })
  expect(await Promise.all(questions.map((question) => find(again, question)))).toEqual(before)
})
