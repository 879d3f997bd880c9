// Load on the HTTP server over loopback: `recollect serve` in a separate process, generated messages of 60 words
// recorded one per request over 50 connections, deriving included. Runs for a fixed time.
//
//   node bench/http.mjs [--seconds 20] [--connections 50] [--conversations 200] [--json]
//
// Prints messages per second, request latency, failures, CPU time per message, and the memory of the server.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { createWriter, MESSAGE_WORDS } from './made-up-text.mjs'
import { readOptions } from './read-options.mjs'

const options = readOptions(import.meta.url, {
  seconds: { type: 'string', default: '20' },
  connections: { type: 'string', default: '50' },
  conversations: { type: 'string', default: '200' },
  json: { type: 'boolean', default: false },
})
const [seconds, connections, conversations] = [
  options.seconds,
  options.connections,
  options.conversations,
].map(Number)

/** What is expected of two cores. */
const AIM = { messagesPerSecond: 500, p99Ms: 250, failures: 0, memoryGrowth: 1.1 }

/** Generated before the clock starts: both sides share the CPU. */
const write = createWriter(7)
const TEXTS = Array.from({ length: 5000 }, () => write(MESSAGE_WORDS))

let count = 0

const folder = mkdtempSync(join(tmpdir(), 'recollect-http-'))
const server = await startServer(join(folder, 'memory.db'))
try {
  await recordOne(server.url)
  const watch = watchMemory(server)
  const cpuBefore = processorMs(server.child.pid)
  const load = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: [{ method: 'POST', setupRequest: toRequest }],
  })
  const cpuMs = processorMs(server.child.pid) - cpuBefore
  report({ ...toFigures(load, cpuMs), ...watch.stop() })
} finally {
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
}

async function startServer(path) {
  const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const child = spawn(process.execPath, [main, '--db', path, 'serve', '--port', '0', '--log', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let printed = ''
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      printed += piece
      const found = /is listening on (http:\S+)/.exec(printed)
      if (found) resolve(found[1])
    })
    child.once('exit', () => reject(new Error(`the server did not start: ${printed}`)))
  })
  return { child, ended, url }
}

function toRequest(request) {
  const number = count++
  return {
    ...request,
    path: `/api/conversations/load-${number % conversations}/messages`,
    headers: { 'content-type': 'application/json' },
    body: toBody(number),
  }
}

function toBody(number) {
  const role = Math.floor(number / conversations) % 2 === 0 ? 'user' : 'assistant'
  return JSON.stringify({ role, content: TEXTS[number % TEXTS.length] })
}

/** The first request loads the tokenizer, which is not part of the load. */
async function recordOne(url) {
  const { path, ...request } = toRequest({ method: 'POST' })
  const response = await fetch(url + path, request)
  if (!response.ok) throw new Error(await response.text())
}

/** Of the server, every second. */
function watchMemory({ url }) {
  const samples = []
  const timer = setInterval(async () => {
    const text = await (await fetch(`${url}/metrics`)).text()
    const bytes = Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1])
    if (bytes > 0) samples.push(Math.round(bytes / 1e6))
  }, 1000)
  return {
    stop() {
      clearInterval(timer)
      return { memoryMb: { byMinute: toMeans(samples, 60), most: Math.max(...samples) } }
    },
  }
}

/** The first minute fills the caches; after it, memory hardly grows. */
function isFlat([, second, ...later]) {
  return (later.at(-1) ?? 0) <= AIM.memoryGrowth * (second ?? 0)
}

/** Averages over consecutive samples; a remainder at the end counts if it is at least half as long. */
function toMeans(samples, each) {
  const means = []
  for (let first = 0; first < samples.length; first += each) {
    const some = samples.slice(first, first + each)
    if (first > 0 && some.length < each / 2) break
    means.push(Math.round(some.reduce((sum, one) => sum + one, 0) / some.length))
  }
  return means
}

/** Linux only; undefined elsewhere. */
function processorMs(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

function toFigures({ requests, latency, errors, timeouts, non2xx, duration }, cpuMs) {
  return {
    messages: requests.total,
    messagesPerSecond: Math.round(requests.total / duration),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    mostMs: latency.max,
    failures: errors + timeouts + non2xx,
    processorMsPerMessage: Math.round((cpuMs / requests.total) * 1000) / 1000,
  }
}

function report(figures) {
  const holds =
    figures.messagesPerSecond >= AIM.messagesPerSecond &&
    figures.p99Ms < AIM.p99Ms &&
    figures.failures === AIM.failures &&
    isFlat(figures.memoryMb.byMinute)
  if (options.json)
    console.log(JSON.stringify({ seconds, connections, conversations, ...figures, aim: AIM, holds }))
  else console.log({ seconds, connections, conversations, ...figures, holds })
}
