import { formatDay } from '../../../format.ts'
import { type FactSpan, placeOf } from './fact-span.ts'
import type { Fact } from './use-facts.ts'

interface FactLineProps {
  /** In the order in which they were valid. */
  readonly values: readonly Fact[]
  readonly span: FactSpan
  readonly moment: number
}

/** A timeline of a fact's values: the latest in full colour, earlier ones paler, the chosen moment as a mark. */
export function FactLine({ values, span, moment }: FactLineProps) {
  return (
    <svg
      className="fact-line"
      height="14"
      viewBox="0 0 100 14"
      preserveAspectRatio="none"
      role="img"
      aria-label={describe(values)}
    >
      <rect className="fact-line-ground" x="0" y="5" width="100" height="4" />
      {values.map((fact) => {
        const from = placeOf(span, Date.parse(fact.validFrom))
        const to = fact.validUntil === undefined ? 100 : placeOf(span, Date.parse(fact.validUntil))
        return (
          <rect
            key={fact.id + fact.validFrom}
            className={toClass(fact)}
            x={from}
            y="3"
            width={Math.max(to - from - 0.6, 0.8)}
            height="8"
          >
            <title>{`${fact.value}: ${formatDay(fact.validFrom)} – ${fact.validUntil === undefined ? 'now' : formatDay(fact.validUntil)}`}</title>
          </rect>
        )
      })}
      <line
        className="fact-line-moment"
        x1={placeOf(span, moment)}
        x2={placeOf(span, moment)}
        y1="0"
        y2="14"
      />
    </svg>
  )
}

function toClass({ rejectedAt, validUntil }: Fact): string {
  if (rejectedAt !== undefined) return 'fact-line-rejected'
  return validUntil === undefined ? 'fact-line-open' : 'fact-line-closed'
}

const describe = (values: readonly Fact[]): string =>
  values.map(({ value, validFrom }) => `${value} since ${formatDay(validFrom)}`).join(', then ')
