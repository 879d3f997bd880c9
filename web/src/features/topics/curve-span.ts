// Which stretch of time the curves show: what was, and some of what will be.

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

/** How much of what will be, for so much of what was. */
const AHEAD = 0.4

const daysOf = (name: SpanName): number => SPANS.find((span) => span.name === name)?.days ?? 30

/** The shortest one that shows how everything began. */
export function fittingSpan(topics: readonly Topic[], now: number): SpanName {
  const ageDays = (now - firstOf(topics, now)) / DAY_MS
  return SPANS.find(({ days }) => days >= ageDays)?.name ?? 'Year'
}

/** No further back than there is something to show. */
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
