// Promise 8 for pages: every byte of every file is read while the store is open, and no trace of an erased page or
// query may be found. Each contains unique words.

import { expect, test } from 'vitest'
import { add, aPageKey, aQuery, save } from '../../../conformance/store/page-samples.ts'
import { aKey, create, ELSEWHERE, findProblems, HERE, upTo } from '../../../conformance/store/samples.ts'
import { findLeafWords, findTraces } from '../../../test/support/find-traces.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { openStore, readRaw } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { queryId, type WorkspaceId } from '../../domain/ids.ts'
import { searchableText } from '../../domain/page.ts'
import { indexableWords } from '../../domain/words.ts'
import type { AcceptedQuery } from '../page-store.ts'
import type { Erased, Store } from '../store.ts'

const NEEDLE = 16

interface Kept {
  readonly workspace: WorkspaceId
  readonly page: string
  /** Missing for the state of a page. */
  readonly query?: AcceptedQuery
  readonly needles: readonly string[]
}

class Haystack {
  readonly path: string = temporaryPath()
  readonly random: SeededRandom
  store!: Store
  live: Kept[] = []
  erased: Kept[] = []

  constructor(seed: number) {
    this.random = new SeededRandom(seed)
  }

  async fill({ queries, pages }: { queries: number; pages: number }): Promise<void> {
    this.store = await openStore({ path: this.path })
    for (const page of upTo(pages).map((i) => `p${i}`)) {
      for (const workspace of [HERE, ELSEWHERE]) await this.#savePage(workspace, page)
    }
    for (let made = 0; made < queries; ) {
      const workspace = this.random.below(5) === 0 ? ELSEWHERE : HERE
      const page = `p${this.random.below(pages)}`
      const batch = upTo(1 + this.random.below(20)).map((i) => this.#make(workspace, page, made + i))
      const key = aPageKey(page, workspace)
      await add(
        this.store,
        key,
        batch.map(({ query }) => query),
      )
      this.live.push(...batch)
      made += batch.length
    }
  }

  /** Written twice, so that an old state exists and must be erased too. */
  async #savePage(workspace: WorkspaceId, page: string): Promise<void> {
    const needles = upTo(6).map(() => this.random.letters(NEEDLE))
    const [old = '', id = '', name = '', topic = '', entity = '', preference = ''] = needles
    const key = aPageKey(page, workspace)
    await save(this.store, key, { currentTopic: old, entities: { [old]: old.repeat(300) } })
    await save(this.store, key, {
      activeFile: { id, name },
      currentTopic: topic,
      entities: { [entity]: [entity] },
      preferences: { [preference]: preference },
    })
    this.live.push({ workspace, page, needles })
  }

  #make(workspace: WorkspaceId, page: string, number: number): Kept & { readonly query: AcceptedQuery } {
    const { random } = this
    const needles = upTo(5).map(() => random.letters(NEEDLE))
    const [asked = '', sql = '', column = '', cell = '', answer = ''] = needles
    const filler = upTo(random.below(30))
      .map(() => random.letters(1 + random.below(9)))
      .join(' ')
    const id = `q${number}-${random.letters(6)}`
    const query = aQuery(id, `${filler} ${asked}`, {
      sql: `SELECT ${sql}`,
      results: upTo(random.below(20)).map(() => ({ [column]: cell })),
      response: `${answer} ${filler}`,
      important: random.below(5) === 0,
    })
    return { workspace, page, query, needles }
  }

  async erase(work: Promise<Erased>, isGone: (kept: Kept) => boolean): Promise<void> {
    expect((await work).isScrubbed).toBe(true)
    this.erased.push(...this.live.filter(isGone))
    this.live = this.live.filter((kept) => !isGone(kept))
  }

  /** A few are enough to see what is wrong. */
  findTraces(): readonly string[] {
    const half = NEEDLE / 2
    const halves = this.erased.flatMap(({ needles }) =>
      needles.flatMap((needle) => [needle.slice(0, half), needle.slice(half)]),
    )
    return findTraces(readRaw(this.path), halves).slice(0, 4)
  }

  findOrphanedLeaves(): readonly string[] {
    const words = new Set(
      this.live.flatMap(({ query }) =>
        query === undefined ? [] : indexableWords(searchableText(query)).split(' '),
      ),
    )
    const isOrphan = (leaf: string) => ![...words].some((word) => word.startsWith(leaf))
    return findLeafWords(this.path, 'query_words').filter(isOrphan).slice(0, 4)
  }
}

const ROUNDS = [
  { seed: 1, queries: 60, pages: 3 },
  { seed: 2, queries: 600, pages: 5 },
  { seed: 3, queries: 2500, pages: 200 },
  { seed: 4, queries: 3000, pages: 300 },
]

test.each(ROUNDS)('seed $seed: nothing is left of $queries queries on $pages pages', async (round) => {
  const haystack = new Haystack(round.seed)
  await haystack.fill(round)
  const { store, random } = haystack
  expect(haystack.findTraces()).toEqual([])

  for (const _ of upTo(15)) {
    const victim = random.pick(haystack.live.filter(({ query }) => query !== undefined))
    const id = queryId(victim.query?.id ?? '')
    await haystack.erase(store.eraseQuery(victim.workspace, id), (kept) => kept === victim)
  }
  expect(haystack.findTraces(), 'after single queries').toEqual([])
  expect(haystack.findOrphanedLeaves()).toEqual([])

  await haystack.erase(
    store.erasePage(aPageKey('p0')),
    (kept) => kept.workspace === HERE && kept.page === 'p0',
  )
  await create(store, aKey('p1'), { title: 'With a page' })
  await haystack.erase(
    store.eraseConversations([aKey('p1')]),
    (kept) => kept.workspace === HERE && kept.page === 'p1',
  )
  expect(haystack.findTraces(), 'after pages').toEqual([])
  expect(haystack.findOrphanedLeaves()).toEqual([])
  expect(await findProblems(store)).toEqual([])

  await haystack.erase(store.eraseWorkspace(ELSEWHERE), ({ workspace }) => workspace === ELSEWHERE)
  expect(haystack.findTraces(), 'after a workspace').toEqual([])
  expect(haystack.findOrphanedLeaves()).toEqual([])
  expect(await findProblems(store)).toEqual([])
  const standing = haystack.live.flatMap(({ query, needles }) =>
    query === undefined ? [] : (needles[0] ?? []),
  )
  expect(findTraces(readRaw(haystack.path), standing).length, 'the others are there').toBe(standing.length)
})
