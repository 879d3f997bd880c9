import { expect, test } from 'vitest'
import { findSubjects } from './find-subjects.ts'

const nounsOf = (text: string) =>
  findSubjects(text).flatMap(({ text: phrase, isNoun }) => (isNoun ? phrase : []))

test('an English noun phrase is taken whole, with its preposition', () => {
  expect(nounsOf('there is a leak in the cellar roof')).toEqual(
    expect.arrayContaining(['leak in the cellar roof', 'cellar roof', 'roof']),
  )
})

test('English verbs and adjectives alone are no nouns, a verb after an article is one', () => {
  expect(nounsOf('we went home slowly and felt tired')).toEqual(['home'])
  expect(nounsOf('the drive was tiring')).toContain('drive')
})

test('in German, capitals tell nouns, or the article where nobody types capitals', () => {
  expect(nounsOf('Wir haben gestern den alten Ofen im Schuppen gestrichen.')).toEqual(
    expect.arrayContaining(['Ofen', 'Ofen im Schuppen', 'Schuppen']),
  )
  expect(nounsOf('ich hab den ofen gestrichen')).toEqual(['Ofen'])
})

test('in Romance languages, the article or preposition before a word tells nouns', () => {
  expect(nounsOf('ayer pintamos la terraza del vecino')).toEqual(
    expect.arrayContaining(['terraza', 'terraza del vecino', 'vecino']),
  )
  expect(nounsOf('ontem pintamos a varanda do vizinho')).not.toContain('pintamos')
})

test('what somebody asks for is marked', () => {
  const asked = findSubjects('can you help me plan a treasure hunt for the scouts').filter(
    ({ isAsked }) => isAsked,
  )
  expect(asked.map(({ text }) => text)).toContain('treasure hunt')
  expect(findSubjects('the treasure hunt was fun').some(({ isAsked }) => isAsked)).toBe(false)
})

test('a language without rules names every word that may be a subject', () => {
  expect(nounsOf('собака боится грозы')).toContain('собака')
})
