import { parseArgs } from 'node:util'
import { appendBatch } from './benchmarks/append-batch.mjs'
import { appendConcurrent } from './benchmarks/append-concurrent.mjs'
import { appendGrowth } from './benchmarks/append-growth.mjs'
import { appendOne } from './benchmarks/append-one.mjs'
import { compress } from './benchmarks/compress.mjs'
import { context } from './benchmarks/context.mjs'
import { derive } from './benchmarks/derive.mjs'
import { derived } from './benchmarks/derived.mjs'
import { disk } from './benchmarks/disk.mjs'
import { documents } from './benchmarks/documents.mjs'
import { facts } from './benchmarks/facts.mjs'
import { imports } from './benchmarks/import.mjs'
import { open } from './benchmarks/open.mjs'
import { pages } from './benchmarks/pages.mjs'
import { postgres, postgresMillion } from './benchmarks/postgres.mjs'
import { readLast } from './benchmarks/read-last.mjs'
import { recall } from './benchmarks/recall.mjs'
import { recallStore } from './benchmarks/recall-store.mjs'
import { search } from './benchmarks/search.mjs'
import { tokens } from './benchmarks/tokens.mjs'
import { createFixture, QUICK_SIZES, WHOLE_SIZES } from './fixture.mjs'
import { judge, machine, toTable } from './report.mjs'

const BENCHMARKS = [
  appendOne,
  appendBatch,
  readLast,
  context,
  appendGrowth,
  open,
  disk,
  appendConcurrent,
  search,
  pages,
  compress,
  tokens,
  derive,
  facts,
  derived,
  documents,
  imports,
  recall,
  recallStore,
  postgres,
  postgresMillion,
]

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    data: { type: 'string' },
    postgres: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

// `process.exit` lets the fixture remove its files; a signal by itself would not.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

if (options.help) console.log(helpText())
else await runAll(chooseBenchmarks())

function helpText() {
  const width = Math.max(...BENCHMARKS.map(({ name }) => name.length))
  const list = BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`)
  return [
    'node bench/run.mjs [name…] [--json] [--quick] [--data folder] [--postgres address]',
    '',
    ...list,
    '',
    '  --json   the figures as JSON',
    '  --quick  a tenth of the sizes and repetitions: shows that it runs, not how fast it is',
    '  --data   a folder of .jsonl.gz files with conversations to compress, instead of made-up text',
    '  --postgres  an empty database, or one that was filled by an earlier run; else a server is started for the run',
  ].join('\n')
}

function chooseBenchmarks() {
  const unknown = names.find((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
  if (unknown === undefined)
    return BENCHMARKS.filter(({ name, isLong }) => (names.length === 0 ? !isLong : names.includes(name)))
  console.error(`there is no benchmark "${unknown}"\n\n${helpText()}`)
  process.exit(1)
}

async function runAll(benchmarks) {
  const files = createFixture(options.quick ? QUICK_SIZES : WHOLE_SIZES)
  const fixture = { ...files, dataFolder: options.data, postgresUrl: options.postgres }
  const rows = []
  for (const { name, run } of benchmarks) {
    // To the error stream, so that what is printed can be kept as it is.
    console.error(`${name} …`)
    const measured = await run(fixture)
    rows.push(...measured.map((row) => ({ benchmark: name, ...judge(row) })))
  }
  console.log(
    options.json
      ? JSON.stringify({ ...machine(), rows }, null, 2)
      : `${describeMachine()}\n\n${toTable(rows)}`,
  )
}

function describeMachine() {
  const { node, platform, processor, cores } = machine()
  return `Node ${node}, ${platform}, ${cores} × ${processor}`
}
