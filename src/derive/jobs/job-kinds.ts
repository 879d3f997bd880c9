import type { NewJob } from '../../store/jobs.ts'

/** A model writes the rolling summary. */
export const SUMMARY_JOB = 'summary'
/** A model extracts facts. */
export const FACTS_JOB = 'facts'
/** An external embedder makes vectors: one job per conversation, no matter how many messages are waiting. */
export const VECTORS_JOB: NewJob = Object.freeze({ kind: 'vectors', key: 'vectors', body: {} })
