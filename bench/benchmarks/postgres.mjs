import { openMemory } from '../../dist/index.js'
import { createMessageWriter } from '../made-up-text.mjs'
import { median, quantile, takeTurns, timeMs } from '../measure.mjs'
import { createAsker } from '../questions.mjs'
import { openBarePool, recordStatements } from '../recorded-statements.mjs'
import { fillRemembered } from '../remembered-postgres.mjs'
import { startPostgres } from '../temporary-postgres.mjs'

/** In one round. */
const APPENDS = 20
const AT_ONCE = 100
const CONVERSATIONS = 10
/** What `postgres.poolSize` is. */
const CONNECTIONS = 10

export const postgres = {
  name: 'postgres',
  about:
    'append and recall on PostgreSQL, in 100,000 messages, against a bare pg that sends the same statements; needs PostgreSQL',
  isLong: true,
  run: (fixture) =>
    withServer(fixture, async (url) => [
      ...(await contestAppends(url, fixture)),
      ...(await contestRecall(url, fixture)),
    ]),
}

export const postgresMillion = {
  name: 'postgres-million',
  about: 'recall() in a million messages on PostgreSQL; filling it takes ten minutes and 3 GB',
  isLong: true,
  run: (fixture) =>
    withServer(fixture, async (url) => {
      const sizes = { messages: fixture.sizes.messages * 10, conversations: 1000 }
      const memory = await openFilled(url, sizes)
      const { times, processorMs } = await timeRecalls(memory, sizes, fixture.repeats(300))
      await memory.close()
      const what = `recall in ${sizes.messages.toLocaleString('en')} messages in 1,000 conversations on PostgreSQL`
      return [
        { what: `${what}, median`, unit: 'ms', ours: median(times) },
        { what: `${what}, 95th percentile`, unit: 'ms', ours: quantile(times, 0.95), aim: { most: 50 } },
        { what: '  processor of this process for each', unit: 'ms', ours: processorMs },
      ]
    }),
}

async function withServer({ postgresUrl }, work) {
  if (postgresUrl !== undefined) return work(postgresUrl)
  const server = await startPostgres()
  try {
    return await work(server.url)
  } finally {
    server.stop()
  }
}

const openRecord = (url, schema) => openMemory(url, { derive: { when: 'never' }, postgres: { schema } })

/** One after the other, and many at once. */
async function contestAppends(url, fixture) {
  const one = await contest(url, {
    schemas: 'one',
    rounds: fixture.repeats(60),
    count: APPENDS,
    async append(memory, messages) {
      for (const message of messages) await memory.conversation('c0').record(message)
    },
  })
  const many = await contest(url, {
    schemas: 'many',
    rounds: fixture.repeats(30),
    count: AT_ONCE,
    append: (memory, messages) =>
      Promise.all(messages.map((message, i) => memory.conversation(`c${i % CONVERSATIONS}`).record(message))),
  })
  return [
    { what: 'append one message on PostgreSQL', ...one, aim: { ratio: 1.5 } },
    {
      what: `append ${AT_ONCE} at once to ${CONVERSATIONS} conversations, each`,
      ...many,
      aim: { ratio: 1.5 },
    },
  ]
}

/**
 * The floor replays statements for other messages of the same kind, recorded in a schema with the same history, so that
 * no timed text was counted before.
 */
async function contest(url, { schemas, rounds, count, append }) {
  const [source, floor, own] = ['source', 'floor', 'own'].map((name) => `bench_${schemas}_${name}`)
  const rehearsed = await noteAppends(url, source, { rounds, count, append })
  // Connections opened in between have their schema's name in their settings.
  const noted = rehearsed.map((statements) =>
    statements.map((one) => ({ ...one, text: one.text.replaceAll(source, floor) })),
  )
  const memories = await Promise.all([openRecord(url, floor), openRecord(url, own)])
  for (const memory of memories) await begin(memory)
  const bare = await openBarePool(url, { schema: floor, size: CONNECTIONS })
  const write = createMessageWriter(31)
  const figures = await takeTurns({
    rounds,
    floor: (round) => timeMs(() => bare.replayInTurn(noted[round])),
    ours: () => {
      const messages = write(count)
      return timeMs(() => append(memories[1], messages))
    },
  })
  await expectSame(bare, [floor, own])
  await bare.end()
  for (const memory of memories) await memory.close()
  return { unit: 'ms', floor: figures.floor / count, ours: figures.ours / count, ratio: figures.ratio }
}

