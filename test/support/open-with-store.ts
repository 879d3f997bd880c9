import { onTestFinished } from 'vitest'
import { createDeriver } from '../../src/derive/create-deriver.ts'
import { createMemory, type Memory } from '../../src/memory/memory.ts'
import { builtInEmbedder } from '../../src/model/built-in/built-in-embedder.ts'
import { loadTokenizer } from '../../src/model/built-in/load-tokenizer.ts'
import { loadRelatedWords } from '../../src/model/built-in/words/related-words.ts'
import { loadModels } from '../../src/model/load-models.ts'
import type { MemoryConfig } from '../../src/options/options.ts'
import { resolveConfig } from '../../src/options/resolve-options.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'

export interface Opened {
  readonly store: Store
  readonly memory: Memory
  /** Sets the clock of the memory. */
  setNow(moment: string): void
  /** Records a user message on a given day. */
  say(conversation: string, day: string, text: string): Promise<string>
}

/** A memory over a store that the test can access directly, with a fixed clock. */
export async function openWithStore(
  options: MemoryConfig = {},
  toSeen: (store: Store) => Store = (store) => store,
): Promise<Opened> {
  const store = await openSqliteStore({ path: ':memory:', durability: 'relaxed', busyTimeoutMs: 1000 })
  let now = new Date('2026-06-01T12:00:00Z')
  const parts = {
    store: toSeen(store),
    options: resolveConfig(options),
    models: await loadModels(resolveConfig().models),
    loadTokenizer: () => loadTokenizer('estimate'),
    now: () => now,
  }
  const deriver = createDeriver({ ...parts, makesVectors: false, embedder: builtInEmbedder })
  const memory = createMemory({
    ...parts,
    builtInEmbedder,
    loadRelatedWords,
    deriver,
    whenIdle: () => deriver.stop(),
  })
  // Closes the memory, not only the store: it derives in the background after a call returns.
  onTestFinished(() => memory.close())
  return {
    store,
    memory,
    setNow: (moment) => {
      now = new Date(moment)
    },
    say: async (conversation, day, text) => {
      const message = { role: 'user', content: text, createdAt: `${day}T10:00:00Z` } as const
      const { id } = await memory.conversation(conversation).record(message)
      return id
    },
  }
}
