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
    summary: 'Whether the server is well, and how much is left to derive.',
    about: '`degraded`: something could not be derived, or work for models was given up. Messages are safe.',
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
      'Whether the server takes requests: 503 while it is being closed or its database cannot be reached.',
    scope: 'public',
    answer: ok(z.object({ status: z.literal('ready') })),
    async handle({ server }) {
      if (server.isClosing) throw new HttpError('shutting-down', 'the server is being closed')
      await server.memory.workspaces.list()
      return { status: 'ready' as const }
    },
  }),
  route({
    method: 'get',
    path: '/metrics',
    noun: 'Server',
    operation: 'getMetrics',
    summary: 'Figures for Prometheus, over all workspaces.',
    scope: 'metrics',
    answer: stream('Text in the format of Prometheus.', 'text/plain'),
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
