// Writes to a memory until it is killed, and prints what was acknowledged. Output lines are written synchronously to
// the pipe, so that none is lost in a buffer of the killed process.

import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openMemory } from '../../dist/index.js'
import { openSqliteStore } from '../../dist/store/sqlite/sqlite-store.js'
import { chatter, seededRandom } from './chatter.mjs'

const say = (...words) => writeSync(1, `${words.join(' ')}\n`)

/** Loads slow modules first, so that the delay before the kill is spent writing. */
async function warmUp() {
  const memory = await openMemory(':memory:')
  await memory.conversation('any').record({ role: 'user', content: 'any' })
  await memory.close()
}

class Writer {
  constructor({ path, seed, durability = 'full' }) {
    this.path = path
    this.seed = seed
    this.options = { durability }
    this.random = seededRandom(seed)
    this.chatter = chatter(`w${seed}`, this.random)
    this.erasable = []
    this.forks = 0
  }

  async open() {
    this.memory = await openMemory(this.path, this.options)
    say('opened')
  }

  conversation() {
    return this.memory.conversation(`chat-${this.random.below(4)}`)
  }

  async one() {
    const given = this.chatter.one()
    const kept = await this.conversation().record(given)
    acknowledge(given, kept)
    this.erasable.push(kept)
  }

  async many() {
    const given = this.chatter.many(this.random.between(2, 12))
    const kept = await this.conversation().record(given)
    for (const [i, message] of kept.entries()) acknowledge(given[i], message)
  }

  /** These share a commit. */
  async atOnce() {
    const calls = Array.from({ length: this.random.between(2, 6) }, () => this.random.pick(['one', 'many']))
    await Promise.all(calls.map((call) => this[call]()))
  }

  async context() {
    await this.conversation().context('what did I say about the sea?', { budgetTokens: 100_000 })
  }

  async fork() {
    const message = this.random.pick(this.erasable)
    if (message === undefined) return
    this.forks += 1
    const id = `fork-${this.seed}-${this.forks}`
    await this.memory.conversation(message.conversationId).fork(message.id, { id })
    say('forked', id, message.position + 1)
  }

  async erase() {
    const [message] = this.erasable.splice(this.random.below(this.erasable.length), 1)
    if (message === undefined) return
    say('erasing', message.id)
    await this.memory.messages.erase(message.id)
    say('erased', message.id)
  }

  /** Compresses older messages into blocks and rewrites small blocks, through a separate connection. */
  async compress() {
    const handle = this.conversation()
    const { messageCount = 0 } = (await handle.get()) ?? {}
    if (messageCount === 0) return
    const { durability } = this.options
    this.store ??= await openSqliteStore({ path: this.path, durability, busyTimeoutMs: 5000 })
    const positions = Array.from({ length: 20 }, () => this.random.below(messageCount))
    const key = { workspace: this.memory.workspaceId, conversation: handle.id }
    const { messages } = await this.store.compress(key, positions)
    say('compressed', messages)
  }

  async reopen() {
    await this.store?.close()
    this.store = undefined
    await this.memory.close()
    await this.open()
  }
}

function acknowledge(given, { id, conversationId, position }) {
  say('kept', id, conversationId, position, given.metadata.fingerprint)
}

/** Weighted by how often they are listed. */
const DEEDS = [
  ...[
    'one',
    'one',
    'one',
    'one',
    'one',
    'one',
    'many',
    'many',
    'many',
    'many',
    'atOnce',
    'atOnce',
    'atOnce',
    'atOnce',
  ],
  ...['context', 'fork', 'erase', 'erase', 'compress', 'compress', 'compress', 'reopen'],
]

await warmUp()
const input = createInterface({ input: process.stdin })
say('ready')
const [job] = await once(input, 'line')
const writer = new Writer(JSON.parse(job))
await writer.open()
for (;;) await writer[writer.random.pick(DEEDS)]()
