// The values in a clause that can change: dates, times, amounts, measures, codes. Two statements about the same thing
// that give different values of the same type contradict each other; the newer one holds.

import { definedFields } from '../../../domain/defined-fields.ts'

export type ValueType = 'date' | 'time' | 'money' | 'measure' | 'number' | 'code' | 'version'

export interface TypedValue {
  readonly type: ValueType
  readonly text: string
  /** The word after a plain number: what it counts. */
  readonly of?: string
}

/** Names of months in the languages that statements are read in. */
export const MONTH =
  'jan(?:uary|uar|\\.)?|feb(?:ruary|ruar|\\.)?|mar(?:ch|\\.)?|märz|apr(?:il|\\.)?|may|mai|june?|juni|july?|juli|aug(?:ust|\\.)?|sept?(?:ember|\\.)?|o[ck]t(?:ober|\\.)?|nov(?:ember|\\.)?|de[cz](?:ember|\\.)?|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre'
export const WEEKDAY =
  'mon(?:day)?s?|tue(?:sday)?s?|wed(?:nesday)?s?|thu(?:rsday)?s?|fri(?:day)?s?|satur?(?:day)?s?|sun(?:day)?s?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|segundas?|terças?|quartas?|quintas?|sextas?|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica'
const CURRENCY = 'eur(?:os?)?|€|usd|dollars?|\\$|gbp|pounds?|quid|£|chf|kronor|sek|reais|r\\$|k\\b'
const UNIT =
  'kg|g|kilos?|grams?|km|m|cm|mm|m²|qm|sqm|miles?|%|percent|prozent|ms|s|sec\\w*|min\\w*|hours?|h|stunden|horas|heures|ore|days?|tage?|dias?|días?|jours?|giorni|weeks?|wochen?|semanas?|semaines?|settimane|months?|monate?|meses|mois|mesi|years?|jahre?n?|años|ans|anos|anni|mb|gb|tb|kb|words?|pages?|slides?|spaces?|decimals?|naps?|rooms?|zimmer|zi|people|leute|users?|requests?|zi\\.?'
const B = '(?<![\\p{L}\\p{N}.,])'
const E = '(?![\\p{L}\\p{N}])'

const TYPES: readonly (readonly [ValueType, RegExp])[] = [
  [
    'date',
    new RegExp(
      `${B}(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}(?:st|nd|rd|th|\\.|º|°)?(?:[- ]?(?:to|bis|–|-|al?)[- ]?\\d{1,2}(?:st|nd|rd|th|\\.)?)? (?:of |de )?(?:${MONTH})|(?:${MONTH}) \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}\\.(?:0?[1-9]|1[0-2])\\.(?:\\d{2,4})?|\\d{1,2}/(?:0?[1-9]|1[0-2])(?:/\\d{2,4})?|(?:the|il|el|le|dia) \\d{1,2}(?:st|nd|rd|th)?|\\d{1,2}(?:st|nd|rd|th)|(?:in|im|en|em|a|ad|since|seit|from|from|till|until|by) (?:${MONTH})|(?:${WEEKDAY}))${E}`,
      'giu',
    ),
  ],
  [
    'time',
    new RegExp(`${B}(?:\\d{1,2}[:.h]\\d{2}(?: ?(?:am|pm|uhr))?|\\d{1,2} ?(?:am|pm|uhr|h))${E}`, 'giu'),
  ],
  ['version', new RegExp(`${B}v?\\d+\\.\\d+(?:\\.\\d+)+${E}`, 'giu')],
  [
    'money',
    new RegExp(
      `(?:[€$£]|r\\$|sek|eur) ?\\d[\\d.,]*(?: ?(?:k|m|million|mio\\.?))?${E}|${B}\\d[\\d.,]* ?(?:k|m|million|mio\\.?)? ?(?:${CURRENCY})${E}|${B}\\d[\\d.,]*(?:k|m)${E}`,
      'giu',
    ),
  ],
  [
    'code',
    new RegExp(
      `${B}(?=[\\p{L}\\p{N}/.-]*\\p{N})(?=[\\p{L}\\p{N}/.-]*(?:\\p{Lu}|[/-]))[\\p{L}\\p{N}][\\p{L}\\p{N}/.-]{3,}[\\p{L}\\p{N}]${E}|\\+?\\d[\\d ]{6,}\\d`,
      'gu',
    ),
  ],
  ['measure', new RegExp(`${B}\\d[\\d.,]* ?(?:${UNIT})${E}`, 'giu')],
  ['number', new RegExp(`${B}\\d+(?:[.,]\\d+)*${E}`, 'gu')],
]

/** The dates that can do without a number: "on Tuesday", "in May". */
const NAMED_DATE = new RegExp(
  `${B}(?:(?:in|im|en|em|a|ad|since|seit|from|till|until|by) (?:${MONTH})|(?:${WEEKDAY}))${E}`,
  'giu',
)
const NAMED_DATES: typeof TYPES = [['date', NAMED_DATE]]
const COUNTED = /^ (\p{L}{3,})/u

/** Each stretch of the text is read once, by the first type that knows it. */
export function readValues(text: string): TypedValue[] {
  const found: TypedValue[] = []
  let rest = text
  const types = /\p{N}/u.test(text) ? TYPES : NAMED_DATES
  for (const [type, expression] of types)
    rest = rest.replace(expression, (value, ...at) => {
      const of =
        type === 'number' ? COUNTED.exec(rest.slice(Number(at.at(-2)) + value.length))?.[1] : undefined
      found.push({ type, text: value.trim().toLowerCase(), ...definedFields({ of: of?.toLowerCase() }) })
      return ' '.repeat(value.length)
    })
  return found
}

const DATE_WORD = new RegExp(`^(?:${MONTH}|${WEEKDAY})$`, 'iu')

/** A month or a weekday. */
export const isDateWord = (word: string): boolean => DATE_WORD.test(word)
