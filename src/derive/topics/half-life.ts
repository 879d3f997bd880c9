import type { ResolvedFading } from './fading-options.ts'

/** How long a topic is remembered: a day at first, a month when it is used again and again. */
export type MemoryType = 'short-term' | 'transitioning' | 'long-term'

/** 1 day up to 4 accesses, 2 days from 5, 4 from 10, 8 from 15, 16 from 20, 30 from 25 on. */
export function halfLifeDays(accesses: number, options: ResolvedFading): number {
  const doublings = Math.floor(accesses / options.accessesToDouble)
  return Math.min(options.longestHalfLifeDays, options.shortestHalfLifeDays * 2 ** doublings)
}

export function memoryType(accesses: number, options: ResolvedFading): MemoryType {
  const days = halfLifeDays(accesses, options)
  if (days >= options.longestHalfLifeDays) return 'long-term'
  return days > options.shortestHalfLifeDays ? 'transitioning' : 'short-term'
}
