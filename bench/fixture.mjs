// The files that benchmarks work on. Large ones are created once per run; a benchmark that writes uses a copy.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../dist/index.js'
import { openBare } from './bare-sqlite.mjs'
import { createMessageWriter, createQueryWriter } from './made-up-text.mjs'

const BATCH = 1000
const MESSAGES_EACH = 10
const QUERIES_AT_ONCE = 250

/** A memory that records and derives nothing, as most benchmarks need it. */
export const openRecord = (path) => openMemory(path, { derive: { when: 'never' } })

export const WHOLE_SIZES = { messages: 100_000, contextMessages: 10_000, conversations: 10_000, effort: 1 }
export const QUICK_SIZES = { messages: 10_000, contextMessages: 2000, conversations: 1000, effort: 0.1 }

export function createFixture(sizes) {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bench-'))
  // Also when the run is stopped half-way.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const made = new Map()
  let files = 0
  const newPath = () => join(folder, `${++files}.db`)
  function once(name, fill) {
    if (!made.has(name)) made.set(name, makeFile(newPath(), fill))
    return made.get(name)
  }
  return {
    sizes,
    /** A copy of a file in which everything is derived. */
    async derivedCopyOf(path) {
      if (!made.has(`derived ${path}`)) made.set(`derived ${path}`, deriveCopy(path, newPath()))
      return this.copyOf(await made.get(`derived ${path}`))
    },
    newPath,
    /** How often to repeat what is repeated `count` times in a whole run. */
    repeats: (count) => Math.max(5, Math.round(count * sizes.effort)),
    copyOf(path) {
      const copy = newPath()
      copyFileSync(path, copy)
      return copy
    },
    /** One conversation, "long", with as many messages as asked for. */
    longConversation: (messages) =>
      once(`long ${messages}`, (memory) => fillConversation(memory, 'long', messages)),
    /** One page, "long", with as many queries as asked for. */
    longPage: (queries) => once(`page ${queries}`, (memory) => fillPage(memory, 'long', queries)),
    /** Conversations "0", "1", "2" … of ten messages each. */
    manyConversations: (count) => once(`many ${count}`, (memory) => fillConversations(memory, count)),
  }
}

async function makeFile(path, fill) {
  const memory = await openRecord(path)
  await fill(memory)
  await memory.close()
  await emptyLog(path)
  return path
}

async function deriveCopy(path, copy) {
  copyFileSync(path, copy)
  const memory = await openMemory(copy)
  await memory.whenDerived()
  await memory.close()
  await emptyLog(copy)
  return copy
}

/** Checkpoints the write-ahead log into the file, so that the file can be copied and measured alone. */
async function emptyLog(path) {
  const database = await openBare(path)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}

async function fillConversation(memory, id, count) {
  const write = createMessageWriter(2)
  for (let left = count; left > 0; left -= BATCH) {
    await memory.conversation(id).record(write(Math.min(left, BATCH)))
  }
}

async function fillPage(memory, id, count) {
  const write = createQueryWriter(10)
  for (let left = count; left > 0; left -= QUERIES_AT_ONCE) {
    // Calls made at the same time share a commit.
    await Promise.all(
      write(Math.min(left, QUERIES_AT_ONCE)).map((query) => memory.page(id).queries.add(query)),
    )
  }
}

async function fillConversations(memory, count) {
  const write = createMessageWriter(3)
  const ids = Array.from({ length: count }, (_, i) => String(i))
  for (let i = 0; i < count; i += BATCH / MESSAGES_EACH) {
    // Calls made at the same time share a commit.
    const records = ids
      .slice(i, i + BATCH / MESSAGES_EACH)
      .map((id) => memory.conversation(id).record(write(MESSAGES_EACH)))
    await Promise.all(records)
  }
}