/** One after the other, so that their numbers are the same in every schema. */
async function begin(memory) {
  const write = createMessageWriter(30)
  for (let i = 0; i < CONVERSATIONS; i++) await memory.conversation(`c${i}`).record(write(1))
}

/** As many rounds as there will be, those that warm up included. */
async function noteAppends(url, schema, { rounds, count, append }) {
  const memory = await openRecord(url, schema)
  await begin(memory)
  const write = createMessageWriter(32)
  const noted = []
  for (let round = 0; round < rounds + Math.ceil(rounds / 10); round++)
    noted.push(await recordStatements(() => append(memory, write(count))))
  await memory.close()
  return noted
}

/** By rows: who was last to count differs, where many write at once. */
async function expectSame(bare, schemas) {
  const counts = await Promise.all(schemas.map((schema) => bare.count(`${schema}.message`)))
  if (counts[0] !== counts[1]) throw new Error(`both must have written the same: ${counts.join(' and ')}`)
}

async function openFilled(url, sizes) {
  await fillRemembered(url, sizes)
  return openMemory(url, { derive: { when: 'never' } })
}

/** Each question is asked before it is timed: once so that all caches are warm, and once to note its statements. */
async function contestRecall(url, fixture) {
  const sizes = { messages: fixture.sizes.messages, conversations: 100 }
  const memory = await openFilled(url, sizes)
  const ask = await createAsker(memory, { ...sizes, each: sizes.messages / sizes.conversations })
  const bare = await openBarePool(url, { schema: 'recollect', size: CONNECTIONS })
  const rounds = fixture.repeats(150)
  const questions = []
  for (let round = 0; round < rounds + Math.ceil(rounds / 10); round++) questions.push(await ask())
  for (const question of questions) await memory.recall(question)
  const asked = []
  for (const question of questions)
    asked.push({ question, statements: await recordStatements(() => memory.recall(question)) })
  const against = (replay) =>
    takeTurns({
      rounds,
      floor: (round) => timeMs(() => replay(asked[round].statements)),
      ours: (round) => timeMs(() => memory.recall(asked[round].question)),
    })
  const oneByOne = await against(bare.replayOneByOne)
  const together = await against(bare.replay)
  await bare.end()
  await memory.close()
  const each = median(asked.map(({ statements }) => statements.length))
  return [
    { what: 'recall on PostgreSQL, ranking and all', unit: 'ms', ...oneByOne, aim: { ratio: 1.5 } },
    { what: '  if the floor sends those together that recall sends together', unit: 'ms', ...together },
    { what: '  statements of one recall', unit: 'statements', ours: each },
  ]
}

/** The time of each, and the processor that they took, after some that are not counted. */
async function timeRecalls(memory, { messages, conversations }, repeats) {
  const ask = await createAsker(memory, { conversations, each: messages / conversations })
  const times = []
  const processor = []
  // Until Node has compiled what they need, questions take up to three times as long: those are not counted.
  for (let i = 0; i < repeats + Math.ceil(repeats / 3); i++) {
    const question = await ask()
    const before = process.cpuUsage()
    times.push(await timeMs(() => memory.recall(question)))
    const { user, system } = process.cpuUsage(before)
    processor.push((user + system) / 1000)
  }
  return { times: times.slice(-repeats), processorMs: median(processor.slice(-repeats)) }
}
