import { expect, test } from 'vitest'
import { answerWith, readAsked } from './answer-question.ts'

test.each([
  ['Lovely. When do you have to return the keys?', 'have to return the keys'],
  ['What is your budget?', 'budget'],
  ['Welchen Drucker nehmt ihr?', 'Drucker nehmt'],
  ['¿Tenéis moto?', 'moto'],
  ['Qual è il vostro indirizzo?', 'indirizzo'],
])('%s asks about "%s"', (question, asked) => {
  expect(readAsked(question)).toBe(asked)
})

test.each(['I have noted it.', 'Shall I draft a letter?', 'Soll ich das übernehmen?'])(
  '%s asks nothing about the speaker',
  (text) => {
    expect(readAsked(text)).toBeUndefined()
  },
)

test.each([
  ['until 14 May', 'return the keys: until 14 May'],
  ['yes, 9 March at 10:00', 'return the keys: 9 March at 10:00'],
])('%s is listed with what it answers', (answer, text) => {
  expect(answerWith('return the keys', answer)).toBe(text)
})

test.each(['they are due on 14 May', 'thanks, great', 'and what about 3 May?'])(
  '%s needs no question to be read',
  (sentence) => {
    expect(answerWith('return the keys', sentence)).toBeUndefined()
  },
)
