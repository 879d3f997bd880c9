import { z } from 'zod'
import type { DeriveStatus, MemoryChange, Workspace } from '../../index.ts'
import { health, queryOf } from '../../schemas/lists.ts'
import { HttpError } from '../http-error.ts'
import type { RetentionRun } from '../retention.ts'
import { ok, route, routesOf, stream } from '../route.ts'
import { streamEvents } from '../ui-stream.ts'

export const serverRoutes = routesOf('Server', [
  route.get('/api/health', {
    operation: 'getHealth',
    summary: 'Reports the state of the server, and how much is left to derive.',
    about: '`degraded`: a derivation or a job failed for good. No messages are lost.',
    scope: 'public',
    answer: ok(health),
    async handle({ server: { memory, retention } }) {
      const status = await memory.maintenance.deriveStatus()
      const { failures, jobs } = status
      const { last } = retention
      return {
        status:
          failures.length > 0 || jobs.dead > 0 || last?.problem !== undefined
            ? ('degraded' as const)
            : ('ok' as const),
        pendingJobs: countPending(status),
        deadJobs: jobs.dead,
        failures: failures.length,
        ...(last !== undefined && { retention: toReported(last) }),
      }
    },
  }),
  route.get('/api/ready', {
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
  route.get('/metrics', {
    operation: 'getMetrics',
    summary: 'Metrics of all workspaces for Prometheus.',
    scope: 'metrics',
    answer: stream('Prometheus text format.', 'text/plain'),
    handle: async ({ server }) =>
      new Response(await server.metrics.render(), {
        headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      }),
  }),
])

/** The problem is only logged: it may name files, and everyone may ask for this. */
const toReported = ({ at, problem, ...run }: RetentionRun) => ({
  at: at.toISOString(),
  ...run,
  failed: problem !== undefined,
})

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

export const modelRoutes = routesOf('Server', [
  route.get('/api/models', {
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
])

/** Minimum time between two batches of events: clients reload after each. */
const PAUSE_MS = 100
/** Above this number of pending changes, clients get a single "everything" event. */
const MOST_AT_ONCE = 100

export const eventRoutes = routesOf('Server', [
  route.get('/api/events', {
    operation: 'followChanges',
    summary: 'Streams changes, made by any server, as server-sent events.',
    about:
      'Each event is `{ kind, id? }`: a `conversation`, `page` or `document` by its id (without one: any of them), `knowledge` (facts, entities, preferences, notes), or `everything` if events may have been missed. The first event is `everything`: clients that read after it miss nothing. An event may be repeated.',
    scope: 'read',
    query: queryOf({
      limit: z.coerce
        .number()
        .int()
        .min(1)
        .optional()
        .meta({ description: 'Ends the stream after this number of events. Default: never.' }),
    }),
    answer: stream('One event per change.', 'text/event-stream'),
    async handle({ memory, query, server }) {
      return streamEvents(server, (signal) => {
        const until = AbortSignal.any([signal, server.closing.signal])
        return followChanges(memory, { until, limit: query.limit ?? Number.POSITIVE_INFINITY })
      })
    },
  }),
])

interface Following {
  readonly until: AbortSignal
  readonly limit: number
}

async function* followChanges(memory: Workspace, { until, limit }: Following): AsyncGenerator<string> {
  const changes = new WaitingChanges(until)
  const end = await memory.watch((change) => changes.add(change))
  changes.add({ kind: 'everything' })
  try {
    for (let told = 0; told < limit && !until.aborted; ) {
      await changes.some()
      for (const change of changes.take().slice(0, limit - told)) {
        yield `data: ${JSON.stringify(change)}\n\n`
        told += 1
      }
      if (told < limit) await changes.pause()
    }
  } finally {
    end()
  }
}

/** Pending changes without duplicates. */
class WaitingChanges {
  readonly #changes = new Map<string, MemoryChange>()
  readonly #until: AbortSignal
  #wake: () => void = () => undefined

  constructor(until: AbortSignal) {
    this.#until = until
    until.addEventListener('abort', () => this.#wake(), { once: true })
  }

  add(change: MemoryChange): void {
    this.#changes.set(JSON.stringify([change.kind, change.id]), change)
    if (this.#changes.size > MOST_AT_ONCE) {
      this.#changes.clear()
      this.#changes.set('', { kind: 'everything' })
    }
    this.#wake()
  }

  take(): readonly MemoryChange[] {
    const changes = [...this.#changes.values()]
    this.#changes.clear()
    return changes
  }

  /** Resolves when there are changes, or when the client has disconnected. */
  async some(): Promise<void> {
    while (this.#changes.size === 0 && !this.#until.aborted)
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
  }

  async pause(): Promise<void> {
    if (!this.#until.aborted) await new Promise<void>((wake) => setTimeout(wake, PAUSE_MS))
  }
}
