// Labels of the time axis: at local midnights, or at whole hours if the chart shows less than a few days. No label
// appears twice.

import type { Span } from './curve-span.ts'

export interface Tick {
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
export function chooseTicks({ from, to }: Span, most: number): readonly Tick[] {
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
