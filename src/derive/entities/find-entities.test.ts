import { expect, test } from 'vitest'
import type { Entity } from '../../domain/entity.ts'
import { messageId } from '../../domain/ids.ts'
import { EntityIndex } from './entity-index.ts'
import { findEntities } from './find-entities.ts'

function readAll(...texts: readonly string[]): Entity[] {
  const known = new EntityIndex()
  for (const [place, text] of texts.entries()) {
    for (const entity of findEntities({ id: messageId(String(place)), text }, known)) known.add(entity)
  }
  return known.all()
}

const typed = (...texts: readonly string[]) => readAll(...texts).map(({ name, type }) => `${type} ${name}`)

test.each([
  ['I met my friend Tomek there.', ['person Tomek']],
  ['She works at Stripe now.', ['organisation Stripe']],
  ['We flew to Windhoek yesterday.', ['place Windhoek']],
  ['He studies at Leiden University.', ['organisation Leiden University']],
  ['We run PostgreSQL 16.2 here.', ['product PostgreSQL']],
  ['Look at src/main.ts and notes.md.', ['file src/main.ts', 'file notes.md']],
  [
    'Write to ana@example.org or see https://example.org/a.',
    ['url https://example.org/a', 'email ana@example.org'],
  ],
  ['Lisbon is lovely in May.', ['place Lisbon']],
])('%s', (text, entities) => {
  expect(typed(text).sort()).toEqual([...entities].sort())
})

test('a capital at the start of a sentence does not make a name', () => {
  expect(typed('Great. Running helps. Perhaps on Monday.')).toEqual([])
})

test('the first word of a sentence is a name if it was capitalised inside another sentence', () => {
  expect(readAll('I asked Zbyszek.', 'Zbyszek agreed with us.')[0]?.mentions).toBe(2)
})

test('a person keeps all names under the fullest one', () => {
  const [ana, ...others] = readAll(
    'I met my friend Ana.',
    'Then Ana Silva called.',
    'So I wrote to Dr. Silva.',
  )
  expect(ana).toMatchObject({ name: 'Ana Silva', type: 'person', mentions: 3 })
  expect(others).toEqual([])
})

test('a name that fits two people is merged with neither', () => {
  const people = readAll('My friend Ana Silva and my boss Ana Costa met.', 'Then my friend Ana left.')
  expect(people.map(({ name }) => name).sort()).toEqual(['Ana', 'Ana Costa', 'Ana Silva'])
})

test('dates are entities if the time of the message is known', () => {
  const message = { id: messageId('m'), text: 'See you on 4 May.', createdAt: new Date('2026-03-11') }
  expect(findEntities(message, new EntityIndex())).toMatchObject([{ type: 'date', name: '2026-05-04' }])
})

test('code contains no names', () => {
  expect(typed('```\nclass Foo extends Bar {}\n```')).toEqual([])
})
