import { openMemory } from '../../dist/index.js'
import { createMessageWriter } from '../made-up-text.mjs'
import { median, quantile, timeMs } from '../measure.mjs'
import { createAsker } from '../questions.mjs'
import { needRemembered } from '../remembered.mjs'

export const recall = {
  name: 'recall',
  about:
    'recall() and context() in a conversation of 10,000 messages and in a workspace of a million; a whole turn in 100,000',
  /** Only where it is named: the files take minutes to make. */
  isLong: true,
  async run(fixture) {
    const { messages } = fixture.sizes
    const small = await inFile(fixture, { messages: messages / 10, conversations: 1, most: 10 })
    const large = await inFile(fixture, { messages: messages * 10, conversations: 1000, most: 25 })
    return [
      ...small.rows,
      ...large.rows,
      toGrowth('median', median, small, large),
      toGrowth('95th percentile', (times) => quantile(times, 0.95), small, large),
      ...(await wholeTurns(fixture, messages)),
    ]
  },
}

const toGrowth = (name, of, small, large) => ({
  what: `recall from the small to the large, ${name}`,
  unit: 'ms',
  floor: of(small.times),
  ours: of(large.times),
  ratio: of(large.times) / of(small.times),
  aim: { ratio: 3 },
})

const inEnglish = (number) => number.toLocaleString('en')

const toRows = (what, times, most) => [
  { what: `${what}, median`, unit: 'ms', ours: median(times) },
  {
    what: `${what}, 95th percentile`,
    unit: 'ms',
    ours: quantile(times, 0.95),
    ...(most && { aim: { most } }),
  },
]

async function inFile(fixture, { messages, conversations, most }) {
  const path = await needRemembered({ messages, conversations })
  const memory = await openMemory(fixture.copyOf(path))
  const ask = await createAsker(memory, { conversations, each: messages / conversations })
  const scope = conversations === 1 ? { conversationId: 'c0' } : {}
  const repeats = fixture.repeats(300)
  const times = await timeEach(
    repeats,
    async () => [await ask()],
    (question) => memory.recall(question, scope),
  )
  const contexts = await timeEach(
    repeats,
    async () => [await ask()],
    (question) => memory.conversation('c0').context(question, { budgetTokens: 8000 }),
  )
  await memory.close()
  const where =
    conversations === 1
      ? `a conversation of ${inEnglish(messages)} messages`
      : `${inEnglish(messages)} messages in ${inEnglish(conversations)} conversations`
  return {
    times,
    rows: [
      ...toRows(`recall in ${where}`, times, most),
      ...toRows(`context with recall in ${where}`, contexts),
      {
        what: '  what context adds to recall, at the 95th percentile',
        unit: 'ms',
        ours: quantile(contexts, 0.95) - quantile(times, 0.95),
        aim: { most: 50 },
      },
    ],
  }
}

/**
 * The time of each call; arguments are prepared outside the measured time. The first calls are not counted: until Node
 * has compiled the code, they take up to three times as long.
 */
async function timeEach(repeats, prepare, work) {
  const warmUp = Math.ceil(repeats / 3)
  const times = []
  for (let i = 0; i < warmUp + repeats; i++) {
    const given = await prepare()
    const time = await timeMs(() => work(...given))
    if (i >= warmUp) times.push(time)
  }
  return times
}

/** All that memory adds to a turn: the question is recorded, the context made with what is recalled, the answer recorded. */
async function wholeTurns(fixture, messages) {
  const conversations = 100
  const path = await needRemembered({ messages, conversations })
  const memory = await openMemory(fixture.copyOf(path))
  const ask = await createAsker(memory, { conversations, each: messages / conversations })
  const write = createMessageWriter(23)
  let turn = 0
  const times = await timeEach(
    fixture.repeats(300),
    async () => [await ask(), write(2)[1]],
    async (question, answer) => {
      const conversation = memory.conversation(`c${turn++ % conversations}`)
      await conversation.record({ role: 'user', content: question })
      await conversation.context(question)
      await conversation.record(answer)
    },
  )
  await memory.close()
  return toRows(
    `a whole turn in ${inEnglish(messages)} messages: record, recall, context, record`,
    times,
    100,
  )
}
