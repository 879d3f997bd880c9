import type { MemoryType } from '../../domain/topic.ts'
import type { ResolvedTopics } from '../../options/derive-options.ts'

/** 1 day up to 4 accesses, 2 days from 5, 4 from 10, 8 from 15, 16 from 20, 30 from 25 on. */
export function halfLifeDays(accesses: number, options: ResolvedTopics): number {
  const doublings = Math.floor(accesses / options.accessesToDouble)
  return Math.min(options.maxHalfLifeDays, options.firstHalfLifeDays * 2 ** doublings)
}

export function memoryType(accesses: number, options: ResolvedTopics): MemoryType {
  if (accesses >= 2 * options.accessesToDouble) return 'long-term'
  return accesses >= options.accessesToDouble ? 'transitioning' : 'short-term'
}
