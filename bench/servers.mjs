// One server process compared with several on the same PostgreSQL database, over loopback: generated messages of 60
// words, one per request, deriving included, in conversations of many workspaces.
//
//   node bench/servers.mjs [--servers 4] [--seconds 8] [--rounds 3] [--workspaces 60] [--warm-up 400]
//     [--only 'full any'] [--postgres address] [--json]
//
// Two loads, each on 1, 2 … servers:
//
// - few: four clients per server. Each sends, waits for the response, pauses for 300 ms, and sends again. One server
//   then leaves the cores mostly idle, and the question is whether throughput adds up: four times as many servers with
//   four times as many clients should record four times as much. It only shows that servers do not block each other;
//   the capacity of one is measured by the other load.
// - full: 48 clients in total that never pause, for any number of servers. On one machine the servers, PostgreSQL and
//   the load generator share the cores, so the question is what it costs to run several.
//
// Requests go to the servers in turn, as a load balancer sends them ("any"); in a separate row every conversation has
// its server ("routed"), as with a balancer that hashes the path.
//
// In addition to messages per second it prints the CPU time per message, in the servers and in PostgreSQL, which depends less
// on other load and shows how servers on separate machines would scale; and the number of context switches: a busy
// server handles several responses at a time.
//
// A process is slow until its code is compiled, and four processes compile it four times: each gets some messages
// before the clock starts. With few of them, compiling is much of the cost of four servers.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createWriter, MESSAGE_WORDS } from './made-up-text.mjs'
import { median } from './measure.mjs'
import { readOptions } from './read-options.mjs'
import { startPostgres } from './temporary-postgres.mjs'

const options = readOptions(import.meta.url, {
  servers: { type: 'string', default: '4' },
  seconds: { type: 'string', default: '8' },
  rounds: { type: 'string', default: '3' },
  workspaces: { type: 'string', default: '60' },
  'warm-up': { type: 'string', default: '400' },
  postgres: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'boolean', default: false },
})
const [many, seconds, rounds, workspaces] = ['servers', 'seconds', 'rounds', 'workspaces'].map((name) =>
  Number(options[name]),
)

const CONVERSATIONS = 240
const FEW = { clientsPerServer: 4, thinkMs: 300 }
const FULL = { clients: 48, thinkMs: 0 }
/** Aim for four servers compared with one, while the cores are not full. */
const AIM = { ratio: 2.5 }
const CORES = cpus().length
/** With less idle CPU than this, the CPU is the bottleneck. */
const IDLE_PERCENT = 10
/** What the system counts processor time in. */
const TICK_MS = 10

const counts = [1, ...(many > 2 ? [2] : []), many]
const RUNS = [
  ...counts.map((servers) => ({ load: 'few', routing: 'any', servers })),
  { load: 'few', routing: 'routed', servers: many },
  ...counts.map((servers) => ({ load: 'full', routing: 'any', servers })),
  { load: 'full', routing: 'routed', servers: many },
].filter((run) => options.only === undefined || nameOf(run).includes(options.only))

/** Generated before the clock starts: all share the CPU. */
const write = createWriter(7)
const TEXTS = Array.from({ length: 5000 }, () => write(MESSAGE_WORDS))
let count = 0
let schemas = 0
const running = new Set()

// Stops the started processes when this one is stopped.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
process.on('exit', () => {
  for (const child of running) child.kill()
})

const started = options.postgres === undefined ? await startPostgres() : undefined
const url = started?.url ?? options.postgres
try {
  const figures = new Map(RUNS.map((run) => [run, []]))
  for (let round = 0; round < rounds; round++)
    for (const run of RUNS) figures.get(run).push(await measure(run))
  report(figures)
} finally {
  started?.stop()
}

function nameOf({ load, routing, servers }) {
  return `${load} ${routing} ${servers}`
}

async function measure(run) {
  const schema = `bench_servers_${process.pid}_${schemas++}`
  const processes = []
  try {
    for (let i = 0; i < run.servers; i++) processes.push(await startServer(schema))
    await warmUp(processes, run)
    return await underLoad(processes, run)
  } finally {
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await drop(schema)
  }
}

