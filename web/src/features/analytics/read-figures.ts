import type { RecollectClient, Wire } from 'recollect/react'
import type { StoreStatistics } from '../../api/types.ts'

export interface ActivityDay {
  readonly day: string
  readonly messages: number
  readonly tokens: number
  readonly contexts: number
  readonly contextTokens: number
  readonly historyTokens: number
}

export interface Figures {
  readonly days: readonly ActivityDay[]
  readonly sections: Readonly<Record<string, number>>
  readonly statistics: Partial<Wire<StoreStatistics>>
  readonly derivation: Derivation | undefined
  readonly latencies: readonly Latency[]
  /** Jobs that failed for good, newest first. */
  readonly deadJobs: readonly DeadJob[]
}

export interface DeadJob {
  readonly id: number
  readonly kind: string
  readonly conversationId: string
  readonly error?: string
}

export interface Derivation {
  readonly behind: number
  readonly condensations: number
  readonly jobs: { readonly waiting: number; readonly running: number; readonly dead: number }
  readonly failures: readonly { readonly conversationId: string; readonly error: string }[]
}

export interface Latency {
  readonly name: string
  readonly count: number
  readonly medianMs: number
  readonly p95Ms: number
}

type Activity = Pick<Figures, 'days' | 'sections'>

const SHOWN_JOBS = 5

export async function readFigures(
  client: RecollectClient,
  days: number,
  signal: AbortSignal,
): Promise<Figures> {
  const dead = { state: 'dead', limit: SHOWN_JOBS }
  const [activity, { statistics }, { jobs }, derivation, metrics] = await Promise.all([
    client.request<Activity>('GET', '/api/activity', { query: { days }, signal }),
    client.statistics({ signal }),
    client.request<{ jobs: readonly DeadJob[] }>('GET', '/api/jobs', { query: dead, signal }),
    orUndefined(client.request<Derivation>('GET', '/api/derivation', { signal })),
    orUndefined(client.open('GET', '/metrics', { signal }).then((response) => response.text())),
  ])
  return { ...activity, statistics, derivation, deadJobs: jobs, latencies: readLatencies(metrics ?? '') }
}

/** Server-wide figures need an admin key; without one the page shows the rest. */
const orUndefined = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined)

const MEASURED: readonly (readonly [string, string])[] = [
  ['recollect_recall_seconds', 'Recall'],
  ['recollect_context_seconds', 'Context'],
]

/** The median and the 95th percentile of Prometheus histograms. */
export function readLatencies(text: string): readonly Latency[] {
  return MEASURED.flatMap(([metric, name]) => {
    const buckets = [...text.matchAll(new RegExp(`^${metric}_bucket\\{le="([^"]+)"\\} (\\d+)`, 'gm'))].map(
      ([, limit = '', count = '0']) =>
        [limit === '+Inf' ? Number.POSITIVE_INFINITY : Number(limit), Number(count)] as const,
    )
    const count = buckets.at(-1)?.[1] ?? 0
    if (count === 0) return []
    return [{ name, count, medianMs: quantile(buckets, 0.5), p95Ms: quantile(buckets, 0.95) }]
  })
}

/** Assumes that times are spread evenly within a bucket. */
function quantile(buckets: readonly (readonly [number, number])[], share: number): number {
  const wanted = (buckets.at(-1)?.[1] ?? 0) * share
  const at = buckets.findIndex(([, count]) => count >= wanted)
  const [limit, upTo] = buckets[at] ?? [0, 1]
  const [from, before] = buckets[at - 1] ?? [0, 0]
  if (limit === Number.POSITIVE_INFINITY) return from * 1000
  return (from + ((wanted - before) / Math.max(upTo - before, 1)) * (limit - from)) * 1000
}

/** Tokens stored at the end of each day: the current total minus everything added later. */
export function growthOf(days: readonly ActivityDay[], tokensNow: number): readonly number[] {
  let later = 0
  return days
    .toReversed()
    .map(({ tokens }) => {
      const stored = Math.max(0, tokensNow - later)
      later += tokens
      return stored
    })
    .reverse()
}

export const sumOf = (days: readonly ActivityDay[], name: Exclude<keyof ActivityDay, 'day'>): number =>
  days.reduce((total, day) => total + day[name], 0)
