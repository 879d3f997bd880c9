import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Memory, openMemory } from '../../src/index.ts'

let memory: Memory
beforeEach(async () => {
  memory = await openMemory(':memory:')
})
afterEach(() => memory.close())

async function tell(...texts: readonly string[]): Promise<void> {
  await memory.conversation('earlier').record(texts.map((content) => ({ role: 'user' as const, content })))
}

let asked = 0
async function ask(message: string): Promise<string> {
  let answer = ''
  asked += 1
  for await (const event of memory.conversation(`new-${asked}`).chat({ message }))
    if (event.type === 'text') answer += event.text
  return answer
}

describe('an answer without a model', () => {
  it('uses a fact that shares no word with the question', async () => {
    await tell('I am vegetarian, and we are in Lisbon in May.', 'I work as a roofer.')
    expect(await ask('Where should we eat?')).toContain('vegetarian')
    expect(await ask('What is my diet?')).toContain('vegetarian')
    expect(await ask('What do I do for a living?')).toContain('roofer')
  })

  it('takes the health of the person asked about into account when the question is about food', async () => {
    await tell('My nephew Nils is diabetic.', 'My niece Runa plays the cello.')
    const answer = await ask('What must Nils not eat?')
    expect(answer).toContain('diabetic')
    expect(answer).not.toContain('cello')
  })

  it.each([
    ['What do you know about me?', 'This is what I know about you:'],
    ['Was weißt du über mich?', 'Das weiß ich über dich:'],
    ['¿Qué sabes de mí?', 'Esto es lo que sé de ti:'],
    ['O que você sabe sobre mim?', 'Isto é o que sei sobre você:'],
  ])('lists known facts in the language of the question: %s', async (question, opening) => {
    await tell('My sister is called Odile.', 'I am allergic to shellfish.')
    const answer = await ask(question)
    expect(answer).toContain(opening)
    expect(answer).toContain('Odile')
    expect(answer).toContain('shellfish')
  })

  it.each([
    'Which insurance company do we have?',
    "What is Odile's phone number?",
    "What is Odile's shoe size?",
    'How many bicycles does Odile own?',
    'What is the ticket price for Norway?',
    '¿Cuál es la matrícula de Odile?',
    'Welche Blutgruppe hat Odile?',
  ])('quotes nothing if nothing relevant was said: %s', async (question) => {
    await tell('My sister Odile moved into a flat above a bakery.', 'Odile has a red kayak.')
    const answer = await ask(question)
    expect(answer).not.toContain('bakery')
    expect(answer).not.toContain('kayak')
  })

  it('quotes nobody else when somebody was never mentioned', async () => {
    await tell('The dentist is kind. Her name is Agnes Baird.', 'My friend Tom runs with me on Sundays.')
    const answer = await ask("What's my uncle's name?")
    expect(answer).not.toMatch(/Baird|Tom/)
  })

  it('quotes a phone number that was said', async () => {
    await tell('Odile has a red kayak.', "Odile's phone number is 0664 998 1203.")
    expect(await ask("What is Odile's phone number?")).toContain('0664 998 1203')
  })

  it('follows standing instructions and does not quote them', async () => {
    await tell('From now on keep your answers short, please.', 'I am vegetarian.')
    expect(await ask('What is my diet?')).not.toContain('keep your answers short')
  })

  it('lists standing instructions if the question asks for them', async () => {
    await tell('From now on always give distances in miles.', 'I run a kiosk.')
    expect(await ask('How should you give me measurements?')).toContain('distances in miles')
  })

  it('says what changed before what it replaced', async () => {
    await tell(
      'Fratelli Costa is doing the catering, 28 pounds a head.',
      "And Costa can't make it. The deli on Mill Lane takes over the food, 22 pounds a head.",
    )
    const answer = await ask('Who is doing the catering now?')
    expect(answer.indexOf('deli on Mill Lane')).toBeGreaterThan(0)
    expect(answer.indexOf('deli on Mill Lane')).toBeLessThan(answer.indexOf('is doing the catering'))
  })

  it('says the same thing once', async () => {
    await tell('I rented bikes for the 5th, booking code TLX88.')
    expect((await ask("What's the booking code for the bikes?")).match(/^> I rented bikes/gm)).toHaveLength(1)
  })

  it.each(["What is Bertil's profession?", 'What did the DJ charge?', 'When did Bertil learn swimming?'])(
    'quotes nothing about somebody if it is about something else: %s',
    async (question) => {
      await tell(
        'Bertil has a dentist appointment on Friday.',
        'My cousin says the profession of a pilot is lonely.',
        'I paid 90 euros for swimming lessons.',
      )
      expect(await ask(question)).toContain('found nothing')
    },
  )

  it('does not take what is known about the user for an answer about somebody else', async () => {
    await tell('I am vegetarian.', 'Bertil has a dentist appointment on Friday.')
    expect(await ask("What is Bertil's diet?")).not.toContain('vegetarian')
  })

  it('quotes a short reply with the question before it, and nothing unrelated', async () => {
    await tell(
      'The bus costs 300 euros.',
      'Where do we store the kayaks?',
      'in the old barn',
      'Lunch is at one.',
    )
    const answer = await ask('Where are the kayaks?')
    expect(answer).toContain('> Where do we store the kayaks?\n> in the old barn')
    expect(answer).not.toContain('> The bus')
    expect(answer).not.toContain('> Lunch')
  })

  it.each(['Do we have a trampoline?', 'Haben wir eine Hebebühne?', 'How much did the trampoline cost?'])(
    'quotes nothing if the thing was never mentioned: %s',
    async (question) => {
      await tell('Wir haben am Montag das Regal bestellt.', 'We have 12 chairs, they cost 80 euros.')
      const answer = await ask(question)
      expect(answer).not.toContain('Regal')
      expect(answer).not.toContain('chairs')
    },
  )

  it('does not need the word for a type in the answer', async () => {
    await tell('Die Haustür wird dunkelrot.', 'Der Zaun wurde geliefert.')
    expect(await ask('Welche Farbe hat die Haustür?')).toContain('dunkelrot')
  })

  it('answers in the language of a short question', async () => {
    await tell('La bolletta della luce costa 60 euro al mese.')
    expect(await ask('Quanto costa la luce al mese?')).toContain('Ecco cosa ricordo')
  })

  it('respects the scope of the call', async () => {
    await tell('I am vegetarian.')
    let answer = ''
    for await (const event of memory
      .conversation('alone')
      .chat({ message: 'What is my diet?', scope: 'conversation' }))
      if (event.type === 'text') answer += event.text
    expect(answer).not.toContain('vegetarian')
  })
})
