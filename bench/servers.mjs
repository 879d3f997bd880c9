// One server process against several on the same PostgreSQL database, over loopback: messages of 60 made-up words,
// recorded one in a request over 48 connections in all, deriving included. Both take turns, each time on a schema of
// its own. Bounded by time.
//
//   node bench/servers.mjs [--servers 4] [--seconds 10] [--rounds 2] [--postgres address] [--json]
//
// It tells how many messages were recorded a second, whether any request failed, and how much of the processor the
// servers, PostgreSQL and the load took: on one machine they share it, and who has none left cannot grow.

import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { createWriter, MESSAGE_WORDS } from './made-up-text.mjs'
import { median } from './measure.mjs'
import { startPostgres } from './temporary-postgres.mjs'

const { values: options } = parseArgs({
  options: {
    servers: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '2' },
    postgres: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const [many, seconds, rounds] = [options.servers, options.seconds, options.rounds].map(Number)

const CONNECTIONS = 48
const CONVERSATIONS = 240
const AIM = { ratio: 2.5 }
/** What the system counts processor time in. */
const TICK_MS = 10

/** Written before the clock runs: all share the processor. */
const write = createWriter(7)
const TEXTS = Array.from({ length: 5000 }, () => write(MESSAGE_WORDS))
let count = 0
let schemas = 0
const running = new Set()

// Whoever stops this takes along what it started.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
process.on('exit', () => {
  for (const child of running) child.kill()
})

const started = options.postgres === undefined ? await startPostgres() : undefined
const url = started?.url ?? options.postgres
try {
  const figures = { one: [], many: [] }
  for (let round = 0; round < rounds; round++) {
    figures.one.push(await measure(1))
    figures.many.push(await measure(many))
  }
  report(figures)
} finally {
  started?.stop()
}

async function measure(servers) {
  const schema = `bench_servers_${process.pid}_${schemas++}`
  const processes = []
  try {
    for (let i = 0; i < servers; i++) processes.push(await startServer(schema))
    for (const server of processes) await recordOne(server.url)
    return await load(processes)
  } finally {
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await drop(schema)
  }
}

async function load(processes) {
  const before = readProcessor(processes)
  const results = await Promise.all(
    processes.map(({ url: address }) =>
      autocannon({
        url: address,
        connections: CONNECTIONS / processes.length,
        duration: seconds,
        requests: [{ method: 'POST', setupRequest: toRequest }],
      }),
    ),
  )
  const after = readProcessor(processes)
  const sum = (of) => results.reduce((total, result) => total + of(result), 0)
  const share = (name) => Math.round((100 * (after[name] - before[name])) / (after.clock - before.clock))
  return {
    messagesPerSecond: Math.round(sum(({ requests, duration }) => requests.total / duration)),
    failures: sum(({ errors, timeouts, non2xx }) => errors + timeouts + non2xx),
    p99Ms: Math.max(...results.map(({ latency }) => latency.p99)),
    processorPercent: { servers: share('servers'), postgres: share('postgres'), load: share('load') },
  }
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
      const found = /listens on (http:\S+)/.exec(printed)
      if (found) resolve(found[1])
    })
    child.once('exit', () => reject(new Error(`the server did not start: ${printed}`)))
  })
  return { child, ended, url: address }
}

function toRequest(request) {
  const number = count++
  return {
    ...request,
    path: `/api/conversations/load-${number % CONVERSATIONS}/messages`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      role: Math.floor(number / CONVERSATIONS) % 2 === 0 ? 'user' : 'assistant',
      content: TEXTS[number % TEXTS.length],
    }),
  }
}

/** The first request loads the tokenizer; that is no part of the load. */
async function recordOne(address) {
  const { path, ...request } = toRequest({ method: 'POST' })
  const response = await fetch(address + path, request)
  if (!response.ok) throw new Error(await response.text())
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
  const own = processes.map(({ child }) => processorMs(child.pid))
  const theirs = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isPostgres(name))
    .map(processorMs)
  const sum = (times) => times.reduce((total, time) => total + time, 0)
  return { clock: performance.now(), servers: sum(own), postgres: sum(theirs), load: (user + system) / 1000 }
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

function report(figures) {
  const speed = (list) => median(list.map(({ messagesPerSecond }) => messagesPerSecond))
  const ratio = Math.round((100 * speed(figures.many)) / speed(figures.one)) / 100
  const all = {
    servers: many,
    seconds,
    cores: cpus().length,
    ...figures,
    ratio,
    aim: AIM,
    holds: ratio >= AIM.ratio,
  }
  if (options.json) console.log(JSON.stringify(all))
  else console.dir(all, { depth: 4 })
}
