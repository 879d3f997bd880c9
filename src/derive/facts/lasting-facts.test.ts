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

test('facts that are dangerous to forget come first, and short-lived ones are left out', () => {
  const facts = [fact('job'), fact('plan'), fact('home'), fact('car'), fact('allergy'), fact('name')]
  expect(attributesOf(rankLasting(facts))).toEqual(['name', 'allergy', 'home', 'job'])
})

test('facts that a user added come before facts that were said, whatever they are about', () => {
  const facts = [fact('name'), fact('boat', { origin: 'given' })]
  expect(attributesOf(rankLasting(facts))).toEqual(['boat', 'name'])
})

test('repetition changes nothing', () => {
  const facts = [fact('speaks', { id: 'a' }), fact('speaks', { id: 'b', validFrom: new Date(1) })]
  const again = facts.map((one) => (one.id === 'b' ? { ...one, confidence: 0.99, saidAt: new Date(9) } : one))
  expect(rankLasting(again).map(({ id }) => id)).toEqual(rankLasting(facts).map(({ id }) => id))
})
