import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../test/support/processor-ms.ts'
import { messageId } from '../../domain/ids.ts'
import { ROLES } from '../../domain/message.ts'
import { extractSummary } from './extract-summary.ts'
import { splitSentences } from './split-sentences.ts'
import type { Summary, Turn } from './summary.ts'

const countTokens = (text: string) => Math.ceil(text.length / 4)

function talk(...lines: readonly string[]): Turn[] {
  return lines.map((line, position) => {
    const [, name = '', text = ''] = /^(\w+): (.*)$/s.exec(line) ?? []
    const role = ROLES.find((known) => known === name)
    const speaker = role === undefined ? { role: 'user' as const, name } : { role }
    return { id: messageId(`m${position}`), ...speaker, text, createdAt: new Date(position), position }
  })
}

const summarize = (turns: readonly Turn[], maxTokens = 400, previous?: Summary) =>
  extractSummary({ turns, countTokens, maxTokens, ...(previous === undefined ? {} : { previous }) })

const trip = talk(
  'Ana: Hi Ben! How are you?',
  'Ben: Fine, thanks.',
  'Ana: I want to visit Lisbon in May with my wife. She loves old trams.',
  'Ben: Great. Have you booked a hotel?',
  "Ana: I've booked the Hotel Avenida for 12 nights. We are vegetarian.",
  "Ben: Nice. Let's meet on Friday at 3 p.m. and plan the days.",
  'Ana: Good idea. Could you bring your map of the city?',
  'Ben: Sure.',
)

describe('a summary', () => {
  test('drops what was in the previous summary and has changed since', () => {
    const [fair, change] = talk(
      'Ana: The harvest fair is on 9 September at Lindenhof.',
      'Ana: They moved the harvest fair. 16 September, still Lindenhof.',
    )
    const before = summarize([fair as Turn])
    expect(before.text).toContain('9 September')
    expect(summarize([change as Turn], 400, before).text).not.toMatch(/(?<!\d)9 September/)
  })

  test('reports in the third person, in chronological order', () => {
    const { text, sentences } = summarize(trip, 100)
    expect(text).toContain('Ana has booked the Hotel Avenida for 12 nights.')
    expect(sentences.map((sentence) => sentence.messageId)).toEqual(
      sentences.map((s) => s.messageId).toSorted(),
    )
  })

  test('leaves out greetings', () => {
    expect(summarize(trip).text).not.toMatch(/how are|fine|Nice|Sure/i)
  })

  test('leaves out a page of a story, whose "I" is somebody else', () => {
    const { text } = summarize(
      talk(
        'user: Here is my opening: "I was raised by foxes in Tarn Wood. I never learned to lie." Is it too short?',
        'assistant: The opening works as it is. Keep both sentences.',
        'user: I will send the opening to the magazine in March.',
      ),
    )
    expect(text).not.toMatch(/foxes|learned to lie/)
    expect(text).toContain('magazine in March')
  })

  test('is shorter than the conversation', () => {
    const spoken = trip.reduce((sum, turn) => sum + countTokens(turn.text), 0)
    expect(summarize(trip).tokens).toBeLessThan(spoken / 2)
  })

  test('uses the role of a speaker without a name', () => {
    const { text } = summarize(
      talk('user: I am allergic to nuts.', 'assistant: You should avoid the satay sauce.'),
    )
    expect(text).toMatch(/^The user is allergic to nuts\./)
  })

  test('does not repeat itself', () => {
    const again = talk(...Array.from({ length: 20 }, () => 'Ana: I have booked the hotel in Lisbon.'))
    expect(summarize(again).text).toBe('Ana has booked the hotel in Lisbon.')
  })

  test('uses nothing from system prompts, tools and code', () => {
    const turns = talk(
      'system: I am the system prompt.',
      'tool: I found twelve rows.',
      'user: ```\nI am code.\n```',
    )
    expect(summarize(turns)).toEqual({ text: '', keyTopics: [], messageIds: [], tokens: 0, sentences: [] })
  })

  test('quotes other languages after the name of the speaker', () => {
    const turns = talk('Ana: Ich habe gestern ein Hotel in Lissabon gebucht.', 'Ben: Sehr gut, bis dann.')
    expect(summarize(turns).text).toBe('Ana: “Ich habe gestern ein Hotel in Lissabon gebucht.”')
  })

  test('finds key topics', () => {
    expect(summarize(trip).keyTopics.join(' ')).toMatch(/Lisbon|Hotel Avenida/)
  })

  test('is empty for an empty conversation', () => {
    expect(summarize([]).text).toBe('')
  })
})

