import { openRecord } from '../fixture.mjs'
import { median, timeMs } from '../measure.mjs'
import { runInNewProcess } from '../new-process.mjs'

const INDEX = new URL('../../dist/index.js', import.meta.url).href

/** Enough for everything that is derived; how many does not matter for opening. */
const DERIVED_MESSAGES = 1000

/** Prints how long a new process takes until the memory is open and something is done with it. */
const openAnd = (options, done = '') => `
  const start = performance.now()
  const { openMemory } = await import(${JSON.stringify(INDEX)})
  const memory = await openMemory(process.env.BENCH_PATH, ${options})
  ${done}
  console.log(performance.now() - start)
  await memory.close()`
const OPEN = openAnd("{ derive: { when: 'never' } }")
/** Rules for deriving are loaded when there is something to derive. */
const OPEN_DERIVED = openAnd('{}', 'await memory.whenDerived()')
const RECORD_FIRST = openAnd(
  '{}',
  "await memory.conversation('long').record({ role: 'user', content: 'I live in Porto.' })",
)

export const open = {
  name: 'open',
  about: 'openMemory() of a large file, in a running program and as the first thing in a new one',
  async run(fixture) {
    const path = await fixture.longConversation(fixture.sizes.messages)
    const warm = await timeOpens(path, fixture.repeats(50))
    const first = await timeProcesses(path, fixture.repeats(15))
    const derived = await fixture.derivedCopyOf(await fixture.longConversation(DERIVED_MESSAGES))
    const messages = fixture.sizes.messages.toLocaleString('en')
    return [
      {
        what: `open a file of ${messages} messages, running program`,
        unit: 'ms',
        ours: median(warm),
        aim: { most: 100 },
      },
      {
        what: 'the same in a new process: load the package and open',
        unit: 'ms',
        ours: median(first.opened),
      },
      { what: 'whole new process / a Node that does nothing', unit: 'ms', ...first.whole },
      {
        what: 'load and open, with everything derived and nothing left to derive',
        unit: 'ms',
        ours: await timeInNewProcesses(OPEN_DERIVED, derived, fixture.repeats(15)),
      },
      {
        what: 'load, open and record a first message, with all that is derived from it',
        unit: 'ms',
        ours: await timeInNewProcesses(RECORD_FIRST, derived, fixture.repeats(15)),
      },
    ]
  },
}

async function timeOpens(path, count) {
  await (await openRecord(path)).close()
  const times = []
  for (let i = 0; i < count; i++) {
    let memory
    times.push(
      await timeMs(async () => {
        memory = await openRecord(path)
      }),
    )
    await memory.close()
  }
  return times
}

async function timeProcesses(path, count) {
  const times = { opened: [], whole: [], empty: [] }
  for (let i = 0; i < count; i++) {
    times.empty.push(await timeMs(() => runInNewProcess('')))
    const opening = async () => times.opened.push(Number(await runInNewProcess(OPEN, path)))
    times.whole.push(await timeMs(opening))
  }
  const ratio = median(times.whole.map((time, i) => time / times.empty[i]))
  return { opened: times.opened, whole: { floor: median(times.empty), ours: median(times.whole), ratio } }
}

async function timeInNewProcesses(script, path, count) {
  const times = []
  for (let i = 0; i < count; i++) times.push(Number(await runInNewProcess(script, path)))
  return median(times)
}
