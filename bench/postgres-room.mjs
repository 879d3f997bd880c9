// Disk space per message in PostgreSQL, by table with its indexes, after everything was derived. Uses a separate
// schema, which is dropped at the end; starts a server unless one is given. Messages of 60 words, 40 per conversation.
//
//   node bench/postgres-room.mjs [--messages 8000] [--postgres address]

import pg from 'pg'
import { openMemory } from '../dist/index.js'
import { createMessageWriter } from './made-up-text.mjs'
import { readOptions } from './read-options.mjs'
import { startPostgres } from './temporary-postgres.mjs'

const SCHEMA = 'room_measured'
const PER_CONVERSATION = 40
const AT_ONCE = 8

const options = readOptions(import.meta.url, {
  messages: { type: 'string', default: '8000' },
  postgres: { type: 'string' },
})
const url = options.postgres ?? (await startPostgres()).url
const client = new pg.Client({ connectionString: url })
await client.connect()
await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
try {
  await fill(Number(options.messages))
  await client.query(`SET search_path = ${SCHEMA}`)
  await client.query('VACUUM ANALYZE')
  await tell()
} finally {
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
  await client.end()
}

async function fill(messages) {
  const memory = await openMemory(url, { postgres: { schema: SCHEMA, poolSize: AT_ONCE } })
  const write = createMessageWriter(7)
  const conversations = Array.from({ length: Math.ceil(messages / PER_CONVERSATION) }, (_, i) => i)
  const started = performance.now()
  const work = async () => {
    for (let i = conversations.shift(); i !== undefined; i = conversations.shift())
      for (let turn = 0; turn < PER_CONVERSATION; turn += 2)
        await memory.conversation(`c${i}`).record(write(2))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const seconds = (performance.now() - started) / 1000
  console.log(`${messages} messages recorded and derived, ${Math.round(messages / seconds)} a second`)
  await memory.whenDerived()
  await memory.close()
}

async function tell() {
  const { rows } = await client.query(
    `SELECT c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes, c.reltuples::float8 AS rows,
       (SELECT reltuples FROM pg_class WHERE oid = to_regclass('message'))::float8 AS messages
     FROM pg_class c WHERE c.relnamespace = to_regnamespace('${SCHEMA}') AND c.relkind = 'r' ORDER BY 2 DESC`,
  )
  const [{ messages }] = rows
  for (const { name, bytes, rows: lines } of rows.filter(({ bytes: all }) => all / messages >= 1))
    console.log(
      `${name.padEnd(16)} ${Math.round(bytes / messages)} bytes, ${(lines / messages).toFixed(2)} rows a message`,
    )
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(`${'together'.padEnd(16)} ${Math.round(all / messages)} bytes a message`)
}
