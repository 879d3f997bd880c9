// Reads dates in English text and makes them absolute, relative to the time of writing. A table of expressions,
// longest first; text matched by one is not matched again by another. If a date could be before or after that
// time ("on Tuesday", "in May"), the tense of the clause decides, which the caller knows. Phrases without a
// date ("I may go", "soon", "one day") yield none, and neither do times of day.
//
// Written by hand after trying chrono-node 2.10: that loads in 35 to 130 ms and takes five times as long per
// sentence, reads "from 4 to 9 May" as hours, "for 4 years" as the future and "1/2" as a day, gives "last
// month" a day, and misses "in 2019", "last summer" and "on the 5th".

import { alternatives, multilineRegExp } from '../multiline-regexp.ts'
import { matchAll } from '../words.ts'
import { addDays, addMonths, type DateSpan, dateOf, startOfDay, startOfWeek } from './date-span.ts'

/** When a text was written, and whether its dates are in the past or the future. */
export interface Moment {
  readonly now: Date
  readonly lean: 'past' | 'future'
}

type Range = readonly [start: Date, end: Date]
interface Rule {
  readonly expression: RegExp
  /** Cues that a text must contain for the rule to match: checking them first saves most of the work. */
  readonly needs: readonly Cue[]
  readonly read: (found: RegExpExecArray, moment: Moment) => Range | undefined
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ')
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const M = alternatives`
    (jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|
    oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?`
const D = '(\\d{1,2})(?:st|nd|rd|th)?'
const Y = '(?:,? +(\\d{4})\\b)?'
const W = '(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)\\b'
const ON = '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? (?:the )?)?'
const N = alternatives`
    (\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple of|a few|few|
    several)`
const UNIT = '(day|week|month|year)s?\\b'
const TO = ' ?(?:to|-|–|until|till|through|and) ?'

const monthOf = (word: string | undefined): number => MONTHS.indexOf((word ?? '').slice(0, 3).toLowerCase())
const weekdayOf = (word: string | undefined): number =>
  WEEKDAYS.indexOf((word ?? '').slice(0, 3).toLowerCase())

function countOf(word: string | undefined): number {
  const plain = (word ?? '').toLowerCase()
  if (/^\d/.test(plain)) return Number(plain)
  if (plain === 'a' || plain === 'an') return 1
  if (/few|several/.test(plain)) return 3
  if (plain.startsWith('a ')) return 2
  return NUMBERS.indexOf(plain)
}

const oneDay = (day: Date): Range => [day, addDays(day, 1)]

/** A month without a year is before or after now, depending on the tense. */
function yearFor(month: number, { now, lean }: Moment): number {
  const year = now.getUTCFullYear()
  const away = month - now.getUTCMonth()
  if (lean === 'future') return away < 0 ? year + 1 : year
  return away > 0 ? year - 1 : year
}

function days(
  from: readonly [string | undefined, string | undefined],
  to: readonly [string | undefined, string | undefined],
  at: { year: string | undefined; moment: Moment },
): Range | undefined {
  const [first, last] = [Number(from[0]), Number(to[0])]
  const [month, lastMonth] = [monthOf(from[1]), monthOf(to[1])]
  if (month < 0 || lastMonth < 0 || first < 1 || first > 31 || last < 1 || last > 31) return undefined
  const year = at.year === undefined ? nearestYear(month, first, at.moment) : Number(at.year)
  const start = dateOf(year, month, first)
  const end = addDays(dateOf(lastMonth < month ? year + 1 : year, lastMonth, last), 1)
  return start < end ? [start, end] : undefined
}

// A day without a year is the nearest one: "on 25 March", said in May, was this year whatever the tense.
function nearestYear(month: number, day: number, { now }: Moment): number {
  const year = now.getUTCFullYear()
  const days = (dateOf(year, month, day).getTime() - now.getTime()) / 86_400_000
  if (days < -HALF_YEAR_DAYS) return year + 1
  return days > HALF_YEAR_DAYS ? year - 1 : year
}
const HALF_YEAR_DAYS = 183

function shift(day: Date, count: number, unit: string | undefined): Date {
  if (unit === 'day') return addDays(day, count)
  if (unit === 'week') return addDays(day, 7 * count)
  return addMonths(day, unit === 'year' ? 12 * count : count)
}

/** "two weeks ago" is a day, "three months ago" a month, "four years ago" a year. */
function around(day: Date, unit: string | undefined): Range {
  if (unit === 'year') return [dateOf(day.getUTCFullYear(), 0, 1), dateOf(day.getUTCFullYear() + 1, 0, 1)]
  if (unit === 'month')
    return [
      dateOf(day.getUTCFullYear(), day.getUTCMonth(), 1),
      dateOf(day.getUTCFullYear(), day.getUTCMonth() + 1, 1),
    ]
  if (unit === 'week') return [startOfWeek(day), addDays(startOfWeek(day), 7)]
  return oneDay(day)
}

function weekday(which: string | undefined, name: string | undefined, { now, lean }: Moment): Range {
  const today = startOfDay(now)
  const day = weekdayOf(name)
  const inWeek = addDays(startOfWeek(today), (day + 6) % 7)
  if (which === 'next') return oneDay(addDays(inWeek, 7))
  if (which === 'this') return oneDay(inWeek)
  const ahead = (day - today.getUTCDay() + 7) % 7
  const isPast = which === 'last' || which === 'past' || (which === undefined && lean === 'past')
  // Said on a Tuesday, "on Tuesday" is another one.
  return oneDay(addDays(today, isPast ? ahead - 7 : ahead || 7))
}

const STEPS: Readonly<Record<string, number>> = {
  next: 1,
  coming: 1,
  this: 0,
  current: 0,
  last: -1,
  past: -1,
}

function relativeUnit(which: string | undefined, unit: string | undefined, { now }: Moment): Range {
  const steps = STEPS[which ?? ''] ?? 0
  const today = startOfDay(now)
  if (unit !== 'weekend') return around(shift(today, steps, unit), unit)
  const saturday = addDays(startOfWeek(today), 5 + 7 * steps)
  return [saturday, addDays(saturday, 2)]
}

const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 }

