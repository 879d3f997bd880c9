// One chart: days along, one or two measures up. The table beside it says the same to those who cannot see it.

import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatDay, formatShort } from '../../format.ts'
import { useIsDark } from '../../ui/theme.ts'

export interface Measure {
  readonly name: string
  /** A name of the design: `--accent`. */
  readonly colour: string
  readonly values: readonly number[]
}

interface ChartProps {
  readonly label: string
  /** Days, oldest first. */
  readonly days: readonly string[]
  readonly measures: readonly Measure[]
  readonly look: 'bars' | 'lines'
}

const HEIGHT_PX = 220

export function Chart({ label, days, measures, look }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const isDark = useIsDark()
  useEffect(() => {
    const element = place.current
    if (element === null) return undefined
    // Colours are read anew with the theme.
    element.dataset['dark'] = String(isDark)
    const data = [days.map((day) => Date.parse(day) / 1000), ...measures.map(({ values }) => [...values])]
    const plot = new uPlot(optionsOf({ element, measures, look }), data as uPlot.AlignedData, element)
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [days, measures, look, isDark])
  return (
    <figure className="chart">
      <div ref={place} className="chart-canvas" aria-hidden="true" />
      <Table label={label} days={days} measures={measures} />
    </figure>
  )
}

interface Drawing {
  readonly element: HTMLElement
  readonly measures: readonly Measure[]
  readonly look: 'bars' | 'lines'
}

function optionsOf({ element, measures, look }: Drawing): uPlot.Options {
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
    cursor: { y: false, points: { size: 7 } },
    legend: { live: true },
    scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(most * 1.1, 4)] } },
    axes: [
      { ...axis, grid: { show: false }, values: (_, at) => at.map(dayName), space: 70 },
      { ...axis, size: 52, values: (_, at) => at.map((value) => formatShort(value)) },
    ],
    series: [
      { value: (_, at) => (at === null ? '' : formatDay(new Date(at * 1000))), label: 'Day' },
      ...measures.map((measure) => seriesOf(measure, colourOf(measure.colour), look)),
    ],
  }
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
    value: (_, value) => (value === null ? '' : formatShort(value)),
    ...(bars && { paths: bars }),
  }
}

function Table({ label, days, measures }: Pick<ChartProps, 'label' | 'days' | 'measures'>) {
  return (
    <table className="visually-hidden">
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
  )
}
