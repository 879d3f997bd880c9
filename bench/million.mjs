// A file with a million messages in a thousand conversations, each with a vector, and some words to search for.
// Created once and kept in the temporary folder, since it takes minutes.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../dist/store/sqlite/migrations/migrations.js'
import { openSqliteStore } from '../dist/store/sqlite/sqlite-store.js'
import { openBare } from './bare-sqlite.mjs'
import { createMessageWriter } from './made-up-text.mjs'
import { createVectorMaker } from './made-up-vectors.mjs'

export const WORKSPACE = 'default'
export const DERIVER = 'reading'
/** Of what is kept here: another number, another file. */
const VERSION = 1
const EACH = 1000
/** Conversations are added to in turn, as in real life. */
const AT_ONCE = 100
const MINUTE = 60_000

/** Opened for writing without waiting for the disk: nobody cuts the power while it is made. */
export const openForBench = (path) => openSqliteStore({ path, durability: 'relaxed', busyTimeoutMs: 5000 })

/** The path of the file, and words by the share of messages that have them. */
export async function needMillion(messages) {
  const folder = join(tmpdir(), 'recollect-bench-kept')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `recall-${messages}-${MIGRATIONS.length}.${VERSION}.db`)
  if (!existsSync(path)) await make(path, messages)
  const list = `${path}.words.json`
  if (!existsSync(list)) writeFileSync(list, JSON.stringify(await chooseWords(path, messages)))
  return { path, words: JSON.parse(readFileSync(list, 'utf8')) }
}

async function make(path, messages) {
  console.error(`  making ${messages.toLocaleString('en')} messages: this takes minutes, once`)
  console.error(`  they are kept in ${path} (1.1 GB for a million); remove it when you are done`)
  const unfinished = `${path}.unfinished`
  for (const ending of ['', '-wal', '-shm']) rmSync(unfinished + ending, { force: true })
  const store = await openForBench(unfinished)
  await fill(store, messages)
  await store.close()
  const database = await openBare(unfinished)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  renameSync(unfinished, path)
}

async function fill(store, count) {
  const write = createMessageWriter(5)
  const nextVector = createVectorMaker(6)
  let moment = Date.UTC(2024, 0, 1)
  let written = 0
  const toMessage = (message) => {
    moment += MINUTE
    const times = { createdAt: new Date(moment), recordedAt: new Date(moment) }
    return { ...message, ...times, id: `m${written++}`, tokens: 90, tokenizer: 'o200k' }
  }
  for (let position = 0; position < EACH; position += AT_ONCE) {
    for (let i = 0; i < count / EACH; i++) {
      const key = { workspace: WORKSPACE, conversation: `c${i}` }
      const messages = write(AT_ONCE).map(toMessage)
      await store.append({ ...key, messages, now: new Date(moment), suggestTitle: () => undefined })
      await derive(store, key, { position, nextVector })
    }
    console.error(`  ${written.toLocaleString('en')} …`)
  }
}

async function derive(store, key, { position, nextVector }) {
  const readings = Array.from({ length: AT_ONCE }, (_, i) => ({
    position: position + i,
    topic: position,
    vector: nextVector(),
  }))
  const isWritten = await store.commitDerivation({
    ...key,
    deriver: DERIVER,
    generation: 1,
    version: 'bench',
    revision: position / AT_ONCE,
    cursor: position + AT_ONCE,
    state: {},
    readings,
    isActive: true,
    now: new Date(0),
    erasureVersion: await store.erasureVersion(WORKSPACE),
  })
  if (!isWritten) throw new Error('a commit was refused')
}

const SHARES = { rare: 0.0001, '0.1 %': 0.001, '1 %': 0.01, '10 %': 0.1, '50 %': 0.5 }
const WORDS_EACH = 5

/** For each share, the words that come nearest to it. */
async function chooseWords(path, messages) {
  console.error('  counting words …')
  const database = await openBare(path)
  database.exec('CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, message_words, col)')
  const all = database.prepare("SELECT term, doc FROM temp.vocabulary WHERE col = 'words'").all()
  database.close()
  const choose = (share) =>
    all
      .toSorted((a, b) => Math.abs(a.doc - share * messages) - Math.abs(b.doc - share * messages))
      .slice(0, WORDS_EACH)
      .map(({ term, doc }) => ({ term, doc }))
  return Object.fromEntries(Object.entries(SHARES).map(([name, share]) => [name, choose(share)]))
}
