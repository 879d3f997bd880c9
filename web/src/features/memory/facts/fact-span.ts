import type { Fact } from './use-facts.ts'

export interface FactSpan {
  readonly from: number
  readonly to: number
}

const DAY_MS = 86_400_000

/** From slightly before the first fact to `now`. */
export function spanOf(facts: readonly Fact[], now: number): FactSpan {
  const first = Math.min(now - DAY_MS, ...facts.map(({ validFrom }) => Date.parse(validFrom)))
  return { from: first - (now - first) * 0.02, to: now }
}

/** The position of a moment in the span, in percent. */
export const placeOf = ({ from, to }: FactSpan, moment: number): number =>
  Math.min(100, Math.max(0, ((moment - from) / (to - from)) * 100))

/** The moments at which a fact became valid or stopped being valid, in order. */
export function changesOf(facts: readonly Fact[], now: number): readonly number[] {
  const moments = facts.flatMap(({ validFrom, validUntil }) => [
    Date.parse(validFrom),
    ...(validUntil === undefined ? [] : [Date.parse(validUntil)]),
  ])
  return [...new Set(moments)].filter((moment) => moment <= now).sort((one, other) => one - other)
}
