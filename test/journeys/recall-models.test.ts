import { describe, expect, test } from 'vitest'
import { type Memory, type NewMessage, type OpenOptions, openMemory } from '../../src/index.ts'
import {
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedServer,
  scriptedEmbedder,
  scriptedModel,
} from '../../src/model/scripted/testing.ts'
import { withTuning } from '../../src/options/resolve-options.ts'
import { openTemporary } from '../support/open-temporary.ts'
import { scriptedServer } from '../support/scripted-models.ts'
import { temporaryPath } from '../support/temporary-folder.ts'

/** Two ways to say the same, without a word or a root in common, and not among the synonyms that are known without a model. */
const SYNONYMS: readonly (readonly [string, string])[] = [
  ['automobile', 'sedan'],
  ['physician', 'surgeon'],
  ['residence', 'house'],
  ['salary', 'paycheck'],
  ['infant', 'toddler'],
  ['garment', 'coat'],
  ['beverage', 'lemonade'],
  ['voyage', 'trip'],
  ['companion', 'friend'],
  ['lawyer', 'attorney'],
  ['feline', 'cat'],
  ['footwear', 'boots'],
]
const SCENES = [
  'on the hill',
  'by the river',
  'in the old town',
  'near the station',
  'at the coast',
  'in the north',
]

const say = (id: string, content: string): NewMessage => ({ id, role: 'user', content })

/** Every second word has its own message, among others that share all other words with the question. */
const said: readonly NewMessage[] = SYNONYMS.flatMap(([, word], i) => [
  say(`hit${i}`, `Yesterday the ${word} was painted ${SCENES[i % SCENES.length]}.`),
  ...Array.from({ length: 8 }, (_, j) =>
    say(`other${i}-${j}`, `The committee agreed on point ${i * 8 + j}, and nothing else was decided there.`),
  ),
])
const questions = SYNONYMS.map(([word], i) => ({ question: `Tell me about the ${word}`, id: `hit${i}` }))

/** Both words of a pair point the same way, all others here and there. */
function meaningOf(text: string): number[] {
  const vector = new Array(SYNONYMS.length + 8).fill(0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const pair = SYNONYMS.findIndex((words) => words.includes(word))
    if (pair >= 0) vector[pair] += 3
    else vector[SYNONYMS.length + (word.charCodeAt(0) % 8)] += 0.1
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

function embed({ body, path }: ScriptedRequest): ScriptedReply {
  if (!path.endsWith('/embeddings')) return {}
  const texts: readonly string[] = [body.input].flat()
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: meaningOf(text) }))
  return { json: { object: 'list', model: body.model, data } }
}

const textsSentTo = ({ requests }: ScriptedServer): string[] =>
  requests.filter(({ path }) => path.endsWith('/embeddings')).flatMap(({ body }) => [body.input].flat())

/** Waits are short, so that tests are. */
const QUICK = { retryWaitMs: 1, circuitFailures: 1000 }
const NO_WAITS = { firstWaitMs: 0, maxWaitMs: 0 }
const withEmbeddings = ({ url }: ScriptedServer, model = 'tiny', more: object = {}): OpenOptions =>
  withTuning(
    {
      models: { retries: 0, ...more, embeddings: { url, model, unrelatedSimilarity: 0.1 } },
    },
    { models: { ...QUICK, embeddings: { batchTexts: 16 } }, jobs: { ...NO_WAITS, maxAttempts: 3 } },
  )

async function shareFound(memory: Memory): Promise<number> {
  let found = 0
  for (const { question, id } of questions) {
    const { items } = await memory.recall(question, { kinds: ['message'] })
    if (items.some((item) => item.id === id)) found += 1
  }
  return found / questions.length
}

