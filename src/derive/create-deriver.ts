import type { Embedder } from '../model/embedder.ts'
import type { Models } from '../model/models.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import { type ResolvedOptions, usableTokens } from '../options.ts'
import type { NewJob } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { Deriver } from './deriver.ts'
import { FACTS_JOB, factsJob } from './facts/model-facts.ts'
import { JobRunner } from './jobs/run-jobs.ts'
import { SUMMARY_JOB, summaryJob } from './summaries/model-summary.ts'
import { resolveMatching } from './topics/matching-options.ts'
import { VectorKeeper } from './vectors/keep-vectors.ts'
import { VECTORS_JOB, vectorsJob } from './vectors/make-vectors.ts'

export interface DerivingParts {
  readonly store: Store
  readonly options: ResolvedOptions
  readonly embedder: Embedder
  readonly models: Models
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export function createDeriver(parts: DerivingParts): Deriver {
  const { store, options, embedder, models, loadTokenizer, now } = parts
  const { topics, convo, derive } = options
  const matching = resolveMatching(topics, embedder)
  const rolling = { options: convo, windowTokens: usableTokens(options.context.window) }
  const jobsFor = (through: number): readonly NewJob[] =>
    models.languageModel === undefined
      ? []
      : [SUMMARY_JOB, FACTS_JOB].map((kind) => ({ kind, key: String(through), body: { through } }))
  return new Deriver({
    store,
    embedder,
    options: { matching, compressAbove: topics.compressAbove, keptLive: topics.keepLive },
    loadCountTokens: async () => (await loadTokenizer()).count,
    jobsForMessages: models.isEmbedderBuiltIn ? [] : [VECTORS_JOB],
    ...(!models.isEmbedderBuiltIn && {
      vectors: new VectorKeeper({ store, loadEmbedder: models.loadEmbedder, now }),
    }),
    rolling,
    loadRolling: async () => {
      const { count } = await loadTokenizer()
      return { ...rolling, store, countTokens: count, jobsFor, now }
    },
    jobs: new JobRunner({ store, handlers: jobHandlers(parts), options: options.jobs, now }),
    ...derive,
    now,
  })
}

/** What can be done with the models that there are. */
function jobHandlers({ store, options, models, loadTokenizer, now }: DerivingParts) {
  const { languageModel: model, loadEmbedder } = models
  const loadCountTokens = async () => (await loadTokenizer()).count
  return {
    ...(model && {
      [SUMMARY_JOB]: summaryJob({ store, model, loadCountTokens, options: options.convo, now }),
      [FACTS_JOB]: factsJob({ store, model, now }),
    }),
    ...(!models.isEmbedderBuiltIn && { [VECTORS_JOB.kind]: vectorsJob({ store, loadEmbedder, now }) }),
  }
}
