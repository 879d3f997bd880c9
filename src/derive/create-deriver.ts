import type { Embedder } from '../model/embedder.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import { type ResolvedOptions, usableTokens } from '../options.ts'
import type { Store } from '../store/store.ts'
import { Deriver } from './deriver.ts'
import { resolveMatching } from './topics/matching-options.ts'

export interface DerivingParts {
  readonly store: Store
  readonly options: ResolvedOptions
  readonly embedder: Embedder
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export function createDeriver({ store, options, embedder, loadTokenizer, now }: DerivingParts): Deriver {
  const { topics, convo, derive } = options
  const matching = resolveMatching(topics, embedder)
  const rolling = { options: convo, windowTokens: usableTokens(options.context.window) }
  return new Deriver({
    store,
    embedder,
    options: { matching, compressAbove: topics.compressAbove, keptLive: topics.keepLive },
    rolling,
    loadRolling: async () => {
      const { count } = await loadTokenizer()
      return { ...rolling, store, countTokens: count, jobsFor: () => [], now }
    },
    cachedConversations: derive.cachedConversations,
    now,
  })
}
