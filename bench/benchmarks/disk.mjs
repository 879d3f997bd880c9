import { statSync } from 'node:fs'
import { openBare } from '../bare-sqlite.mjs'

const MEGABYTE = 1_000_000

export const disk = {
  name: 'disk',
  about: 'the size of the file, for 100 messages of 60 words and for many',
  async run(fixture) {
    const { contextMessages } = fixture.sizes
    const few = await fixture.longConversation(100)
    const many = await fixture.longConversation(contextMessages)
    const size = statSync(many).size / contextMessages
    return [
      { what: 'a file with 100 messages', unit: 'bytes', ours: statSync(few).size, aim: { most: MEGABYTE } },
      {
        what: `100 of ${contextMessages.toLocaleString('en')} messages`,
        unit: 'bytes',
        ours: size * 100,
        aim: { most: MEGABYTE },
      },
      { what: '  a message', unit: 'bytes', ours: size },
      ...(await shares(many, contextMessages)),
    ]
  },
}

/** What a message takes in each table and index, and how much of it is its own words. */
async function shares(path, messages) {
  const database = await openBare(path)
  const { bytes } = database.prepare('SELECT sum(length(CAST(content AS BLOB))) AS bytes FROM message').get()
  const text = { what: '  of it: the text itself', unit: 'bytes', ours: bytes / messages }
  const hasPages = database
    .prepare("SELECT sqlite_compileoption_used('ENABLE_DBSTAT_VTAB') AS is_there")
    .get().is_there
  const parts = hasPages ? database.prepare(PAGES).all() : []
  database.close()
  const toRow = ({ part, bytes: taken }) => ({
    what: `  of it: ${part}`,
    unit: 'bytes',
    ours: taken / messages,
  })
  return [text, ...parts.map(toRow)]
}

const PAGES = `
  SELECT CASE WHEN name = 'message' THEN 'the table of messages, with the text'
              WHEN name LIKE 'message_words%' THEN 'the index of words'
              WHEN tbl_name = 'message' THEN 'the other indexes of messages'
              ELSE 'everything else' END AS part, sum(pgsize) AS bytes
  FROM dbstat LEFT JOIN sqlite_schema USING (name) GROUP BY part ORDER BY bytes DESC`
