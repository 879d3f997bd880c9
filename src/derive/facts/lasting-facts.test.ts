import { expect, test } from 'vitest'
import type { Fact } from '../../domain/fact.ts'
import { rankLasting } from './lasting-facts.ts'

const fact = (attribute: string, more: Partial<Fact> = {}): Fact => ({
  id: attribute,
  key: attribute,
  subject: 'user',
  attribute,
  value: 'so',
  kind: 'fact',
  validFrom: new Date(0),
  confidence: 0.8,
  origin: 'said',
  sources: [],
  conversationIds: [],
  saidAt: new Date(0),
  ...more,
})

const attributesOf = (facts: readonly Fact[]) => facts.map(({ attribute }) => attribute)

test('what harms when it is forgotten comes first, and what passes is left to the question', () => {
  const facts = [fact('job'), fact('plan'), fact('home'), fact('car'), fact('allergy'), fact('name')]
  expect(attributesOf(rankLasting(facts))).toEqual(['name', 'allergy', 'home', 'job'])
})

test('what somebody gave comes before what was said, whatever it is about', () => {
  const facts = [fact('name'), fact('boat', { origin: 'given' })]
  expect(attributesOf(rankLasting(facts))).toEqual(['boat', 'name'])
})

test('being said again changes nothing', () => {
  const facts = [fact('speaks', { id: 'a' }), fact('speaks', { id: 'b', validFrom: new Date(1) })]
  const again = facts.map((one) => (one.id === 'b' ? { ...one, confidence: 0.99, saidAt: new Date(9) } : one))
  expect(rankLasting(again).map(({ id }) => id)).toEqual(rankLasting(facts).map(({ id }) => id))
})
