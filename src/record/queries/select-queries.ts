// The U shape: how a page began, what is going on, what somebody flagged, and from the middle what belongs to
// the question. Models make more of what stands at the beginning and at the end, and a question seldom needs
// all of what lies between.

import type { Query } from '../../domain/page.ts'

/** Whatever may be in a selection. One query may stand in several of these. */
export interface Candidates {
  readonly first: readonly Query[]
  readonly last: readonly Query[]
  readonly flagged: readonly Query[]
  /** Best first. */
  readonly relevant: readonly Query[]
}

/** Each once, in order. Where there is room for less, the end of the page goes before its beginning, and both before the rest. */
export function selectQueries(
  { first, last, flagged, relevant }: Candidates,
  most: number = Number.POSITIVE_INFINITY,
): readonly Query[] {
  const chosen = new Map<number, Query>()
  for (const query of [...newestFirst(last), ...first, ...newestFirst(flagged), ...relevant]) {
    if (chosen.size < most) chosen.set(query.position, query)
  }
  return [...chosen.values()].sort((a, b) => a.position - b.position)
}

const newestFirst = (queries: readonly Query[]): readonly Query[] =>
  queries.toSorted((a, b) => b.position - a.position)