function season(which: string | undefined, name: string | undefined, { now }: Moment): Range {
  const month = SEASONS[name ?? ''] ?? 0
  const inYear = (year: number): Range => [dateOf(year, month, 1), dateOf(year, month + 3, 1)]
  const year = now.getUTCFullYear()
  const [start, end] = inYear(year)
  if (which === 'last' && now < end) return inYear(year - 1)
  if (which === 'next' && now >= start) return inYear(year + 1)
  return [start, end]
}

type Cue = 'digit' | 'month' | 'word'

function rule(source: string, read: Rule['read']): Rule {
  const needed = source.replaceAll(Y, '').replaceAll(N, '')
  const cues: Cue[] = []
  if (needed.includes(M)) cues.push('month')
  if (needed.includes('\\d')) cues.push('digit')
  const needs: readonly Cue[] = cues.length === 0 ? ['word'] : cues
  return { expression: new RegExp(`\\b${source}`, 'gi'), needs, read }
}

const RULES: readonly Rule[] = [
  rule('(\\d{4})-(\\d{2})-(\\d{2})\\b', ([, y, m, d]) => oneDay(dateOf(Number(y), Number(m) - 1, Number(d)))),
  rule(`${D}(?: of)? ${M}${TO}${D}(?: of)? ${M}${Y}`, ([, a, m, b, n, year], moment) =>
    days([a, m], [b, n], { year, moment }),
  ),
  rule(`${M} ${D}${TO}${M} ${D}\\b${Y}`, ([, m, a, n, b, year], moment) =>
    days([a, m], [b, n], { year, moment }),
  ),
  rule(`(?:the )?${D}${TO}(?:the )?${D}(?: of)? ${M}${Y}`, ([, a, b, m, year], moment) =>
    days([a, m], [b, m], { year, moment }),
  ),
  rule(`${M} ${D}${TO}${D}\\b${Y}`, ([, m, a, b, year], moment) => days([a, m], [b, m], { year, moment })),
  rule(`${ON}(?:the )?${D}(?: of)? ${M}${Y}`, ([, a, m, year], moment) =>
    days([a, m], [a, m], { year, moment }),
  ),
  rule(`${ON}${M} (?:the )?${D}\\b(?!:)${Y}`, ([, m, a, year], moment) =>
    days([a, m], [a, m], { year, moment }),
  ),
  rule(`${M},? (\\d{4})\\b`, ([, m, y]) => around(dateOf(Number(y), monthOf(m), 1), 'month')),
  rule(
    `(?<=\\b(?:in|since|by|until|till|last|next|this|early|mid|late|from|during|of)[ -])${M}`,
    ([text, m], moment) =>
      /^[A-Z]/.test(text) ? around(dateOf(yearFor(monthOf(m), moment), monthOf(m), 1), 'month') : undefined,
  ),
  rule('(?<=\\b(?:in|since|by|until|till|from|during|back in|of) )((?:19|20)\\d{2})\\b', ([, y]) =>
    around(dateOf(Number(y), 0, 1), 'year'),
  ),
  rule('(?:the )?day after tomorrow\\b', (_, { now }) => oneDay(addDays(startOfDay(now), 2))),
  rule('(?:the )?day before yesterday\\b', (_, { now }) => oneDay(addDays(startOfDay(now), -2))),
  rule('(today|tonight|this (?:morning|afternoon|evening))\\b', (_, { now }) => oneDay(startOfDay(now))),
  rule('tomorrow\\b', (_, { now }) => oneDay(addDays(startOfDay(now), 1))),
  rule('(?:yesterday|last night)\\b', (_, { now }) => oneDay(addDays(startOfDay(now), -1))),
  rule(`(?:(next|this|last|past|coming) )?${W}`, ([, which, name], moment) =>
    weekday(which?.toLowerCase(), name, moment),
  ),
  rule(
    '(?:the )?(next|this|last|past|current|coming) (week|weekend|month|year)\\b',
    ([, which, unit], moment) => relativeUnit(which?.toLowerCase(), unit?.toLowerCase(), moment),
  ),
  rule('(?:(next|this|last) )(spring|summer|autumn|fall|winter)\\b', ([, which, name], moment) =>
    season(which?.toLowerCase(), name?.toLowerCase(), moment),
  ),
  rule(`${N} ${UNIT} (?:ago|earlier|back)\\b`, ([, count, unit], { now }) =>
    around(shift(startOfDay(now), -countOf(count), unit), unit === 'week' ? 'day' : unit),
  ),
  rule(`in (?:about |around )?${N} ${UNIT}(?! of)`, ([, count, unit], { now, lean }) =>
    lean === 'past'
      ? undefined
      : around(shift(startOfDay(now), countOf(count), unit), unit === 'week' ? 'day' : unit),
  ),
  rule(
    `for (?:about |around |over |almost |nearly |the (?:last|past) |more than )*${N} ${UNIT}(?: now)?`,
    ([, count, unit], { now, lean }) =>
      lean === 'future'
        ? undefined
        : around(shift(startOfDay(now), -countOf(count), unit), unit === 'week' ? 'day' : unit),
  ),
  rule('on the (\\d{1,2})(?:st|nd|rd|th)\\b', ([, day], moment) => dayOfMonth(Number(day), moment)),
]