describe('with an embedding model', () => {
  test('paraphrases are found, which mostly fails without one', async () => {
    const plain = await openTemporary()
    await plain.conversation('chat').record(said)
    const server = await scriptedServer()
    server.always(embed)
    const memory = await openTemporary(withEmbeddings(server))
    await memory.conversation('chat').record(said)
    await memory.whenDerived()
    const [builtIn, byModel] = [await shareFound(plain), await shareFound(memory)]
    expect(builtIn).toBeLessThan(0.5)
    expect(byModel).toBe(1)
    const { items } = await memory.recall('Tell me about the feline', { kinds: ['message'] })
    expect(items[0]?.why).toContainEqual(
      expect.objectContaining({ signal: 'meaning', text: 'close in meaning' }),
    )
  })

  test('texts are sent in batches, and none twice, whether repeated, forked or asked', async () => {
    const server = await scriptedServer()
    server.always(embed)
    const memory = await openTemporary(withEmbeddings(server))
    const chat = memory.conversation('chat')
    await chat.record([...said, ...said.map(({ content }, i) => say(`again${i}`, content as string))])
    await memory.whenDerived()
    await chat.fork(`again${said.length - 1}`, { id: 'branch' })
    await memory.whenDerived()
    await memory.recall('Tell me about the feline')
    await memory.recall('Tell me about the feline', { limit: 2 })
    const sent = textsSentTo(server)
    expect(new Set(sent).size).toBe(sent.length)
    expect(sent.length).toBe(said.length + 2)
    const calls = server.requests.filter(({ path }) => path.endsWith('/embeddings')).length
    expect(calls).toBeLessThan(said.length / 5)
    expect((await memory.maintenance.deriveStatus()).vectors?.behind).toBe(0)
  })

  test.each<[string, ScriptedReply]>([
    ['500', { status: 500, body: 'no' }],
    ['garbage', { json: { data: [] } }],
    ['nothing in time', { delayMs: 3000 }],
  ])('that answers with %s, recall searches by words, with a notice', async (_, reply) => {
    const server = await scriptedServer()
    server.always(embed)
    const memory = await openTemporary(withEmbeddings(server, 'tiny', { timeoutMs: 300 }))
    await memory.conversation('chat').record(said)
    await memory.whenDerived()
    server.always(reply)
    const { items, notices } = await memory.recall('Was the boots thing painted?')
    expect(items.map(({ id }) => id)).toContain('hit11')
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatch(/^searched by words only: .*tiny/)
  })

  test('that was never reachable, recall searches by words, with a notice', async () => {
    const options: OpenOptions = {
      models: { retries: 0, embeddings: { url: 'http://127.0.0.1:9', model: 'gone' } },
    }
    const memory = await openTemporary(
      withTuning(options, { models: QUICK, jobs: { ...NO_WAITS, maxAttempts: 1 } }),
    )
    await memory.conversation('chat').record(said)
    const { items, notices } = await memory.recall('the boots')
    expect(items[0]?.id).toBe('hit11')
    expect(notices).toHaveLength(1)
  })

  test('a conversation whose memory is off, or of another workspace, is not found by meaning either', async () => {
    const server = await scriptedServer()
    server.always(embed)
    const memory = await openTemporary(withEmbeddings(server))
    await memory.conversation('chat').record(said)
    await memory.whenDerived()
    const other = memory.workspace('other')
    await other.conversation('chat').record(say('o1', 'The weather was fine.'))
    await other.whenDerived()
    expect((await other.recall('Tell me about the feline')).items).toEqual([])
    await memory.conversation('chat').update({ isMemoryOn: false })
    expect((await memory.recall('Tell me about the feline')).items).toEqual([])
  })

  test('that was changed, old vectors are not compared, and new ones replace them', async () => {
    const path = temporaryPath()
    const server = await scriptedServer()
    server.always(embed)
    const first = await openMemory(path, withEmbeddings(server, 'one'))
    await first.conversation('chat').record(said)
    await first.whenDerived()
    await first.close()

    // The second model puts everything elsewhere, and does not get to make its vectors at first.
    const turned = (request: ScriptedRequest): ScriptedReply => {
      const texts: readonly string[] = [request.body.input].flat()
      const data = texts.map((text, index) => ({ index, embedding: meaningOf(text).reverse() }))
      return { json: { object: 'list', data } }
    }
    let isSlow = true
    server.always((request) => {
      const isPassage = [request.body.input].flat().length > 1
      return isSlow && isPassage ? { status: 500, body: 'no' } : turned(request)
    })
    const second = await openMemory(path, withEmbeddings(server, 'two'))
    await second.whenDerived()
    expect((await second.maintenance.deriveStatus()).vectors).toMatchObject({ behind: 1 })
    const before = await second.recall('Tell me about the feline', { kinds: ['message'] })
    expect(before.items.flatMap(({ why }) => why.map(({ text }) => text))).not.toContain('close in meaning')
    isSlow = false
    await second.jobs.retry()
    await second.whenDerived()
    expect(await shareFound(second)).toBe(1)
    await second.close()
  })
})

