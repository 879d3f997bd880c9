export interface FadingOptions {
  /** The half-life of a topic that was hardly used. @default 1 */
  readonly shortestHalfLifeDays?: number
  /** No topic fades slower than this. @default 30 */
  readonly longestHalfLifeDays?: number
  /** So many accesses double the half-life. @default 5 */
  readonly accessesToDouble?: number
  /** Importance of a topic that was given none, from 0 to 1. @default 0.5 */
  readonly importance?: number
  /** Up to so many topics of a conversation nothing is archived. @default 20 */
  readonly liveTopics?: number
  /** Topics with a priority below this may be archived. @default 0.05 */
  readonly archiveBelow?: number
}

export type ResolvedFading = Required<FadingOptions>

export const FADING_DEFAULTS: ResolvedFading = Object.freeze({
  shortestHalfLifeDays: 1,
  longestHalfLifeDays: 30,
  accessesToDouble: 5,
  importance: 0.5, // what a message without one counts as
  liveTopics: 20, // what one can still look through
  archiveBelow: 0.05, // four half-lives without use
})

/** Fills in what was left out. */
export function resolveFading(options: FadingOptions = {}): ResolvedFading {
  return { ...FADING_DEFAULTS, ...options }
}
