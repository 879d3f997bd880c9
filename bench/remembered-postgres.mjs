// Copies what `remembered.mjs` created in a file to PostgreSQL, row by row, since deriving a million messages again
// would take an hour. The store's own functions build the word index and check it.

import pg from 'pg'
import { DEFAULTS } from '../dist/options/options.js'
import { readEntries } from '../dist/store/postgres/indexed-texts.js'
import { openDatabase } from '../dist/store/postgres/open-database.js'
import { openPostgresStore } from '../dist/store/postgres/postgres-store.js'
import { addEntries, INDEXES } from '../dist/store/postgres/word-index.js'
import { openBare } from './bare-sqlite.mjs'
import { needRemembered } from './remembered.mjs'

const ROWS_AT_ONCE = 2000
const POSITIONS = 2 ** 24

/** Every table in an order that its references allow: what its rows are in the file, and by what they are counted. */
const TABLES = {
  workspace: ['number', 'SELECT * FROM workspace'],
  conversation: ['number', 'SELECT * FROM conversation'],
  message: ['number', 'SELECT * FROM message'],
  block: ['number', 'SELECT b.*, c.workspace FROM block b JOIN conversation c ON c.number = b.conversation'],
  derivation: ['number', 'SELECT * FROM derivation'],
  reading: [
    'place',
    `SELECT r.place, d.workspace, d.number AS derivation, r.place % ${POSITIONS} AS position, r.topic, r.vector,
       substr(s.bits, 5) AS sketch FROM reading r JOIN derivation d ON d.number = r.place / ${POSITIONS}
     LEFT JOIN sketch s ON s.place = r.place`,
  ],
  derived: ['number', 'SELECT * FROM derived'],
  deriver: ['number', 'SELECT name, row_number() OVER () AS number FROM deriver'],
  unread: [
    'number',
    `SELECT u.deriver, c.workspace, u.conversation, row_number() OVER () AS number
     FROM unread u JOIN conversation c ON c.number = u.conversation`,
  ],
  departure: [
    'number',
    `SELECT workspace, kind, max(ordinal) AS last, 0 AS count, row_number() OVER () AS number
     FROM derived GROUP BY workspace, kind`,
  ],
}
const BOOLEANS = ['is_title_given', 'is_pinned', 'is_memory_on', 'is_active']
const NUMBERED = ['workspace', 'conversation', 'message', 'block', 'derivation']

/** Fills an empty database, unless it was filled before; an incomplete one is filled from scratch. */
export async function fillRemembered(url, { messages, conversations }) {
  const path = await needRemembered({ messages, conversations })
  const store = await openPostgresStore(toSettings(url))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('SET search_path = recollect')
    if (await isFilled(client, messages)) return
    console.error(`  filling PostgreSQL with ${messages.toLocaleString('en')} messages`)
    await client.query(`TRUNCATE ${Object.keys(TABLES).join(', ')}, indexed_word CASCADE`)
    await copyTables(path, client)
    await indexWords(url)
    for (const table of [...Object.keys(TABLES), 'indexed_word'])
      await client.query(`VACUUM ANALYZE ${table}`)
    if (messages <= 100_000) await expectSound(store)
    await client.query('INSERT INTO setting (name, value) VALUES ($1, $2)', [FILLED, messages])
  } finally {
    await client.end()
    await store.close()
  }
}

const FILLED = 'filled-for-benchmarks'

async function isFilled(client, messages) {
  const { rows } = await client.query('SELECT value FROM setting WHERE name = $1', [FILLED])
  if (rows.length > 0 && Number(rows[0].value) !== messages)
    throw new Error('the database has other messages')
  return rows.length > 0
}

/** Reading does not wait for writing. */
async function indexWords(url) {
  const connection = await openDatabase(toSettings(url))
  let written = Promise.resolve()
  for (const index of Object.keys(INDEXES))
    await connection.read(async (session) => {
      const { number: workspace } = await session.get('SELECT number FROM workspace')
      for await (const entries of readEntries(session, { workspace, index })) {
        await written
        written = connection.write((writing) => addEntries(writing, { workspace, index }, entries))
      }
    })
  await written
  await connection.close()
}

const toSettings = (url) => ({
  ...DEFAULTS.postgres,
  url,
  durability: 'relaxed',
  busyTimeoutMs: DEFAULTS.busyTimeoutMs,
  statementTimeoutMs: 0,
})

async function copyTables(path, client) {
  const database = await openBare(path)
  for (const [table, [key, sql]] of Object.entries(TABLES)) {
    const read = database.prepare(
      `SELECT * FROM (${sql}) WHERE ${key} > ? ORDER BY ${key} LIMIT ${ROWS_AT_ONCE}`,
    )
    for (let rows = read.all(0); rows.length > 0; rows = read.all(rows.at(-1)[key]))
      await client.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT n.* FROM json_populate_recordset(NULL::${table}, $1) n`,
        [JSON.stringify(rows.map(toColumns))],
      )
    console.error(`  ${table}`)
  }
  database.close()
  for (const table of NUMBERED)
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'number'), greatest((SELECT max(number) FROM ${table}), 1))`,
    )
}

function toColumns(row) {
  const entries = Object.entries(row).map(([name, value]) => {
    if (name === 'sketch' && value !== null) return [name, toBits(value)]
    if (BOOLEANS.includes(name)) return [name, value === 1]
    return [name, value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value]
  })
  return Object.fromEntries(entries)
}

const toBits = (bytes) => Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')

async function expectSound(store) {
  const problems = (await store.check()).filter(({ problem }) => problem !== undefined)
  if (problems.length > 0) throw new Error(`what was filled in is not sound: ${JSON.stringify(problems)}`)
}
