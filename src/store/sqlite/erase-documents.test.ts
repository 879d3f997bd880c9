// Promise 8 for documents: every byte of every file is read while the store is open, and no trace of an erased
// document, in any version, may be found. Each document contains unique words.

import { expect, test } from 'vitest'
import {
  aDocument,
  aDocumentKey,
  addDocument,
  findTexts,
} from '../../../conformance/store/document-samples.ts'
import { aPageKey, save } from '../../../conformance/store/page-samples.ts'
import { aKey, at, ELSEWHERE, findProblems, HERE, upTo } from '../../../conformance/store/samples.ts'
import { findLeafWords, findTraces } from '../../../test/support/find-traces.ts'
import { SeededRandom } from '../../../test/support/seeded-random.ts'
import { openStore, readRaw } from '../../../test/support/sqlite-file.ts'
import { temporaryPath } from '../../../test/support/temporary-folder.ts'
import { conversationId, type WorkspaceId } from '../../domain/ids.ts'
import { indexableWords } from '../../domain/words.ts'
import type { DocumentKey } from '../document-store.ts'
import type { Erased, Store } from '../store.ts'

/** Long enough that no other bytes match it, or half of it, by chance. */
const NEEDLE = 16

interface Kept {
  readonly key: DocumentKey
  readonly conversation: string | undefined
  readonly needles: string[]
  words: string[]
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

  async fill(documents: number): Promise<void> {
    this.store = await openStore({ path: this.path })
    for (const i of upTo(documents)) await this.#add(i)
    for (const kept of this.live.filter((_, i) => i % 3 === 0)) await this.#replace(kept)
  }

  /** Paragraphs, a name, a title and a heading path, all with needles. */
  #make(kept: Pick<Kept, 'needles'>): ReturnType<typeof aDocument> {
    const { random } = this
    const needle = () => {
      const made = random.letters(NEEDLE)
      kept.needles.push(made)
      return made
    }
    const paragraphs = upTo(1 + random.below(12)).map(() => {
      const filler = upTo(random.below(60)).map(() => random.letters(1 + random.below(9)))
      return [...filler, needle()].join(' ')
    })
    const document = aDocument(paragraphs, { name: `${needle()}.md` })
    const title = needle()
    const heading = { kind: 'heading' as const, start: 0, end: 1, level: 1, title }
    return {
      ...document,
      content: { ...document.content, blocks: [heading] },
      chunks: document.chunks.map((chunk) => ({ ...chunk, headingPath: [title] })),
    }
  }

  async #add(i: number): Promise<void> {
    const workspace: WorkspaceId = this.random.below(4) === 0 ? ELSEWHERE : HERE
    const conversation = [undefined, 'trip', 'walk'][this.random.below(3)]
    const kept: Kept = { key: aDocumentKey(`d${i}`, workspace), conversation, needles: [], words: [] }
    const accepted = this.#make(kept)
    await addDocument(this.store, kept.key, [], {
      accepted,
      ...(conversation !== undefined && { conversation }),
    })
    kept.words = wordsOf(accepted)
    this.live.push(kept)
  }

  async #replace(kept: Kept): Promise<void> {
    const accepted = this.#make(kept)
    await this.store.replaceDocument({ ...kept.key, accepted, now: at(3) })
    kept.words = wordsOf(accepted)
  }

  async erase(work: Promise<Erased>, isGone: (kept: Kept) => boolean): Promise<void> {
    const { isScrubbed, documents } = await work
    const gone = this.live.filter(isGone)
    expect([isScrubbed, documents]).toEqual([true, gone.length])
    this.erased.push(...gone)
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
    const words = new Set(this.live.flatMap((kept) => kept.words))
    const isOrphan = (leaf: string) => ![...words].some((word) => word.startsWith(leaf))
    const leaves = findLeafWords(this.path, 'chunk_words').filter((leaf) => !/^d\d+$/.test(leaf))
    return leaves.filter(isOrphan).slice(0, 4)
  }
}

