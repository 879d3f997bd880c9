import type { Embedder } from '../model/embedder.ts'
import type { LanguageModel } from '../model/language-model.ts'
import type { Tokenizer } from '../model/tokenizer.ts'
import { type ResolvedOptions, usableTokens } from '../options.ts'
import type { NewJob } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { Deriver } from './deriver.ts'
import { JobRunner } from './jobs/run-jobs.ts'
import { SUMMARY_JOB, summaryJob } from './summaries/model-summary.ts'
import { resolveMatching } from './topics/matching-options.ts'

export interface DerivingParts {
  readonly store: Store
  readonly options: ResolvedOptions
  readonly embedder: Embedder
  readonly languageModel: LanguageModel | undefined
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export function createDeriver(parts: DerivingParts): Deriver {
  const { store, options, embedder, languageModel, loadTokenizer, now } = parts
  const { topics, convo, derive } = options
  const matching = resolveMatching(topics, embedder)
  const rolling = { options: convo, windowTokens: usableTokens(options.context.window) }
  const jobsFor = (through: number): readonly NewJob[] =>
    languageModel === undefined ? [] : [{ kind: SUMMARY_JOB, key: String(through), body: { through } }]
  return new Deriver({
    store,
    embedder,
    options: { matching, compressAbove: topics.compressAbove, keptLive: topics.keepLive },
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
function jobHandlers({ store, options, languageModel, loadTokenizer, now }: DerivingParts) {
  if (languageModel === undefined) return {}
  const loadCountTokens = async () => (await loadTokenizer()).count
  const parts = { store, model: languageModel, loadCountTokens, options: options.convo, now }
  return { [SUMMARY_JOB]: summaryJob(parts) }
}
