// The time range of the chart: the past, and some of the future.

import type { Topic } from './topic.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const SPANS = [
  { name: 'Week', days: 7 },
  { name: 'Month', days: 30 },
  { name: 'Quarter', days: 91 },
  { name: 'Year', days: 365 },
] as const

export type SpanName = (typeof SPANS)[number]['name']

export interface Span {
  readonly from: number
  readonly to: number
}

/** Length of the forecast as a share of the past shown. */
const AHEAD = 0.4

const daysOf = (name: SpanName): number => SPANS.find((span) => span.name === name)?.days ?? 30

/** The shortest range that includes the start of every topic. */
export function fittingSpan(topics: readonly Topic[], now: number): SpanName {
  const ageDays = (now - firstOf(topics, now)) / DAY_MS
  return SPANS.find(({ days }) => days >= ageDays)?.name ?? 'Year'
}

/** Starts no earlier than the first topic. */
export function toSpan(name: SpanName, topics: readonly Topic[], now: number): Span {
  const lengthMs = daysOf(name) * DAY_MS
  const from = Math.max(
    now - lengthMs,
    firstOf(topics, now) - Math.max(HOUR_MS, (now - firstOf(topics, now)) * 0.04),
  )
  return { from, to: now + (now - from) * AHEAD }
}

const firstOf = (topics: readonly Topic[], now: number): number =>
  Math.min(now, ...topics.map(({ createdAt }) => Date.parse(createdAt)))
