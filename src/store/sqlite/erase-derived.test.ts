// Text is also in derived data, jobs and edits. After an erase, no byte of those may be left in any file either.

import { expect, test } from 'vitest'
import {
  aJob,
  anEdit,
  anItem,
  commit,
  manyReadings,
  mustClaim,
  mustCommit,
  readingOf,
  saveEdit,
  sourcesOf,
} from '../../../conformance/store/derived-samples.ts'
import {
  aKey,
  aMessage,
  append,
  at,
  findProblems,
  fork,
  HERE,
  upTo,
} from '../../../conformance/store/samples.ts'
import { findTraces } from '../../../test/support/find-traces.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { openStore, readRaw } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { messageId } from '../../domain/ids.ts'
import type { Store } from '../store.ts'

const NEEDLE = 12
const MESSAGES = 12

/** One conversation and the random words that were put into everything that belongs to it. */
class Hiding {
  readonly needles: string[] = []
  readonly name: string
  readonly #store: Store
  readonly #random: SeededRandom

  constructor(store: Store, random: SeededRandom, name: string) {
    this.#store = store
    this.#random = random
    this.name = name
  }

  readonly hide = (): string => {
    const needle = this.#random.letters(NEEDLE)
    this.needles.push(needle)
    // Sometimes longer than a page.
    return this.#random.below(8) === 0 ? `${needle} `.repeat(400) : needle
  }

