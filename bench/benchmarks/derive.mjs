import { matchTopic, NO_TOPICS } from '../../dist/derive/topics/match-topic.js'
import { resolveMatching } from '../../dist/derive/topics/matching-options.js'
import { openMemory } from '../../dist/index.js'
import { builtInEmbedder } from '../../dist/model/built-in/built-in-embedder.js'
import { DEFAULTS } from '../../dist/options/options.js'
import { openRecord } from '../fixture.mjs'
import { createMessageWriter, createWriter } from '../made-up-text.mjs'
import { median, takeTurns, timeMs, timesMs } from '../measure.mjs'
import { runInNewProcess } from '../new-process.mjs'

const INDEX = new URL('../../dist/index.js', import.meta.url).href
/** In one round. */
const RECORDS = 20
const SMALL = 10
const TOPICS = 1020

export const derive = {
  name: 'derive',
  about: 'record() with topics, entities and facts; matching; rebuild; memory of the process',
  run: async (fixture) => [
    ...(await recordAgainstBare(fixture)),
    await recordGrowth(fixture),
    await matchAmongMany(fixture),
    await rebuildAll(fixture),
    await memoryOverTime(fixture),
  ],
}

async function timeRecords(conversation, messages) {
  const times = []
  for (const message of messages) times.push(await timeMs(() => conversation.record(message)))
  return median(times)
}

async function recordAgainstBare(fixture) {
  const start = await fixture.longConversation(SMALL)
  const bare = await openRecord(fixture.copyOf(start))
  const full = await openMemory(await fixture.derivedCopyOf(start))
  const write = createMessageWriter(40)
  const figures = await takeTurns({
    rounds: fixture.repeats(60),
    floor: () => timeRecords(bare.conversation('long'), write(RECORDS)),
    async ours() {
      const time = await timeRecords(full.conversation('long'), write(RECORDS))
      // Background work is not part of either measurement.
      await full.whenDerived()
      return time
    },
  })
  await bare.close()
  await full.close()
  return [
    { what: 'record() that derives / that only records', unit: 'ms', ...figures, aim: { ratio: 4 } },
    { what: '  the same, at the median', unit: 'ms', ours: figures.ours, aim: { most: 2 } },
  ]
}

async function recordGrowth(fixture) {
  const { messages } = fixture.sizes
  const small = await openMemory(fixture.newPath())
  const large = await openMemory(await fixture.derivedCopyOf(await fixture.longConversation(messages)))
  await large.conversation('long').record(createMessageWriter(43)(1))
  const writers = { small: createMessageWriter(41), large: createMessageWriter(42) }
  const figures = await takeTurns({
    rounds: fixture.repeats(40),
    async floor(round) {
      const conversation = small.conversation(`small ${round}`)
      await conversation.record(writers.small(SMALL))
      const time = await timeRecords(conversation, writers.small(RECORDS))
      await small.whenDerived()
      return time
    },
    async ours() {
      const time = await timeRecords(large.conversation('long'), writers.large(RECORDS))
      await large.whenDerived()
      return time
    },
  })
  await small.close()
  await large.close()
  const what = `record() in a conversation of ${SMALL} / ${messages.toLocaleString('en')} messages`
  return { what, unit: 'ms', ...figures, aim: { ratio: 1.3 } }
}

/** Most of them are long archived; archived topics are matched like any other. */
async function matchAmongMany(fixture) {
  const options = resolveMatching(DEFAULTS.topics, builtInEmbedder)
  const write = createWriter(44)
  const state = await stateWithTopics(write)
  const [vector] = await builtInEmbedder.embed([write(60)])
  const message = { role: 'user', text: write(60), saidAt: new Date(), position: 1_000_000, vector }
  const times = await timesMs(fixture.repeats(500), () => matchTopic(state, message, options))
  return {
    what: 'matching a message, 20 topics live and 1,000 archived',
    unit: 'ms',
    ours: median(times),
    aim: { most: 1 },
  }
}

async function stateWithTopics(write) {
  const options = resolveMatching(DEFAULTS.topics, builtInEmbedder)
  const vectors = await builtInEmbedder.embed(Array.from({ length: TOPICS }, () => write(60)))
  const message = (position, vector) => ({
    role: 'user',
    text: write(20),
    saidAt: new Date(),
    position,
    vector,
  })
  const [first, second] = vectors
  const begun = matchTopic(NO_TOPICS, message(0, first), options).state
  const { state } = matchTopic(begun, message(1, second), options)
  const topics = vectors.map((direction, start) => ({ start, title: '', centroid: { direction, weight: 5 } }))
  return { ...state, settled: { ...state.settled, topics } }
}

async function rebuildAll(fixture) {
  const { messages } = fixture.sizes
  const path = await fixture.derivedCopyOf(await fixture.longConversation(messages))
  const memory = await openMemory(path)
  const time = await timeMs(() => memory.maintenance.rebuild())
  await memory.close()
  return {
    what: `rebuild of ${messages.toLocaleString('en')} messages, for each (${Math.round((messages / time) * 1000).toLocaleString('en')} a second)`,
    unit: 'ms',
    ours: time / messages,
    aim: { most: 0.5 },
  }
}

/** Records in batches and prints the memory of the process after a tenth and at the end. */
const GROW = `
  const { openMemory } = await import(${JSON.stringify(INDEX)})
  const { createMessageWriter } = await import(${JSON.stringify(new URL('../made-up-text.mjs', import.meta.url).href)})
  const memory = await openMemory(process.env.BENCH_PATH)
  const write = createMessageWriter(45)
  const total = Number(process.env.BENCH_MESSAGES)
  const used = []
  for (let done = 0; done < total; done += 100) {
    await memory.conversation('long').record(write(100))
    if ((done + 100) % (total / 10) === 0) {
      await memory.whenDerived()
      globalThis.gc()
      used.push(process.memoryUsage().rss)
    }
  }
  console.log(used[0], used.at(-1))
  await memory.close()`

async function memoryOverTime(fixture) {
  const { messages } = fixture.sizes
  process.env.BENCH_MESSAGES = String(messages)
  const printed = await runInNewProcess(GROW, fixture.newPath(), ['--expose-gc'])
  const [floor, ours] = printed.split(' ').map((bytes) => Number(bytes) / 1_000_000)
  const what = `memory of the process after ${(messages / 10).toLocaleString('en')} / ${messages.toLocaleString('en')} messages`
  return { what, unit: 'MB', floor, ours, ratio: ours / floor, aim: { ratio: 1.5 } }
}
