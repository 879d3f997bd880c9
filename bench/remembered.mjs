// Files in which the library derived everything: conversations of a thousand messages, written alternately as in real
// life, with some statements about a person. Created once and kept in the temporary folder: a million messages take
// about ten minutes.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { READER_VERSION } from '../dist/derive/reading/items.js'
import { openMemory } from '../dist/index.js'
import { MIGRATIONS } from '../dist/store/sqlite/migrations/migrations.js'
import { openBare } from './bare-sqlite.mjs'
import { createMessageWriter } from './made-up-text.mjs'

/** Of what is kept here: another number, another file. */
const VERSION = 2
/** For what a store does by itself when nobody writes. */
const REST_MS = 5000
const MINUTE = 60_000
const AT_ONCE = 100
/** One in this many messages contains a lasting fact. */
const STATEMENT_EVERY = 50
const STATEMENTS = [
  (n) => `I live in Porto ${n}. `,
  (n) => `My sister is called Ana${n}. `,
  (n) => `I like tea number ${n}. `,
  (n) => `My boss is called Rui${n}. `,
]

/** The path of a file with this many messages in this many conversations, "c0", "c1" … */
export async function needRemembered({ messages, conversations }) {
  const folder = join(tmpdir(), 'recollect-bench-kept')
  mkdirSync(folder, { recursive: true })
  // A file that other rules derived would be derived again while it is measured.
  const rules = [MIGRATIONS.length, READER_VERSION.replaceAll('/', '-'), VERSION].join('.')
  const path = join(folder, `remembered-${messages}-${conversations}-${rules}.db`)
  if (!existsSync(path)) await make(path, { messages, conversations })
  return path
}

async function make(path, { messages, conversations }) {
  const many = messages.toLocaleString('en')
  console.error(`  making and deriving ${many} messages, once; they are kept in ${path}`)
  const unfinished = `${path}.unfinished`
  for (const ending of ['', '-wal', '-shm']) rmSync(unfinished + ending, { force: true })
  const memory = await openMemory(unfinished, { durability: 'relaxed' })
  const write = createStatingWriter()
  let moment = Date.UTC(2024, 0, 1)
  const each = messages / conversations
  for (let position = 0; position < each; position += AT_ONCE) {
    for (let i = 0; i < conversations; i++) {
      const said = write(Math.min(AT_ONCE, each - position)).map((message) => {
        moment += MINUTE
        return { ...message, createdAt: new Date(moment) }
      })
      await memory.conversation(`c${i}`).record(said)
    }
    await memory.whenDerived()
    console.error(`  ${((position + AT_ONCE) * conversations).toLocaleString('en')} …`)
  }
  await new Promise((resolve) => setTimeout(resolve, REST_MS))
  await memory.close()
  const database = await openBare(unfinished)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  renameSync(unfinished, path)
}

function createStatingWriter() {
  const write = createMessageWriter(15)
  let written = 0
  const state = (message) => {
    if (written++ % STATEMENT_EVERY !== 0) return message
    const say = STATEMENTS[Math.floor(written / STATEMENT_EVERY) % STATEMENTS.length]
    return { ...message, content: say(written % 1000) + message.content }
  }
  return (count) => write(count).map(state)
}
