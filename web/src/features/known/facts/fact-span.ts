import type { Fact } from './use-facts.ts'

export interface FactSpan {
  readonly from: number
  readonly to: number
}

const DAY_MS = 86_400_000

/** From a little before the first fact to the moment that counts as now. */
export function spanOf(facts: readonly Fact[], now: number): FactSpan {
  const first = Math.min(now - DAY_MS, ...facts.map(({ validFrom }) => Date.parse(validFrom)))
  return { from: first - (now - first) * 0.02, to: now }
}

/** Where a moment lies, from 0 to 100. */
export const placeOf = ({ from, to }: FactSpan, moment: number): number =>
  Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100))

/** The moments at which something began or ceased to hold, in order. */
export function changesOf(facts: readonly Fact[], now: number): readonly number[] {
  const moments = facts.flatMap(({ validFrom, validUntil }) => [
    Date.parse(validFrom),
    ...(validUntil === undefined ? [] : [Date.parse(validUntil)]),
  ])
  return [...new Set(moments)].filter((moment) => moment <= now).sort((one, other) => one - other)
}
