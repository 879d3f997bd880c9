import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createRowMaker, openBare, prepareAppend, summarize } from './bare-sqlite.mjs'
import { openRecord } from './fixture.mjs'
import { createMessageWriter } from './made-up-text.mjs'
import { takeTurns, timeMs } from './measure.mjs'

/**
 * Appends messages, `count` per round, to two copies of a file: one through Recollect, one with plain SQL.
 * `floor(append, rows)` and `ours(conversation, messages)` say in how many calls. The figures are
 * milliseconds a round.
 *
 * The values of the floor's rows (ids, tokens, words) are computed before the clock starts, unless
 * `isThinkingTimed`: then the same functions as ours compute them. No two contests may have the same seed,
 * or the second would count texts that the tokenizer has cached.
 */
export async function contestAppends(fixture, { seed, rounds, count, floor, ours, isThinkingTimed = false }) {
  const start = await fixture.longConversation(10)
  const paths = { ours: fixture.copyOf(start), floor: fixture.copyOf(start) }
  const memory = await openRecord(paths.ours)
  const conversation = memory.conversation('long')
  const write = createMessageWriter(seed)
  const database = await openBare(paths.floor)
  const append = prepareAppend(database)
  const rows = isThinkingTimed ? await thinkHere(database, -seed) : thinkElsewhere(paths.floor, seed)
  const figures = await takeTurns({
    rounds,
    async floor() {
      const takeRows = await rows.prepare(count)
      return timeMs(() => floor(append, takeRows()))
    },
    ours() {
      const messages = write(count)
      return timeMs(() => ours(conversation, messages))
    },
  })
  await rows.stop()
  await memory.close()
  database.close()
  await expectSame(paths, isThinkingTimed ? ['messages', 'indexed', 'counted'] : undefined)
  return figures
}

/** The rows of the same messages that Recollect gets, ready. */
function thinkElsewhere(path, seed) {
  const worker = new Worker(new URL('./row-worker.mjs', import.meta.url), { workerData: { path, seed } })
  return {
    async prepare(count) {
      worker.postMessage(count)
      const [rows] = await once(worker, 'message')
      return () => rows
    },
    stop: () => worker.terminate(),
  }
}

/** The rows of other messages of the same kind, worked out when they are taken. */
async function thinkHere(database, seed) {
  const toRows = await createRowMaker(database)
  const write = createMessageWriter(seed)
  return {
    prepare(count) {
      const messages = write(count)
      return () => toRows(messages)
    },
    stop: () => undefined,
  }
}

async function expectSame(paths, fields) {
  const [ours, floor] = [await summarize(paths.ours), await summarize(paths.floor)]
  for (const field of fields ?? Object.keys(ours)) {
    assert.equal(ours[field], floor[field], `both must have written the same: ${field}`)
  }
}
