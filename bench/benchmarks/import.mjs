import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { openRecord } from '../fixture.mjs'
import { createMessageWriter } from '../made-up-text.mjs'
import { median, timeMs } from '../measure.mjs'
import { runInNewProcess } from '../new-process.mjs'

const INDEX = new URL('../../dist/index.js', import.meta.url).href
/** In one conversation. */
const LENGTH = 40
const BEGAN = 1_700_000_000
/** 10,000 messages a second. */
const AIM = { most: 0.1 }

export const imports = {
  name: 'import',
  about: 'memory.import() of chats of ChatGPT, of JSON lines and of Recollect; memory of the process',
  async run(fixture) {
    const messages = fixture.sizes.messages / 2
    const chatgpt = await writeConversations(fixture.newPath(), messages, toChatgpt)
    const lines = await writeConversations(fixture.newPath(), messages, toLine)
    const own = await exportAgain(fixture, lines)
    return [
      await timeImport(fixture, { what: 'chats of ChatGPT', path: chatgpt, messages }),
      await timeImport(fixture, { what: 'JSON lines', path: lines, messages }),
      await timeImport(fixture, { what: 'an export of Recollect', path: own, messages }),
      await timeAgain(fixture, { path: chatgpt, messages }),
      await memoryOverSize(fixture),
    ]
  },
}

/** A file with conversations of made-up text. */
async function writeConversations(path, messages, { begin, write, end }) {
  const stream = createWriteStream(path)
  const says = createMessageWriter(51)
  stream.write(begin)
  for (let at = 0; at < messages; at += LENGTH) {
    if (!stream.write(write(says(LENGTH), at / LENGTH))) await once(stream, 'drain')
  }
  stream.end(end)
  await finished(stream)
  return path
}

const toChatgpt = {
  begin: '[',
  end: ']',
  write: (said, number) => `${number === 0 ? '' : ','}${JSON.stringify(toTree(said, number))}`,
}

const toLine = {
  begin: '',
  end: '',
  write: (said) => `${JSON.stringify({ messages: said.map(({ role, content }) => ({ role, content })) })}\n`,
}

function toTree(said, number) {
  const nodes = said.map(({ role, content }, i) => {
    const message = {
      id: `m${i}`,
      author: { role, name: null, metadata: {} },
      create_time: BEGAN + number * 3600 + i,
      update_time: null,
      content: { content_type: 'text', parts: [content] },
      status: 'finished_successfully',
      end_turn: true,
      weight: 1,
      metadata: { model_slug: 'gpt-4o', request_id: `r-${number}-${i}`, timestamp_: 'absolute' },
      recipient: 'all',
      channel: null,
    }
    return [`m${i}`, { id: `m${i}`, message, parent: i === 0 ? null : `m${i - 1}`, children: [`m${i + 1}`] }]
  })
  const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  return {
    title: `Conversation ${number}`,
    create_time: BEGAN + number * 3600,
    mapping: Object.fromEntries(nodes),
    current_node: `m${LENGTH - 1}`,
    conversation_id: id,
    id,
  }
}

async function exportAgain(fixture, path) {
  const memory = await openRecord(fixture.newPath())
  await memory.import(path)
  const target = fixture.newPath()
  const stream = createWriteStream(target)
  for await (const piece of memory.export()) if (!stream.write(piece)) await once(stream, 'drain')
  stream.end()
  await finished(stream)
  await memory.close()
  return target
}

async function timeImport(fixture, { what, path, messages }) {
  const times = []
  for (let round = 0; round < 3; round++) {
    const memory = await openRecord(fixture.newPath())
    times.push(await timeMs(() => memory.import(path)))
    await memory.close()
  }
  return toRow(`import ${what}, a message`, median(times), messages)
}

async function timeAgain(fixture, { path, messages }) {
  const memory = await openRecord(fixture.newPath())
  await memory.import(path)
  const time = await timeMs(() => memory.import(path))
  await memory.close()
  return toRow('import chats of ChatGPT that are there, a message', time, messages)
}

function toRow(what, time, messages) {
  const rate = Math.round((messages / time) * 1000).toLocaleString('en')
  return { what: `${what} (${rate} a second)`, unit: 'ms', ours: time / messages, aim: AIM }
}

/** Imports a file and prints the peak memory of the process. */
const IMPORT = `
  const { openMemory } = await import(${JSON.stringify(INDEX)})
  const memory = await openMemory(process.env.BENCH_PATH, { derive: { when: 'never' } })
  await memory.import(process.env.BENCH_EXPORT)
  await memory.close()
  console.log(process.resourceUsage().maxRSS / 1000)`

async function memoryOverSize(fixture) {
  const sizes = [fixture.sizes.messages / 2, fixture.sizes.messages * 4]
  const floor = await mostMemory(fixture, sizes[0])
  const ours = await mostMemory(fixture, sizes[1])
  const [small, large] = sizes.map((messages) => messages.toLocaleString('en'))
  const what = `most memory of a process that imports ${small} / ${large} messages`
  return { what, unit: 'MB', floor, ours, ratio: ours / floor, aim: { ratio: 1.3 } }
}

async function mostMemory(fixture, messages) {
  process.env.BENCH_EXPORT = await writeConversations(fixture.newPath(), messages, toChatgpt)
  return Number(await runInNewProcess(IMPORT, fixture.newPath()))
}
