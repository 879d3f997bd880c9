import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../test/support/processor-ms.ts'
import { findStatements, type StatementDetails } from './find-statements.ts'
import { supersedes } from './supersede.ts'

const keptOf = (text: string): string[] =>
  findStatements(text)
    .filter(({ details }) => !details.isWeak)
    .map((statement) => statement.text)

const detailsOf = (text: string): StatementDetails => {
  const [statement] = findStatements(text)
  if (statement === undefined) throw new TypeError(`no statement in "${text}"`)
  return statement.details
}

describe('worth keeping', () => {
  test.each([
    ['the dentist is on 3 February at 8:15, Dr Okonkwo'],
    ['our landlord is called Mr Petrov'],
    ['the wifi router costs 89 euros at Kaufhof'],
    ['we decided to go with Terraform, Priya owns it'],
    ['booking code KX9-2207'],
    ['please never send me slides with blue headings'],
    ['der Mietvertrag läuft bis 31. März, 820 € kalt'],
    ['mi jefa se llama Lucía Barrera'],
    ['le contrat commence le 4 mai, 2 300 € par mois'],
    ['o dentista é dia 7 de março, às 9:30'],
    ['la riunione è il 12 maggio alle 15:00 con Giulia'],
  ])('%s', (text) => {
    expect(keptOf(text)).toEqual([text])
  })
})

describe('not worth keeping, or not said outright', () => {
  test.each([
    ['When is the dentist?'],
    ['maybe we move to Graz in May'],
    ['I said coeliac'],
    ['ich hab doch gesagt, ich bin allergisch gegen Nüsse'],
    ['what if I bought the red Vespa for 2,000 euros'],
    ['if Bruno calls before 5 pm, tell me'],
    ['write an e-mail to Mr Petrov about the 89 euros'],
    ['my neighbour says hers was 40 euros cheaper at Aldi'],
    ['vielleicht ziehen wir im Mai nach Graz'],
    ['quizás compremos el piso de la calle Mayor por 200.000 €'],
    ['forse partiamo il 3 giugno con Marta'],
    ['haha yes, a million euros from Elon'],
    ['thanks, that was great'],
    ['wonders never cease'],
  ])('%s', (text) => {
    expect(keptOf(text)).toEqual([])
  })
})

test('a fragment of values belongs to the sentence before it', () => {
  expect(keptOf('they moved the yoga class. Thursday, 18:30')).toEqual([
    'they moved the yoga class. Thursday, 18:30',
  ])
})

test('an ordinal and a title do not end a sentence', () => {
  expect(keptOf('Einzug ist am 1. September bei Dr. Weber. Danke dir!')).toEqual([
    'Einzug ist am 1. September bei Dr. Weber',
  ])
})

test('the value that is replaced is not part of what holds now', () => {
  const [statement] = findStatements('the gym moved the class from 18:00 to 19:15')
  expect(statement?.text).toBe('the gym moved the class to 19:15')
  expect(statement?.details.replaced).toEqual([{ type: 'time', text: '18:00' }])
})

describe('a newer statement takes the place of an older one', () => {
  test.each([
    ['the rehearsal is on Monday at 19:00', 'the rehearsal is on Wednesday at 20:00'],
    ['our gardener is Mr Novak', 'Mrs Lindqvist takes over as gardener now'],
    ['the subscription costs 12 euros a month', 'the subscription is 15 euros now'],
    ['we use Jenkins for the builds at Orbis', 'goodbye Jenkins'],
    ['parcel limit is 30 kg', 'parcel limit is 25 kg, not 30'],
    ['die Probe ist am Montag um 19:00', 'die Probe ist jetzt am Mittwoch um 20:00'],
    ['el alquiler es 700 euros', 'el alquiler ahora es 750 euros'],
  ])('%s ⇐ %s', (older, newer) => {
    expect(supersedes(detailsOf(newer), detailsOf(older))).toBe(true)
  })

  test('what a message that announces a change names beside its new value', () => {
    const [, delivery] = findStatements(
      'sad news, Benicio has broken his arm. the vegetables are delivered on Friday at 9:00 from now on.',
    )
    const older = detailsOf('our man for greens is Benicio, he comes on Tuesday at 7:30')
    expect(delivery?.details && supersedes(delivery.details, older)).toBe(true)
  })

  test.each([
    ['the rehearsal is on Monday at 19:00', 'the dentist is on Wednesday at 8:00'],
    ['my cousin Farid is a baker in Lyon', 'my cousin Lena is a nurse in Graz'],
    ['the subscription costs 12 euros a month', 'the flight costs 240 euros in total'],
  ])('%s stays beside %s', (older, newer) => {
    expect(supersedes(detailsOf(newer), detailsOf(older))).toBe(false)
  })
})

