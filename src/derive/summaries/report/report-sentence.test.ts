import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reportSentence } from './report-sentence.ts'

const voices = { speaker: 'Ana', addressee: 'Ben' }
const isName = (word: string) => word === 'Lisbon'
const report = (sentence: string) => reportSentence(sentence, voices, isName)?.text

describe('statements about the speaker use the name of the speaker', () => {
  test.each([
    ['I am vegetarian.', 'Ana is vegetarian.'],
    ["I've booked a table for two.", 'Ana has booked a table for two.'],
    ['My wife is vegetarian.', "Ana's wife is vegetarian."],
    ["I don't like my job.", "Ana doesn't like Ana's job."],
    ['I never go there.', 'Ana never goes there.'],
    ['I jog every day and play the piano.', 'Ana jogs every day and plays the piano.'],
    ['My wife and I live here.', "Ana's wife and Ana live here."],
    ['I think I will go home.', 'Ana will go home.'],
    ["Well, you know, I'd like to pay by card, please.", 'Ana wants to pay by card.'],
    ['I ’ Ve been ill lately.', 'Ana has been ill lately.'],
    ['I wanna visit Lisbon.', 'Ana wants to visit Lisbon.'],
    ['I want you to be happy with your room.', "Ana wants Ben to be happy with Ben's room."],
    ['I set the table before I left.', 'Ana set the table before Ana left.'],
  ])('%s', (said, told) => expect(report(said)).toBe(told))
})

describe('other statements are reported as what the speaker says', () => {
  test.each([
    ['The museum is closed on Mondays.', 'Ana says the museum is closed on Mondays.'],
    ['Lisbon is lovely in May.', 'Ana says Lisbon is lovely in May.'],
    ['We are in Lisbon in May.', 'Ana says they are in Lisbon in May.'],
    ["You're late for the meeting.", 'Ana says Ben is late for the meeting.'],
    ['If you like, we can meet at noon.', 'Ana says if Ben likes, they can meet at noon.'],
    ["It's hard to find, isn't it?", "Ana says it's hard to find."],
  ])('%s', (said, told) => expect(report(said)).toBe(told))
})

describe('requests, suggestions and advice use their own verbs', () => {
  test.each([
    ['Could you call the hotel for me?', 'Ana asks Ben to call the hotel for Ana.'],
    ['Please sign this form.', 'Ana asks Ben to sign this form.'],
    ["Don't forget your passport.", "Ana tells Ben not to forget Ben's passport."],
    ['Can I have the bill?', 'Ana asks for the bill.'],
    ["Let's meet at 3:30.", 'Ana suggests that they meet at 3:30.'],
    ["Why don't you try the soup?", 'Ana suggests that Ben try the soup.'],
    ['How about going to the beach?', 'Ana suggests going to the beach.'],
    ['Ben, you should rest for a week.', 'Ana advises Ben to rest for a week.'],
  ])('%s', (said, told) => expect(report(said)).toBe(told))
})

describe('questions become statements', () => {
  test.each([
    ['Where did you stay?', 'Ana asks where Ben stayed.'],
    ['What foods do you eat now?', 'Ana asks what foods Ben eats now.'],
    ['Are you free tomorrow?', 'Ana asks whether Ben is free tomorrow.'],
    ['Have you seen my keys?', "Ana asks whether Ben has seen Ana's keys."],
    ['How much does the ticket cost?', 'Ana asks Ben how much the ticket costs.'],
    ["What's your hobby?", "Ana asks about Ben's hobby."],
    ['How do I set this up?', 'Ana asks Ben how Ana sets this up.'],
    ['Is there a bank nearby?', 'Ana asks Ben whether there is a bank nearby.'],
  ])('%s', (said, told) => expect(report(said)).toBe(told))
})

describe('left out', () => {
  test.each([
    'Hello, how are you?',
    'Thanks a lot.',
    'Thank you for your help with the move.',
    'That sounds great.',
    'So do I.',
    'And the chicken?',
    'Is the museum near the old town open?',
    'What a day!',
    'He is brown with white spots and.',
    'Are you in pain, or is there any fluid?',
  ])('%s', (said) => expect(report(said)).toBeUndefined())
})

test('a speaker without a name is called by the role, and shortened on second mention', () => {
  const roles = { speaker: 'the user', addressee: 'the assistant' }
  const told = reportSentence('Can you fix my app and explain your changes?', roles, isName)
  expect(told?.text).toBe(
    "The user asks the assistant to fix the user's app and explain the assistant's changes.",
  )
  expect(reportSentence('I want to fix my app.', roles, isName)?.text).toBe(
    'The user wants to fix their app.',
  )
})

test('a generic "you" is not reported', () => {
  expect(reportSentence('You are late for lunch.', { speaker: 'Ana' }, isName)).toBeUndefined()
})

test('any report begins with a capital, ends with a punctuation mark, and contains no "I" or "you"', () => {
  const word = fc.constantFrom(
    'I',
    'you',
    'my',
    'your',
    'am',
    'go',
    'and',
    'to',
    'the',
    'house',
    'not',
    'will',
    'did',
    'what',
    ',',
    'we',
    "let's",
    '?',
  )
  fc.assert(
    fc.property(fc.array(word, { minLength: 3, maxLength: 12 }), (words) => {
      const told = report(`${words.join(' ')}.`)
      if (told === undefined) return
      expect(told).toMatch(/^\p{Lu}.*[.!?]$/su)
      expect(told).not.toMatch(/\b(?:I|you|my|your|we)\b/)
    }),
  )
})