const wordsOf = ({ chunks }: ReturnType<typeof aDocument>): string[] =>
  chunks.flatMap(({ text, headingPath }) => indexableWords([...headingPath, text].join('\n')).split(' '))

const ROUNDS = [
  { seed: 1, documents: 12 },
  { seed: 2, documents: 100 },
  { seed: 3, documents: 400 },
]

test.each(ROUNDS)('seed $seed: nothing is left of $documents documents', async ({ seed, documents }) => {
  const haystack = new Haystack(seed)
  await haystack.fill(documents)
  const { store, random } = haystack

  for (const _ of upTo(5)) {
    const victim = random.pick(haystack.live)
    await haystack.erase(store.eraseDocument(victim.key, at(9)), (kept) => kept === victim)
  }
  expect(haystack.findTraces(), 'after single documents').toEqual([])
  expect(haystack.findOrphanedLeaves()).toEqual([])

  const isIn = (conversation: string) => (kept: Kept) =>
    kept.key.workspace === HERE && kept.conversation === conversation
  if (haystack.live.some(isIn('trip')))
    await haystack.erase(store.eraseConversations([aKey('trip')]), isIn('trip'))
  expect(haystack.findTraces(), 'after a conversation').toEqual([])
  expect(haystack.findOrphanedLeaves()).toEqual([])
  expect(await findProblems(store)).toEqual([])

  const isElsewhere = ({ key }: Kept) => key.workspace === ELSEWHERE
  if (haystack.live.some(isElsewhere)) await haystack.erase(store.eraseWorkspace(ELSEWHERE), isElsewhere)
  expect(haystack.findTraces(), 'after a workspace').toEqual([])
  expect(haystack.findOrphanedLeaves()).toEqual([])
  expect(await findProblems(store)).toEqual([])
  for (const { key, words, conversation } of haystack.live.slice(0, 20)) {
    const [word = ''] = words
    const scope = conversation === undefined ? {} : { conversations: [conversation] }
    expect(await findTexts(store, word, { documents: [key.document], ...scope })).not.toEqual([])
  }
})

test('old versions are erased with the document that replaced them', async () => {
  const path = temporaryPath()
  const store = await openStore({ path })
  const mills = aDocumentKey('mills')
  const old = 'zyxwvutsrqponmlk'
  await addDocument(store, mills, [`the ${old} words`])
  await store.replaceDocument({ ...mills, accepted: aDocument(['the newer words']), now: at(2) })
  for (const i of upTo(30)) await addDocument(store, aDocumentKey(`other ${i}`), [`other word ${i}`])
  expect(await findTexts(store, old)).toEqual([])
  await store.eraseDocument(mills, at(3))
  expect(findTraces(readRaw(path), [old])).toEqual([])
  expect(await findTexts(store, 'words')).toEqual([])
  expect(await findTexts(store, 'other')).toHaveLength(30)
})

test('a write that fails halfway leaves no document, chunk or index entry', async () => {
  const store = await openStore({ path: temporaryPath() })
  const mills = aDocumentKey('mills')
  const stop = () => {
    throw new Error('stopped')
  }
  const half = { ...mills, accepted: aDocument(upTo(600).map((i) => `mill ${i}`)), now: at(1) }
  const late = (done: number) => (done > 0 ? stop() : undefined)
  await expect(store.addDocument({ ...half, onChunks: late })).rejects.toThrow('stopped')
  expect(await store.findDocument(mills)).toBeUndefined()
  expect(await findTexts(store, 'mill')).toEqual([])
  await addDocument(store, mills, ['old mills'], { conversation: 'trip' })
  await expect(store.replaceDocument({ ...half, onChunks: late })).rejects.toThrow('stopped')
  expect((await store.findDocument(mills))?.version).toBe(1)
  expect(await findTexts(store, 'mills', { conversations: [conversationId('trip')] })).toEqual(['old mills'])
  await save(store, aPageKey('home'), { activeFile: { id: 'mills' } })
  await store.eraseDocument(mills, at(3))
  expect(await findProblems(store)).toEqual([])
})