describe('with a re-ranker', () => {
  const hits = [
    say('m1', 'The violin was painted red in the spring by the man from the shop.'),
    say('m2', 'The violin costs 900 euros.'),
    say('m3', 'A violin teacher lives in the house beside the church.'),
  ]
  const withRerank = ({ url }: ScriptedServer): OpenOptions => ({
    models: { retries: 0, rerank: { url, model: 'judge' } },
  })

  test('the best items are in its order, and their reasons say so', async () => {
    const server = await scriptedServer()
    server.always(({ body }) => {
      const results = body.documents.map((text: string, index: number) => ({
        index,
        relevance_score: text.includes('church') ? 1 : text.length / 1000,
      }))
      return { json: { results } }
    })
    const memory = await openTemporary(withRerank(server))
    await memory.conversation('chat').record(hits)
    const { items, notices } = await memory.recall('violin', { kinds: ['message'] })
    expect(items.map(({ id }) => id)).toEqual(['m3', 'm1', 'm2'])
    expect(items[0]?.why.at(-1)).toMatchObject({ signal: 'reranked', text: 'ranked 1 by judge' })
    expect(notices).toEqual([])
    expect(server.requests[0]?.body).toMatchObject({ model: 'judge', query: 'violin' })
  })

  test('that fails, the order stays as it was, with a notice', async () => {
    const plain = await openTemporary()
    await plain.conversation('chat').record(hits)
    const expected = (await plain.recall('violin', { kinds: ['message'] })).items.map(({ id }) => id)
    for (const reply of [
      { status: 500, body: 'no' },
      { json: { results: [{ index: 0, relevance_score: 1 }] } },
    ]) {
      const server = await scriptedServer()
      server.always(reply)
      const memory = await openTemporary(withRerank(server))
      await memory.conversation('chat').record(hits)
      const { items, notices } = await memory.recall('violin', { kinds: ['message'] })
      expect(items.map(({ id }) => id)).toEqual(expected)
      expect(notices).toEqual([expect.stringMatching(/^not re-ranked: .*judge/)])
    }
  })
})

describe('with a language model', () => {
  const talk: readonly NewMessage[] = [
    say('m0', 'Padaria Central had the highest revenue of all bakeries.'),
    say('m1', 'Show me the revenue of each bakery'),
    { id: 'm2', role: 'assistant', content: 'Here is the list.' },
  ]
  const open = async (languageModel: ReturnType<typeof scriptedModel>) => {
    const memory = await openTemporary(
      withTuning({ languageModel, models: { retries: 0 } }, { models: QUICK }),
    )
    await memory.conversation('chat').record(talk)
    await memory.whenDerived()
    return memory
  }

  test('a follow-up is rewritten by it', async () => {
    const memory = await open(
      scriptedModel(['{"question":"Which five bakeries have the most revenue?"}'], 'tiny'),
    )
    const { question, items } = await memory.recall('and the top 5?', { conversationId: 'chat' })
    expect(question).toEqual({
      asked: 'and the top 5?',
      standalone: 'Which five bakeries have the most revenue?',
      rewrittenBecause: 'it is a follow-up; rewritten by tiny',
    })
    expect(items.map(({ id }) => id)).toContain('m0')
  })

  test('that fails, words of earlier turns are added', async () => {
    const memory = await open(scriptedModel([new Error('gone')], 'tiny'))
    const { question, items } = await memory.recall('and the top 5?', { conversationId: 'chat' })
    expect(question.rewrittenBecause).toMatch(/bakery.*because tiny failed/)
    expect(items.map(({ id }) => id)).toContain('m0')
  })

  test('it is asked once per question, and may leave it unchanged', async () => {
    const model = scriptedModel(['{"question":"unchanged"}'], 'tiny')
    const memory = await open(model)
    const before = model.requests.length
    const ask = () => memory.recall('Which bakery had the highest revenue?', { conversationId: 'chat' })
    expect((await ask()).question).toEqual({ asked: 'Which bakery had the highest revenue?' })
    await ask()
    expect(model.requests).toHaveLength(before + 1)
  })
})

test('a custom embedder can be used', async () => {
  const vectors = Object.fromEntries(
    [...said.map(({ content }) => content as string), ...questions.map(({ question }) => question)].map(
      (text) => [text, meaningOf(text)],
    ),
  )
  const memory = await openTemporary({
    embedder: scriptedEmbedder({ dimensions: SYNONYMS.length + 8, vectors }),
  })
  await memory.conversation('chat').record(said)
  await memory.whenDerived()
  expect(await shareFound(memory)).toBe(1)
})
