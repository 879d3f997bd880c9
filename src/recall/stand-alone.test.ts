import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryError } from '../domain/errors.ts'
import { conversationId, messageId } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { LanguageModel } from '../model/models.ts'
import { type ScriptedAnswer, scriptedModel } from '../model/scripted/testing.ts'
import { isFollowUp } from './follow-up.ts'
import { standAlone } from './stand-alone.ts'

const turn = (role: 'user' | 'assistant', content: string, position: number): Message => ({
  id: messageId(`m${position}`),
  conversationId: conversationId('chat'),
  position,
  role,
  content,
  createdAt: new Date('2026-05-01'),
  recordedAt: new Date('2026-05-01'),
  tokens: 10,
  tokensBefore: 10 * position,
  tokenizer: 'o200k',
})
const talk = (...texts: readonly string[]): readonly Message[] =>
  texts.map((text, i) => turn(i % 2 === 0 ? 'user' : 'assistant', text, i))

const SALES = talk(
  'Show me the revenue of each bakery in Lisbon',
  'The bakeries are led by Padaria Central with 12,000 euros, then Fabrica Doce.',
)
const failing = new MemoryError('model-failed', 'the chat model is gone')

describe('a question leans on what came before', () => {
  test.each([
    'and the top 5?',
    'What about them?',
    'How long did that take?',
    'only the last ones',
    'Why?',
    'Which one is it?',
    'the same for May',
    'show me more',
    'How old is she?',
  ])('%s', (question) => {
    expect(isFollowUp(question)).toBe(true)
  })
})

describe('a question in another language leans on what came before', () => {
  test.each([
    'und der zweite?',
    'was kostet das?',
    '¿y el más barato?',
    '¿cuánto cuesta eso?',
    'et celui-là ?',
    'e a primeira?',
    'e lui quando arriva?',
  ])('%s', (question) => {
    expect(isFollowUp(question)).toBe(true)
  })
})

describe('a question stands alone', () => {
  test.each([
    'Where should we eat in Lisbon?',
    'What is the name of the dog?',
    'Did Ana sell her house?',
    'And which hotel in Lisbon had vegetarian breakfast and a river view?',
    'How did that painting by Joao turn out?',
    'List the bakeries with the highest revenue this year',
    'zeppelin',
    'Lisbon?',
  ])('%s', (question) => {
    expect(isFollowUp(question)).toBe(false)
  })

  test('and is then left as it is, whatever was said before', async () => {
    const asked = 'Where should we eat in Lisbon?'
    expect(await standAlone(asked, { turns: SALES })).toEqual({ asked, carried: [] })
  })
})

describe('without a model', () => {
  test('the words in play are carried over, and the answer says so', async () => {
    const rewritten = await standAlone('and the top 5?', { turns: SALES })
    expect(rewritten.carried).toEqual(expect.arrayContaining(['revenue', 'bakery', 'lisbon']))
    expect(rewritten.standalone).toContain('and the top 5?')
    expect(rewritten.standalone).toContain('bakery')
    expect(rewritten.rewrittenBecause).toContain('bakery')
  })

  test('a name in the reply comes before the words of the question', async () => {
    const turns = talk('Who paints?', 'It was probably Marguerite.')
    const { carried } = await standAlone('Where does she live?', { turns })
    expect(carried).toEqual(['marguerite', 'paints'])
  })

  test('an ordinal picks the item of the last list', async () => {
    const turns = talk(
      'Which hotels are there?',
      'Three:\n1. Casa Verde: 90 euros\n2. Hotel Marina: 120\n3. Pensão Sol: 60',
    )
    expect((await standAlone('and the second one?', { turns })).standalone).toContain('Hotel Marina')
    expect((await standAlone('e a terceira?', { turns })).standalone).toContain('Pensão Sol')
  })

  test('a row of follow-ups goes back to the question that stood alone', async () => {
    const turns = talk(
      'Which telescope suits a balcony in the city?',
      'A small refractor.',
      'and the price?',
      '300 euros.',
    )
    const { carried } = await standAlone('and that one?', { turns })
    expect(carried).toEqual(expect.arrayContaining(['telescope', 'balcony']))
  })

  test('words of the question are not carried over again', async () => {
    const { carried } = await standAlone('and bakery revenue?', { turns: SALES })
    expect(carried).not.toContain('bakery')
  })

  test('nothing is carried over where nothing was said', async () => {
    expect(await standAlone('and that?', { turns: [] })).toEqual({ asked: 'and that?', carried: [] })
    const small = await standAlone('and that?', { turns: talk('Hello', 'Hi') })
    expect(small).toEqual({ asked: 'and that?', carried: [] })
  })

  test('memory that a door put into a message is not carried over', async () => {
    const said = '<recollect-memory>\nxylophone\n</recollect-memory>\n\nWhich telescope is best?'
    const { carried } = await standAlone('and that?', { turns: talk(said) })
    expect(carried).toEqual(['telescope'])
  })

  test('whatever was said: few words, none of the question, deterministic', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.array(fc.lorem(), { maxLength: 6 }), async (asked, texts) => {
        const turns = talk(...texts)
        const one = await standAlone(asked, { turns })
        expect(one.asked).toBe(asked)
        expect(one.carried.length).toBeLessThanOrEqual(12)
        expect(await standAlone(asked, { turns })).toEqual(one)
      }),
    )
  })
})

