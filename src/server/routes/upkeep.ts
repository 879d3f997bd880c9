import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Job } from '../../index.ts'
import { limit, queryOf } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import { accepted, ok, route, routesOf } from '../route.ts'
import { conversation, time } from '../schemas/responses.ts'
import { activity, finding, statistics } from '../schemas/upkeep.ts'

const jobState = z.enum(['waiting', 'running', 'dead'])

const job = z
  .object({
    id: z.int(),
    kind: z.string(),
    conversationId: z.string(),
    state: jobState,
    failures: z.int(),
    error: z.string().optional(),
    runAt: time,
    createdAt: time,
  })
  .meta({ id: 'Job' })

const rebuildState = z
  .object({
    state: z.enum(['none', 'running', 'done', 'failed']),
    done: z.int(),
    total: z.int(),
    startedAt: time.optional(),
    endedAt: time.optional(),
    error: z.string().optional(),
  })
  .meta({ id: 'RebuildState' })

const count = z.int().min(0)

const derivation = z.object({
  behind: count.meta({ description: 'Conversations with messages that are not derived yet.' }),
  underWay: count.meta({ description: 'Conversations that this process is deriving now.' }),
  jobs: z.object({ waiting: count, running: count, dead: count }),
  condensations: count,
  failures: z.array(
    z.object({ workspace: z.string(), conversationId: z.string(), error: z.string(), failedAt: time }),
  ),
  vectors: z.object({ embedder: z.string(), behind: count }).optional(),
  models: z.array(
    z.object({
      model: z.enum(['chat', 'embeddings', 'rerank', 'web-search']),
      calls: count,
      failures: count,
      givenUp: count,
    }),
  ),
})

const prune = object('the request', {
  unusedDays: z.int().min(0).optional(),
  action: z.enum(['archive', 'erase']).optional(),
  isDryRun: z.boolean().optional(),
}).meta({ id: 'Prune' })

export const upkeepRoutes = routesOf('Upkeep', [
  route.get('/api/stats', {
    operation: 'getStatistics',
    summary: 'Returns statistics of the memory.',
    scope: 'read',
    answer: ok(z.object({ workspace: z.string(), statistics })),
    async handle({ memory, scope }) {
      const { storageBytes, ...counts } = await memory.statistics()
      const seen = scope === 'admin' ? { ...counts, storageBytes } : counts
      return { workspace: memory.workspaceId, statistics: seen }
    },
  }),
  route.get('/api/activity', {
    operation: 'getActivity',
    summary: 'Returns activity per day: messages, contexts, and tokens by section.',
    about: 'Calendar days in UTC, oldest first.',
    scope: 'read',
    query: queryOf({ days: limit(366, 30) }),
    answer: ok(activity),
    handle: ({ memory, query }) => memory.activity(query),
  }),
  route.get('/api/jobs', {
    operation: 'listJobs',
    summary: 'Lists jobs that wait, run or failed for good, newest first, with the reason.',
    scope: 'read',
    query: queryOf({ state: jobState.optional(), limit: limit(1000, 50) }),
    answer: ok(z.object({ jobs: z.array(job) })),
    handle: async ({ memory, query }) => ({ jobs: (await memory.jobs.list(query)).items.map(toJob) }),
  }),
  route.post('/api/jobs/retry', {
    operation: 'retryJobs',
    summary: 'Retries jobs that failed for good; returns their number.',
    scope: 'write',
    answer: ok(z.object({ revived: count })),
    handle: async ({ memory }) => ({ revived: await memory.jobs.retry() }),
  }),
  route.post('/api/prune', {
    operation: 'prune',
    summary: 'Archives or erases conversations that were not used for a while, except pinned ones.',
    scope: 'write',
    body: prune,
    answer: ok(
      z.object({
        conversations: z.array(conversation),
        isDryRun: z.boolean(),
        action: z.enum(['archive', 'erase']),
        isScrubbed: z.boolean(),
      }),
    ),
    handle: async ({ memory, body: { isDryRun: dryRun, ...request } }) =>
      memory.prune(definedFields({ ...request, dryRun })),
  }),
  route.get('/api/derivation', {
    operation: 'getDerivation',
    summary: 'Reports the state of derivation in all workspaces, with failures.',
    scope: 'admin',
    answer: ok(derivation),
    async handle({ server: { memory } }) {
      const { failures, hasJobs: _, ...status } = await memory.maintenance.deriveStatus()
      const told = failures.map(({ workspace, conversation: conversationId, error, failedAt }) => ({
        workspace,
        conversationId,
        error: error instanceof Error ? error.message : String(error),
        failedAt,
      }))
      return { ...status, failures: told, models: memory.models.calls() }
    },
  }),
  route.get('/api/doctor', {
    operation: 'checkStore',
    summary: 'Checks the store for damage and inconsistencies; changes nothing.',
    about: 'Reads the whole store, which takes seconds for a large one.',
    scope: 'admin',
    answer: ok(z.object({ location: z.string(), findings: z.array(finding) })),
    handle: async ({ server: { memory } }) => ({
      location: memory.location,
      findings: await memory.maintenance.check(),
    }),
  }),
  route.post('/api/rebuild', {
    operation: 'startRebuild',
    summary: 'Starts to rebuild all derived data from the messages, in all workspaces.',
    scope: 'admin',
    answer: accepted(z.object({ rebuild: rebuildState })),
    handle: async ({ server }) => ({ rebuild: server.rebuild.start(server.memory, server.now) }),
  }),
  route.get('/api/rebuild', {
    operation: 'getRebuild',
    summary: 'Returns the progress of the last rebuild.',
    scope: 'admin',
    answer: ok(z.object({ rebuild: rebuildState })),
    handle: async ({ server }) => ({ rebuild: server.rebuild.state }),
  }),
  route.post('/api/finish-erasing', {
    operation: 'finishErasing',
    summary: 'Completes an erasure that had to wait for another process.',
    scope: 'write',
    answer: ok(z.object({ isScrubbed: z.boolean() })),
    handle: async ({ server: { memory } }) => ({ isScrubbed: await memory.maintenance.finishErasing() }),
  }),
])

const toJob = ({
  id,
  kind,
  conversation: conversationId,
  state,
  failures,
  error,
  runAt,
  createdAt,
}: Job) => ({
  id,
  kind,
  conversationId,
  state,
  failures,
  ...definedFields({ error }),
  runAt,
  createdAt,
})
