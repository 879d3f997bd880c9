import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import { processorMs } from '../../../test/support/processor-ms.ts'
import { messageId } from '../../domain/ids.ts'
import { type ExtractOptions, extractFacts, type SpokenMessage } from './extract-facts.ts'

// A Wednesday.
const createdAt = new Date('2026-03-11T10:00:00Z')

function read(text: string, given: Partial<SpokenMessage> = {}, options: ExtractOptions = {}): string[] {
  const message: SpokenMessage = { id: messageId('m'), role: 'user', text, createdAt, ...given }
  return extractFacts(message, options)
    .filter(({ statement }) => statement?.isWeak !== true)
    .map(
      ({ action, subject, attribute, value }) =>
        `${action === 'state' ? '' : `${action} `}${subject} | ${attribute} | ${value ?? 'any'}`,
    )
}

describe('what people say about themselves', () => {
  test.each([
    [
      "Hi, I'm Noor, I'm 28 and living in Porto, can you help me?",
      ['name | Noor', 'age | 28', 'home | Porto'],
    ],
    ['I moved from Madrid to Valencia for work.', ['home | Valencia', 'former home | Madrid']],
    ['I work at Siemens as a test engineer.', ['job | test engineer', 'employer | Siemens']],
    ['My sister Ines is visiting.', ['sister | Ines']],
    ['I have a cat named Pixel.', ['pet | Pixel (cat)']],
    ["I'm allergic to peanuts and shellfish.", ['allergy | peanuts', 'allergy | shellfish']],
    ['My favourite band is Khruangbin.', ['favourite band | Khruangbin']],
    ["I can't stand open-plan offices.", ['dislikes | open-plan offices']],
    ["I'm using Django 5.1.", ['uses | Django', 'version of Django | 5.1']],
    ['Always answer in German.', ['instruction | Always answer in German']],
    ['i live in berlin', ['home | Berlin']],
  ])('%s', (text, facts) => {
    expect(read(text)).toEqual(facts.map((fact) => `user | ${fact}`))
  })
})

describe('what has ended, and what was wrong', () => {
  test.each([
    ['I no longer work at Ikea.', ['end user | employer | Ikea']],
    ['I am not vegetarian any more.', ['end user | diet | vegetarian']],
    ['I sold the car.', ['end user | car | car']],
    ['No, Thursday.', ['correct user |  | 2026-03-12']],
    ['I meant Porto, not Lisbon.', ['correct user |  | Porto']],
  ])('%s', (text, facts) => {
    expect(read(text)).toEqual(facts)
  })
})

describe('dates are absolute', () => {
  test.each([
    ['We are in Lisbon from 4 to 9 May.', 'plan | in Lisbon: 2026-05-04 to 2026-05-09'],
    ['My flight is on Tuesday.', 'date of flight | 2026-03-17'],
    ["Next month we're visiting my aunt.", 'plan | visiting my aunt: 2026-04'],
  ])('%s', (text, fact) => {
    expect(read(text)).toEqual([`user | ${fact}`])
  })

  test('a fact with a start in the past is valid from then', () => {
    const [home] = extractFacts({
      id: messageId('m'),
      role: 'user',
      text: "I've lived in Oslo since 2019.",
      createdAt,
    })
    expect(home?.validFrom).toEqual(new Date('2019-01-01'))
  })

  test('a plan is valid until its last day is over', () => {
    const [plan] = extractFacts({
      id: messageId('m'),
      role: 'user',
      text: 'We are in Lisbon from 4 to 9 May.',
      createdAt,
    })
    expect(plan?.validUntil).toEqual(new Date('2026-05-10'))
  })
})

describe('no facts from questions, wishes, guesses, reports and code', () => {
  test.each([
    'If I moved to Berlin, what would rent cost me?',
    'Should I say that I am vegetarian?',
    'I wish I lived in Spain.',
    'I might move to Oslo next year.',
    'My doctor thinks I have asthma.',
    'She said I am allergic to cats.',
    'He said "I live in Berlin" and left.',
    'Translate this: I am a doctor from Paris.',
    '> I live in Madrid',
    '```\nI live in Berlin\n```',
    'I love this!',
    "I'm 87.5% done.",
    'Never mind.',
    "Please don't change this function.",
    'For example, I have a cat named Tom.',
    "I'm thinking of getting a dog.",
  ])('%s', (text) => {
    expect(read(text)).toEqual([])
  })
})

test('system prompts, tools and assistants state no facts', () => {
  for (const role of ['system', 'tool', 'assistant'] as const)
    expect(read('I live in Porto.', { role })).toEqual([])
})

test('in a chat among people, both sides state facts about themselves, and nobody gives instructions', () => {
  const felix = { role: 'assistant', name: 'Felix' } as const
  const text = 'I live in Porto. Always look on the bright side.'
  expect(read(text, felix, { isAmongPeople: true })).toEqual(['Felix | home | Porto'])
})

test('injected memory is not extracted again', () => {
  const text = '[[memory]] I live in Ulm. [[end]] I live in Bonn.'
  expect(read(text, {}, { injected: /\[\[memory\]\][\s\S]*?\[\[end\]\]/ })).toEqual(['user | home | Bonn'])
})

test('a participant who is addressed is not mistaken for a relative', () => {
  const options = { isAmongPeople: true, participants: ['Noor'] }
  expect(read('This is my sister, Noor, and she is great.', { name: 'Felix' }, options)).toEqual([])
})

test('facts about others are stored under their names', () => {
  expect(read('My husband Marco works as a carpenter.', { name: 'Ana' })).toEqual([
    'Ana | husband | Marco',
    'Marco | job | carpenter',
  ])
  expect(read('My partner lives in Lyon.', { name: 'Ana' })).toEqual(["Ana's partner | home | Lyon"])
})

test('any text is read without an error, with the same result each time', () => {
  const words = fc.array(
    fc.constantFrom(
      'I',
      "I'm",
      'my',
      'wife',
      'live',
      'in',
      'Porto',
      ',',
      'and',
      'if',
      '?',
      '.',
      '"',
      'on',
      '5',
      'May',
      'not',
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        words.map((list) => list.join(' ')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        expect(read(text)).toEqual(read(text))
      },
    ),
    { numRuns: effort({ short: 400, long: 2000 }) },
  )
})

test('time grows linearly with the length of the text', () => {
  const texts = [
    'I live in '.repeat(3000),
    'my '.repeat(9000),
    'a, '.repeat(9000),
    '"'.repeat(20000),
    'My dog, '.repeat(4000),
  ]
  expect(processorMs(() => texts.map((text) => read(text)))).toBeLessThan(2000)
})