function dayOfMonth(day: number, { now, lean }: Moment): Range | undefined {
  const inMonth = dateOf(now.getUTCFullYear(), now.getUTCMonth(), day)
  if (day < 1 || day > 31) return undefined
  if (lean === 'future') return oneDay(inMonth < startOfDay(now) ? addMonths(inMonth, 1) : inMonth)
  return oneDay(inMonth > now ? addMonths(inMonth, -1) : inMonth)
}

const CUES: Readonly<Record<Cue, RegExp>> = {
  digit: /\d/,
  month: new RegExp(`\\b${M}`, 'i'),
  // "Days" with any prefix: today, yesterday, Mondays.
  word: multilineRegExp('i')`
    (?:days?|\b(?:tonight|tomorrow|morning|afternoon|evening|night|weeks?|weekend|months?|years?|
    spring|summer|autumn|fall|winter|ago))\b`,
}

/** The dates in a text, in order of occurrence. */
export function readDates(text: string, moment: Moment): DateSpan[] {
  const spans: DateSpan[] = []
  const has = { digit: CUES.digit.test(text), month: CUES.month.test(text), word: CUES.word.test(text) }
  for (const { expression, needs, read } of RULES) {
    if (!needs.every((cue) => has[cue])) continue
    for (const found of matchAll(text, expression)) {
      const range = read(found, moment)
      const isTaken = spans.some(
        ({ index, text: other }) =>
          found.index < index + other.length && index < found.index + found[0].length,
      )
      if (range === undefined || isTaken || Number.isNaN(range[0].getTime())) continue
      spans.push({ start: range[0], end: range[1], text: found[0], index: found.index })
    }
  }
  return spans.sort((left, right) => left.index - right.index)
}
