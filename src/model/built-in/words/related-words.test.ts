import { expect, test } from 'vitest'
import { openMemory } from '../../../index.ts'
import { loadRelatedWords } from './related-words.ts'

test('synonyms of frequent senses and words of the same root are related', async () => {
  const relatedTo = await loadRelatedWords()
  expect(relatedTo('lawyer')).toContain('attorney')
  expect(relatedTo('insurance')).toContain('insure')
  expect(relatedTo('xyzzy')).toEqual([])
})

test('recall finds a message by a synonym, after one that has the word itself', async () => {
  await using memory = await openMemory(':memory:')
  await memory.conversation('house').record([
    { id: 'synonym', role: 'user', content: 'Our attorney Ms Pruitt sends the deed on Friday.' },
    { id: 'other', role: 'user', content: 'The garden gate squeaks again.' },
    { id: 'word', role: 'user', content: 'The lawyer of the seller is on holiday.' },
  ])
  const { items } = await memory.recall('Which lawyer do we have?', { limit: 2 })
  expect(items.map(({ id }) => id)).toEqual(['word', 'synonym'])
})
