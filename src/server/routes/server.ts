import { z } from 'zod'
import type { DeriveStatus } from '../../index.ts'
import { health } from '../../schemas/lists.ts'
import { HttpError } from '../http-error.ts'
import { ok, type Route, route, stream } from '../route.ts'

export const serverRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/health',
    noun: 'Server',
    operation: 'getHealth',
    summary: 'Reports the state of the server, and how much is left to derive.',
    about: '`degraded`: a derivation or a job failed for good. No messages are lost.',
    scope: 'public',
    answer: ok(health),
    async handle({ server: { memory } }) {
      const status = await memory.maintenance.deriveStatus()
      const { failures, jobs } = status
      return {
        status: failures.length > 0 || jobs.dead > 0 ? ('degraded' as const) : ('ok' as const),
        pendingJobs: countPending(status),
        deadJobs: jobs.dead,
        failures: failures.length,
      }
    },
  }),
  route({
    method: 'get',
    path: '/api/ready',
    noun: 'Server',
    operation: 'getReady',
    summary:
      'Whether the server accepts requests: 503 while it is shutting down or its database cannot be reached.',
    scope: 'public',
    answer: ok(z.object({ status: z.literal('ready') })),
    async handle({ server }) {
      if (server.isClosing) throw new HttpError('shutting-down', 'the server is shutting down')
      await server.memory.workspaces.list()
      return { status: 'ready' as const }
    },
  }),
  route({
    method: 'get',
    path: '/metrics',
    noun: 'Server',
    operation: 'getMetrics',
    summary: 'Metrics of all workspaces for Prometheus.',
    scope: 'metrics',
    answer: stream('Prometheus text format.', 'text/plain'),
    handle: async ({ server }) =>
      new Response(await server.metrics.render(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  }),
]

/**
 * Excludes jobs for models that this server does not have: they wait for another server and block nothing
 * here.
 */
function countPending({ behind, underWay, hasJobs, jobs }: DeriveStatus): number {
  return behind + underWay + (hasJobs ? jobs.waiting + jobs.running : 0)
}

const inUse = z.object({
  name: z.string(),
  isResting: z.boolean().meta({ description: 'It failed repeatedly and is not called for a while.' }),
})

export const modelRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/models',
    noun: 'Server',
    operation: 'getModels',
    summary: 'Lists the configured models. Null: a built-in method is used.',
    about: 'Models are set by the operator; requests cannot change them.',
    scope: 'read',
    answer: ok(
      z.object({
        chat: inUse.nullable(),
        embeddings: z.object({ isResting: z.boolean() }).nullable(),
        rerank: inUse.nullable(),
        webSearch: inUse.nullable(),
        hasProxy: z.boolean().meta({ description: 'Whether an upstream server is configured for /v1.' }),
      }),
    ),
    async handle({ server }) {
      const { chat = null, embeddings = null, rerank = null, webSearch = null } = server.memory.models.inUse()
      return { chat, embeddings, rerank, webSearch, hasProxy: server.options.upstreamUrl !== '' }
    },
  }),
]
