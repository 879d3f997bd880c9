// Shows how topics fade and recover, and how they will fade if nobody mentions them. The list below the chart has the
// same figures for screen readers.

import { type PointerEvent, useState } from 'react'
import { formatDay } from '../../format.ts'
import type { Span } from './curve-span.ts'
import { chooseTicks } from './curve-ticks.ts'
import { colourOf, type Topic } from './topic.ts'
import { useWidth } from './use-width.ts'

export interface Curve {
  readonly topicId: string
  readonly points: readonly { readonly at: string; readonly priority: number }[]
}

interface CurveChartProps {
  readonly topics: readonly Topic[]
  readonly curves: readonly Curve[]
  readonly span: Span
  readonly now: number
  /** The highlighted topic; the others are dimmed. */
  readonly chosenId: string | undefined
}

const HEIGHT = 248
const MARGIN = { top: 12, right: 12, bottom: 26, left: 34 }
/** Topics below this priority are archived once there are many. */
const FADED = 0.05
const TICK_PIXELS = 110
/** A label that would be cut off at the edge is left out. */
const HALF_NAME_PIXELS = 22

interface Scale {
  readonly x: (at: number) => number
  readonly y: (priority: number) => number
  readonly width: number
}

export function CurveChart(props: CurveChartProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const [at, setAt] = useState<number | undefined>()
  const { span, topics, curves, now } = props
  const scale = toScale(span, width)
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const share = (x - MARGIN.left) / (width - MARGIN.left - MARGIN.right)
    setAt(share < 0 || share > 1 ? undefined : span.from + share * (span.to - span.from))
  }
  return (
    <div ref={box} className="curves">
      <Readout at={at} now={now} topics={topics} curves={curves} />
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`Memory strength of ${topics.length} topics, from ${formatDay(new Date(span.from))} to ${formatDay(new Date(span.to))}`}
          onPointerMove={point}
          onPointerLeave={() => setAt(undefined)}
        >
          <Axes scale={scale} span={span} now={now} />
          <Lines {...props} scale={scale} />
          {at !== undefined && (
            <line
              className="curves-cursor"
              x1={scale.x(at)}
              x2={scale.x(at)}
              y1={MARGIN.top}
              y2={scale.y(0)}
            />
          )}
        </svg>
      )}
    </div>
  )
}

function toScale({ from, to }: Span, width: number): Scale {
  const inner = Math.max(1, width - MARGIN.left - MARGIN.right)
  const tall = HEIGHT - MARGIN.top - MARGIN.bottom
  return {
    width,
    x: (at) => MARGIN.left + ((at - from) / (to - from)) * inner,
    y: (priority) => MARGIN.top + (1 - Math.min(1, priority)) * tall,
  }
}

interface AxesProps {
  readonly scale: Scale
  readonly span: Span
  readonly now: number
}

function Axes({ scale, span, now }: AxesProps) {
  const { x, y, width } = scale
  const right = width - MARGIN.right
  const ticks = chooseTicks(span, Math.max(2, Math.floor(width / TICK_PIXELS))).filter(
    ({ at }) => x(at) > MARGIN.left + HALF_NAME_PIXELS && x(at) < width - HALF_NAME_PIXELS,
  )
  return (
    <g>
      <rect
        className="curves-future"
        x={x(now)}
        y={MARGIN.top}
        width={Math.max(0, right - x(now))}
        height={y(0) - MARGIN.top}
      />
      {[0, 0.5, 1].map((priority) => (
        <g key={priority}>
          <line className="curves-grid" x1={MARGIN.left} x2={right} y1={y(priority)} y2={y(priority)} />
          <text className="curves-label" x={MARGIN.left - 6} y={y(priority) + 4} textAnchor="end">
            {priority}
          </text>
        </g>
      ))}
      <line className="curves-faded" x1={MARGIN.left} x2={right} y1={y(FADED)} y2={y(FADED)} />
      <line className="curves-now" x1={x(now)} x2={x(now)} y1={MARGIN.top} y2={y(0)} />
      <text className="curves-label curves-now-label" x={x(now) + 6} y={MARGIN.top + 12}>
        now
      </text>
      {ticks.map(({ at, text }) => (
        <text key={at} className="curves-label" x={x(at)} y={HEIGHT - 8} textAnchor="middle">
          {text}
        </text>
      ))}
    </g>
  )
}

function Lines({ topics, curves, now, chosenId, scale }: CurveChartProps & { readonly scale: Scale }) {
  return topics.map((topic) => {
    const points = curves.find(({ topicId }) => topicId === topic.id)?.points ?? []
    const isBack = chosenId !== undefined && chosenId !== topic.id
    const names = [
      'curve',
      colourOf(topic, topics),
      isBack && 'curve-back',
      chosenId === topic.id && 'curve-chosen',
      topic.state === 'archived' && 'curve-archived',
    ]
    const present = { at: new Date(now).toISOString(), priority: topic.priority }
    const past = [...points.filter((one) => Date.parse(one.at) < now), present]
    const future = [present, ...points.filter((one) => Date.parse(one.at) > now)]
    return (
      <g key={topic.id} className={names.filter(Boolean).join(' ')}>
        <path d={toPath(past, scale)} />
        <path className="curve-future" d={toPath(future, scale)} />
      </g>
    )
  })
}

/** Starts where the topic starts. Topics fade gradually and recover at once, so rises are vertical. */
function toPath(points: Curve['points'], { x, y }: Scale): string {
  const started = points.filter(({ priority }) => priority > 0)
  return started
    .map(({ at, priority }, i) => {
      const place = `${x(Date.parse(at)).toFixed(1)} ${y(priority).toFixed(1)}`
      const before = started[i - 1]
      if (before === undefined) return `M${place}`
      return before.priority < priority ? `H${x(Date.parse(at)).toFixed(1)}L${place}` : `L${place}`
    })
    .join('')
}

interface ReadoutProps {
  readonly at: number | undefined
  readonly now: number
  readonly topics: readonly Topic[]
  readonly curves: readonly Curve[]
}

const MOST_READ = 4

/** The strongest topics at the moment under the pointer. */
function Readout({ at, now, topics, curves }: ReadoutProps) {
  const moment = at ?? now
  const strongest = topics
    .map((topic) => ({
      topic,
      priority: at === undefined ? topic.priority : priorityAt(curves, topic.id, moment),
    }))
    .filter(({ priority }) => priority >= 0.005)
    .sort((one, other) => other.priority - one.priority)
    .slice(0, MOST_READ)
  return (
    <div className="curves-readout" aria-hidden="true">
      <strong>{at === undefined ? 'Now' : formatDay(new Date(moment))}</strong>
      {strongest.map(({ topic, priority }) => (
        <span key={topic.id} className={`curves-value ${colourOf(topic, topics)}`}>
          <i className="swatch" />
          <span className="curves-value-title">{topic.title}</span>
          {priority.toFixed(2)}
        </span>
      ))}
    </div>
  )
}

function priorityAt(curves: readonly Curve[], topicId: string, moment: number): number {
  const points = curves.find((curve) => curve.topicId === topicId)?.points ?? []
  return points.findLast(({ at }) => Date.parse(at) <= moment)?.priority ?? 0
}
