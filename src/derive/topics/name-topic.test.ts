import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSubjects } from './find-subjects.ts'
import { countSubjects, nameConversation, nameTopic, type SubjectCount } from './name-topic.ts'

/** Messages of a topic, a person and a reply in turn. */
function subjectsOf(...texts: readonly string[]): readonly SubjectCount[] {
  return texts.reduce<readonly SubjectCount[]>(
    (known, text, i) => countSubjects(known, findSubjects(text), { isPerson: i % 2 === 0, isOpening: i < 2 }),
    [],
  )
}

const GARDEN = [
  'the tomatoes on the balcony have yellow leaves again',
  'Yellow leaves on tomatoes are often a lack of nitrogen. Feed them every two weeks.',
  'ok, tomato fertiliser it is. how much',
  'A capful of fertiliser in five litres of water.',
]
const BIKE = [
  'my bike makes a grinding noise when I change gears',
  'That is usually the derailleur hanger. Check whether it is bent.',
  'the hanger looks bent, yes',
  'Then a bike shop can straighten the derailleur hanger in minutes.',
]

test('a topic is named by what both sides speak of', () => {
  expect(nameTopic(subjectsOf(...GARDEN))?.toLowerCase()).toMatch(/tomato|yellow leaves/)
  expect(nameTopic(subjectsOf(...BIKE))?.toLowerCase()).toMatch(/hanger/)
})

test('a word that other topics have too names none of them', () => {
  const one = subjectsOf('the Lisbon hotel has no lift', 'Ask the hotel in Lisbon for a low floor.')
  const other = subjectsOf('the Lisbon tram tickets', 'Tram tickets in Lisbon are sold at kiosks.')
  expect(nameTopic(one, [other])?.toLowerCase()).toMatch(/hotel/)
  expect(nameTopic(other, [one])?.toLowerCase()).toMatch(/tram/)
})

test('a greeting names nothing', () => {
  expect(nameTopic(subjectsOf('hi, how are you?', 'Hello! How can I help?'))).toBeUndefined()
})

test('a name has at most six words, and each of its phrases was written by somebody', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }), { maxLength: 6 }), (texts) => {
      const name = nameTopic(subjectsOf(...texts))
      if (name === undefined) return
      expect(name.split(/[\s&]+/u).length).toBeLessThanOrEqual(6)
    }),
  )
})

test('a title says what a conversation is about throughout', () => {
  const title = nameConversation([
    subjectsOf('we want to restore a sailing boat', 'A sailing boat needs a dry place first.'),
    subjectsOf('found rot in the hull of the boat', 'Cut the rot out of the hull.'),
    subjectsOf('lunch was great today', 'Glad to hear that!'),
  ])
  expect(title).toMatch(/boat/i)
  expect(title).not.toMatch(/lunch/i)
  expect(title?.split(/[ ,&]+/).length).toBeLessThanOrEqual(6)
})

test('a conversation that nothing names has no title', () => {
  expect(nameConversation([])).toBeUndefined()
  expect(nameConversation([subjectsOf('hi there', 'Hello!')])).toBeUndefined()
})

test('a name has no verbs, and an adjective only in a phrase that comes back', () => {
  const name = nameTopic(
    subjectsOf(
      'the puppy chewed my loud alarm clock and growled',
      'Puppies chew what they find. Give the puppy a toy.',
      'he growled at the toy and chewed the clock again',
    ),
  )
  expect(name).toMatch(/puppy/i)
  expect(name).toMatch(/clock/i)
  expect(name).not.toMatch(/chew|growl|loud/i)
})

test('what is said first in a long topic does not keep out what is said often later', () => {
  const opening = Array.from({ length: 40 }, (_, i) => `the harp${String.fromCharCode(97 + (i % 26))}${i}x.`)
  const later = Array.from({ length: 12 }, () => 'the greenhouse needs a new pane')
  expect(nameTopic(subjectsOf(opening.join(' '), opening.join(' '), ...later))).toMatch(/greenhouse/i)
})

test('a shouted word is shown as others write it', () => {
  expect(nameTopic(subjectsOf('OMG the GEARBOX', 'Is the gearbox noisy?', 'the gearbox howls'))).toBe(
    'Gearbox',
  )
})
