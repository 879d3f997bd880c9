// The dates that a question names. English ones are read by domain/dates; those of German, Spanish, French, Portuguese
// and Italian are translated first, phrase by phrase. "Early", "mid" and "late" narrow a month to a third of it, with a
// few days more on either side, since people do not count.

import type { DateSpan } from '../../domain/dates/date-span.ts'
import { type Moment, readDates } from '../../domain/dates/read-dates.ts'

const DAY_MS = 86_400_000
const MONTHS =
  `january januar enero janvier janeiro gennaio|february februar febrero fevrier fevereiro febbraio|march marz marzo mars marco|
  april abril avril aprile|may mai mayo maio maggio|june juni junio juin junho giugno|july juli julio juillet julho luglio|
  august agosto aout|september septiembre septembre setembro settembre|october oktober octubre octobre outubro ottobre|
  november noviembre novembre novembro|december dezember diciembre decembre dezembro dicembre`
    .split('|')
    .map((names) => names.trim().split(/\s+/))
const ENGLISH_MONTH = new Map(MONTHS.flatMap((names) => names.map((name) => [name, names[0] as string])))

const NUMBERS =
  `one ein eine einem einer un una uno une um uma|two zwei dos deux dois duas due|three drei tres trois tre|
  four vier cuatro quatre quatro quattro|five funf cinco cinq cinque|six sechs seis sei`
    .split('|')
    .map((names) => names.trim().split(/\s+/))
const ENGLISH_NUMBER = new Map(NUMBERS.flatMap((names) => names.map((name) => [name, names[0] as string])))

const UNITS: Readonly<Record<string, string>> = {
  day: 'tag tage tagen dia dias jour jours giorno giorni',
  week: 'woche wochen semana semanas semaine semaines settimana settimane',
  month: 'monat monats monate monaten mes meses mois mese mesi',
  year: 'jahr jahre jahren ano anos annee annees ans anno anni',
}
const ENGLISH_UNIT = new Map(
  Object.entries(UNITS).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit])),
)

const anyOf = (words: Iterable<string>): string => [...words].sort((a, b) => b.length - a.length).join('|')
const MONTH = `(${anyOf(ENGLISH_MONTH.keys())})`
const UNIT = `(${anyOf(ENGLISH_UNIT.keys())})`
const NUMBER = `(\\d{1,3}|${anyOf(ENGLISH_NUMBER.keys())})`

type Translation = readonly [expression: RegExp, english: (...found: string[]) => string]
const phrase = (source: string, english: (...found: string[]) => string): Translation => [
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu'),
  english,
]
const monthOf = (name = ''): string => {
  const english = ENGLISH_MONTH.get(name) ?? ''
  return english.charAt(0).toUpperCase() + english.slice(1)
}
const unitOf = (name = ''): string => ENGLISH_UNIT.get(name) ?? ''
const numberOf = (name = ''): string => ENGLISH_NUMBER.get(name) ?? name

const TRANSLATIONS: readonly Translation[] = [
  phrase(
    `(\\d{1,2})[.ºo]? (?:de |di )?${MONTH}(?: (?:de |del )?(\\d{4}))?`,
    (day, month, year) => `${day} ${monthOf(month)}${year ? ` ${year}` : ''}`,
  ),
  phrase(`${MONTH} (?:de |del )?(\\d{4})`, (month, year) => `${monthOf(month)} ${year}`),
  phrase(MONTH, (month) => `in ${monthOf(month)}`),
  phrase('gestern|ayer|hier|ontem|ieri', () => 'yesterday'),
  phrase('heute|hoy|aujourd hui|oggi', () => 'today'),
  phrase('morgen|manana|demain|amanha|domani', () => 'tomorrow'),
  phrase(
    `(?:letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?|scors[oa]|ultim[oa]) ${UNIT}`,
    (unit) => `last ${unitOf(unit)}`,
  ),
  phrase(`${UNIT} (?:pasad[oa]|derniere?|passad[oa]|scors[oa])`, (unit) => `last ${unitOf(unit)}`),
  phrase(`(?:nachste[nrs]?|kommende[nrs]?|proxim[oa]|prossim[oa]) ${UNIT}`, (unit) => `next ${unitOf(unit)}`),
  phrase(`${UNIT} (?:que viene|que vem|prochaine?|prossim[oa]|proxim[oa])`, (unit) => `next ${unitOf(unit)}`),
  phrase(`(?:diese[nrsm]?|est[ae]|cette|ce|nest[ae]|quest[oa]) ${UNIT}`, (unit) => `this ${unitOf(unit)}`),
  phrase(
    `(?:vor|hace|ha|il y a) ${NUMBER} ${UNIT}`,
    (count, unit) => `${numberOf(count)} ${unitOf(unit)}s ago`,
  ),
  phrase(`${NUMBER} ${UNIT} fa`, (count, unit) => `${numberOf(count)} ${unitOf(unit)}s ago`),
]

/** Before a month: which third of it. */
const THIRDS: readonly (readonly [RegExp, number])[] = [
  [
    /(?:early|(?:beginning|start) of|anfang|principios de|primeros de|debut|inicio de|comeco de|inizio)[ -]$/,
    0,
  ],
  [/(?:mid|middle of|mitte|mediados de|mi|meados de|meta)[ -]$/, 1],
  [/(?:late|end of|ende|finales de|fines de|fin|fim de|final de|fine)[ -]$/, 2],
]
const SLACK_DAYS = 3

export function readQuestionDates(
  text: string,
  { isEnglish, ...moment }: Moment & { readonly isEnglish: boolean },
): readonly DateSpan[] {
  const folded = fold(text)
  const spans = isEnglish ? readDates(text, moment) : translateDates(folded, moment)
  return spans.map((span) => narrow(span, folded.slice(0, span.index)))
}

/** One character for each of the original, so that positions stay the same. */
const fold = (text: string): string =>
  [...text]
    .map((character) => character.normalize('NFD').charAt(0).toLowerCase().padEnd(character.length))
    .join('')

function translateDates(folded: string, moment: Moment): readonly DateSpan[] {
  const spans: DateSpan[] = []
  for (const [expression, english] of TRANSLATIONS) {
    for (const found of folded.matchAll(expression)) {
      const isTaken = spans.some(
        ({ index, text }) => found.index < index + text.length && index < found.index + found[0].length,
      )
      const [span] = isTaken ? [] : readDates(english(...(found.slice(1) as string[])), moment)
      if (span !== undefined) spans.push({ ...span, text: found[0], index: found.index })
    }
  }
  return spans.sort((one, other) => one.index - other.index)
}

function narrow(span: DateSpan, before: string): DateSpan {
  const days = (span.end.getTime() - span.start.getTime()) / DAY_MS
  const third = THIRDS.find(([expression]) => expression.test(before))?.[1]
  if (third === undefined || days < 28 || days > 31) return span
  const at = (day: number) => new Date(span.start.getTime() + Math.min(days, Math.max(0, day)) * DAY_MS)
  return {
    ...span,
    start: at(third * 10 - SLACK_DAYS),
    end: at((third + 1) * 10 + (third === 2 ? 1 : 0) + SLACK_DAYS),
  }
}
