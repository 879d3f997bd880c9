import { z } from 'zod'
import type { MemoryChange, Workspace } from '../../index.ts'
import { queryOf } from '../../schemas/lists.ts'
import { streamEvents } from '../event-stream.ts'
import { type Route, route, stream } from '../route.ts'

/** Minimum time between two batches of events: clients reload after each. */
const PAUSE_MS = 100
/** Above this number of pending changes, clients get a single "everything" event. */
const MOST_AT_ONCE = 100

export const eventRoutes: readonly Route[] = [
  route({
    method: 'get',
    path: '/api/events',
    noun: 'Server',
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
]

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
