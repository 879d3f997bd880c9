import { expect, test } from 'vitest'
import { writeSpan } from './date-span.ts'
import { readDates } from './read-dates.ts'

// A Wednesday.
const now = new Date('2024-04-10T12:00:00Z')
const read = (text: string, lean: 'past' | 'future' = 'future') =>
  readDates(text, { now, lean }).map(writeSpan)

test.each([
  ['on Tuesday', '2024-04-16'],
  ['next Friday', '2024-04-19'],
  ['this Friday', '2024-04-12'],
  ['from 4 to 9 May', '2024-05-04 to 2024-05-09'],
  ['4-9 May 2025', '2025-05-04 to 2025-05-09'],
  ['May 30 to June 2', '2024-05-30 to 2024-06-02'],
  ['on April 7', '2024-04-07'],
  ['on the 5th', '2024-05-05'],
  ['on 3 January', '2024-01-03'],
  ['on Friday, June 14', '2024-06-14'],
  ['in February', '2025-02'],
  ['in three weeks', '2024-05-01'],
  ['next month', '2024-05'],
  ['this weekend', '2024-04-13 to 2024-04-14'],
  ['tomorrow', '2024-04-11'],
  ['the day after tomorrow', '2024-04-12'],
  ['2024-12-24', '2024-12-24'],
  ['December 24th, 2024 at 7 PM', '2024-12-24'],
  ['next summer', '2024-06-01 to 2024-08-31'],
])('%s', (text, span) => {
  expect(read(text)).toEqual([span])
})

test.each([
  ['on Tuesday', '2024-04-09'],
  ['last Wednesday', '2024-04-03'],
  ['in November', '2023-11'],
  ['since 2019', '2019'],
  ['since March 2021', '2021-03'],
  ['two weeks ago', '2024-03-27'],
  ['four years ago', '2020'],
  ['for three months', '2024-01'],
  ['last summer', '2023-06-01 to 2023-08-31'],
  ['last month', '2024-03'],
  ['yesterday', '2024-04-09'],
])('%s, in the past', (text, span) => {
  expect(read(text, 'past')).toEqual([span])
})

test.each([
  'I may go',
  'May is my aunt',
  'at 3 PM',
  'version 2.3.1',
  '10 minutes',
  'one day',
  '45 May',
  'sun and fun',
])('%s is not a date', (text) => {
  expect(read(text)).toEqual([])
})