async function warmUp(processes, run) {
  let left = Number(options['warm-up']) * processes.length
  const answers = emptyAnswers()
  await Promise.all(
    toClients(processes, { ...run, load: 'full' }).map((client) =>
      talk(client, { mayGoOn: () => left-- > 0, thinkMs: 0, answers }),
    ),
  )
  if (answers.failures > 0) throw new Error(`${answers.failures} requests failed before the clock ran`)
}

async function underLoad(processes, run) {
  const answers = emptyAnswers()
  const before = readProcessor(processes)
  const until = before.clock + seconds * 1000
  await Promise.all(
    toClients(processes, run).map((client) =>
      talk(client, {
        mayGoOn: () => performance.now() < until,
        thinkMs: run.load === 'few' ? FEW.thinkMs : FULL.thinkMs,
        answers,
      }),
    ),
  )
  const after = readProcessor(processes)
  const recorded = answers.ms.length
  const spent = (name) => after[name] - before[name]
  const share = (name) => Math.round((100 * spent(name)) / spent('clock'))
  return {
    messagesPerSecond: (1000 * recorded) / spent('clock'),
    failures: answers.failures,
    medianMs: median(answers.ms),
    p99Ms: answers.ms.sort((a, b) => a - b)[Math.floor(recorded * 0.99)] ?? 0,
    serversMs: spent('servers') / recorded,
    postgresMs: spent('postgres') / recorded,
    switches: spent('switches') / recorded,
    percent: {
      servers: share('servers'),
      postgres: share('postgres'),
      load: share('load'),
      others: share('busy') - share('servers') - share('postgres') - share('load'),
      idle: 100 * CORES - share('busy'),
    },
  }
}

function emptyAnswers() {
  return { ms: [], failures: 0 }
}

/** Each says where a conversation's next message goes. */
function toClients(processes, { load, routing }) {
  const number = load === 'few' ? FEW.clientsPerServer * processes.length : FULL.clients
  return Array.from({ length: number }, (_, i) => ({
    agents: processes.map(() => new Agent({ keepAlive: true, maxSockets: 1 })),
    toServer: (message) =>
      (routing === 'routed' ? message.conversation : message.number + i) % processes.length,
    processes,
  }))
}

/** One client: a message, its answer, a pause. */
async function talk({ agents, toServer, processes }, { mayGoOn, thinkMs, answers }) {
  // Not all at the same moment.
  await sleep(Math.random() * thinkMs)
  while (mayGoOn()) {
    const message = nextMessage()
    const at = toServer(message)
    const begun = performance.now()
    const status = await post(processes[at].url, agents[at], message)
    if (status === 201) answers.ms.push(performance.now() - begun)
    else answers.failures += 1
    if (thinkMs > 0) await sleep(thinkMs)
  }
  for (const agent of agents) agent.destroy()
}

function nextMessage() {
  const number = count++
  const conversation = number % CONVERSATIONS
  return {
    number: Math.floor(number / CONVERSATIONS),
    conversation,
    body: JSON.stringify({
      role: Math.floor(number / CONVERSATIONS) % 2 === 0 ? 'user' : 'assistant',
      content: TEXTS[number % TEXTS.length],
    }),
  }
}

function post(address, agent, { conversation, body }) {
  return new Promise((resolve) => {
    const request = send(
      `${address}/api/conversations/load-${conversation}/messages`,
      {
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-recollect-workspace': `user-${conversation % workspaces}`,
        },
      },
      (response) => response.resume().on('end', () => resolve(response.statusCode)),
    )
    request.on('error', () => resolve(0))
    request.end(body)
  })
}

async function startServer(schema) {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const child = spawn(process.execPath, [main, '--db', url, 'serve', '--port', '0', '--log', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, RECOLLECT_POSTGRES_SCHEMA: schema },
  })
  running.add(child)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.once('exit', () => running.delete(child))
  let printed = ''
  const address = await new Promise((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      printed += piece
      const found = /is listening on (http:\S+)/.exec(printed)
      if (found) resolve(found[1])
    })
    child.once('exit', () => reject(new Error(`the server did not start: ${printed}`)))
  })
  return { child, ended, url: address }
}

async function drop(schema) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`DROP SCHEMA ${schema} CASCADE`)
  await client.end()
}

