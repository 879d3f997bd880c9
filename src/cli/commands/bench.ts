import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type Memory, openMemory } from '../../index.ts'
import { madeUpQuestions, madeUpSearches, madeUpTalk } from '../bench/made-up-talk.ts'
import { type Measured, type Measuring, measure } from '../bench/measure.ts'
import { interruptible } from '../interrupt.ts'
import { Progress } from '../progress.ts'
import { bold, dim, formatCount, print, printJson, printTable } from '../terminal.ts'
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