describe('with a model', () => {
  const rewriting = (languageModel: LanguageModel, summary?: string) => ({
    languageModel,
    timeoutMs: 1000,
    readSummary: async () => summary,
  })

  test('it is asked although the question has no mark of a follow-up, with the summary and the last turns', async () => {
    const model = scriptedModel(['{"question":"How high is the rent of Padaria Central?"}'])
    const lead = { turns: SALES, model: rewriting(model, 'They compare leases.') }
    const { standalone } = await standAlone('How high is the rent?', lead)
    expect(standalone).toBe('How high is the rent of Padaria Central?')
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/They compare leases.*Padaria Central/u)
  })

  test('it may leave the question unchanged', async () => {
    const asked = 'Which tram goes to the harbour museum?'
    for (const line of [`{"question":"${asked}"}`, '{"question":"unchanged"}', '{"question":"Unchanged."}']) {
      const lead = { turns: SALES, model: rewriting(scriptedModel([line])) }
      expect(await standAlone(asked, lead)).toEqual({ asked, carried: [] })
    }
  })

  test('that takes too long, built-in means take over and the reason says so', async () => {
    const hanging = scriptedModel(
      [
        ({ signal }) =>
          new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ],
      'tiny',
    )
    const lead = { turns: SALES, model: { ...rewriting(hanging), timeoutMs: 20 } }
    const rewritten = await standAlone('and the top 5?', lead)
    expect(rewritten.carried).toContain('bakery')
    expect(rewritten.rewrittenBecause).toContain('because tiny took too long')
  })

  const ask = (...lines: readonly ScriptedAnswer[]) => {
    const model = scriptedModel(lines, 'tiny')
    return { model, lead: { turns: SALES, model: rewriting(model) } }
  }

  test('the question is the one that it wrote', async () => {
    const { model, lead } = ask('{"question":" Which five bakeries in Lisbon have the most revenue? "}')
    expect(await standAlone('and the top 5?', lead)).toEqual({
      asked: 'and the top 5?',
      carried: [],
      standalone: 'Which five bakeries in Lisbon have the most revenue?',
      rewrittenBecause: 'it is a follow-up; rewritten by tiny',
    })
    const shown = JSON.stringify(model.requests[0]?.messages)
    expect(shown).toContain('Padaria Central')
    expect(shown).toContain('and the top 5?')
  })

  test('a long turn is shown by its beginning', async () => {
    const model = scriptedModel(['{"question":"Which?"}'])
    const turns = talk('telescope '.repeat(5000), 'Yes.')
    await standAlone('and that?', { turns, model: rewriting(model) })
    expect(JSON.stringify(model.requests[0]?.messages).length).toBeLessThan(3000)
  })

  test.each<[string, ScriptedAnswer]>([
    ['fails', failing],
    ['sends garbage', 'no JSON at all'],
    ['sends something else', '{"answer": 5}'],
    ['sends nothing', '{"question":""}'],
  ])('that %s, built-in means take over and the reason says so', async (_, line) => {
    const { lead } = ask(line)
    const rewritten = await standAlone('and the top 5?', lead)
    expect(rewritten.carried).toContain('bakery')
    expect(rewritten.rewrittenBecause).toMatch(/bakery.*because tiny failed/)
  })

  test('that fails where nothing can be carried over, the reason still says so', async () => {
    const model = scriptedModel([failing], 'tiny')
    const rewritten = await standAlone('and that?', { turns: talk('Hello', 'Hi'), model: rewriting(model) })
    expect(rewritten).toMatchObject({ carried: [], rewrittenBecause: expect.stringContaining('tiny failed') })
  })

  test('that changes nothing, the words in play are carried over', async () => {
    const { lead } = ask('{"question":"and the top 5?"}')
    const rewritten = await standAlone('and the top 5?', lead)
    expect(rewritten.carried).toContain('bakery')
    expect(rewritten.rewrittenBecause).not.toContain('failed')
  })

  test('a caller who gives up gets no answer', async () => {
    const { lead } = ask('{"question":"Which?"}')
    await expect(
      standAlone('and the top 5?', { ...lead, signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough')
  })
})