describe('rolling', () => {
  const decision = talk(
    'Ana: I have decided to move to Porto on 3 June.',
    'Ben: I will rent a van for the move.',
  )
  const chatter = (roll: number) =>
    talk(
      ...Array.from(
        { length: 12 },
        (_, i) => `${i % 2 ? 'Ana' : 'Ben'}: The shop number ${roll * 12 + i} was rather full of people.`,
      ),
    ).map((turn) => ({
      ...turn,
      id: messageId(`r${roll}-${turn.id}`),
      position: 10 + roll * 12 + turn.position,
    }))

  test('keeps old decisions through many rolls', () => {
    let summary = summarize(decision)
    for (let roll = 0; roll < 20; roll++) summary = summarize(chatter(roll), 120, summary)
    expect(summary.text).toContain('Ana has decided to move to Porto on 3 June.')
    expect(summary.messageIds[0]).toBe('m0')
    expect(summary.tokens).toBeLessThanOrEqual(120)
  })

  test('puts older sentences before newer ones', () => {
    const summary = summarize(chatter(0), 400, summarize(decision))
    expect(summary.sentences[0]?.messageId).toBe('m0')
    expect(summary.sentences.at(-1)?.messageId).toMatch(/^r0/)
  })

  test('changes nothing without new turns', () => {
    const first = summarize(trip)
    expect(summarize([], 400, first).text).toBe(first.text)
  })
})

describe('for any conversation', () => {
  const sentence = fc.constantFrom(
    'I am going to Lisbon.',
    'Could you call Mr. White at 3.5 p.m.?',
    "Let's meet on Friday!",
    'The rooms are full of old books, and nobody reads them.',
    'Hello!',
    '我们星期五在里斯本见面，然后去吃饭。',
    'You should read it. . .',
    '```\ncode. Code.\n```',
  )
  const turn = fc.record({
    role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const, 'tool' as const),
    name: fc.constantFrom('Ana', 'Ben', 'Cleo', ''),
    text: fc.oneof(
      fc.array(sentence, { maxLength: 5 }).map((parts) => parts.join(' ')),
      fc.string({ unit: 'grapheme' }),
    ),
  })
  const conversation = fc.array(turn, { maxLength: 24 }).map((turns) =>
    turns.map(
      (said, position): Turn => ({
        ...said,
        id: messageId(`m${position}`),
        createdAt: new Date(0),
        position,
      }),
    ),
  )
  const limit = fc.integer({ min: 0, max: 120 })

  function rollOver(turns: readonly Turn[], size: number, maxTokens: number): Summary {
    let summary = summarize(turns.slice(0, size), maxTokens)
    for (let from = size; from < turns.length; from += size)
      summary = summarize(turns.slice(from, from + size), maxTokens, summary)
    return summary
  }

  test('a summary never has more tokens than allowed, rolled or not', () => {
    fc.assert(
      fc.property(conversation, limit, fc.integer({ min: 1, max: 8 }), (turns, maxTokens, size) => {
        for (const summary of [summarize(turns, maxTokens), rollOver(turns, size, maxTokens)]) {
          expect(countTokens(summary.text)).toBeLessThanOrEqual(maxTokens)
          expect(summary.tokens).toBe(countTokens(summary.text))
        }
      }),
    )
  })

  test('every sentence is complete, comes from a message and has a weight from 0 to 1', () => {
    fc.assert(
      fc.property(conversation, limit, (turns, maxTokens) => {
        const summary = summarize(turns, maxTokens)
        const ids = turns.map(({ id }) => id)
        expect(summary.text).toBe(summary.sentences.map(({ text }) => text).join(' '))
        for (const { text, messageId: id, weight } of summary.sentences) {
          expect(ids).toContain(id)
          expect(text).toMatch(/[\p{P}\p{S}]$/u)
          expect(weight).toBeGreaterThan(0)
          expect(weight).toBeLessThanOrEqual(1)
          if (text.endsWith('”'))
            expect(quotesWhole(text, turns.find((said) => said.id === id)?.text ?? '')).toBe(true)
        }
        expect(summary.messageIds).toEqual(
          ids.filter((id) => summary.sentences.some((s) => s.messageId === id)),
        )
      }),
    )
  })

  function quotesWhole(text: string, said: string): boolean {
    const quoted = text.slice(text.indexOf('“') + 1, -1)
    return splitSentences(said).some((piece) => piece.text.replaceAll(/\s+/g, ' ') === quoted)
  }

  test('the same turns give the same summary, in any order of input', () => {
    fc.assert(
      fc.property(conversation, limit, (turns, maxTokens) => {
        expect(summarize(turns.toReversed(), maxTokens)).toEqual(summarize(turns, maxTokens))
      }),
    )
  })
})

test('a quarter of a million tokens take seconds, not minutes', () => {
  const line =
    'I have booked the hotel number NN in Lisbon for my family. Where did you stay last year? The old town is full of trams.'
  const turns = talk(
    ...Array.from({ length: 9000 }, (_, i) => `${i % 2 ? 'Ana' : 'Ben'}: ${line.replace('NN', String(i))}`),
  )
  summarize(turns.slice(0, 500))
  expect(processorMs(() => summarize(turns))).toBeLessThan(8000)
})
