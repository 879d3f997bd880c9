import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type Memory, type NewMessage, openMemory } from '../../index.ts'
import { bold, dim, formatCount, interruptible, Progress, print, printJson, printTable } from '../terminal.ts'
import { newCommand } from '../with-memory.ts'

/** Enough for stable figures, few enough to finish in seconds. */
const MESSAGES = 2000
const FEWEST = 200
const CALLS = 100
const AT_ONCE = 100
/** A thousand messages each, as in a long-lived assistant. */
const CONVERSATION = 1000
const BUDGET_TOKENS = 4000

const HELP = `
Fills a temporary database with synthetic messages, measures it and deletes it. No model is called, and your own memory
is not touched. Close other busy programs first, and set TMPDIR to choose the disk to measure.

Examples:
  recollect bench
  recollect bench --messages 20000
  recollect bench --json`

export function benchCommand(): Command {
  return newCommand('bench', 'Measure how fast this machine records, searches, recalls and builds contexts.')
    .option('--messages <number>', 'number of messages in the database', toMessages, MESSAGES)
    .addHelpText('after', HELP)
    .action(async ({ messages }: { messages: number }, command: Command) => {
      const { json } = command.optsWithGlobals<{ json?: boolean }>()
      const bench = await inTemporary((path) => run(path, messages))
      if (json === true) printJson(bench)
      else printBench(bench)
    })
}

function toMessages(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= FEWEST && number <= 1_000_000) return number
  throw new InvalidArgumentError(`Expected a whole number from ${FEWEST} to 1000000.`)
}

interface Bench {
  readonly messages: number
  readonly node: string
  readonly platform: string
  readonly cores: number
  readonly measured: readonly Measured[]
}

