import { z } from 'zod'
import { definedFields } from '../../domain/defined-fields.ts'
import type { Job } from '../../index.ts'
import { limit, queryOf } from '../../schemas/lists.ts'
import { object } from '../../schemas/values.ts'
import { accepted, ok, type Route, route } from '../route.ts'
import { conversation } from '../schemas/conversation.ts'
import { activity, finding, statistics } from '../schemas/upkeep.ts'
import { time } from '../schemas/values.ts'

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
  behind: count.meta({ description: 'Conversations with messages that were not read yet.' }),
  underWay: count.meta({ description: 'Conversations that this process is at work on.' }),
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

export const upkeepRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/stats',
    noun: 'Upkeep',
    operation: 'getStatistics',
    summary: 'How much is in the memory.',
    scope: 'read',
    answer: ok(z.object({ workspace: z.string(), statistics })),
    async handle({ memory, scope }) {
      const { storageBytes, ...counts } = await memory.statistics()
      const seen = scope === 'admin' ? { ...counts, storageBytes } : counts
      return { workspace: memory.workspaceId, statistics: seen }
    },
  }),
  route({
    method: 'get',
    path: '/api/activity',
    noun: 'Upkeep',
    operation: 'getActivity',
    summary: 'What went on in the last days: messages, contexts, and what they were spent on.',
    about: 'Days of the calendar in UTC, oldest first, today last.',
    scope: 'read',
    query: queryOf({ days: limit(366, 30) }),
    answer: ok(activity),
    handle: ({ memory, query }) => memory.activity(definedFields(query)),
  }),
  route({
    method: 'get',
    path: '/api/jobs',
    noun: 'Upkeep',
    operation: 'listJobs',
    summary: 'Work for models that waits, runs or was given up, newest first, and why.',
    scope: 'read',
    query: queryOf({ state: jobState.optional(), limit: limit(1000, 50) }),
    answer: ok(z.object({ jobs: z.array(job) })),
    async handle({ memory, query }) {
      return { jobs: (await memory.jobs.list(definedFields(query))).items.map(toJob) }
    },
  }),
  route({
    method: 'post',
    path: '/api/jobs/retry',
    noun: 'Upkeep',
    operation: 'retryJobs',
    summary: 'Lets what was given up be tried again; answers how many.',
    scope: 'write',
    answer: ok(z.object({ revived: count })),
    async handle({ memory }) {
      return { revived: await memory.jobs.retry() }
    },
  }),
  route({
    method: 'post',
    path: '/api/prune',
    noun: 'Upkeep',
    operation: 'prune',
    summary: 'Archives or erases conversations that were not used for a while; pinned ones stay.',
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
  route({
    method: 'get',
    path: '/api/derivation',
    noun: 'Upkeep',
    operation: 'getDerivation',
    summary: 'Whether everything that can be derived is, in all workspaces, and what went wrong.',
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
  route({
    method: 'get',
    path: '/api/doctor',
    noun: 'Upkeep',
    operation: 'checkStore',
    summary: 'Looks for damage and disagreement in the store; changes nothing.',
    about: 'Reads the whole store: seconds for a large one.',
    scope: 'admin',
    answer: ok(z.object({ location: z.string(), findings: z.array(finding) })),
    async handle({ server: { memory } }) {
      return { location: memory.location, findings: await memory.maintenance.check() }
    },
  }),
  route({
    method: 'post',
    path: '/api/rebuild',
    noun: 'Upkeep',
    operation: 'startRebuild',
    summary: 'Begins to make everything that is derived anew from the messages, in all workspaces.',
    scope: 'admin',
    answer: accepted(z.object({ rebuild: rebuildState })),
    async handle({ server }) {
      return { rebuild: server.rebuild.start(server.memory, server.now) }
    },
  }),
  route({
    method: 'get',
    path: '/api/rebuild',
    noun: 'Upkeep',
    operation: 'getRebuild',
    summary: 'How far the last rebuild is.',
    scope: 'admin',
    answer: ok(z.object({ rebuild: rebuildState })),
    async handle({ server }) {
      return { rebuild: server.rebuild.state }
    },
  }),
  route({
    method: 'post',
    path: '/api/finish-erasing',
    noun: 'Upkeep',
    operation: 'finishErasing',
    summary: 'Finishes an erase that had to wait for another reader.',
    scope: 'write',
    answer: ok(z.object({ isScrubbed: z.boolean() })),
    async handle({ server: { memory } }) {
      return { isScrubbed: await memory.maintenance.finishErasing() }
    },
  }),
]

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
