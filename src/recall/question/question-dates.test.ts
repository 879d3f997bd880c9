import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readQuestionDates } from './question-dates.ts'

/** Asked on Wednesday, 14 October 2026. */
const now = new Date('2026-10-14T12:00:00Z')
const day = (moment: Date) => moment.toISOString().slice(5, 10)

/** First day and the day after the last one. */
function spanOf(text: string, isEnglish: boolean): string | undefined {
  const [span] = readQuestionDates(text, { now, lean: 'past', isEnglish })
  return span && `${day(span.start)} ${day(span.end)}`
}

describe('dates in a question', () => {
  test.each([
    ['Was haben wir im Februar gekauft?', '02-01 03-01'],
    ['Wer kam letzte Woche vorbei?', '10-05 10-12'],
    ['Was war vor drei Tagen?', '10-11 10-12'],
    ['¿Qué compramos ayer?', '10-13 10-14'],
    ['¿Adónde fuimos el 3 de mayo?', '05-03 05-04'],
    ['¿Quién vino el mes pasado?', '09-01 10-01'],
    ['Qui est venu la semaine dernière ?', '10-05 10-12'],
    ["Qu'avons-nous décidé en août ?", '08-01 09-01'],
    ['Quem ligou ontem?', '10-13 10-14'],
    ['O que vendemos em março?', '03-01 04-01'],
    ['Chi arriva la prossima settimana?', '10-19 10-26'],
    ['Dove eravamo due giorni fa?', '10-12 10-13'],
  ])('%s', (text, expected) => {
    expect(spanOf(text, false)).toBe(expected)
  })

  test.each([
    ['What did we plant in early April?', true, '04-01 04-14'],
    ['Who called in the middle of May?', true, '05-08 05-24'],
    ['What broke in late March?', true, '03-18 04-01'],
    ['Was kam Ende Juni?', false, '06-18 07-01'],
    ['¿Qué llegó a mediados de enero?', false, '01-08 01-24'],
    ['What did we plant in April?', true, '04-01 05-01'],
  ])('a part of a month: %s', (text, isEnglish, expected) => {
    expect(spanOf(text, isEnglish)).toBe(expected)
  })

  test('positions are those in the question', () => {
    const text = 'Qué pasó el día 3 de mayo'
    const [span] = readQuestionDates(text, { now, lean: 'past', isEnglish: false })
    expect(text.slice(span?.index, (span?.index ?? 0) + (span?.text.length ?? 0))).toBe('3 de mayo')
  })

  test('any text is read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        for (const { start, end } of readQuestionDates(text, { now, lean: 'past', isEnglish: false }))
          expect(start.getTime()).toBeLessThan(end.getTime())
      }),
    )
  })
})