async function inTemporary<T>(work: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  try {
    return await work(join(folder, 'memory.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(path: string, messages: number): Promise<Bench> {
  const memory = await openMemory(path)
  const progress = new Progress('Measuring')
  try {
    const measured = await interruptible('The temporary database was deleted.', ({ check }) =>
      measureAll(memory, messages, (done, total) => {
        check()
        progress.show(done, total)
      }),
    )
    const { version: node, platform, arch } = process
    const cores = availableParallelism()
    return { messages, node, platform: `${platform} ${arch}`, cores, measured }
  } finally {
    progress.end()
    await memory.close()
  }
}

async function measureAll(
  memory: Memory,
  messages: number,
  onProgress: (done: number, total: number) => void,
): Promise<readonly Measured[]> {
  const talk = madeUpTalk(messages)
  const single = Math.ceil(CALLS * 1.1)
  const rest = talk.slice(single)
  const steps = stepsOf(memory, talk)
  const total = rest.length + steps.length * single
  let done = 0
  const measured: Measured[] = []
  for (let i = 0; i < rest.length; i += AT_ONCE) {
    const batch = rest.slice(i, i + AT_ONCE)
    await memory.conversation(conversationOf(i)).record(batch)
    done += batch.length
    onProgress(done, total)
  }
  await memory.whenDerived()
  for (const step of steps) {
    const before = done
    measured.push(await measure(step, (calls) => onProgress(before + calls, total)))
    done = before + single
  }
  return measured
}

const conversationOf = (message: number): string => `talk-${Math.floor(message / CONVERSATION)}`

function stepsOf(memory: Memory, talk: ReturnType<typeof madeUpTalk>): readonly Measuring[] {
  const questions = madeUpQuestions(CALLS * 2)
  const searches = madeUpSearches(CALLS * 2)
  const last = memory.conversation(conversationOf(0))
  const calls = CALLS
  return [
    {
      what: 'record',
      about: 'one message, durable, with its topic and facts',
      calls,
      call: (i) => last.record(talk[i] ?? { role: 'user', content: 'Hello' }),
    },
    {
      what: 'search',
      about: 'two words in all messages',
      calls,
      call: (i) => memory.messages.search(searches[i] ?? 'roof'),
    },
    {
      what: 'recall',
      about: 'a question over the whole memory',
      calls,
      call: (i) => memory.recall(questions[i] ?? 'What about the roof?'),
    },
    {
      what: 'context',
      about: `for a question, ${formatCount(BUDGET_TOKENS)} tokens`,
      calls,
      call: (i) => last.context(questions[i] ?? 'What about the roof?', { budgetTokens: BUDGET_TOKENS }),
    },
  ]
}

function printBench({ messages, node, platform, cores, measured }: Bench): void {
  print(bold(`${formatCount(messages)} synthetic messages, no model:`))
  const rows = measured.map(({ what, p50Ms, p95Ms, calls, about }) => [
    what,
    formatMs(p50Ms),
    formatMs(p95Ms),
    String(calls),
    about,
  ])
  printTable([['', 'p50', 'p95', 'calls', ''], ...rows])
  print(dim(`Node ${node} · ${platform} · ${cores} cores`))
}

const formatMs = (ms: number): string => `${ms.toFixed(ms < 10 ? 2 : 1)} ms`

/** The latency of sequential calls. */
interface Measured {
  readonly what: string
  readonly about: string
  readonly calls: number
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Measuring {
  readonly what: string
  readonly about: string
  readonly calls: number
  call(index: number): Promise<unknown>
}

/** Runs a tenth of the calls unmeasured first, as a warm-up. */
export async function measure(
  { what, about, calls, call }: Measuring,
  onCall: (done: number) => void = () => undefined,
): Promise<Measured> {
  const warmUp = Math.ceil(calls / 10)
  const times: number[] = []
  for (let i = 0; i < warmUp + calls; i++) {
    const started = performance.now()
    await call(i)
    if (i >= warmUp) times.push(performance.now() - started)
    onCall(i + 1)
  }
  return { what, about, calls, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) }
}

/** The nearest-rank percentile; `share` is 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

// Generates a deterministic synthetic conversation whose subjects recur, so that searches have results.

const SUBJECTS: readonly (readonly [name: string, words: string])[] = [
  ['the roof', 'tiles rain gutter slate beam carpenter ladder chimney leak insulation'],
  ['the trip', 'train hotel river breakfast ticket museum luggage harbour station map'],
  ['the garden', 'soil beans shade compost frost roses hedge rake bees watering'],
  ['the budget', 'invoice rent savings tax quarter expenses loan account interest refund'],
  ['the violin', 'strings bow lesson concert scale teacher practice rosin sonata tune'],
  ['the bakery', 'flour oven dough crust yeast rye customers morning basket shelf'],
]
const VERBS = ['need', 'found', 'changed', 'forgot', 'like', 'want', 'checked', 'moved', 'lost', 'bought']
const TIMES = ['today', 'last week', 'in May', 'before noon', 'on Friday', 'after the meeting']

/** A small pseudo-random generator. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function madeUpTalk(count: number): readonly NewMessage[] {
  const pick = seeded(7)
  const anyOf = (list: readonly string[]): string => list[pick(list.length)] ?? ''
  const sentence = (name: string, words: readonly string[]): string =>
    `For ${name} I ${anyOf(VERBS)} the ${anyOf(words)} and the ${anyOf(words)} ${anyOf(TIMES)}, number ${pick(1000)}.`
  return Array.from({ length: count }, (_, i): NewMessage => {
    // A subject lasts a dozen turns, as in real conversations.
    const [name, words] = SUBJECTS[Math.floor(i / 12) % SUBJECTS.length] ?? ['it', '']
    const list = words.split(' ')
    const text = Array.from({ length: 2 + pick(3) }, () => sentence(name, list)).join(' ')
    return { role: i % 2 === 0 ? 'user' : 'assistant', content: text }
  })
}

/** Questions about the synthetic conversation. */
function madeUpQuestions(count: number): readonly string[] {
  const pick = seeded(11)
  return Array.from({ length: count }, (_, i) => {
    const [name, words] = SUBJECTS[i % SUBJECTS.length] ?? ['it', '']
    const list = words.split(' ')
    return `What about ${name} and the ${list[pick(list.length)]}?`
  })
}

/** Pairs of words that occur together in many messages. */
function madeUpSearches(count: number): readonly string[] {
  const pick = seeded(13)
  return Array.from({ length: count }, (_, i) => {
    const list = (SUBJECTS[i % SUBJECTS.length]?.[1] ?? '').split(' ')
    return `${list[pick(list.length)]} ${list[pick(list.length)]}`
  })
}