  async fill(): Promise<void> {
    const key = aKey(this.name)
    const messages = upTo(MESSAGES).map((i) => aMessage(`${this.name}-${i}`, this.hide()))
    await append(this.#store, key, { messages })
    await this.derive()
    await this.addJobs()
    await this.edit()
  }

  /** Two commits to the active generation, the second replacing items of the first, and one to another generation. */
  async derive(): Promise<void> {
    const reader = readingOf(aKey(this.name))
    const hidden = (key: string) =>
      anItem(key, {
        kind: this.#random.pick(['topic', 'summary', 'statement', 'entity'] as const),
        body: { [this.hide()]: [this.hide()] },
        vector: Float32Array.of(...Buffer.from(this.hide())),
        madeBy: this.hide(),
      })
    const put = () => upTo(6).map((i) => hidden(i % 2 === 0 ? `${i}` : this.hide()))
    const full = () => ({ cursor: MESSAGES, readings: manyReadings(MESSAGES), put: put() })
    await mustCommit(this.#store, reader, { ...full(), state: { seen: this.hide() } })
    await mustCommit(this.#store, reader, { ...full(), revision: 1, state: this.hide() })
    await mustCommit(this.#store, reader, { ...full(), generation: 2, isActive: false })
  }

  /** One running, one failed, one dead, and one that is not due yet. */
  async addJobs(): Promise<void> {
    const [late, ...jobs] = upTo(4).map((i) =>
      aJob(this.hide(), { kind: `${this.name} ${i}`, body: { says: this.hide() } }),
    )
    await this.#store.addJobs(aKey(this.name), late === undefined ? [] : [late], at(9e6))
    await this.#store.addJobs(aKey(this.name), jobs, at(0))
    await mustClaim(this.#store, 1, { leaseMs: 1e12 })
    for (const failure of [{ error: this.hide(), runAt: at(9e6) }, { error: this.hide() }])
      await this.#store.failJob(await mustClaim(this.#store, 1), failure)
  }

  /** In the conversation, and in the workspace with a message of the conversation as its source. */
  async edit(): Promise<void> {
    const own = () =>
      anEdit(this.hide(), { conversation: aKey(this.name).conversation, body: { says: this.hide() } })
    const sources = sourcesOf(`${this.name}-3`)
    const store = this.#store
    await saveEdit(store, { ...own(), ...sources })
    const { conversation: _, ...elsewhere } = own()
    await saveEdit(store, { ...elsewhere, ...sources })
    const replaced = { ...own(), ...sources, key: 'same' }
    await saveEdit(store, replaced)
    await saveEdit(store, { ...own(), ...sources, key: 'same' }, { replace: true })
  }
}

async function hideAll(seed: number, count: number) {
  const path = temporaryPath()
  const store = await openStore({ path })
  const random = new SeededRandom(seed)
  const hidings = upTo(count).map((i) => new Hiding(store, random, `c${i}`))
  for (const hiding of hidings) await hiding.fill()
  const traces = (needles: readonly string[]) => findTraces(readRaw(path), needles).length
  return { store, hidings, traces }
}

const needlesOf = (hidings: readonly Hiding[]) => hidings.flatMap(({ needles }) => needles)

test.each([1, 2, 3, 4])(
  'seed %i: erasing a conversation leaves nothing that was derived from it',
  async (seed) => {
    const { store, hidings, traces } = await hideAll(seed, 12)
    const [erased, kept] = [hidings.filter((_, i) => i % 3 !== 0), hidings.filter((_, i) => i % 3 === 0)]
    const before = traces(needlesOf(kept))
    expect(traces(needlesOf(erased))).toBeGreaterThan(erased.length * 30)
    const keys = erased.map(({ name }) => aKey(name))
    expect((await store.eraseConversations(keys)).isScrubbed).toBe(true)
    expect(traces(needlesOf(erased))).toBe(0)
    expect(traces(needlesOf(kept))).toBeGreaterThan(before / 2)
    expect(await store.reviveJobs(HERE, at(9))).toBe(kept.length)
    expect(await findProblems(store)).toEqual([])
  },
)

test.each([5, 6, 7])('seed %i: erasing a message leaves nothing that was derived from it', async (seed) => {
  const { store, hidings, traces } = await hideAll(seed, 10)
  const erased = hidings.filter((_, i) => i % 2 === 0)
  // The content of other messages stays; everything derived from it is deleted.
  const standing = new Set(
    (await Promise.all(erased.map(({ name }) => store.messages({ ...aKey(name), limit: 100 })))).flatMap(
      (messages) =>
        messages.filter(({ position }) => position !== 3).map(({ content }) => String(content).split(' ')[0]),
    ),
  )
  for (const { name } of erased) {
    const { isScrubbed } = await store.eraseMessage(HERE, messageId(`${name}-3`), at(9))
    expect(isScrubbed).toBe(true)
  }
  expect(traces(needlesOf(erased).filter((needle) => !standing.has(needle)))).toBe(0)
  expect(traces([...standing] as string[])).toBe(standing.size)
})

test('erasing a workspace leaves nothing that was derived from it', async () => {
  const { store, hidings, traces } = await hideAll(8, 6)
  expect((await store.eraseWorkspace(HERE)).isScrubbed).toBe(true)
  expect(traces(needlesOf(hidings))).toBe(0)
  expect(await findProblems(store)).toEqual([])
})

test('erasing a copy deletes what was derived from the original, and vice versa', async () => {
  const { store, hidings, traces } = await hideAll(9, 1)
  const [origin] = hidings as [Hiding]
  await fork(store, aKey('c0'), { at: 5, into: 'branch' })
  const words = origin.hide()
  await mustCommit(store, readingOf(aKey('branch')), { cursor: 6, put: [anItem('a', { body: { words } })] })
  await saveEdit(store, anEdit('b', { body: { words: origin.hide() }, ...sourcesOf('branch-3') }))
  const messages = await store.messages({ ...aKey('c0'), limit: 100 })
  const standing = messages.map(({ content }) => String(content).split(' ')[0]).filter((_, i) => i !== 3)
  expect((await store.eraseMessage(HERE, messageId('branch-3'), at(9))).isScrubbed).toBe(true)
  expect(traces(origin.needles.filter((needle) => !standing.includes(needle)))).toBe(0)
})

test('data read before an erase and committed after it leaves nothing either', async () => {
  const { store, hidings, traces } = await hideAll(10, 2)
  const [first] = hidings as [Hiding]
  const key = aKey(first.name)
  await store.addJobs(key, [aJob('next', { kind: 'next' })], at(0))
  const [erasureVersion, held] = [await store.erasureVersion(HERE), await mustClaim(store, 1)]
  expect(held.conversation).toBe(first.name)
  await store.eraseConversations([key])
  await append(store, key, { messages: upTo(MESSAGES).map((i) => aMessage(`new-${i}`)) })
  const words = first.hide()
  const late = { cursor: MESSAGES, put: [anItem('a', { body: { words } })], state: words }
  expect(await commit(store, readingOf(key), { ...late, erasureVersion })).toBe(false)
  expect(await commit(store, readingOf(key), { ...late, finishes: held })).toBe(false)
  expect(await store.failJob(held, { error: words })).toBe(false)
  const refused = saveEdit(store, anEdit('late', { body: { words }, ...sourcesOf(`${first.name}-3`) }))
  await expect(refused).rejects.toMatchObject({ code: 'not-found' })
  expect(traces(first.needles)).toBe(0)
})
