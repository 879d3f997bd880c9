import { expect, test } from 'vitest'
import { conversationId, messageId } from '../../domain/ids.ts'
import { extractFacts } from './extract-facts.ts'
import { foldFacts } from './fold-facts.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
const START = Date.parse('2026-02-02T09:00:00Z')

/** Current statements after messages a week apart, each answered by an assistant. */
function currentAfter(...texts: readonly string[]): readonly string[] {
  const extracted = texts.flatMap((text, place) =>
    extractFacts({
      id: messageId(`m${place}`),
      role: 'user',
      text,
      createdAt: new Date(START + place * WEEK_MS),
    }).map((fact, index) => ({
      ...fact,
      conversationId: conversationId('chat'),
      position: place * 2,
      index,
      madeBy: 'test',
    })),
  )
  const now = new Date(START + texts.length * WEEK_MS)
  return foldFacts(extracted, [])
    .factsAt(now)
    .map(({ value }) => value)
}

test.each([
  [
    'the piano tuner is booked for 4 March, Mr Lund',
    'he postponed, so the 11th',
    'the piano tuner is booked for the 11th, Mr Lund',
  ],
  [
    'we signed for the hall at 640 euros with Mrs Berger',
    "no wait, it's 690 euros",
    'we signed for the hall at 690 euros with Mrs Berger',
  ],
  [
    'der Elternabend ist am Dienstag um 19:00 bei Frau Holt',
    'verschoben auf Mittwoch',
    'der Elternabend ist am Mittwoch um 19:00 bei Frau Holt',
  ],
  [
    'la revisión del coche es el 3 de mayo en Talleres Sanz',
    'al final el 10 de mayo',
    'la revisión del coche es el 10 de mayo en Talleres Sanz',
  ],
])('"%s", then "%s"', (first, change, now) => {
  expect(currentAfter(first, change)).toEqual([now])
})

test('a change without a subject is not about what was said long before', () => {
  const first = 'the piano tuner is booked for 4 March, Mr Lund'
  expect(currentAfter(first, 'thanks', 'good idea', 'he postponed, so the 11th')).toEqual([first])
})

test('a change that says what it is about leaves the statement before alone', () => {
  const first = 'the piano tuner is booked for 4 March, Mr Lund'
  const second = 'we fly to Malaga on 9 April with Vueling, moved from the 2nd'
  expect(currentAfter(first, second)).toContain(first)
})

test('a value of another kind changes nothing', () => {
  const first = 'the piano tuner is booked for 4 March, Mr Lund'
  expect(currentAfter(first, 'actually 120 euros')).toEqual([first])
})
