import type { Embedder, Models, Tokenizer } from '../model/models.ts'
import { usableTokens } from '../options/context-options.ts'
import type { ResolvedConfig } from '../options/options.ts'
import type { NewJob } from '../store/jobs.ts'
import type { Store } from '../store/store.ts'
import { Deriver } from './deriver.ts'
import { FACTS_JOB, SUMMARY_JOB, VECTORS_JOB } from './jobs/job-kinds.ts'
import { type JobHandler, JobRunner } from './jobs/run-jobs.ts'
import { resolveMatching } from './topics/matching-options.ts'
import { VectorKeeper } from './vectors/keep-vectors.ts'

export interface CreateDeriverDeps {
  readonly store: Store
  readonly options: ResolvedConfig
  readonly embedder: Embedder
  readonly models: Models
  /** Vectors of messages by the embedder of `models`: built-in ones only for a vector store. */
  readonly makesVectors: boolean
  readonly loadTokenizer: () => Promise<Tokenizer>
  readonly now: () => Date
}

export function createDeriver(parts: CreateDeriverDeps): Deriver {
  const { store, options, embedder, models, makesVectors, loadTokenizer, now } = parts
  const { topics, summary, derive } = options
  const matching = resolveMatching(topics, embedder)
  const rolling = { options: summary, windowTokens: usableTokens(options.context.window) }
  const jobsFor = (through: number): readonly NewJob[] =>
    derivingModel(parts) === undefined
      ? []
      : (summary.rolling === 'on' ? [SUMMARY_JOB, FACTS_JOB] : [FACTS_JOB]).map((kind) => ({
          kind,
          key: String(through),
          body: { through },
        }))
  return new Deriver({
    store,
    embedder,
    options: { matching, compressAbove: topics.compressAbove, keptLive: topics.keepLive },
    loadCountTokens: async () => (await loadTokenizer()).count,
    jobsForMessages: makesVectors ? [VECTORS_JOB] : [],
    ...(makesVectors && {
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

/** The language model, if it may be used for more than answers. */
const derivingModel = ({ models, options }: CreateDeriverDeps) =>
  options.derive.by === 'model' ? models.languageModel : undefined

/** Handlers for the jobs that the configured models can do. Each is loaded with the first job of its kind. */
function jobHandlers(parts: CreateDeriverDeps): Readonly<Record<string, JobHandler>> {
  const { store, options, models, makesVectors, loadTokenizer, now } = parts
  const { loadEmbedder } = models
  const model = derivingModel(parts)
  const loadCountTokens = async () => (await loadTokenizer()).count
  return {
    ...(model && {
      [SUMMARY_JOB]: async (job, held) => {
        const { summaryJob } = await import('./summaries/model-summary.ts')
        await summaryJob({ store, model, loadCountTokens, options: options.summary, now })(job, held)
      },
      [FACTS_JOB]: async (job, held) => {
        const { factsJob } = await import('./facts/model-facts.ts')
        await factsJob({ store, model, now })(job, held)
      },
    }),
    ...(makesVectors && {
      [VECTORS_JOB.kind]: async (job, held) => {
        const { vectorsJob } = await import('./vectors/make-vectors.ts')
        await vectorsJob({ store, loadEmbedder, now })(job, held)
      },
    }),
  }
}
