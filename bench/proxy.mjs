// Added latency of the proxy: the same request sent directly to a server and through Recollect, alternating in one run,
// in a conversation of 10,000 messages. The upstream answers at once, so that nothing else is measured.
//
//   node bench/proxy.mjs [--messages 10000] [--rounds 200] [--json]
//
// Also prints CPU time, which depends less on other load.
//
// Two kinds of clients: one that sends its last twenty messages with the name of its conversation, and one that sends
// all of them every time.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../dist/index.js'
import { startServer } from '../dist/server/start-server.js'
import { createWriter, MESSAGE_WORDS } from './made-up-text.mjs'
import { median, quantile } from './measure.mjs'
import { readOptions } from './read-options.mjs'

const options = readOptions(import.meta.url, {
  messages: { type: 'string', default: '10000' },
  rounds: { type: 'string', default: '200' },
  json: { type: 'boolean', default: false },
})
const [messages, rounds] = [options.messages, options.rounds].map(Number)

const AIM_P95_MS = 20
const LAST_MESSAGES = 20
const BATCH = 1000

const folder = mkdtempSync(join(tmpdir(), 'recollect-proxy-'))
const upstream = await startUpstream()
const memory = await openMemory(join(folder, 'memory.db'))
const proxy = await startServer(memory, {
  port: 0,
  upstreamUrl: upstream.url,
  hasOwnProcess: true, // as `recollect serve` has it
  memoryTimeoutMs: 60_000, // however busy the machine is, everything is to be remembered
})
try {
  const write = createWriter(7)
  const [some, all] = [await fill('some', write), await fill('all', write)]
  const rows = [
    await contest('the last 20 messages, by name', {
      write,
      name: 'some',
      history: some.slice(-LAST_MESSAGES),
    }),
    await contest('the same, recorded only', {
      write,
      name: 'some',
      history: some.slice(-LAST_MESSAGES),
      memory: 'record',
    }),
    await contest('all messages, by name', {
      write,
      name: 'all',
      history: all,
      rounds: Math.max(5, rounds / 10),
    }),
  ]
  if (options.json) console.log(JSON.stringify({ messages, rows }))
  else console.table(rows)
} finally {
  await proxy.close()
  await memory.close()
  await new Promise((resolve) => upstream.server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
}

/** Returns the same response to everything. */
async function startUpstream() {
  const answer = JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Noted.' }, finish_reason: 'stop' }],
  })
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(answer)
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${server.address().port}/v1` }
}

/** Turns of user and assistant, recorded as the proxy would record them. */
async function fill(name, write) {
  const history = Array.from({ length: messages }, (_, i) =>
    i % 2 === 0 ? { role: 'user', content: write(MESSAGE_WORDS) } : { role: 'assistant', content: 'Noted.' },
  )
  for (let end = BATCH; end < messages + BATCH; end += BATCH) {
    await memory.conversation(name).record(history.slice(end - BATCH, end))
  }
  await memory.whenDerived()
  return history
}

async function contest(client, { write, name, history, memory: wanted = 'on', rounds: times = rounds }) {
  const [direct, through, processor] = [[], [], []]
  const warmUp = Math.ceil(times / 10)
  const sent = [...history]
  for (let round = 0; round < warmUp + times; round++) {
    const before = history.length <= LAST_MESSAGES ? sent.slice(-LAST_MESSAGES) : sent
    const body = JSON.stringify({ model: 'm', messages: [...before, { role: 'user', content: write(12) }] })
    const figures = []
    for (const url of [upstream.url, `${proxy.url}/v1`]) {
      // What the turn before left to be done belongs to neither: people take longer than that to read an answer.
      await memory.whenDerived()
      figures.push(await timeRequest(url, { name, wanted }, body))
    }
    sent.push(JSON.parse(body).messages.at(-1), { role: 'assistant', content: 'Noted.' })
    if (round < warmUp) continue
    direct.push(figures[0].ms)
    through.push(figures[1].ms)
    processor.push(figures[1].processorMs - figures[0].processorMs)
  }
  const added = through.map((ms, i) => ms - direct[i])
  const round = (ms) => Math.round(ms * 100) / 100
  return {
    client,
    directP50Ms: round(median(direct)),
    throughP50Ms: round(median(through)),
    addedP50Ms: round(median(added)),
    addedP95Ms: round(quantile(added, 0.95)),
    aimP95Ms: AIM_P95_MS,
    addedProcessorP50Ms: round(median(processor)),
  }
}

async function timeRequest(url, { name, wanted }, body) {
  const started = performance.now()
  const used = process.cpuUsage()
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-recollect-conversation': name,
      'x-recollect-memory': wanted,
    },
    body,
  })
  if (!response.ok) throw new Error(await response.text())
  const state = response.headers.get('x-recollect-memory')
  if (state?.startsWith('failed')) throw new Error(state)
  await response.text()
  const { user, system } = process.cpuUsage(used)
  return { ms: performance.now() - started, processorMs: (user + system) / 1000 }
}
