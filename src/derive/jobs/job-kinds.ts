import type { NewJob } from '../../store/jobs.ts'

/** A model writes the rolling summary. */
export const SUMMARY_JOB = 'summary'
/** A model reads facts. */
export const FACTS_JOB = 'facts'
/** An embedder that is not built in makes vectors: one job for each conversation, however many messages wait. */
export const VECTORS_JOB: NewJob = Object.freeze({ kind: 'vectors', key: 'vectors', body: {} })
