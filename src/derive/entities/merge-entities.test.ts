import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWithStore } from '../../../test/support/open-with-store.ts'
import { conversationId, messageId } from '../../domain/ids.ts'
import { EntityIndex } from './entity-index.ts'
import { findEntities } from './find-entities.ts'
import { type FoundEntity, mergeEntities } from './read-entities.ts'
import { readEntity, toEntityBody } from './stored-entity.ts'

function found(conversation: string, ...texts: readonly string[]): FoundEntity[] {
  const known = new EntityIndex()
  for (const [place, text] of texts.entries()) {
    const message = { id: messageId(`${conversation}-${place}`), text, createdAt: new Date(place) }
    for (const entity of findEntities(message, known)) known.add(entity)
  }
  return known.all().map((entity) => ({ conversationId: conversationId(conversation), entity }))
}

const named = (list: readonly FoundEntity[]) =>
  mergeEntities(list).map(({ name, type, mentions }) => `${name} ${type} ${mentions}`)

describe('merging entities of several conversations', () => {
  test('merges equal names and adds up their mentions', () => {
    const list = [...found('a', 'We flew to Lisbon.', 'Lisbon is lovely.'), ...found('b', 'I like Lisbon.')]
    expect(mergeEntities(list)).toMatchObject([
      { name: 'Lisbon', type: 'place', mentions: 3, conversationIds: ['a', 'b'] },
    ])
  })

  test('merges a short name into the only person who has it', () => {
    const list = [...found('a', 'I met my friend Ana Silva.'), ...found('b', 'I met my friend Ana.')]
    expect(mergeEntities(list)).toMatchObject([
      { name: 'Ana Silva', aliases: ['Ana Silva', 'Ana'], mentions: 2, type: 'person' },
    ])
  })

  test('leaves a name alone that two people share', () => {
    const list = [
      ...found('a', 'I met my friend Ana Silva.'),
      ...found('b', 'I met my friend Ana Costa.'),
      ...found('c', 'I met my friend Ana.'),
    ]
    expect(named(list)).toEqual(['Ana person 1', 'Ana Costa person 1', 'Ana Silva person 1'])
  })

  test('gives the same result in any order, and loses no mention', () => {
    const texts = fc.constantFrom(
      'I met my friend Ana Silva.',
      'I met my friend Ana.',
      'My boss Ana Costa called.',
      'We flew to Lisbon.',
      'She works at Stripe.',
      'Then I asked Silva.',
    )
    const story = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.array(texts, { maxLength: 4 })), {
      maxLength: 3,
    })
    const lists = story.map((parts) => {
      const byName = new Map(parts)
      return [...byName].flatMap(([conversation, said]) => found(conversation, ...said))
    })
    const both = lists.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(both, ([list, other]) => {
        expect(mergeEntities(other)).toEqual(mergeEntities(list))
        const count = (sum: number, { mentions }: { mentions: number }) => sum + mentions
        const before = list.map(({ entity }) => entity).reduce(count, 0)
        expect(mergeEntities(list).reduce(count, 0)).toBe(before)
      }),
    )
  })
})

test('an entity survives a round trip through the store', () => {
  for (const { entity } of found('a', 'I met my friend Ana Silva at Stripe.'))
    expect(readEntity({ body: JSON.parse(JSON.stringify(toEntityBody(entity))) })).toEqual(entity)
})

test('a conversation lists its own entities, and the workspace lists all', async () => {
  const { memory, say } = await openWithStore()
  await say('one', '2026-01-10', 'We flew to Lisbon with my friend Tomek.')
  await say('two', '2026-02-10', 'Back in Lisbon.')
  expect(await memory.entities.list({ type: 'place' }).toArray()).toMatchObject([
    { name: 'Lisbon', mentions: 2 },
  ])
  expect(await memory.conversation('two').entities.list().toArray()).toMatchObject([
    { name: 'Lisbon', mentions: 1 },
  ])
  expect(
    (await memory.conversation('one').entities.list({ type: 'person' }).toArray()).map(({ name }) => name),
  ).toEqual(['Tomek'])
  await memory.conversation('one').erase()
  expect(await memory.entities.list().toArray()).toMatchObject([
    { name: 'Lisbon', mentions: 1, conversationIds: ['two'] },
  ])
  await expect(memory.entities.list({ type: 'planet' as never }).toArray()).rejects.toThrow(
    'the type of an entity',
  )
})
