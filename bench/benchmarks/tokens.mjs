import { loadTokenizer } from '../../dist/model/built-in/load-tokenizer.js'
import { createWriter, MESSAGE_WORDS, seededRandom } from '../made-up-text.mjs'
import { median, timeMs } from '../measure.mjs'
import { runInNewProcess } from '../new-process.mjs'

const LENGTH = 100_000
const TOKENIZER = new URL('../../dist/model/built-in/load-tokenizer.js', import.meta.url).href

/** Prints how long a new process takes until it can count. */
const LOAD = `
  const { loadTokenizer } = await import(${JSON.stringify(TOKENIZER)})
  const start = performance.now()
  await loadTokenizer('o200k')
  console.log(performance.now() - start)`

export const tokens = {
  name: 'tokens',
  about: 'counting tokens: of a message, and of what tokenizers are slow at',
  async run(fixture) {
    const tokenizer = await loadTokenizer('o200k')
    const random = seededRandom(12)
    const texts = {
      '100,000 times "a"': () => 'a'.repeat(LENGTH),
      '100,000 spaces': () => ' '.repeat(LENGTH),
      '100 kB of base64': () =>
        Buffer.from(Array.from({ length: LENGTH * 0.75 }, () => random() * 256)).toString('base64'),
      // The 3,000 characters from U+4E00 on hold most of what is written, at three bytes each.
      '100 kB of Chinese': () =>
        String.fromCodePoint(
          ...Array.from({ length: LENGTH / 3 }, () => 0x4e00 + Math.floor(random() * 3000)),
        ),
    }
    return [
      {
        what: 'load the tokenizer (once in a process)',
        unit: 'ms',
        ours: median(await timeLoading(fixture.repeats(10))),
      },
      ...(await countMessages(tokenizer, fixture.repeats(20))),
      ...Object.entries(texts).map(([what, write]) =>
        countLong(tokenizer, { what, write, rounds: fixture.repeats(10) }),
      ),
    ]
  },
}

/** A new text each time: a tokenizer remembers pieces that it has seen. */
function countLong(tokenizer, { what, write, rounds }) {
  const times = []
  let counted = 0
  for (let i = 0; i < rounds; i++) {
    const text = write()
    const start = performance.now()
    counted = tokenizer.count(text)
    times.push(performance.now() - start)
  }
  return { what: `count ${what} (${counted.toLocaleString('en')} tokens)`, unit: 'ms', ours: median(times) }
}

async function timeLoading(count) {
  const times = []
  for (let i = 0; i < count; i++) times.push(Number(await runInNewProcess(LOAD)))
  return times
}

async function countMessages(tokenizer, rounds) {
  const MESSAGES = 500
  const write = createWriter(13)
  const times = []
  let counted = 0
  for (let i = 0; i < rounds; i++) {
    const texts = Array.from({ length: MESSAGES }, () => write(MESSAGE_WORDS))
    const time = await timeMs(() => {
      for (const text of texts) counted += tokenizer.count(text)
    })
    times.push(time / MESSAGES)
  }
  const each = counted / rounds / MESSAGES
  return [
    {
      what: `count a message of ${MESSAGE_WORDS} words (${each.toFixed(1)} tokens)`,
      unit: 'ms',
      ours: median(times),
    },
    { what: 'the same as speed', unit: 'tokens/s', ours: (each / median(times)) * 1000 },
  ]
}
