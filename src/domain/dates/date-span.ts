// Days in UTC: a message has a time, but no time zone.

const DAY_MS = 86_400_000

/** A range of days named in a text. */
export interface DateSpan {
  readonly start: Date
  /** Exclusive: the day after the last one. */
  readonly end: Date
  readonly text: string
  readonly index: number
}

export const startOfDay = (moment: Date): Date =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()))

export const addDays = (day: Date, count: number): Date => new Date(day.getTime() + count * DAY_MS)

/** The same day of another month, or that month's last day. */
export function addMonths(day: Date, count: number): Date {
  const month = dateOf(day.getUTCFullYear(), day.getUTCMonth() + count, 1)
  const last = dateOf(month.getUTCFullYear(), month.getUTCMonth() + 1, 0).getUTCDate()
  return dateOf(month.getUTCFullYear(), month.getUTCMonth(), Math.min(day.getUTCDate(), last))
}

export const dateOf = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month, day))

/** The Monday of a day's week. */
export const startOfWeek = (day: Date): Date => addDays(startOfDay(day), -((day.getUTCDay() + 6) % 7))

/** Formats a span: 2026-05-04, 2026-05, 2026, or "2026-05-04 to 2026-05-09". */
export function writeSpan({ start, end }: Pick<DateSpan, 'start' | 'end'>): string {
  const days = Math.round((end.getTime() - start.getTime()) / DAY_MS)
  const [from, last] = [start, addDays(end, -1)].map((day) => day.toISOString().slice(0, 10)) as [
    string,
    string,
  ]
  if (days === 1) return from
  const beginsMonth = start.getUTCDate() === 1 && end.getUTCDate() === 1
  if (beginsMonth && days <= 31) return from.slice(0, 7)
  if (beginsMonth && start.getUTCMonth() === 0 && days >= 365 && days <= 366) return from.slice(0, 4)
  return `${from} to ${last}`
}
