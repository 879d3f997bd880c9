import { expect, onTestFinished, test } from 'vitest'
import { createMemory, type Memory } from '../memory/memory.ts'
import { builtInEmbedder } from '../model/built-in/built-in-embedder.ts'
import { loadTokenizer } from '../model/built-in/load-tokenizer.ts'
import { loadRelatedWords } from '../model/built-in/words/related-words.ts'
import { loadModels } from '../model/load-models.ts'
import { resolveConfig } from '../options/resolve-options.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { createDeriver } from './create-deriver.ts'

const SAID = [
  'We are in Lisbon in May, and I am vegetarian.',
  'Which castles in Lisbon are open in May?',
  'The invoices of the spring quarter do not add up.',
  'Anna keeps the invoices in the blue folder.',
  'Back to Lisbon: where do we eat near the castle?',
  'The quarter ends in June, and the invoices are due then.',
]

async function openStore(): Promise<Store> {
  const store = await openSqliteStore({ path: ':memory:', durability: 'relaxed', busyTimeoutMs: 1000 })
  onTestFinished(() => store.close())
  return store
}

/** Opens a memory as another process would: it shares nothing but the store. */
async function openOver(store: Store): Promise<Memory> {
  const parts = {
    store,
    options: resolveConfig(),
    models: await loadModels(resolveConfig().models),
    loadTokenizer: () => loadTokenizer('estimate'),
    now: () => new Date('2026-06-01T12:00:00Z'),
  }
  const deriver = createDeriver({ ...parts, makesVectors: false, embedder: builtInEmbedder })
  return createMemory({
    ...parts,
    builtInEmbedder,
    loadRelatedWords,
    deriver,
    whenIdle: () => deriver.stop(),
  })
}

/** Wraps a store and counts commits, and those that were refused. */
function countRefused(store: Store) {
  const counts = { commits: 0, refused: 0 }
  return {
    counts,
    store: {
      ...store,
      async commitDerivation(commit: Parameters<Store['commitDerivation']>[0]) {
        const isDone = await store.commitDerivation(commit)
        counts.commits += 1
        counts.refused += isDone ? 0 : 1
        return isDone
      },
    },
  }
}

async function talk(memories: readonly Memory[]): Promise<void> {
  for (const [i, content] of SAID.entries()) {
    const memory = memories[i % memories.length] as Memory
    await memory.conversation('trip').record({ role: 'user', content })
  }
}

const titlesIn = async (memory: Memory) =>
  (await memory.conversation('trip').topics.list().toArray()).map(({ title, messageIds }) => [
    title,
    messageIds.length,
  ])

test('processes that take turns writing to a conversation never lose a commit', async () => {
  const { store, counts } = countRefused(await openStore())
  const processes = [await openOver(store), await openOver(store), await openOver(store)]
  await talk(processes)
  expect(counts.refused).toBe(0)
  expect(counts.commits).toBeGreaterThanOrEqual(SAID.length)
  const alone = await openOver(await openStore())
  await talk([alone])
  for (const memory of processes) expect(await titlesIn(memory)).toEqual(await titlesIn(alone))
})

test('a conversation is condensed once, no matter which process sees that it is due', async () => {
  const condense = async (memories: readonly Memory[]) => {
    for (let i = 0; i < 40; i++) {
      const memory = memories[i % memories.length] as Memory
      await memory.conversation('trip').record({ role: 'user', content: SAID[i % SAID.length] ?? '' })
      await memory.whenDerived()
    }
    const statuses = await Promise.all(memories.map((memory) => memory.maintenance.deriveStatus()))
    return statuses.reduce((sum, { condensations }) => sum + condensations, 0)
  }
  const store = await openStore()
  const together = await condense([await openOver(store), await openOver(store), await openOver(store)])
  const alone = await condense([await openOver(await openStore())])
  expect(alone).toBeGreaterThan(1)
  expect(together).toBe(alone)
})

test('topic edits made in one process apply to messages that another process reads next', async () => {
  const store = await openStore()
  const [one, other] = [await openOver(store), await openOver(store)]
  await talk([one, other])
  const invoices = (await one.conversation('trip').messages.list({ after: 1, before: 4 })).items
  await one.conversation('trip').topics.split(invoices.map(({ id }) => id))
  await talk([other, one])
  const arranged = await titlesIn(other)
  expect(arranged.length).toBeGreaterThan(1)
  await other.maintenance.rebuild()
  expect(await titlesIn(one)).toEqual(arranged)
})