test('any text is read without a failure, and the same text gives the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      expect(findStatements(text)).toEqual(findStatements(text))
    }),
    { numRuns: 200 },
  )
})

test.each(['a ', '1. ', '@', 'A', '…', 'not 3 ', "'s ", 'Mo ', '1,', '. '])(
  'the time for repetitions of %j grows with their length',
  (piece) => {
    const timeOf = (length: number) => {
      const text = piece.repeat(Math.ceil(length / piece.length))
      return processorMs(() => findStatements(text))
    }
    timeOf(2000)
    expect(timeOf(24_000)).toBeLessThan(Math.max(60, timeOf(6000) * 12))
  },
)

describe('what no longer holds is left out of what is listed', () => {
  test.each([
    ['internet is 35 euros a month, the old one was 48', 'internet is 35 euros a month', ['48']],
    ['the studio costs 40 euros, it used to be 55', 'the studio costs 40 euros', ['55']],
    ['a academia sai por 90 reais, a outra cobrava 120', 'a academia sai por 90 reais', ['120']],
    ['der Kurs kostet 60 Euro, vorher 45', 'der Kurs kostet 60 Euro', ['45']],
  ])('%s', (said, text, replaced) => {
    const [statement] = findStatements(said)
    expect(statement?.text).toBe(text)
    expect(statement?.details.replaced.map((value) => value.text)).toEqual(replaced)
  })
})

test('dates in a row are separate statements, so that each can be moved', () => {
  expect(keptOf('term dates: geometry exam on 3 May, poetry exam on 9 May')).toEqual([
    'geometry exam on 3 May',
    'poetry exam on 9 May',
  ])
})

test('a sentence that is taken back is not kept', () => {
  expect(keptOf('we sell the Vespa to Bruno for 900 euros. no wait, he only asked')).toEqual([])
})

test('a version that begins a sentence is what it is about', () => {
  expect(keptOf('release plan. 2.4 ships on Monday 3 June with Lena')).toEqual([
    '2.4 ships on Monday 3 June with Lena',
  ])
})

describe('to speak of the same person or kind of thing is not enough', () => {
  test.each([
    ['Mara pays 40 euros for the choir', 'Mara has her dentist at 9:15 on Friday'],
    ['Ilse (head of sales) asked for the numbers', 'Ilse moved the kick-off to 4 June'],
    ['the seller of the Saab on Mill Lane asks 7,400, 160,000 km', 'seller wants 300 more for tyres'],
    ['Jonas lives in Bern with 2 cats', 'Jonas runs 12 km every morning'],
    ['the parcel weighs 3 kg with the books', 'the books are 45 cm wide'],
    ['the report is due on 2 May', 'we leave for Rome on 9 June, after the report'],
  ])('%s stays beside %s', (older, newer) => {
    expect(supersedes(detailsOf(newer), detailsOf(older))).toBe(false)
  })

  test.each([
    ['Hollweg offers 40 places at 12 a head', 'Hollweg Catering: 55 places'],
    ['our vet is Dr Amari, he opens at 8:00', 'Dr Amari retired, Dr Sato is the vet now'],
  ])('%s is closed by %s', (older, newer) => {
    expect(supersedes(detailsOf(newer), detailsOf(older))).toBe(true)
  })
})
