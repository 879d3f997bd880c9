import { useId } from 'react'
import { formatDay, formatMoment } from '../../../format.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { changesOf, type FactSpan, placeOf } from './fact-span.ts'
import type { Fact } from './use-facts.ts'

interface AsOfProps {
  readonly facts: readonly Fact[]
  readonly span: FactSpan
  /** Undefined means now. */
  readonly moment: number | undefined
  readonly onChoose: (moment: number | undefined) => void
}

const STEPS = 1000

/** A slider that shows the facts at a point in time. Ticks mark changes. */
export function AsOf({ facts, span, moment, onChoose }: AsOfProps) {
  const id = useId()
  const at = moment ?? span.to
  const changes = changesOf(facts, span.to)
  const step = (by: -1 | 1) => {
    const next = by < 0 ? changes.findLast((change) => change < at) : changes.find((change) => change > at)
    onChoose(next)
  }
  const slide = (value: number) =>
    onChoose(value >= STEPS ? undefined : span.from + (value / STEPS) * (span.to - span.from))
  return (
    <section className="card as-of" aria-label="Facts at a point in time">
      <div className="as-of-head">
        <label htmlFor={id} className="as-of-label">
          As of <strong>{moment === undefined ? 'now' : formatDay(new Date(moment))}</strong>
        </label>
        <IconButton icon="back" label="Previous change" isSmall onClick={() => step(-1)} />
        <IconButton icon="back" label="Next change" isSmall className="as-of-next" onClick={() => step(1)} />
        <Button isSmall look="quiet" disabled={moment === undefined} onClick={() => onChoose(undefined)}>
          Now
        </Button>
      </div>
      <svg
        className="as-of-marks"
        width="100%"
        height="10"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {changes.map((change) => (
          <line key={change} x1={placeOf(span, change)} x2={placeOf(span, change)} y1="1" y2="9" />
        ))}
      </svg>
      <input
        id={id}
        type="range"
        min={0}
        max={STEPS}
        value={Math.round((placeOf(span, at) / 100) * STEPS)}
        aria-valuetext={moment === undefined ? 'now' : formatMoment(new Date(moment))}
        onChange={(event) => slide(Number(event.target.value))}
      />
      <div className="as-of-ends">
        <span>{formatDay(new Date(span.from))}</span>
        <span>now</span>
      </div>
    </section>
  )
}
