// Which stretch of time the curves show: some of what was, and as much of what will be.

import type { Topic } from './topic.ts'

const DAY_MS = 86_400_000

export const SPANS = [
  { name: 'Week', days: 7 },
  { name: 'Month', days: 30 },
  { name: 'Year', days: 365 },
] as const

export type SpanName = (typeof SPANS)[number]['name']

export interface Span {
  readonly from: number
  readonly to: number
}

const daysOf = (name: SpanName): number => SPANS.find((span) => span.name === name)?.days ?? 30

/** The shortest one that shows how everything began. */
export function fittingSpan(topics: readonly Topic[], now: number): SpanName {
  const ageDays = (now - firstOf(topics, now)) / DAY_MS
  return SPANS.find(({ days }) => days >= ageDays)?.name ?? 'Year'
}

/** No further back than there is something to show. */
export function toSpan(name: SpanName, topics: readonly Topic[], now: number): Span {
  const lengthMs = daysOf(name) * DAY_MS
  const from = Math.max(now - lengthMs, firstOf(topics, now) - lengthMs * 0.05)
  return { from, to: now + lengthMs }
}

const firstOf = (topics: readonly Topic[], now: number): number =>
  Math.min(now, ...topics.map(({ createdAt }) => Date.parse(createdAt)))
