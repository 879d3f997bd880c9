import { openRecord } from '../fixture.mjs'
import { median, timeMs } from '../measure.mjs'
import { runInNewProcess } from '../new-process.mjs'

const INDEX = new URL('../../dist/index.js', import.meta.url).href

/** Prints how long a new process takes until the memory is open. */
const OPEN = `
  const start = performance.now()
  const { openMemory } = await import(${JSON.stringify(INDEX)})
  const memory = await openMemory(process.env.BENCH_PATH, { derive: { when: 'never' } })
  console.log(performance.now() - start)
  await memory.close()`

export const open = {
  name: 'open',
  about: 'openMemory() of a large file, in a running program and as the first thing in a new one',
  async run(fixture) {
    const path = await fixture.longConversation(fixture.sizes.messages)
    const warm = await timeOpens(path, fixture.repeats(50))
    const first = await timeProcesses(path, fixture.repeats(15))
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