/** Milliseconds so far; Linux only. PostgreSQL is all processes of that name. */
function readProcessor(processes) {
  const { user, system } = process.cpuUsage()
  const own = processes.map(({ child }) => String(child.pid))
  const theirs = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isPostgres(name))
  const sum = (pids, of) => pids.map(of).reduce((total, one) => total + one, 0)
  return {
    clock: performance.now(),
    servers: sum(own, processorMs),
    postgres: sum(theirs, processorMs),
    switches: sum([...own, ...theirs], countSwitches),
    load: (user + system) / 1000,
    busy: busyMs(),
  }
}

/** Of all processes of the machine: all columns but those for idling and for waiting. */
function busyMs() {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return ticks.filter((_, i) => i !== 3 && i !== 4).reduce((sum, one) => sum + one, 0) * TICK_MS
}

/** The server that was started here, or else any. */
function isPostgres(pid) {
  try {
    const [, name = '', rest = ''] =
      /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return started === undefined ? name === 'postgres' : [rest, pid].includes(String(started.pid))
  } catch {
    return false
  }
}

/** With what its children took that have ended. */
function processorMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS
  } catch {
    return 0
  }
}

/** Voluntary and involuntary context switches. */
function countSwitches(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return [...status.matchAll(/ctxt_switches:\s*(\d+)/g)].reduce((total, [, one]) => total + Number(one), 0)
  } catch {
    return 0
  }
}

function report(figures) {
  const rows = [...figures].map(([run, list]) => ({ ...run, ...summarize(list) }))
  const one = (load) => rows.find((row) => row.load === load && row.servers === 1)?.messagesPerSecond
  for (const row of rows) row.ratio = row.messagesPerSecond / one(row.load)
  const asked = rows.find(
    ({ load, routing, servers }) => load === 'few' && routing === 'any' && servers === many,
  )
  const all = { cores: CORES, seconds, rounds, workspaces, rows, aim: AIM, holds: asked?.ratio >= AIM.ratio }
  if (options.json) return console.log(JSON.stringify(all))
  console.log(
    'load  requests  servers  messages/s  ratio  median  99th   processor of a message   switches  servers  PostgreSQL  load  others  idle  limited by',
  )
  for (const row of rows) console.log(toLine(row))
  const failures = rows.reduce((sum, row) => sum + row.failures, 0)
  console.log(`${failures} requests failed; ${CORES} cores are ${100 * CORES} %`)
  if (asked !== undefined)
    console.log(
      `${many} servers with their own clients against one: ${asked.ratio.toFixed(2)} times, aim ${AIM.ratio}`,
    )
}

/** The middle of the rounds, figure by figure; failures all together. */
function summarize(list) {
  const middle = (of) => median(list.map(of))
  const [first] = list
  const percent = Object.keys(first.percent).map((name) => [name, middle((one) => one.percent[name])])
  return {
    messagesPerSecond: middle((one) => one.messagesPerSecond),
    medianMs: middle((one) => one.medianMs),
    p99Ms: middle((one) => one.p99Ms),
    serversMs: middle((one) => one.serversMs),
    postgresMs: middle((one) => one.postgresMs),
    switches: middle((one) => one.switches),
    failures: list.reduce((sum, one) => sum + one.failures, 0),
    percent: Object.fromEntries(percent),
  }
}

function toLine({
  load,
  routing,
  servers,
  messagesPerSecond,
  ratio,
  medianMs,
  p99Ms,
  serversMs,
  postgresMs,
  switches,
  percent,
}) {
  const limit = percent.idle < IDLE_PERCENT * CORES ? 'the processor' : 'the clients'
  return [
    load.padEnd(5),
    routing.padEnd(9),
    String(servers).padEnd(8),
    messagesPerSecond.toFixed(0).padEnd(11),
    ratio.toFixed(2).padEnd(6),
    `${medianMs.toFixed(1)} ms`.padEnd(7),
    `${p99Ms.toFixed(0)} ms`.padEnd(6),
    `${serversMs.toFixed(2)} + ${postgresMs.toFixed(2)} ms`.padEnd(24),
    switches.toFixed(0).padEnd(9),
    `${percent.servers} %`.padEnd(8),
    `${percent.postgres} %`.padEnd(11),
    `${percent.load} %`.padEnd(5),
    `${percent.others} %`.padEnd(7),
    `${percent.idle} %`.padEnd(5),
    limit,
  ].join(' ')
}
