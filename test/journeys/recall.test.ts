import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Memory, NewMessage, RecallAnswer, RecallOptions } from '../../src/index.ts'
import { loadTokenizer } from '../../src/model/built-in/load-tokenizer.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { effort } from '../support/effort.ts'
import { hostileText } from '../support/hostile-text.arbitrary.ts'
import { openTemporary } from '../support/open-temporary.ts'

const NOW = new Date('2026-06-15T12:00:00Z')
const clock = () => NOW
const day = (text: string): Date => new Date(`${text}T10:00:00Z`)

const user = (id: string, content: string, more: Partial<NewMessage> = {}): NewMessage => ({
  id,
  role: 'user',
  content,
  ...more,
})
const assistant = (id: string, content: string, more: Partial<NewMessage> = {}): NewMessage => ({
  id,
  role: 'assistant',
  content,
  ...more,
})

/** Turns about something else, as distractors. */
const smallTalk = (count: number, from = '2026-06-01'): NewMessage[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `talk${i}`,
    role: i % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Item ${i}: the committee moved agenda point ${i * 3} to the following session, as was agreed.`,
    createdAt: new Date(day(from).getTime() + i * 60_000),
  }))

async function openWith(messages: readonly NewMessage[], id = 'chat'): Promise<Memory> {
  const memory = await openTemporary({ clock })
  await memory.conversation(id).record(messages)
  return memory
}

const idsOf = ({ items }: RecallAnswer) => items.map(({ id }) => id)
const messagesOf = async (memory: Memory, question: string, request: RecallOptions = {}) =>
  idsOf(await memory.recall(question, { kinds: ['message'], ...request }))

describe('a synonym matches a word', () => {
  const messages = [...smallTalk(20), user('m1', 'Yesterday we bought an automobile from a neighbour.')]

  test('unless related words and meaning are disabled', async () => {
    const memory = await openWith(messages)
    expect(await messagesOf(memory, 'car')).toContain('m1')
    const plain = await openTemporary(
      withTuning({ clock }, { recall: { synonymWeight: 0, meaningWeight: 0 } }),
    )
    await plain.conversation('chat').record(messages)
    expect(await messagesOf(plain, 'car')).toEqual([])
  })
})

describe('a message is found', () => {
  test('right after it was recorded', async () => {
    const memory = await openWith(smallTalk(20))
    const chat = memory.conversation('chat')
    await chat.record(user('m1', 'Our cat is called Figaro.'))
    const { items } = await memory.recall('What is the name of our cat?')
    expect(items[0]).toMatchObject({
      kind: 'message',
      id: 'm1',
      text: 'Our cat is called Figaro.',
      messageIds: ['m1'],
      conversationId: 'chat',
      position: 20,
      role: 'user',
    })
  })

  test.each([
    ['Which colour did we paint the fence?', 'Yesterday I painted it green, the old fence.'],
    ['Did I buy a telescope?', 'Last week I bought one of those small telescopes.'],
    ['Which movies are planned?', 'The movie on Friday is about whales.'],
    ['How was the running?', 'I ran ten kilometres along the coast.'],
    ['What about the children?', 'My child has a fever.'],
  ])('by another form of its words: %s', async (question, said) => {
    const memory = await openWith([...smallTalk(20), user('m1', said)])
    expect((await messagesOf(memory, question))[0]).toBe('m1')
  })

  test('by the words around it', async () => {
    const memory = await openWith([
      ...smallTalk(20),
      user('m1', 'Let us speak about the violin lessons.'),
      user('m2', 'They begin at seven, in the house beside the church.'),
      ...smallTalk(4, '2026-06-08').map((message) => ({ ...message, id: `${message.id}b` })),
    ])
    expect(await messagesOf(memory, 'violin lessons')).toEqual(expect.arrayContaining(['m1', 'm2']))
  })

  test('as the answer to the question before it', async () => {
    const memory = await openWith([
      ...smallTalk(10),
      assistant('m1', 'Which instrument do you play in the orchestra?'),
      user('m2', 'The second clarinet, since 2019, and sometimes the saxophone.'),
      ...smallTalk(6, '2026-06-09').map((message) => ({ ...message, id: `${message.id}b` })),
    ])
    const { items } = await memory.recall('Which instrument do I play in the orchestra?', {
      kinds: ['message'],
    })
    expect(items.slice(0, 2).map(({ id }) => id)).toContain('m2')
    expect(items.find(({ id }) => id === 'm2')?.why.map(({ signal }) => signal)).toContain('answer')
  })

  test('by who said it', async () => {
    const memory = await openWith([
      ...smallTalk(10),
      user('m1', 'I signed up for the pottery class.', { name: 'Caroline' }),
      user('m2', 'I signed up for the pottery class, too.', { name: 'Melanie' }),
    ])
    const { items } = await memory.recall('Which class did Melanie sign up for?', { kinds: ['message'] })
    expect(items[0]).toMatchObject({ id: 'm2', source: 'Melanie' })
    expect(items[0]?.why).toContainEqual(
      expect.objectContaining({ signal: 'speaker', text: 'said by Melanie' }),
    )
    expect((await messagesOf(memory, 'Which class did Caroline sign up for?'))[0]).toBe('m1')
  })

  test('by its time, without matching words', async () => {
    const memory = await openWith([
      user('m1', 'The boat leaks again.', { createdAt: day('2026-03-03') }),
      user('m2', 'Ana came for a visit.', { createdAt: day('2026-05-12') }),
      ...smallTalk(20),
    ])
    const { items } = await memory.recall('What did we do last May?', { kinds: ['message'] })
    expect(items[0]).toMatchObject({ id: 'm2' })
    expect(items[0]?.why).toContainEqual(expect.objectContaining({ signal: 'time' }))
    expect(items.map(({ id }) => id)).not.toContain('m1')
  })

  test('as a standing instruction for any question, with that reason', async () => {
    const memory = await openWith([
      user('m0', 'Always answer in metric units.', { createdAt: day('2026-01-01') }),
      ...smallTalk(30),
      ...Array.from({ length: 6 }, (_, i) =>
        user(`m${i + 1}`, `The hike number ${i} went over mountain pass ${i}, ${i * 5} miles in all.`),
      ),
    ])
    const { items } = await memory.recall('How long were the hikes?', { kinds: ['message'] })
    expect(items[2]).toMatchObject({ id: 'm0' })
    expect(items[2]?.why[0]).toMatchObject({ signal: 'instruction', text: 'a standing instruction' })
  })

  test('as a standing instruction first, if the question asks for it', async () => {
    const memory = await openWith([
      user('m0', 'Always write dates as 2026-05-01.'),
      ...smallTalk(20),
      user('m1', 'I have two dates this week.'),
      user('m2', 'The dates were dried in the sun.'),
    ])
    expect((await messagesOf(memory, 'How do I want you to write dates?'))[0]).toBe('m0')
    expect(await messagesOf(memory, 'Give me a summary of what I said on dates')).toContain('m0')
    expect(await messagesOf(memory, 'Give me a summary of what I said on the sun')).not.toContain('m0')
  })

  test('in every language', async () => {
    const said = {
      german: 'Unser Hund heißt Waldi und mag keine Straßenbahn.',
      chinese: '我们的兰花每周浇水两次。',
      japanese: '祖母は京都の大学で教えています。',
      arabic: 'تعيش أختي في القاهرة منذ عام ٢٠١٩',
      thai: 'แมวของฉันชื่อมะลิ',
      hindi: 'मेरी बहन दिल्ली में डॉक्टर है',
      greek: 'Η βάρκα μας είναι στη Νάξο',
      russian: 'Наша дача стоит у озера',
    }
    const memory = await openWith([
      ...smallTalk(10),
      ...Object.entries(said).map(([id, text]) => user(id, text)),
    ])
    const questions: Record<keyof typeof said, string> = {
      german: 'Wie heißt der Hund?',
      chinese: '兰花多久浇水一次？',
      japanese: '京都で何をしていますか',
      arabic: 'أين أختي في القاهرة؟',
      thai: 'แมวชื่ออะไร',
      hindi: 'दिल्ली में कौन है?',
      greek: 'Πού είναι η βαρκα;',
      russian: 'Где стоит дача?',
    }
    for (const [language, question] of Object.entries(questions))
      expect([language, (await messagesOf(memory, question))[0]]).toEqual([language, language])
  })

  test('despite emoji, markup or column names in the question', async () => {
    const memory = await openWith([...smallTalk(10), user('m1', '🎻 The violin is at the luthier.')])
    for (const question of [
      '🎻 violin? 🎉',
      '<b>violin</b>',
      'words:violin',
      'violin*',
      '"violin" OR NOT scope:w1',
    ])
      expect([question, (await messagesOf(memory, question))[0]]).toEqual([question, 'm1'])
  })
})

describe('nothing is found', () => {
  const nothing = { items: [], leftOut: [], notices: [] }

  test('for a subject that was never mentioned', async () => {
    const memory = await openWith([user('m1', 'Always answer in German.'), ...smallTalk(10)])
    expect(await memory.recall('xylophone zeppelin')).toMatchObject(nothing)
    expect(await memory.recall('What happened in May 1987?')).toMatchObject(nothing)
  })

  test('for words without significance', async () => {
    const memory = await openWith(smallTalk(10))
    for (const question of ['What is it?', '???', '🎉', '.', 'und der die das'])
      expect(await memory.recall(question)).toMatchObject(nothing)
  })

  test('in an empty memory', async () => {
    const memory = await openTemporary()
    expect(await memory.recall('violin')).toMatchObject({ question: { asked: 'violin' }, ...nothing })
    expect(await memory.recall('violin', { conversationId: 'nowhere' })).toMatchObject(nothing)
  })

  test('of erased messages', async () => {
    const memory = await openWith([...smallTalk(5), user('m1', 'The violin is red.'), user('m2', 'Violin!')])
    expect(await messagesOf(memory, 'violin')).toContain('m1')
    await memory.messages.erase('m1')
    await memory.whenDerived()
    expect(await messagesOf(memory, 'violin')).not.toContain('m1')
    expect(JSON.stringify(await memory.recall('red violin'))).not.toContain('is red')
    await memory.conversation('chat').erase()
    expect(await memory.recall('violin')).toMatchObject(nothing)
  })

  test('of another workspace', async () => {
    const memory = await openWith([user('m1', 'The violin is red.')])
    const other = memory.workspace('other')
    await other.conversation('chat').record(user('o1', 'The violin is blue.'))
    expect(idsOf(await other.recall('violin'))).toEqual(['o1'])
    expect(await messagesOf(memory, 'violin')).toEqual(['m1'])
    expect(await other.recall('violin', { conversationId: 'chat', topicIds: ['m1'] })).toMatchObject({
      items: [],
    })
  })
})

describe('a follow-up question', () => {
  test('is searched with words from the conversation', async () => {
    const memory = await openWith([
      user('m1', 'The bakery Padaria Central had the highest revenue, then came Fabrica Doce.'),
      ...smallTalk(20),
      user('q1', 'Show me the revenue of each bakery'),
      assistant('a1', 'Here is the list.'),
    ])
    const { question, items } = await memory.recall('and the top 5?', { currentConversationId: 'chat' })
    expect(question).toMatchObject({
      asked: 'and the top 5?',
      standalone: expect.stringContaining('bakery'),
      rewrittenBecause: expect.stringContaining('from earlier turns'),
    })
    expect(items.map(({ id }) => id)).toContain('m1')
    const alone = await memory.recall('and the top 5?')
    expect(alone.question).toEqual({ asked: 'and the top 5?' })
  })

  test('is not rewritten from itself if it is already recorded', async () => {
    const memory = await openWith([
      user('q1', 'Show me the revenue of each bakery'),
      assistant('a1', 'Here is the list.'),
      user('q2', 'and the top 5?'),
    ])
    const { question } = await memory.recall('and the top 5?', { conversationId: 'chat' })
    expect(question.standalone).toContain('bakery')
  })
})

describe('an answer', () => {
  const HIKES = Array.from({ length: 30 }, (_, i) =>
    user(
      `m${i}`,
      `On hike ${i} we saw ${['a deer', 'two foxes', 'an owl', 'a bear'][i % 4]} near the lake.`,
      {
        createdAt: new Date(day('2026-05-01').getTime() + i * 86_400_000),
      },
    ),
  )

  test('has five items by default, and no more than requested', async () => {
    const memory = await openWith(HIKES)
    expect((await memory.recall('hike near the lake', { kinds: ['message'] })).items).toHaveLength(5)
    expect((await memory.recall('hike near the lake', { kinds: ['message'], limit: 12 })).items).toHaveLength(
      12,
    )
  })

  test('stays within its token budget and fills it', async () => {
    const memory = await openWith(HIKES)
    const tokenizer = await loadTokenizer('o200k')
    for (const budgetTokens of [1, 20, 100, 300]) {
      const { items } = await memory.recall('hike near the lake', { budgetTokens })
      const tokens = items.map(({ text }) => tokenizer.count(text))
      expect(items.map((item) => item.tokens)).toEqual(tokens)
      const total = tokens.reduce((sum, count) => sum + count, 0)
      expect(total).toBeLessThanOrEqual(budgetTokens)
      if (budgetTokens >= 100) expect(total).toBeGreaterThan(budgetTokens * 0.7)
    }
  })

  test('leaves out items that are already in the context, and says so', async () => {
    const memory = await openWith(HIKES)
    const [first] = await messagesOf(memory, 'owl near the lake')
    const answer = await memory.recall('owl near the lake', { excludeMessageIds: [first as string] })
    expect(idsOf(answer)).not.toContain(first)
    expect(answer.leftOut).toContainEqual(
      expect.objectContaining({ id: first, reason: 'already in the context' }),
    )
  })

  test('is the same for the same question', async () => {
    const memory = await openWith([...HIKES, ...smallTalk(30)])
    await memory.whenDerived()
    const ask = () => memory.recall('When did we see the owl on a hike?', { limit: 20 })
    const first = await ask()
    for (let i = 0; i < 5; i++) expect(await ask()).toEqual(first)
  })

  test('gives reasons for each item that explain the order', async () => {
    const memory = await openWith([...HIKES, ...smallTalk(30)])
    await memory.facts.add({ attribute: 'hobby', value: 'hiking near the lake' })
    await memory.notes.add({ text: 'The lake is 12 km from here, a hike of three hours.' })
    await memory.whenDerived()
    const { items, leftOut } = await memory.recall('owl on a hike near the lake', { limit: 50 })
    for (const { why } of [...items, ...leftOut]) expect(why.length).toBeGreaterThan(0)
    for (const { text } of items.flatMap(({ why }) => why)) expect(text).not.toBe('')
    const sums = items.map(({ why }) => why.reduce((sum, { score }) => sum + score, 0))
    for (const [i, sum] of sums.entries())
      if (i > 0) expect(sum).toBeLessThanOrEqual((sums[i - 1] as number) + 0.01)
    const scores = items.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((one, other) => other - one))
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true)
  })

  test('shows the relevant passage of a long message and its position', async () => {
    const filler = Array.from({ length: 80 }, (_, i) => `Paragraph ${i} speaks of the budget of the town.`)
    const text = [...filler.slice(0, 40), 'The violin costs 900 euros.', ...filler.slice(40)].join(' ')
    const memory = await openWith([...smallTalk(10), user('m1', text)])
    const [item] = (await memory.recall('How much is the violin?', { kinds: ['message'] })).items
    expect(item?.text).toContain('The violin costs 900 euros.')
    expect(item?.text.length).toBeLessThan(text.length / 4)
    expect(item?.passage).toMatchObject({ of: text.length })
    expect(text.slice(item?.passage?.start, item?.passage?.end)).toBe(item?.text)
  })

  test('ranks helpful items higher and unhelpful ones lower', async () => {
    const memory = await openWith([
      ...smallTalk(10),
      user('m1', 'We could have dinner at the Taberna on Friday.'),
      ...smallTalk(10, '2026-06-10').map((message) => ({ ...message, id: `${message.id}b` })),
      user('m2', 'We could have dinner at the Cantina on Friday.'),
    ])
    const rank = async () => (await messagesOf(memory, 'dinner on Friday')).filter((id) => /^m/.test(id))
    const before = await rank()
    const [first, second] = before as [string, string]
    for (let i = 0; i < 3; i++) await memory.feedback.give({ kind: 'message', id: second }, 'helpful')
    for (let i = 0; i < 3; i++) await memory.feedback.give({ kind: 'message', id: first }, 'not-helpful')
    expect(await rank()).toEqual([second, first])
    const { items } = await memory.recall('dinner on Friday', { kinds: ['message'] })
    expect(items[0]?.why.find(({ signal }) => signal === 'importance')?.score).toBeGreaterThan(0)
  })

  test('ranks items marked as important higher', async () => {
    const say = (id: string, place: string, importance?: number) =>
      user(
        id,
        `We could have dinner at the ${place} on Friday.`,
        importance === undefined ? {} : { importance },
      )
    const memory = await openWith([say('m1', 'Taberna', 1), ...smallTalk(20), say('m2', 'Cantina')])
    const other = await openWith([say('m1', 'Taberna'), ...smallTalk(20), say('m2', 'Cantina')])
    const scoreOf = async (of: Memory) =>
      (await of.recall('dinner on Friday')).items.find(({ id }) => id === 'm1')?.score ?? 0
    expect(await scoreOf(memory)).toBeGreaterThan(await scoreOf(other))
  })
})

describe('any question', () => {
  test('gets an answer without an error', async () => {
    const memory = await openWith([...smallTalk(10), user('m1', 'The violin is red.')])
    const operators = fc
      .array(
        fc.constantFrom(
          '"',
          "'",
          '*',
          '(',
          ')',
          '^',
          '+',
          '-',
          ':',
          'NEAR(',
          'AND',
          'OR',
          'NOT',
          '\u0000',
          ';',
          '--',
          '{',
          '}',
          'words:',
          'violin',
          '\\',
          '%',
          '_',
          '`',
        ),
        { minLength: 1, maxLength: 30 },
      )
      .map((pieces) => pieces.join(' '))
    const anything = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
      operators,
      hostileText,
    )
    await fc.assert(
      fc.asyncProperty(
        anything.filter((text) => text.trim() !== '' && text.isWellFormed()),
        async (text) => {
          const { items, question } = await memory.recall(text)
          expect(question.asked).toBe(text)
          expect(items.length).toBeLessThanOrEqual(5)
        },
      ),
      { numRuns: effort({ short: 50, long: 200 }) },
    )
  })

  test('can have 1 to 10,000 characters', async () => {
    const memory = await openWith([...smallTalk(10), user('m1', 'The violin is red.')])
    expect(await messagesOf(memory, 'v')).toEqual([])
    const page = `violin ${'lorem ipsum dolor sit amet consectetur '.repeat(300)}`.slice(0, 10_000)
    expect((await messagesOf(memory, page))[0]).toBe('m1')
    const distinct = Array.from({ length: 1600 }, (_, i) => `w${i}`)
      .join(' ')
      .slice(0, 9990)
    expect(await messagesOf(memory, distinct)).toEqual([])
    expect((await messagesOf(memory, '琴'.repeat(10_000)))[0]).toBeUndefined()
  })

  test.each<[string, unknown, RecallOptions, string, RegExp]>([
    ['an empty question', ' \n', {}, 'invalid-input', /query must not be empty/],
    ['no text', 5, {}, 'invalid-input', /query must be a string/],
    ['a book', 'a'.repeat(10_001), {}, 'too-large', /10001 characters; the maximum is 10000/],
    ['half a character', 'a\ud800', {}, 'invalid-input', /toWellFormed/],
    ['an unknown kind', 'a', { kinds: ['rumour' as never] }, 'invalid-input', /message, summary, fact/],
    ['kinds that are no list', 'a', { kinds: 'message' as never }, 'invalid-input', /must be an array/],
    ['a date that is none', 'a', { from: 'May' }, 'invalid-input', /2026-05-01/],
    ['times the wrong way round', 'a', { from: '2026-05-02', to: '2026-05-01' }, 'invalid-input', /before/],
    ['no tokens', 'a', { budgetTokens: 0 }, 'invalid-input', /at least 1/],
    ['no items', 'a', { limit: 0 }, 'invalid-input', /at least 1/],
    ['an unknown field', 'a', { topK: 3 } as never, 'invalid-input', /budgetTokens/],
    ['an empty id', 'a', { conversationId: '' }, 'invalid-input', /./],
  ])('%s is refused, with what to do about it', async (_, question, request, code, remedy) => {
    const memory = await openTemporary()
    const error = await memory.recall(question as string, request).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toMatchObject({ name: 'MemoryError', code })
    expect(`${error.message} ${error.hint}`).toMatch(remedy)
  })
})
