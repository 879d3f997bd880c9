import { expect, test } from 'vitest'
import { whyNoMemory } from './is-memory.ts'

const said = (text: string, role: 'user' | 'assistant' = 'user') => ({ kind: 'message' as const, role, text })

test.each([
  'Which plot gets the beans?',
  'Hi! Where is the key? And who has it?',
  'Wann kommt der Zug?',
  '¿Dónde está la llave?',
  'Thanks. Can you list them?',
])('a question of the user is no memory: %s', (text) => {
  expect(whyNoMemory(said(text), 'Which plot?')).toBe('an earlier question')
})

test.each([
  'I put the key under the mat. Do you know which?',
  'The beans go to plot 7.',
  'My brother moved to Porto, did I say that? He likes it.',
])('a statement stays a memory: %s', (text) => {
  expect(whyNoMemory(said(text), 'Which plot?')).toBeUndefined()
})

test('a question of somebody else, and one that is asked about, stay memories', () => {
  expect(whyNoMemory(said('Do you prefer the window seat?', 'assistant'), 'seat')).toBeUndefined()
  expect(whyNoMemory(said('Where is the hotel?'), 'What did I ask about the hotel?')).toBeUndefined()
})

test.each([
  'Let me think.',
  'Okay, let me check that for you.',
  'One moment…',
  'Einen Moment bitte.',
  'Un momento',
])('filler is no memory: %s', (text) => {
  expect(whyNoMemory(said(text, 'assistant'), 'x')).toBe('says nothing')
})

test('text after the filler counts', () => {
  const text = 'Let me see: the beans on plot 7 were planted by neighbour 21 in May.'
  expect(whyNoMemory(said(text, 'assistant'), 'x')).toBeUndefined()
})
