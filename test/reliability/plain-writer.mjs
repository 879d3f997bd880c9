// The control: writes a table in plain SQLite the way writer.mjs writes its memory, with settings of
// `PRAGMA synchronous` that Recollect does not offer.

import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { DatabaseSync } from '@photostructure/sqlite'

const say = (...words) => writeSync(1, `${words.join(' ')}\n`)

const input = createInterface({ input: process.stdin })
say('ready')
const [job] = await once(input, 'line')
const { path, synchronous } = JSON.parse(job)
const database = new DatabaseSync(path)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}`)
database.exec('CREATE TABLE word (number INTEGER PRIMARY KEY, text TEXT NOT NULL)')
const insert = database.prepare('INSERT INTO word VALUES (?, ?)')
for (let number = 1; ; number++) {
  insert.run(number, 'a word '.repeat(number % 50))
  say('kept', number)
}
