// A chart with days on the x axis and one or two measures on the y axis. A hidden table has the same data for screen
// readers.

import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatCount, formatShort } from '../../format.ts'
import { useIsDark } from '../../ui/theme.ts'

export interface Measure {
  readonly name: string
  /** A CSS variable, such as `--accent`. */
  readonly colour: string
  readonly values: readonly number[]
}

interface ChartProps {
  readonly label: string
  /** Days, oldest first. */
  readonly days: readonly string[]
  readonly measures: readonly Measure[]
  readonly look: 'bars' | 'lines'
  /** Formats values. @default whole numbers, abbreviated on the axis */
  readonly format?: ((value: number) => string) | undefined
}

const HEIGHT_PX = 220
const HALF_DAY_S = 43_200

export function Chart({ label, days, measures, look, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    // Colours are read again when the theme changes.
    element.dataset['dark'] = String(isDark)
    const data = [days.map((day) => Date.parse(day) / 1000), ...measures.map(({ values }) => [...values])]
    const plot = new uPlot(optionsOf({ element, measures, look, format }), data as uPlot.AlignedData, element)
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [days, measures, look, format, isDark])
  return (
    <figure className="chart">
      <div ref={place} className="chart-canvas" aria-hidden="true" />
      <figcaption className="chart-legend">
        {measures.length > 1 &&
          measures.map(({ name, colour }) => (
            <span key={name} className="chart-name">
              <span className="chart-dot" style={{ background: `var(${colour})` }} />
              {name}
            </span>
          ))}
        <span className="chart-readout" aria-hidden="true">
          &nbsp;
        </span>
      </figcaption>
      <Table label={label} days={days} measures={measures} />
    </figure>
  )
}

interface Drawing {
  readonly element: HTMLElement
  readonly measures: readonly Measure[]
  readonly look: 'bars' | 'lines'
  readonly format: ChartProps['format']
}

function optionsOf({ element, measures, look, format }: Drawing): uPlot.Options {
  const style = getComputedStyle(element)
  const colourOf = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colourOf('--ink-faint'),
    grid: { stroke: colourOf('--line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  }
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    padding: [12, 12, 0, 0],
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    legend: { show: false },
    hooks: { setCursor: [(plot) => showReadout(plot, element, { measures, format })] },
    // Half a day on both sides, so that the first and last bars aren't cut off.
    scales: {
      x: { time: true, range: (_, from, to) => [from - HALF_DAY_S, to + HALF_DAY_S] },
      y: { range: (_, __, most) => [0, Math.max(most * 1.1, 4)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 36, gap: 10, values: (_, at) => at.map(dayName), space: 70 },
      { ...axis, size: 58, values: (_, at) => at.map(format ?? formatShort) },
    ],
    series: [{}, ...measures.map((measure) => seriesOf(measure, colourOf(measure.colour), look))],
  }
}

/** The values under the pointer. */
function showReadout(
  { cursor, data }: uPlot,
  element: HTMLElement,
  { measures, format = formatCount }: Pick<ChartProps, 'measures' | 'format'>,
): void {
  const line = element.parentElement?.querySelector('.chart-readout')
  if (!(line instanceof HTMLElement)) return
  const at = cursor.idx
  const day = at === null || at === undefined ? undefined : data[0][at]
  const values = measures.map(({ name, values: all }) => `${name} ${format(all[at ?? 0] ?? 0)}`)
  line.textContent = day === undefined ? '\u00a0' : `${dayName(day)}: ${values.join(', ')}`
}

const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayName = (at: number): string => short.format(new Date(at * 1000))

function seriesOf({ name }: Measure, colour: string, look: 'bars' | 'lines'): uPlot.Series {
  const bars = look === 'bars' ? uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.25 }) : undefined
  return {
    label: name,
    stroke: colour,
    width: look === 'bars' ? 0 : 2,
    fill: look === 'bars' ? colour : `color-mix(in srgb, ${colour}, transparent 88%)`,
    points: { show: false },
    ...(bars && { paths: bars }),
  }
}

function Table({ label, days, measures }: Pick<ChartProps, 'label' | 'days' | 'measures'>) {
  return (
    <div className="visually-hidden">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {measures.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, i) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {measures.map(({ name, values }) => (
                <td key={name}>{values[i]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
