// Shows how topics fade and recover, and how they will fade if nobody mentions them. The list below the chart has the
// same figures for screen readers.

import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { formatDay } from '../../format.ts'
import type { Span } from './curve-span.ts'
import { colourOf, type Topic } from './topic.ts'

interface Curve {
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

// Labels of the time axis: at local midnights, or at whole hours if the chart shows less than a few days. No label
// appears twice.

interface Tick {
  readonly at: number
  readonly text: string
}

const HOUR_MS = 3_600_000
const STEPS_HOURS = [1, 2, 3, 6, 12] as const
const STEPS_DAYS = [1, 2, 3, 7, 14, 30, 60, 91, 182] as const
const DAY_HOURS = 24

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const hourFormat = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

/** At most `most` ticks, evenly spread. */
function chooseTicks({ from, to }: Span, most: number): readonly Tick[] {
  const hours = (to - from) / HOUR_MS
  const stepHours = STEPS_HOURS.find((step) => hours / step <= most)
  if (stepHours !== undefined) return hourTicks({ from, to }, stepHours)
  const stepDays = STEPS_DAYS.find((step) => hours / DAY_HOURS / step <= most) ?? 365
  return dayTicks({ from, to }, stepDays)
}

function hourTicks({ from, to }: Span, step: number): readonly Tick[] {
  const first = new Date(from)
  first.setHours(0, 0, 0, 0)
  const ticks: Tick[] = []
  for (let at = first; at.getTime() <= to; at = plusHours(at, step)) {
    const isMidnight = at.getHours() === 0
    if (at.getTime() >= from)
      ticks.push({ at: at.getTime(), text: (isMidnight ? dayFormat : hourFormat).format(at) })
  }
  return ticks
}

/** Calendar arithmetic, because days can have 23 or 25 hours. */
function plusHours(at: Date, hours: number): Date {
  const next = new Date(at)
  next.setHours(at.getHours() + hours)
  return next
}

function dayTicks({ from, to }: Span, step: number): readonly Tick[] {
  const ticks: Tick[] = []
  const at = new Date(from)
  at.setHours(0, 0, 0, 0)
  for (at.setDate(at.getDate() + 1); at.getTime() <= to; at.setDate(at.getDate() + step))
    ticks.push({ at: at.getTime(), text: dayFormat.format(at) })
  return ticks
}

/** The current width of an element. */
function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.round(entry.contentRect.width)))
    observer.observe(element.current)
    setWidth(Math.round(element.current.getBoundingClientRect().width))
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
